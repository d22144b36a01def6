#include "mesh/improve.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "math/random.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

std::vector<char> on_boundary(const TetMesh& mesh) {
  std::vector<char> on(mesh.vertices.size(), 0);
  for (const auto& triangle : boundary(mesh).triangles)
    for (const int32_t node : triangle) on[node] = 1;
  return on;
}

// A box whose inner vertices are pushed about until no tet is inverted but some are nearly flat.
TetMesh jittered_box(double amount) {
  TetMesh mesh = *make_box({.size = {1, 1, 1}, .cells = {6, 6, 6}});
  const std::vector<char> fixed = on_boundary(mesh);
  const math::Random random(3);
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3 && !fixed[i]; ++k)
      mesh.vertices[i][k] += amount / 6 * random.uniform(3 * i + k, -1, 1);
  return mesh;
}

TEST(Improve, RaisesTheLeastRadiusRatioAndKeepsTheSurface) {
  TetMesh mesh = jittered_box(0.34);
  const TetMesh before = mesh;
  ASSERT_EQ(quality(before).inverted, 0);
  const ImproveReport report = improve(mesh);
  EXPECT_LT(report.least_before, 0.1);
  EXPECT_GT(report.least_after, 0.25);
  EXPECT_EQ(report.least_after, quality(mesh).min_radius_ratio);
  EXPECT_GT(report.before.below[0], 0);
  EXPECT_EQ(report.after.below[0], 0);
  EXPECT_NEAR(total_volume(mesh), 1, 1e-14);
  const std::vector<char> fixed = on_boundary(mesh);
  EXPECT_EQ(report.movable, std::count(fixed.begin(), fixed.end(), 0));
  for (size_t i = 0; i < fixed.size(); ++i)
    EXPECT_TRUE(!fixed[i] || norm(mesh.vertices[i] - before.vertices[i]) == 0) << i;
}

TEST(Improve, LiftsAFlatTet) {
  TetMesh mesh = *make_box({.size = {1, 1, 1}, .cells = {2, 2, 2}});
  mesh.vertices[13] = {0.5, 0.5, 0.01};  // the one in the middle, nearly on the bottom
  EXPECT_LT(quality(mesh).min_radius_ratio, 0.1);
  const ImproveReport report = improve(mesh);
  EXPECT_EQ(report.movable, 1);
  EXPECT_GT(report.least_after, 0.5);
}

TEST(Improve, BordersBetweenElementGroupsStay) {
  TetMesh mesh = jittered_box(0.34);
  const TetMesh before = mesh;
  std::vector<char> low(mesh.vertices.size(), 0), high = low;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const bool is_low = mesh.vertices[mesh.elements[t][0]][0] < 0.5;
    if (is_low) mesh.element_groups["low"].push_back(static_cast<int32_t>(t));
    for (const int32_t node : mesh.elements[t]) (is_low ? low : high)[node] = 1;
  }
  const ImproveReport report = improve(mesh);
  EXPECT_GT(report.moved, 0);
  for (size_t i = 0; i < low.size(); ++i)
    EXPECT_TRUE(!(low[i] && high[i]) || norm(mesh.vertices[i] - before.vertices[i]) == 0) << i;
}

}  // namespace
}  // namespace sinew::mesh
