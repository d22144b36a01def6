#include "model/rigid_modes.h"

#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "model/add_body.h"

namespace sinew::model {
namespace {

// A cube of side 2 around a point: nodes at -1, 0, 1 from it along each axis, x fastest.
void add_cube(Model& model, const Vec3d& centre) {
  mesh::TetMesh mesh = *mesh::make_box({.size = {2, 2, 2}, .cells = {2, 2, 2}});
  for (Vec3d& p : mesh.vertices) p += centre - Vec3d{1, 1, 1};
  add_body(model, "cube", element::default_kind(), mesh);
}

Model cube() {
  Model model;
  add_cube(model, {0, 0, 0});
  return model;
}

int32_t node_at(const Model& model, const Vec3d& p) {
  for (size_t i = 0; i < model.X.size(); ++i)
    if (norm(model.X[i] - p) < 1e-9) return static_cast<int32_t>(i);
  ADD_FAILURE();
  return -1;
}

void hold(Model& model, const Vec3d& p, Hold hold = Hold::rigid, const Vec3d& direction = {0, 0, 1}) {
  Attachment attachment;
  attachment.hold = hold;
  attachment.nodes = {node_at(model, p)};
  attachment.direction = direction;
  model.attachments.push_back(attachment);
}

std::string modes(const Model& model) {
  int64_t unchecked = 0;
  const std::vector<FreePart> parts = free_rigid_modes(model, find_parts(model), unchecked);
  EXPECT_EQ(unchecked, 0);
  return parts.empty() ? "" : parts[0].modes;
}

TEST(RigidModes, OfACubeHeldAtPoints) {
  Model model = cube();
  EXPECT_EQ(modes(model), "translation along x, y, z; rotation about x, y, z");
  hold(model, {1, 1, 1});
  EXPECT_EQ(modes(model), "rotation about x, y, z");
  hold(model, {-1, -1, 1});
  EXPECT_EQ(modes(model), "rotation about (0.71, 0.71, 0)");
  hold(model, {1, -1, -1});
  EXPECT_EQ(modes(model), "");
}

// What slides on planes with one normal keeps the translations along them and the turn about the normal.
TEST(RigidModes, OfACubeOnPlanes) {
  const Vec3d n = normalized(Vec3d{1, 1, 1});
  Model model = cube();
  for (const Vec3d& p : {Vec3d{1, 1, 1}, Vec3d{1, -1, 1}, Vec3d{-1, 1, 1}}) hold(model, p, Hold::plane, n);
  const std::string text = modes(model);
  EXPECT_EQ(text.find("translation along (0.82, -0.41, -0.41), "), 0u) << text;
  EXPECT_NE(text.find("; rotation about (0.58, 0.58, 0.58)"), std::string::npos) << text;
}

// Two cubes joined by a rod of fixed length: twelve motions less the one along the rod.
TEST(RigidModes, OfCubesJoinedByALink) {
  Model model = cube();
  add_cube(model, {5, 0, 0});
  Link link;
  link.a = Site::at_node(node_at(model, {0, 0, 0}));
  link.b = Site::at_node(node_at(model, {5, 0, 0}));
  link.rest_length = 5;
  model.links.push_back(link);
  model.params.link_normal = {1};
  model.params.link_tangent = {0};
  EXPECT_EQ(modes(model), "translation along x, y, z; rotation about x, y, z");
  for (const Vec3d& p : {Vec3d{-1, -1, -1}, Vec3d{1, -1, -1}, Vec3d{-1, 1, -1}}) hold(model, p);
  EXPECT_EQ(modes(model), "translation along y, z; rotation about x, y, z");
}

}  // namespace
}  // namespace sinew::model
