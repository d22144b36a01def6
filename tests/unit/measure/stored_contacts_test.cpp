// Contacts in a State made by hand: sums by pair, both orders, reactions, rows of a broken file.
#include "measure/stored_contacts.h"

#include <gtest/gtest.h>
#include <limits>

#include "unit/energy/sample.h"

namespace sinew::measure {
namespace {

using math::Vec3d;

// Two blocks "a" and "b" and the colliders "floor" and "wall"; node 0 of "a" is held.
model::Model two_blocks() {
  model::Model model;
  for (const char* name : {"a", "b"}) {
    sample::add_set(model, sample::add_block(model), *material::find_law("stvk"));
    model.bodies.back().name = name;
  }
  for (const char* name : {"floor", "wall"}) {
    model.colliders.emplace_back().name = name;
    model.colliders.back().pose = model.inputs.add_pose(name, {{.time = 0}});
  }
  model.attachments.push_back({"held", model::Hold::rigid, {0}, {0, 0, 1}, model.colliders[0].pose});
  model.contact.rules.resize(8);
  return model;
}

model::State contact_state(const model::Model& model) {
  using model::ColumnType;
  using model::On;
  model::StateLayout layout;
  layout.declare({"contact_key", ColumnType::i64, 6, On::contact});
  layout.declare({"contact_force", ColumnType::f64, 3, On::contact});
  layout.declare({"contact_node_force", ColumnType::f64, 3, On::node});
  return model.make_state(layout);
}

struct Row {
  std::array<int64_t, 6> key;
  Vec3d force;
};

void put(model::State& state, const std::vector<Row>& rows) {
  for (model::Column& column : state.mutable_columns())
    for (const Row& row : rows) {
      if (column.spec.name == "contact_key")
        column.i64.insert(column.i64.end(), row.key.begin(), row.key.end());
      if (column.spec.name == "contact_force")
        column.f64.insert(column.f64.end(), row.force.v, row.force.v + 3);
    }
}

double value(const model::Model& model, const model::State& state, const std::string& text) {
  const Result<Reading> reading = parse_reading(model, text);
  EXPECT_TRUE(reading) << text << ": " << (reading ? "" : reading.error().text());
  return reading ? read(Snapshot(model, model.params, state), *reading) : 0;
}

TEST(Contacts, AddUpByPairAndTurnWithTheOrderOfTheNames) {
  const model::Model model = two_blocks();
  const int64_t a = 1, b = model.bodies[1].nodes.begin;
  model::State state = contact_state(model);
  put(state, {{{0, a, b, b + 1, b + 2, -1}, {1, 2, 3}},      // vertex of a, triangle of b
              {{0, b, a, a + 1, a + 2, -1}, {10, 0, 0}},     // vertex of b, triangle of a
              {{1, a, a + 1, b, b + 1, -1}, {0, 0, 100}},    // edges
              {{0, a, b, b + 1, b + 3, -1}, {0, 0, 0}},      // does not press
              {{0, a, a + 3, a + 4, a + 5, -1}, {7, 0, 0}},  // of a with itself
              {{0, b, -1, -1, -1, 1}, {0, 4, 0}},
              {{0, b + 1, -1, -1, -1, 1}, {3, 0, 0}}});  // wall
  EXPECT_EQ(value(model, state, "a:b.contact_force.x"), 1 - 10);
  EXPECT_EQ(value(model, state, "a:b.contact_force.z"), 103);
  EXPECT_EQ(value(model, state, "b:a.contact_force.z"), -103);
  EXPECT_EQ(value(model, state, "a:b.contacts"), 3);
  EXPECT_EQ(value(model, state, "b:a.contacts"), 3);
  EXPECT_EQ(value(model, state, "a:a.contacts"), 1);
  EXPECT_EQ(value(model, state, "a:a.contact_force.norm"), 0);
  EXPECT_EQ(value(model, state, "b:wall.contact_force.norm"), 5);
  EXPECT_EQ(value(model, state, "wall:b.contact_force.y"), -4);
  EXPECT_EQ(value(model, state, "a:wall.contacts"), 0);
  EXPECT_EQ(value(model, state, "b:floor.contacts"), 0);
  const auto pairs = pair_forces(Snapshot(model, model.params, state));
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].pair.second, 0);
  EXPECT_EQ(pairs[1].pair.second, 1);
  EXPECT_EQ(pairs[2].pair.second, 3);
}

