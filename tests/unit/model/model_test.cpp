#include "model/model.h"

#include <gtest/gtest.h>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "model/add_body.h"
#include "model/bounds.h"

namespace sinew::model {
namespace {

// Two boxes of 1 x 2 x 3 m and 2 x 1 x 1 m.
Model two_boxes() {
  Model model;
  for (const Vec3d& size : {Vec3d{1, 2, 3}, Vec3d{2, 1, 1}}) {
    const auto mesh = mesh::make_box({.size = size, .cells = {2, 2, 2}});
    EXPECT_TRUE(mesh);
    add_body(model, "box", element::default_kind(), *mesh, mesh::boundary(*mesh));
  }
  return model;
}

TEST(Model, LumpedMassAddsUpToDensityTimesVolume) {
  Model model = two_boxes();
  const int32_t count = model.bodies[1].elements.size();
  ParamField layers;
  double expected = 0;
  for (int32_t t = 0; t < count; ++t) {
    layers.values.push_back(100 + t);
    expected += (100 + t) * 2.0 / count;  // all tets of the box are equal
  }
  model.params.density = {{{1000}}, layers};
  const std::vector<double> mass = model.lumped_mass(model.params);
  double sum[2] = {0, 0};
  for (size_t i = 0; i < mass.size(); ++i) {
    EXPECT_GT(mass[i], 0);
    sum[model.body_of_node(static_cast<int32_t>(i))] += mass[i];
  }
  EXPECT_NEAR(sum[0], 6000, 1e-9);
  EXPECT_NEAR(sum[1], expected, 1e-9);
}

TEST(Model, KnowsTheBodyOfEachNode) {
  const Model model = two_boxes();
  for (size_t b = 0; b < model.bodies.size(); ++b)
    for (int32_t i = model.bodies[b].nodes.begin; i < model.bodies[b].nodes.end; ++i)
      ASSERT_EQ(model.body_of_node(i), static_cast<int32_t>(b));
}

TEST(Model, KnowsTheBodyOfEachElement) {
  const Model model = two_boxes();
  for (size_t b = 0; b < model.bodies.size(); ++b)
    for (int32_t e = model.bodies[b].elements.begin; e < model.bodies[b].elements.end; ++e)
      ASSERT_EQ(model.body_of_element(e), static_cast<int32_t>(b));
}

// Bodies of two kinds in one numbering, and what they weigh: uniform acceleration acts on all of the mass.
TEST(Model, BodiesOfDifferentKindsShareOneNumbering) {
  Model model = two_boxes();
  auto mesh = *mesh::make_box({.size = {1, 1, 2}, .cells = {1, 1, 2}});
  mesh::add_edge_nodes(mesh);
  const Body& curved = add_body(model, "curved", element::plain_kind(mesh), mesh, mesh::boundary(mesh));
  EXPECT_EQ(curved.kind->name, "quadratic");
  EXPECT_EQ(curved.elements.begin, model.bodies[1].elements.end);
  EXPECT_EQ(model.elements[curved.elements.begin].size(), 10u);
  EXPECT_EQ(model.elements[curved.elements.begin - 1].size(), 4u);
  EXPECT_EQ(curved.behind.size(), curved.surface.size());
  model.params.density = {{{1}}, {{1}}, {{500}}};
  double lumped = 0, load = 0;
  for (int32_t i = curved.nodes.begin; i < curved.nodes.end; ++i) {
    lumped += model.lumped_mass(model.params)[i];
    load += model.load_mass(model.params)[i];
  }
  EXPECT_NEAR(lumped, 1000, 1e-9);
  EXPECT_NEAR(load, 1000, 1e-9);
}

TEST(Model, BoundsLeaveHiddenNodesOut) {
  Model model = two_boxes();
  const mesh::Bounds before = bounds(model, model.X);
  model.X.push_back({1e6, -1e6, 0});
  model.bodies[1].nodes.end += 1;
  model.bodies[1].hidden = 1;
  EXPECT_EQ(model.bodies[1].visible().size(), 27);
  const mesh::Bounds after = bounds(model, model.X);
  EXPECT_EQ(norm(after.low - before.low), 0);
  EXPECT_EQ(norm(after.high - before.high), 0);
  EXPECT_EQ(after.high[2], 3);
}

TEST(Model, MakesAStateAtRest) {
  const Model model = two_boxes();
  const State state = model.make_state(StateLayout());
  ASSERT_EQ(state.x().size(), model.X.size());
  for (size_t i = 0; i < model.X.size(); ++i) EXPECT_EQ(norm(state.x()[i] - model.X[i]), 0);
  EXPECT_EQ(model.counts().elements, static_cast<int64_t>(model.elements.size()));
  EXPECT_EQ(model.counts().bodies, 2);
}

TEST(Model, ScalesFollowTheStiffestMaterialAndTheMesh) {
  Model model = two_boxes();
  const material::Law* law = material::find_law("stvk");
  model.sets = {{0, law, {0, 1}}, {1, law, {60, 61}}};
  model.params.material = {{{{2e5}}, {{0.3}}}, {{{1e4, 5e5}}, {{0.3}}}};
  const double stiffness[] = {2e5, 5e5}, volume[] = {6, 2};
  for (int body : {0, 1}) {
    const Model::Scales scales = model.scales(model.params, body);
    EXPECT_EQ(scales.stiffness, stiffness[body]);
    EXPECT_NEAR(scales.volume, volume[body], 1e-12);
    EXPECT_GT(scales.edge, 0.5);
    EXPECT_LT(scales.edge, 1.5);
  }
}

TEST(ParamField, IsOneValueOrOneForEach) {
  EXPECT_EQ((ParamField{{3}}).at(17), 3);
  EXPECT_EQ((ParamField{{3, 4, 5}}).at(2), 5);
}

}  // namespace
}  // namespace sinew::model
