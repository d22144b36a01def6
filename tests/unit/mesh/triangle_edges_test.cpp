#include "mesh/triangle_edges.h"

#include <gtest/gtest.h>

#include "mesh/surfaces.h"

namespace sinew::mesh {
namespace {

using Triangles = std::vector<std::array<int32_t, 3>>;
using Kind = EdgeFault::Kind;

TEST(TriangleEdges, OfASquare) {
  // 3---2
  // | / |   the diagonal runs from 2 to 0 in the lower triangle
  // 0---1
  const Triangles square = {{0, 1, 2}, {0, 2, 3}};
  const TriangleEdges table = triangle_edges(square, 4);
  EXPECT_TRUE(table.faults.empty());
  ASSERT_EQ(table.edges.size(), 5u);
  const TriangleEdge& diagonal = table.edges[table.of_triangle[0][1]];
  EXPECT_EQ(diagonal.a, 2);
  EXPECT_EQ(diagonal.b, 0);
  EXPECT_EQ(diagonal.left, 0);
  EXPECT_EQ(diagonal.right, 1);
  EXPECT_EQ(square[0][diagonal.left_corner], 1);
  EXPECT_EQ(square[1][diagonal.right_corner], 3);
  EXPECT_EQ(table.of_triangle[1][diagonal.right_corner], table.of_triangle[0][1]);
}

// Euler: V - E + F = 2; every edge runs from a to b on its left and from b to a on its right.
TEST(TriangleEdges, OfAClosedSurface) {
  const TriMesh ball = sphere_surface(5);
  const TriangleEdges table = triangle_edges(ball.elements, static_cast<int64_t>(ball.vertices.size()));
  EXPECT_TRUE(table.faults.empty());
  EXPECT_EQ(ball.vertices.size() + ball.elements.size(), table.edges.size() + 2);
  for (const TriangleEdge& edge : table.edges) {
    ASSERT_GE(edge.right, 0);
    const auto& left = ball.elements[edge.left];
    const auto& right = ball.elements[edge.right];
    EXPECT_EQ(left[(edge.left_corner + 1) % 3], edge.a);
    EXPECT_EQ(left[(edge.left_corner + 2) % 3], edge.b);
    EXPECT_EQ(right[(edge.right_corner + 1) % 3], edge.b);
    EXPECT_EQ(right[(edge.right_corner + 2) % 3], edge.a);
  }
  for (size_t t = 0; t < ball.elements.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const TriangleEdge& edge = table.edges[table.of_triangle[t][k]];
      EXPECT_TRUE((edge.left == static_cast<int32_t>(t) && edge.left_corner == k) ||
                  (edge.right == static_cast<int32_t>(t) && edge.right_corner == k));
    }
}

TEST(TriangleEdges, ThreeTrianglesInAnEdge) {
  const TriangleEdges table = triangle_edges(Triangles{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, 5);
  ASSERT_EQ(table.faults.size(), 1u);
  EXPECT_EQ(table.faults[0].kind, Kind::many);
  EXPECT_EQ(table.faults[0].edge, (std::array<int32_t, 2>{0, 1}));
  EXPECT_EQ(table.faults[0].triangles, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(sentence(table.faults[0]), "triangles 0, 1 and 2 meet in the edge of vertices 0 and 1");
  EXPECT_EQ(table.edges.size(), 9u);
  for (const TriangleEdge& edge : table.edges) EXPECT_EQ(edge.right, -1);
}

TEST(TriangleEdges, ANeighbourThatFacesTheOtherWay) {
  const TriangleEdges table = triangle_edges(Triangles{{0, 1, 2}, {0, 1, 3}}, 4);
  ASSERT_EQ(table.faults.size(), 1u);
  EXPECT_EQ(table.faults[0].kind, Kind::flipped);
  EXPECT_EQ(sentence(table.faults[0]),
            "triangles 0 and 1 face opposite ways at the edge of vertices 0 and 1");
  EXPECT_EQ(table.edges.size(), 6u);
}

// The copy has edges of its own, and the first one keeps its neighbour.
TEST(TriangleEdges, ARepeatedTriangle) {
  const TriangleEdges table = triangle_edges(Triangles{{0, 1, 2}, {0, 2, 3}, {2, 0, 1}}, 4);
  ASSERT_EQ(table.faults.size(), 1u);
  EXPECT_EQ(table.faults[0].kind, Kind::repeated);
  EXPECT_EQ(sentence(table.faults[0]), "triangles 0 and 2 have the same corners");
  EXPECT_EQ(table.edges.size(), 8u);
  EXPECT_EQ(table.edges[table.of_triangle[0][1]].right, 1);
}

}  // namespace
}  // namespace sinew::mesh