TEST(Contacts, RowsThatDoNotFitTheModelArePassedOver) {
  const model::Model model = two_blocks();
  const int64_t b = model.bodies[1].nodes.begin, most = std::numeric_limits<int64_t>::max();
  const auto end = static_cast<int64_t>(model.X.size());
  model::State state = contact_state(model);
  put(state, {{{0, -1, b, b, b, -1}, {1, 0, 0}},
              {{0, end, b, b, b, -1}, {1, 0, 0}},
              {{0, 0, end, b, b, -1}, {1, 0, 0}},
              {{1, 0, 1, -5, b, -1}, {1, 0, 0}},
              {{0, 0, -1, -1, -1, 2}, {1, 0, 0}},
              {{0, 0, b, b, b, -2}, {1, 0, 0}},
              {{most, most, most, most, most, most}, {1, 0, 0}},
              {{most, 0, most, b, most, -1}, {5, 0, 0}}});  // the flag is any number but 0
  EXPECT_EQ(value(model, state, "a:b.contacts"), 1);
  EXPECT_EQ(contacts(Snapshot(model, model.params, state)).size(), 1u);
  // A column of keys without one of forces.
  for (model::Column& column : state.mutable_columns())
    if (column.spec.name == "contact_force") column.f64.resize(4);
  EXPECT_TRUE(contacts(Snapshot(model, model.params, state)).empty());
}

TEST(Contacts, AStateWithoutThemReadsAsZero) {
  const model::Model model = two_blocks();
  const model::State state = model.make_state({});
  EXPECT_EQ(value(model, state, "a:b.contact_force.norm"), 0);
  EXPECT_EQ(value(model, state, "a:floor.contacts"), 0);
  EXPECT_EQ(value(model, state, "a.contact_force.norm.max"), 0);
}

TEST(Contacts, NodeForcesAreAFieldAndPartOfReactions) {
  const model::Model model = two_blocks();
  model::State state = contact_state(model);
  state.vectors("contact_node_force")[0] = {0, 0, 6};
  const int32_t b = model.bodies[1].nodes.begin;
  state.vectors("contact_node_force")[b] = {0, 2, 0};
  EXPECT_EQ(value(model, state, "a.contact_force.z.max"), 6);
  EXPECT_EQ(value(model, state, "b.contact_force.y.max"), 2);
  // The body is at rest: what contact pushes up, the attachment holds down.
  EXPECT_NEAR(value(model, state, "held.force.z"), -6, 1e-9);
}

TEST(Contacts, ReadingsOfPairsAreRefusedWithWhatThereIs) {
  const model::Model model = two_blocks();
  struct Case {
    const char* text;
    const char* part;  // of the message
  };
  for (const auto& [text, part] : {Case{"a:c.contacts", "\"c\" is neither a body nor a collider"},
                                   {":b.contacts", "expected one of a, b, floor, wall"},
                                   {"held:a.contacts", "\"held\" is neither"},
                                   {"floor:wall.contacts", "expected a body in the pair"},
                                   {"a:b", "no quantity is named; expected one of contact_force, contacts"},
                                   {"a:b.volume", "unknown quantity \"volume\""},
                                   {"a:b.contact_force", "several components"},
                                   {"a:b.contact_force.x.max", "not a field"},
                                   {"a:b:c.contacts", "\"b:c\" is neither"}}) {
    const auto reading = parse_reading(model, text);
    ASSERT_FALSE(reading) << text;
    EXPECT_NE(reading.error().what.find(part), std::string::npos) << reading.error().what;
  }
}

}  // namespace
}  // namespace sinew::measure
