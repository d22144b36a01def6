#include "mesh/borders.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/sheet_shapes.h"

namespace sinew::mesh {
namespace {

// By the shoelace formula, positive where the loop turns left.
double area_inside(const TriMesh& mesh, const std::vector<int32_t>& loop) {
  double sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec3d &p = mesh.vertices[loop[i]], &q = mesh.vertices[loop[(i + 1) % loop.size()]];
    sum += (p[0] * q[1] - p[1] * q[0]) / 2;
  }
  return sum;
}

TEST(Borders, LoopsKeepTheSheetToTheirLeft) {
  const TriMesh ring = *make_disc_sheet({.inner = 1, .outer = 2, .cells = 3});
  const auto loops = border_loops(ring);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].size() + loops[1].size(),
            ring.vertex_groups.at("inner").size() + ring.vertex_groups.at("border").size());
  EXPECT_NEAR(area_inside(ring, loops[0]) + area_inside(ring, loops[1]), total_area(ring), 1e-12);
  EXPECT_LT(area_inside(ring, loops[0]) * area_inside(ring, loops[1]), 0);
  EXPECT_TRUE(border_loops(*make_sphere_sheet({.cells = 3})).empty());
  EXPECT_EQ(border_loops(*make_tube_sheet({})).size(), 2u);
}

TEST(Borders, LoopsKeepToTheirFan) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  mesh.elements = {{0, 1, 2}, {0, 3, 4}};
  EXPECT_EQ(border_loops(mesh), (std::vector<std::vector<int32_t>>{{0, 1, 2}, {0, 3, 4}}));
  EXPECT_EQ(border_vertices(mesh), std::vector<char>(5, 1));
}

TEST(Borders, VerticesInsideAreAtNone) {
  const TriMesh grid = *make_grid_sheet({.cells = {3, 3}});
  const std::vector<char> at_border = border_vertices(grid);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) EXPECT_EQ(at_border[i + 4 * j], i % 3 == 0 || j % 3 == 0);
}

}  // namespace
}  // namespace sinew::mesh
