#include "mesh/flip_tets.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <set>

#include "math/random.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

std::set<std::array<int32_t, 3>> boundary_faces(const TetMesh& mesh) {
  std::set<std::array<int32_t, 3>> faces;
  for (auto triangle : boundary(mesh).triangles) {
    std::sort(triangle.begin(), triangle.end());
    faces.insert(triangle);
  }
  return faces;
}

// n tets around an edge of length 2 h along z, on a ring of radius 1.
TetMesh ring(int n, double h) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, -h}, {0, 0, h}};
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    mesh.vertices.push_back({std::cos(angle), std::sin(angle), 0});
    mesh.elements.push_back({0, 1, 2 + k, 2 + (k + 1) % n});
  }
  return mesh;
}

// Long edges in rings of 3 to 7: 2 (n - 2) tets take the place of n where they are better, in the same cavity.
TEST(FlipTets, ALongEdgeIsRemovedWithItsRing) {
  for (int n = 3; n <= 7; ++n) {
    TetMesh mesh = ring(n, 6);
    const TetMesh before = mesh;
    EXPECT_EQ(flip_tets(mesh, 0.3), 1) << n;
    EXPECT_EQ(mesh.elements.size(), 2u * (n - 2)) << n;
    EXPECT_GT(quality(mesh).min_radius_ratio, quality(before).min_radius_ratio) << n;
    EXPECT_NEAR(total_volume(mesh), total_volume(before), 1e-13) << n;
    EXPECT_EQ(boundary_faces(mesh), boundary_faces(before)) << n;
  }
  TetMesh open = ring(5, 6);
  open.elements.pop_back();
  EXPECT_EQ(flip_tets(open, 0.3), 0);
}

// Three long tets around an edge become two nearly regular ones, which are what the ring's triangle and the ends span.
TEST(FlipTets, ThreeBecomeTwoAndBack) {
  TetMesh mesh = ring(3, std::sqrt(2.0));
  EXPECT_EQ(flip_tets(mesh, 0.9), 1);
  ASSERT_EQ(mesh.elements.size(), 2u);
  EXPECT_NEAR(quality(mesh).min_radius_ratio, 1, 1e-12);  // regular: side sqrt(3), height sqrt(2)
  mesh = ring(3, 0.1);
  const TetMesh three = mesh;
  mesh.elements = {{2, 3, 4, 1}, {3, 2, 4, 0}};
  EXPECT_EQ(flip_tets(mesh, 0.9), 1);
  EXPECT_EQ(mesh.elements.size(), 3u);
  EXPECT_NEAR(total_volume(mesh), total_volume(three), 1e-15);
  EXPECT_GT(quality(mesh).min_radius_ratio, 0);
}

TEST(FlipTets, BoundaryVolumeAndGroupsStay) {
  TetMesh mesh = *make_box({.size = {1, 1, 1}, .cells = {5, 5, 5}});
  const math::Random random(5);
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) mesh.vertices[i][k] += 0.06 * random.uniform(3 * i + k, -1, 1);
  ASSERT_EQ(quality(mesh).inverted, 0);
  mesh.element_data["half"].values.resize(mesh.elements.size());
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const bool low = mesh.vertices[mesh.elements[t][0]][0] < 0.5;
    mesh.element_data["half"].values[t] = low;
    if (low) mesh.element_groups["low"].push_back(static_cast<int32_t>(t));
  }
  const auto low_volume = [](const TetMesh& of) {
    double sum = 0;
    for (const int32_t t : of.element_groups.at("low")) sum += tet_volume(of.vertices, of.elements[t]);
    return sum;
  };
  const TetMesh before = mesh;
  EXPECT_GT(flip_tets(mesh, 0.3), 0);
  EXPECT_GT(quality(mesh).min_radius_ratio, quality(before).min_radius_ratio);
  EXPECT_EQ(quality(mesh).inverted, 0);
  EXPECT_EQ(boundary_faces(mesh), boundary_faces(before));
  EXPECT_NEAR(total_volume(mesh), total_volume(before), 1e-14);
  EXPECT_NEAR(low_volume(mesh), low_volume(before), 1e-14);
  ASSERT_EQ(mesh.element_data["half"].values.size(), mesh.elements.size());
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& group = mesh.element_groups["low"];
    EXPECT_EQ(mesh.element_data["half"].values[t],
              std::binary_search(group.begin(), group.end(), int32_t(t)));
  }
}

TEST(FlipTets, TetsOfDifferentDataStay) {
  TetMesh mesh = ring(3, std::sqrt(2.0));
  mesh.element_data["fibre"] = {1, {1, 2, 3}};
  EXPECT_EQ(flip_tets(mesh, 0.9), 0);
}

}  // namespace
}  // namespace sinew::mesh
