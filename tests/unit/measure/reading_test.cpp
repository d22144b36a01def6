// The words of a reading: what they mean, and what is said when they mean nothing.
#include <gtest/gtest.h>

#include "measure/quantity.h"
#include "unit/energy/sample.h"

namespace sinew::measure {
namespace {

using model::Site;

model::Model sample_model() {
  model::Model model = sample::block("stvk");
  model.bodies[0].name = "arm";
  const int pose = model.inputs.add_pose("p", {{.time = 0}});
  model.attachments.push_back({"arm.left", model::Hold::rigid, {0, 1}, {0, 0, 1}, pose});
  model.attachments.push_back(
      {"arm", model::Hold::rigid, {2}, {0, 0, 1}, pose});  // the body's name once more
  model.probes.push_back({"tip", Site::at_node(3)});
  return model;
}

TEST(Reading, NamesTargetQuantityComponentAndReduction) {
  const model::Model model = sample_model();
  const auto stress = parse_reading(model, "arm.stress.zx.max");
  ASSERT_TRUE(stress);
  EXPECT_EQ(stress->quantity->name, "stress");
  EXPECT_EQ(stress->target, 0);
  EXPECT_EQ(stress->component, Reading::Component::zx);
  EXPECT_EQ(stress->reduction, Reading::Reduction::max);
  const auto volume = parse_reading(model, "arm.volume");
  ASSERT_TRUE(volume);
  EXPECT_EQ(volume->reduction, Reading::Reduction::none);
  const auto tip = parse_reading(model, "tip.displacement.z");
  ASSERT_TRUE(tip);
  EXPECT_EQ(tip->quantity->on, Target::probe);
}

TEST(Reading, TakesTheLongestNameAndAnyTargetThatHasTheQuantity) {
  const model::Model model = sample_model();
  const auto left = parse_reading(model, "arm.left.force.x");
  ASSERT_TRUE(left);
  EXPECT_EQ(left->target, 0);
  EXPECT_EQ(left->quantity->on, Target::attachment);
  const auto force = parse_reading(model, "arm.force.norm");
  ASSERT_TRUE(force);
  EXPECT_EQ(force->target, 1);
  EXPECT_EQ(force->quantity->on, Target::attachment);
  EXPECT_TRUE(parse_reading(model, "arm.det_F.min"));
}

TEST(Reading, WholeFieldsAndVectorsWhereTheyAreAllowed) {
  const model::Model model = sample_model();
  const model::State state = model.make_state(model::StateLayout());
  const Snapshot snapshot(model, model.params, state);
  const auto position = parse_values(model, "arm.position");
  ASSERT_TRUE(position);
  EXPECT_FALSE(parse_reading(model, "arm.position"));
  EXPECT_EQ(width_of(*position), 3);
  const std::vector<double> x = read_values(snapshot, *position);
  ASSERT_EQ(x.size(), 3 * model.X.size());
  const auto height = parse_values(model, "arm.position.y"),
             highest = parse_values(model, "arm.position.y.max");
  ASSERT_TRUE(height);
  ASSERT_TRUE(highest);
  const std::vector<double> y = read_values(snapshot, *height), top = read_values(snapshot, *highest);
  ASSERT_EQ(y.size(), model.X.size());
  for (size_t i = 0; i < model.X.size(); ++i) {
    EXPECT_EQ(y[i], model.X[i][1]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(x[3 * i + static_cast<size_t>(k)], model.X[i][k]);
  }
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0], *std::max_element(y.begin(), y.end()));
  EXPECT_FALSE(parse_values(model, "arm.position.max"));  // of which component?
  EXPECT_FALSE(parse_values(model, "arm.position.xy"));
}

TEST(Reading, RefusesWithWhatThereIs) {
  struct Row {
    const char* text;
    const char* part;  // of the message
  };
  const Row rows[] = {
      {"", "expected one of arm, arm.left, tip"},
      {"leg.volume", "expected one of arm, arm.left, tip"},
      {"armvolume", "expected one of arm, arm.left, tip"},
      {"arm", "no quantity is named"},
      {"arm.", "no quantity is named"},
      {"arm.volum", "unknown quantity \"volum\""},
      {"arm.volum", "volume_change"},
      {"arm.left.volume", "expected one of force, moment"},
      {"tip.force.x", "expected one of displacement, position"},
      {"arm.displacement.max", "expected one of norm, x, y, z"},
      {"arm.displacement", "expected one of norm, x, y, z"},
      {"arm.displacement.xx.max", "has no component \"xx\""},
      {"arm.stress.x.max", "norm, xx, xy, yy, yz, zx, zz"},
      {"arm.displacement.x", "is a field; expected one of max, mean, min"},
      {"arm.det_F", "is a field"},
      {"arm.det_F.x.min", "unknown reduction \"x\""},
      {"arm.det_F.median", "unknown reduction \"median\""},
      {"arm.det_F.min.max", "nothing can follow \"min\""},
      {"arm.volume.max", "is not a field"},
      {"arm.volume.x", "single number"},
      {"tip.position.x.y", "has no component \"y\""},
      {"tip.position.x.min", "is not a field"},
      {"tip.position", "several components"},
  };
  const model::Model model = sample_model();
  for (const Row& row : rows) {
    const auto reading = parse_reading(model, row.text);
    ASSERT_FALSE(reading) << row.text;
    EXPECT_NE(reading.error().text().find(row.part), std::string::npos) << reading.error().text();
    EXPECT_EQ(reading.error().kind, ErrorKind::usage);
  }
}

TEST(Reading, KeepsMessagesShortAndClean) {
  const model::Model model = sample_model();
  const auto reading = parse_reading(model, "arm." + std::string(100000, 'q') + "\n\x01");
  ASSERT_FALSE(reading);
  EXPECT_LT(reading.error().text().size(), 1000u);
  EXPECT_EQ(reading.error().text().find('\n'), std::string::npos);
  EXPECT_FALSE(parse_reading(model, "\x01\n\xff"));
  EXPECT_FALSE(parse_reading(model::Model{}, "a.b"));
}

}  // namespace
}  // namespace sinew::measure
