#include "model/add_hinges.h"

#include <cmath>
#include <gtest/gtest.h>

#include "model/dof_map.h"
#include "unit/plates.h"

namespace sinew::model {
namespace {

using namespace sinew::sample;

// A roof with its ridge along x: positive on the ridge, negative in a valley.
TEST(AddHinges, TheAngleOfARoof) {
  for (const double slope : {0.1, 1.0, 5.0, -0.7}) {
    mesh::TriMesh roof;
    roof.vertices = {{0, 0, 0}, {2, 0, 0}, {1, 1, -slope}, {1, -1, -slope}};
    roof.elements = {{0, 1, 2}, {1, 0, 3}};
    Model model;
    add_plate(model, roof, {.bending = Bending::hinge});
    ASSERT_EQ(model.hinges.size(), 1u);
    const Hinge& hinge = model.hinges[0];
    EXPECT_NEAR(hinge.rest_angle, 2 * std::atan(slope), 1e-15);
    EXPECT_EQ(hinge.nodes, (std::array<int32_t, 4>{0, 1, 2, 3}));
    EXPECT_EQ(hinge.triangles, (std::array<int32_t, 2>{0, 1}));
    EXPECT_NEAR(hinge.length, 2, 1e-15);
    EXPECT_EQ(hinge.turn, -1);
    EXPECT_EQ(model.bodies[0].hidden, 0);
  }
}

TEST(AddHinges, FlatAtRestWherePositionsAreNot) {
  const Model model = plate({.bending = Bending::hinge, .rest = RestAngles::flat, .shape = bowl});
  for (const Hinge& hinge : model.hinges) EXPECT_EQ(hinge.rest_angle, 0);
}

// Two bodies: V - E + F = 1 for each, and the unknowns of the edges follow the points of their body.
TEST(AddHinges, ShellsHaveAHiddenNodeForEachEdge) {
  Model model = plate({.cells = {4, 3}});
  add_plate(model, plate_mesh({.cells = {2, 2}}), {.cells = {2, 2}});
  const int32_t points[2] = {20, 9}, triangles[2] = {24, 8};
  int32_t node = 0, hinge = 0;
  for (int b = 0; b < 2; ++b) {
    const Body& body = model.bodies[b];
    const int32_t edges = points[b] + triangles[b] - 1;
    EXPECT_EQ(body.nodes.begin, node);
    EXPECT_EQ(body.visible().size(), points[b]);
    EXPECT_EQ(body.hidden, edges);
    EXPECT_EQ(body.hinges.begin, hinge);
    EXPECT_EQ(body.hinges.size(), edges);
    for (int32_t h = body.hinges.begin; h < body.hinges.end; ++h) {
      EXPECT_EQ(model.hinges[h].turn, body.visible().end + h - body.hinges.begin);
      EXPECT_EQ(model.X[model.hinges[h].turn][0], 0);
      for (int32_t t : model.hinges[h].triangles)
        EXPECT_TRUE(t == -1 || (body.elements.begin <= t && t < body.elements.end));
    }
    node = body.nodes.end;
    hinge = body.hinges.end;
  }
  EXPECT_EQ(static_cast<int32_t>(model.X.size()), node);
  DofMap dofs(model);
  dofs.set_targets(std::vector<double>(model.inputs.size()));
  EXPECT_EQ(static_cast<int32_t>(dofs.partials().size()), hinge);
  for (const auto& partial : dofs.partials()) EXPECT_TRUE(is_hidden(model, partial.node));
}

TEST(AddHinges, ClothBendsInsideAlone) {
  const Model model = plate({.cells = {4, 3}, .bending = Bending::hinge});
  EXPECT_EQ(model.hinges.size(), 43u - 14u);
  for (const Hinge& hinge : model.hinges) EXPECT_GE(hinge.nodes[3], 0);
  EXPECT_TRUE(plate({.bending = Bending::none}).hinges.empty());
}

TEST(AddHinges, FaultsAreToldAndBendNowhere) {
  mesh::TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
  mesh.elements = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  Model model;
  add_shell(model, "fin", mesh, 0.1);
  EXPECT_EQ(add_hinges(model, Bending::hinge).faults.size(), 1u);
  EXPECT_TRUE(model.hinges.empty());
}

}  // namespace
}  // namespace sinew::model
