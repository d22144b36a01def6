#include "geometry/embedding.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "math/mat.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"

namespace sinew::geometry {
namespace {

using math::Mat3d;

mesh::TetMesh cube(bool second_order) {
  mesh::TetMesh mesh = *mesh::make_box({.size = {1, 1, 1}, .cells = {4, 4, 4}});
  if (second_order) mesh::add_edge_nodes(mesh);
  return mesh;
}

std::vector<Vec3d> random_points(int count, double low, double high) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> at(low, high);
  std::vector<Vec3d> points(count);
  for (Vec3d& p : points) p = {at(random), at(random), at(random)};
  return points;
}

// In the body and up to 0.2 outside, less than an edge (0.25 and longer).
TEST(Embedding, FollowsAffineMapsExactly) {
  const Mat3d A = Mat3d::columns({1.5, 0.2, -0.3}, {0.1, 0.8, 0.4}, {-0.2, 0.3, 1.1});
  const Vec3d b = {3, -2, 1};
  for (bool second_order : {false, true}) {
    mesh::TetMesh mesh = cube(second_order);
    const std::vector<Vec3d> points = random_points(2000, -0.14, 1.14);
    const auto sites = embed(mesh, points, "points");
    ASSERT_TRUE(sites) << sites.error().text();
    for (size_t i = 0; i < points.size(); ++i)
      ASSERT_LT(norm(position((*sites)[i], mesh.vertices) - points[i]), 1e-12) << second_order;
    for (Vec3d& x : mesh.vertices) x = A * x + b;
    for (size_t i = 0; i < points.size(); ++i)
      ASSERT_LT(norm(position((*sites)[i], mesh.vertices) - (A * points[i] + b)), 1e-11) << second_order;
  }
}

// Tets of second order hold every quadratic map.
TEST(Embedding, FollowsQuadraticMapsInTetsOfSecondOrder) {
  mesh::TetMesh mesh = cube(true);
  const std::vector<Vec3d> points = random_points(500, 0, 1);
  const auto sites = embed(mesh, points, "points");
  ASSERT_TRUE(sites);
  const auto map = [](const Vec3d& p) {
    return Vec3d{p[0] + 0.3 * p[1] * p[1], p[1] - 0.2 * p[0] * p[2], p[2] + 0.1 * p[0] * p[0]};
  };
  for (Vec3d& x : mesh.vertices) x = map(x);
  for (size_t i = 0; i < points.size(); ++i)
    ASSERT_LT(norm(position((*sites)[i], mesh.vertices) - map(points[i])), 1e-12);
}

// A vertex is carried by the tet that contains it: outside that tet nothing has a weight.
TEST(Embedding, InsideAllWeightsArePositive) {
  const mesh::TetMesh mesh = cube(false);
  const std::vector<Vec3d> points = random_points(500, 0, 1);
  const auto sites = embed(mesh, points, "points");
  ASSERT_TRUE(sites);
  for (const EmbeddedPoint& site : *sites)
    for (int k = 0; k < site.count; ++k) EXPECT_GE(site.weight[k], -1e-12);
  const Vec3d node = mesh.vertices[17];
  const auto at_node = embed(mesh, {&node, 1}, "points");
  ASSERT_TRUE(at_node);
  EXPECT_EQ((*at_node)[0].count, 1);
  EXPECT_EQ((*at_node)[0].node[0], 17);
}

TEST(Embedding, FarPointsAreCountedAndRefused) {
  const std::vector<Vec3d> points = {{0.5, 0.5, 0.5}, {0.5, 0.5, 1.9}, {0.5, 3, 0.5}};
  const auto sites = embed(cube(false), points, "skin.obj");
  ASSERT_FALSE(sites);
  const std::string text = sites.error().text();
  EXPECT_NE(text.find("skin.obj: 2 of 3 vertices"), std::string::npos) << text;
  EXPECT_NE(text.find("vertex 3, 2 m away"), std::string::npos) << text;
  const std::vector<Vec3d> nowhere = {{std::nan(""), 0, 0}};
  EXPECT_FALSE(embed(cube(false), nowhere, "skin.obj"));
  EXPECT_FALSE(embed(mesh::TetMesh(), points, "skin.obj"));
}

}  // namespace
}  // namespace sinew::geometry
