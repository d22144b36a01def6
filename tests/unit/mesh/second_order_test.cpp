#include "mesh/second_order.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "mesh/properties.h"
#include "mesh/shapes.h"
#include "mesh/tet_shape.h"

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

template <int nodes>
std::array<Vec3d, nodes> a_tet() {
  const Vec3d corner[4] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.2, 0.1}, {0.1, 0.3, 0.9}};
  std::array<Vec3d, nodes> X;
  for (int a = 0; a < 4; ++a) X[a] = corner[a];
  for (int e = 0; e + 4 < nodes; ++e) X[4 + e] = (corner[tet_edges[e][0]] + corner[tet_edges[e][1]]) * 0.5;
  return X;
}

template <int nodes>
void expect_polynomials_are_exact() {
  const auto X = a_tet<nodes>();
  // A polynomial of the element's own degree: its nodal values give its gradient everywhere.
  const auto f = [](const Vec3d& x) {
    return 1 + 2 * x[0] - x[1] + 3 * x[2] + (nodes == 10 ? x[0] * x[1] - 2 * x[2] * x[2] + x[1] * x[2] : 0);
  };
  const auto df = [](const Vec3d& x) -> Vec3d {
    if (nodes == 4) return {2, -1, 3};
    return {2 + x[1], -1 + x[0] + x[2], 3 - 4 * x[2] + x[1]};
  };
  for (const Barycentric& L : {Barycentric{0.1, 0.2, 0.3, 0.4}, Barycentric{0.7, 0.1, 0.1, 0.1}}) {
    const auto N = shape_values<nodes>(L);
    const auto at = shape_gradients<nodes>(X, L);
    Vec3d x{0, 0, 0}, gradient{0, 0, 0}, sum{0, 0, 0};
    double value = 0;
    for (int i = 0; i < 4; ++i) x += X[i] * L[i];
    for (int a = 0; a < nodes; ++a) {
      value += N[a] * f(X[a]);
      gradient += at.g[a] * f(X[a]);
      sum += at.g[a];
    }
    EXPECT_NEAR(value, f(x), 1e-14);
    EXPECT_NEAR(norm(gradient - df(x)), 0, 1e-13);
    EXPECT_NEAR(norm(sum), 0, 1e-14);
  }
}

TEST(TetShape, FirstOrderIsExactForLinearFunctions) { expect_polynomials_are_exact<4>(); }
TEST(TetShape, SecondOrderIsExactForQuadraticFunctions) { expect_polynomials_are_exact<10>(); }

TEST(TetShape, FourPointsIntegrateQuadraticFunctionsExactly) {
  const auto X = a_tet<10>();
  // The integral of L_i L_j over a tet of volume V is V/20, of L_i^2 it is V/10.
  double volume = 0, mixed = 0, square = 0;
  for (const Barycentric& L : tet_points<10>) {
    const double w = shape_gradients<10>(X, L).weight;
    volume += w;
    mixed += w * L[0] * L[2];
    square += w * L[1] * L[1];
  }
  const double exact = tet_volume(X, {0, 1, 2, 3});
  EXPECT_NEAR(volume, exact, 1e-15);
  EXPECT_NEAR(mixed, exact / 20, 1e-15);
  EXPECT_NEAR(square, exact / 10, 1e-15);
}

}  // namespace
}  // namespace sinew::mesh
