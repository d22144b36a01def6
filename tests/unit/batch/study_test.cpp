#include "batch/study.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "batch/sample_scenes.h"
#include "unit/batch/arm_scene.h"

namespace sinew::batch {
namespace {

const std::string bar_study = R"({
  "sinew_study": 1, "scene": "bar.json", "samples": 40, "seed": 3, "shard": 16,
  "vary": {
    "turn": {"path": "/attach/1/motion/1/rotate/degrees", "from": -10, "to": 30},
    "young": {"path": "bodies.bar.material.young", "from": 1e4, "to": 1e6, "scale": "log"},
    "law": {"path": "/bodies/bar/material/model", "choose": ["corotated", "stable_neo_hookean"]},
    "reach": {"paths": ["/attach/1/motion/1/translate/0", "/gravity/1"], "along": [[0, 0], [1, -1], [1, -3]]}},
  "keep": ["bar.position", "bar.stress.xy", "wall.force", "bar.det_F.min"]
})";

Study study_from(const std::string& text) {
  json::Diagnostics diagnostics;
  auto study = parse_study(text, "study.json", ".", diagnostics);
  if (!study) ADD_FAILURE() << diagnostics.text();
  return study ? std::move(*study) : Study{};
}

TEST(Study, ValuesLieInTheirRangesAndFillThem) {
  const Study study = study_from(bar_study);
  ASSERT_EQ(study.samples, 40);
  EXPECT_EQ(study.shards(), 3);
  double low = 1e9, high = -1e9, below = 0;
  for (int64_t i = 0; i < study.samples; ++i) {
    const std::vector<double> p = study.parameters(i), u = study.point(i);
    ASSERT_EQ(p, study.parameters(i));
    for (size_t k = 0; k < 4; ++k) {
      EXPECT_TRUE(study.vary[k].contains(p[k]));
      EXPECT_GE(u[k], 0);
      EXPECT_LE(u[k], 1);
    }
    low = std::min(low, p[0]);
    high = std::max(high, p[0]);
    below += p[1] < 1e5;
  }
  EXPECT_LT(low, -8);
  EXPECT_GT(high, 28);
  EXPECT_NEAR(below, 20, 2);  // half of a log range lies below its geometric mean
}

TEST(Study, RangesAreEvenInTheValueOrItsLogarithm) {
  const Study study = study_from(bar_study);
  const Variable& v = study.vary[1];
  EXPECT_NEAR(v.parameter(0.5), 1e5, 1e-9);
  EXPECT_NEAR(v.parameter(0.25), std::pow(10, 4.5), 1e-9);
  EXPECT_EQ(v.parameter(0), 1e4);
  EXPECT_EQ(v.parameter(1), 1e6);
  for (const double p : {1e4, 12345.6, 1e6}) EXPECT_NEAR(v.parameter(v.coordinate(p)) / p, 1, 1e-13);
  EXPECT_EQ(study.vary[0].parameter(0.75), 20);
}

// Ends so close that their logarithms are equal.
TEST(Study, AShortRangeHasPointsToo) {
  Variable v;
  v.log = true;
  v.from = 1e300;
  v.to = std::nextafter(v.from, 2e300);
  for (const double p : {v.from, v.to}) {
    EXPECT_GE(v.coordinate(p), 0);
    EXPECT_LE(v.coordinate(p), 1);
  }
}

TEST(Study, RangesTooLongForNumbersAreRefused) {
  const std::string begin =
      R"({"sinew_study": 1, "scene": "bar.json", "samples": 4, "keep": ["bar.position"], )";
  for (const char* vary :
       {R"("vary": {"g": {"path": "/gravity/1", "from": -1e308, "to": 1e308}}})",
        R"("vary": {"g": {"paths": ["/gravity/1"], "along": [[0], [-1e308], [1e308]]}}})"}) {
    json::Diagnostics diagnostics;
    EXPECT_FALSE(parse_study(begin + vary, "study.json", ".", diagnostics));
    EXPECT_NE(diagnostics.text().find("whose length is a number"), std::string::npos) << diagnostics.text();
  }
}

