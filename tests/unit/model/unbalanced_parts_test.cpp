#include "model/unbalanced_parts.h"

#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "model/add_body.h"

namespace sinew::model {
namespace {

// A cube of side 1 and 1 kg with its low corner at a point: nodes 0 to 7, x fastest.
void add_cube(Model& model, const Vec3d& corner) {
  mesh::TetMesh mesh = *mesh::make_box({.size = {1, 1, 1}, .cells = {1, 1, 1}});
  for (Vec3d& p : mesh.vertices) p += corner;
  add_body(model, "cube", element::default_kind(), mesh, mesh::boundary(mesh));
  model.params.density.push_back({{1}});
}

Model cube() {
  Model model;
  add_cube(model, {0, 0, 0});
  return model;
}

void add_gravity(Model& model, const Vec3d& g) {
  model.gravity = model.inputs.add_numbers("gravity", {{0, {g[0], g[1], g[2]}}});
}

void add_force(Model& model, int32_t node, const Vec3d& force, std::vector<NumberKey> factor = {{0, {1}}}) {
  const int input = model.inputs.add_numbers("load", std::move(factor));
  model.nodal_loads.push_back({"load", {node}, {force}, input});
}

void hold(Model& model, int32_t node, Hold kind, const Vec3d& direction = {0, 0, 1}) {
  model.attachments.push_back({"held", kind, {node}, direction, 0});
}

std::vector<UnbalancedPart> unbalanced(const Model& model, double end = 1) {
  return unbalanced_parts(model, find_parts(model), end);
}

TEST(UnbalancedParts, AFreeCubeFalls) {
  Model model = cube();
  EXPECT_TRUE(unbalanced(model).empty());
  add_gravity(model, {0, -9.81, 0});
  const auto list = unbalanced(model);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_LT(norm(list[0].force - Vec3d{0, -9.81, 0}), 1e-12);
  const std::vector<double> inputs = {0, 0, 3};  // instead of the model's own
  const auto pulled = unbalanced_parts(model, find_parts(model), inputs);
  ASSERT_EQ(pulled.size(), 1u);
  EXPECT_LT(norm(pulled[0].force - Vec3d{0, 0, 3}), 1e-12);
  hold(model, 0, Hold::rigid);
  EXPECT_TRUE(unbalanced(model).empty());  // it swings, and comes to rest
}

// Only the force along what a plane or a line leaves free counts.
TEST(UnbalancedParts, PlanesAndLinesTakeTheirDirections) {
  Model model = cube();
  add_gravity(model, {3, -4, 0});
  hold(model, 0, Hold::plane, {0, 1, 0});
  ASSERT_EQ(unbalanced(model).size(), 1u);
  EXPECT_LT(norm(unbalanced(model)[0].force - Vec3d{3, 0, 0}), 1e-12);
  hold(model, 1, Hold::plane, normalized(Vec3d{1, 1, 0}));
  EXPECT_TRUE(unbalanced(model).empty());

  Model rail = cube();
  add_gravity(rail, {3, -4, 0});
  hold(rail, 0, Hold::line, {0, 0, 1});
  EXPECT_TRUE(unbalanced(rail).empty());
  rail.attachments[0].direction = {0.6, -0.8, 0};
  ASSERT_EQ(unbalanced(rail).size(), 1u);
  EXPECT_LT(norm(unbalanced(rail)[0].force - Vec3d{3, -4, 0}), 1e-12);
}

TEST(UnbalancedParts, LoadsThatCancelAreBalancedAtEveryTime) {
  Model model = cube();
  add_force(model, 0, {2, 0, 0}, {{0, {0}}, {0.5, {1}}, {1, {0}}});
  ASSERT_EQ(unbalanced(model).size(), 1u);
  EXPECT_EQ(unbalanced(model)[0].time, 0.5);
  EXPECT_EQ(unbalanced(model)[0].force[0], 2);
  add_force(model, 7, {-2, 0, 0}, {{0, {0}}, {0.5, {1}}, {1, {0}}});
  EXPECT_TRUE(unbalanced(model).empty());
}

TEST(UnbalancedParts, PressureOnAllFacesHasNoSum) {
  Model model = cube();
  const int factor = model.inputs.add_numbers("pressure", {{0, {1}}});
  model.pressure_loads.push_back({"all", model.bodies[0].surface, 1e5, factor});
  EXPECT_TRUE(unbalanced(model).empty());
  model.pressure_loads[0].faces.pop_back();
  ASSERT_EQ(unbalanced(model).size(), 1u);
  EXPECT_NEAR(norm(unbalanced(model)[0].force), 0.5e5, 1e-6);
}

TEST(UnbalancedParts, LinksHoldWhatTheyJoinToTheHeld) {
  Model model = cube();
  add_cube(model, {3, 0, 0});
  add_gravity(model, {0, -9.81, 0});
  hold(model, 0, Hold::rigid);
  ASSERT_EQ(unbalanced(model).size(), 1u);
  EXPECT_EQ(unbalanced(model)[0].parts, (std::vector<int32_t>{1}));
  Link link;
  link.a = Site::at_node(1);
  link.b = Site::at_node(8);
  link.rest_length = 2;
  model.links.push_back(link);
  model.params.link_normal = {1};
  model.params.link_tangent = {0};
  EXPECT_TRUE(unbalanced(model).empty());
  model.attachments.clear();
  ASSERT_EQ(unbalanced(model).size(), 1u);
  EXPECT_EQ(unbalanced(model)[0].parts.size(), 2u);
  EXPECT_NEAR(unbalanced(model)[0].force[1], -2 * 9.81, 1e-12);
  // A spring to the world holds both, one that slides along y does not.
  link.a = Site::on_frame(-1, {0, 0, 0});
  link.b = Site::at_node(0);
  link.rest_length = 0;
  link.normal = {1, 0, 0};
  model.links.push_back(link);
  model.params.link_normal = {1, 1};
  model.params.link_tangent = {0, 0};
  EXPECT_EQ(unbalanced(model).size(), 1u);
  model.params.link_tangent = {0, 1};
  EXPECT_TRUE(unbalanced(model).empty());
}

}  // namespace
}  // namespace sinew::model
