#include "mesh/second_order.h"

#include <gtest/gtest.h>
#include <set>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

TetMesh box() {
  auto mesh = make_box({.size = {2, 1, 1}, .cells = {3, 2, 2}, .split = Split::six});
  EXPECT_TRUE(mesh);
  return *mesh;
}

TEST(SecondOrder, EveryEdgeHasOneNodeInItsMiddle) {
  TetMesh mesh = box();
  const size_t corners = mesh.vertices.size();
  std::set<std::pair<int32_t, int32_t>> edges;
  for (const auto& tet : mesh.elements)
    for (const auto& e : tet_edges) edges.insert(std::minmax(tet[e[0]], tet[e[1]]));
  mesh.vertex_data["height"].width = 1;
  for (const Vec3d& x : mesh.vertices) mesh.vertex_data["height"].values.push_back(x[2]);
  add_edge_nodes(mesh);
  ASSERT_EQ(mesh.vertices.size(), corners + edges.size());
  ASSERT_EQ(mesh.edge_nodes.size(), mesh.elements.size());
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    for (int e = 0; e < 6; ++e) {
      const Vec3d middle = (mesh.vertices[mesh.elements[t][tet_edges[e][0]]] +
                            mesh.vertices[mesh.elements[t][tet_edges[e][1]]]) *
                           0.5;
      EXPECT_EQ(norm(mesh.vertices[mesh.edge_nodes[t][e]] - middle), 0);
    }
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    EXPECT_DOUBLE_EQ(mesh.vertex_data["height"].values[i], mesh.vertices[i][2]);
  const TetMesh before = mesh;
  add_edge_nodes(mesh);
  EXPECT_EQ(mesh.vertices.size(), before.vertices.size());
}

TEST(SecondOrder, GroupsOfTheBoundaryTakeTheNodesOfTheirFaces) {
  TetMesh mesh = box();
  // All corners of the box are in this group, but no face is: no edge node may join.
  mesh.vertex_groups["two_ends"] = {0, 3};
  add_edge_nodes(mesh);
  std::set<int32_t> expected;
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i][0] == 0) expected.insert(static_cast<int32_t>(i));
  const auto& group = mesh.vertex_groups.at("xmin");
  EXPECT_EQ(std::set<int32_t>(group.begin(), group.end()), expected);
  EXPECT_EQ(mesh.vertex_groups.at("two_ends").size(), 2u);
}

TEST(SecondOrder, BoundaryIsClosedAndHasTheSameArea) {
  TetMesh linear = box(), quadratic = linear;
  add_edge_nodes(quadratic);
  const TriBoundary faces = boundary(quadratic);
  EXPECT_EQ(faces.triangles.size(), 4 * boundary(linear).triangles.size());
  double area = 0, volume = 0;
  for (const auto& f : faces.triangles) {
    area += triangle_area(quadratic.vertices, f);
    volume += dot(quadratic.vertices[f[0]], cross(quadratic.vertices[f[1]], quadratic.vertices[f[2]])) / 6;
  }
  EXPECT_NEAR(area, 10, 1e-12);
  EXPECT_NEAR(volume, 2, 1e-12);  // faces turn outwards
}

}  // namespace
}  // namespace sinew::mesh