TEST(Study, APathMovesSeveralValues) {
  const Study study = study_from(bar_study);
  std::vector<std::string> set;
  study.vary[3].override_scene(0.75, set);
  EXPECT_EQ(set, (std::vector<std::string>{"/attach/1/motion/1/translate/0=1", "/gravity/1=-2"}));
  set.clear();
  study.vary[3].override_scene(1, set);
  EXPECT_EQ(set.back(), "/gravity/1=-3");
}

TEST(Study, TheSplitIsAShareAndDoesNotDependOnTheNumberOfSamples) {
  Study study = study_from(bar_study);
  int held = 0;
  for (int64_t i = 0; i < 20000; ++i) held += study.held_out(i);
  EXPECT_NEAR(held, 2000, 150);
}

TEST(SampleScenes, ValuesReachTheModel) {
  const Study study = study_from(bar_study);
  json::Diagnostics diagnostics;
  const auto scenes = SampleScenes::make(study, bent_bar, "bar.json", ".", diagnostics);
  ASSERT_TRUE(scenes) << diagnostics.text();
  scenes->check_corners(diagnostics);
  ASSERT_TRUE(diagnostics.empty()) << diagnostics.text();
  const std::vector<double> p = {12, 54321, 0, 0.75};
  const auto built = scenes->build(p, diagnostics);
  ASSERT_TRUE(built) << diagnostics.text();
  const scene::Built expected =
      built_of(bent_bar,
               {"/attach/1/motion/1/rotate/degrees=12", "/bodies/bar/material/young=54321",
                "/bodies/bar/material/model=corotated", "/attach/1/motion/1/translate/0=1", "/gravity/1=-2"});
  EXPECT_EQ(built->model.params.material[0][0].values, expected.model.params.material[0][0].values);
  EXPECT_EQ(built->model.sets[0].law, expected.model.sets[0].law);
  std::vector<double> a(static_cast<size_t>(built->model.inputs.size())), b = a;
  built->model.inputs.evaluate(1, a);
  expected.model.inputs.evaluate(1, b);
  EXPECT_EQ(a, b);
  // The mesh that was kept is the mesh that is made.
  ASSERT_EQ(built->model.X.size(), expected.model.X.size());
  EXPECT_EQ(std::memcmp(built->model.X.data(), expected.model.X.data(), built->model.X.size() * 24), 0);
  EXPECT_TRUE(built->model.elements == expected.model.elements);
  EXPECT_EQ(built->model.bodies[0].surface, expected.model.bodies[0].surface);
}

TEST(SampleScenes, KeepsFieldsOfTheSurface) {
  Study study = study_from(bar_study);
  json::Diagnostics diagnostics;
  const scene::Built built = built_of(bent_bar);
  const auto whole = Outputs::make(built.model, study.keep, false);
  const auto outside = Outputs::make(built.model, study.keep, true);
  ASSERT_TRUE(whole);
  ASSERT_TRUE(outside);
  const int64_t nodes = 7 * 3 * 3;
  EXPECT_EQ(whole->fields()[0].shape(), (std::vector<int64_t>{nodes, 3}));
  EXPECT_EQ(whole->fields()[1].shape(),
            (std::vector<int64_t>{static_cast<int64_t>(built.model.elements.size())}));
  EXPECT_EQ(whole->fields()[2].shape(), (std::vector<int64_t>{3}));
  EXPECT_EQ(whole->fields()[3].shape(), (std::vector<int64_t>{}));
  EXPECT_EQ(outside->fields()[0].shape(), (std::vector<int64_t>{nodes - 5, 3}));  // five nodes lie inside
  EXPECT_EQ(outside->fields()[1].count, static_cast<int64_t>(built.model.bodies[0].surface.size()));
  const model::State state = built.model.make_state(model::StateLayout());
  const measure::Snapshot snapshot(built.model, built.model.params, state);
  const auto values = outside->evaluate(snapshot);
  for (size_t i = 0; i < outside->fields()[0].rows.size(); ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(values[0][3 * i + static_cast<size_t>(k)], built.model.X[outside->fields()[0].rows[i]][k]);
}

}  // namespace
}  // namespace sinew::batch
