#include "mesh/properties.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

TetMesh regular_tet() {
  TetMesh mesh;
  mesh.vertices = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
  mesh.elements = {{0, 1, 2, 3}};
  orient(mesh);
  return mesh;
}

TEST(Geometry, RegularTetHasKnownVolumeAndUnitQuality) {
  const TetMesh mesh = regular_tet();
  const double edge = 2 * std::sqrt(2.0);
  EXPECT_NEAR(total_volume(mesh), edge * edge * edge / (6 * std::sqrt(2.0)), 1e-14);
  EXPECT_NEAR(mean_ratio(mesh.vertices, mesh.elements[0]), 1, 1e-14);
  EXPECT_NEAR(radius_ratio(mesh.vertices, mesh.elements[0]), 1, 1e-14);
  EXPECT_NEAR(min_dihedral_degrees(mesh.vertices, mesh.elements[0]), std::acos(1.0 / 3) * 180 / M_PI, 1e-12);
}

TEST(Geometry, CornerTetHasKnownQuality) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.elements = {{0, 1, 2, 3}};
  const Quality q = quality(mesh);
  EXPECT_NEAR(q.min_volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(q.min_mean_ratio, 12 * std::pow(0.5, 2.0 / 3) / 9, 1e-14);
  const double r_in = 1 / (3 + std::sqrt(3.0)), r_out = std::sqrt(3.0) / 2;
  EXPECT_NEAR(q.min_radius_ratio, 3 * r_in / r_out, 1e-14);
  EXPECT_NEAR(q.min_dihedral_degrees, std::acos(1 / std::sqrt(3.0)) * 180 / M_PI, 1e-12);
  EXPECT_EQ(q.inverted, 0);
}

TEST(Geometry, OrientTurnsInvertedTetsOver) {
  TetMesh mesh = *make_box({.cells = {2, 2, 2}});
  const double volume = total_volume(mesh);
  for (size_t t = 0; t < mesh.elements.size(); t += 3) std::swap(mesh.elements[t][0], mesh.elements[t][1]);
  EXPECT_EQ(quality(mesh).inverted, 16);
  EXPECT_EQ(orient(mesh), 16);
  EXPECT_EQ(orient(mesh), 0);
  EXPECT_NEAR(total_volume(mesh), volume, 1e-15);
}

TEST(Geometry, BoundaryEnclosesTheVolume) {
  const TetMesh mesh = *make_box({.size = {1, 2, 3}, .cells = {3, 4, 5}, .split = Split::five});
  const Surface surface = boundary_surface(mesh);
  EXPECT_EQ(surface.mesh.elements.size(), 2u * 2 * (3 * 4 + 4 * 5 + 5 * 3));
  EXPECT_NEAR(total_area(surface.mesh), 22, 1e-12);
  EXPECT_NEAR(enclosed_volume(surface.mesh), 6, 1e-12);
  ASSERT_EQ(surface.vertex.size(), surface.mesh.vertices.size());
  for (size_t i = 0; i < surface.vertex.size(); ++i)
    EXPECT_EQ(norm2(surface.mesh.vertices[i] - mesh.vertices[surface.vertex[i]]), 0);
  for (int32_t id : surface.mesh.vertex_groups.at("xmax")) EXPECT_EQ(surface.mesh.vertices[id][0], 1);

  const TriBoundary faces = boundary(mesh);
  for (size_t i = 0; i < faces.triangles.size(); ++i) {
    const auto& tet = mesh.elements[faces.tet[i]];
    for (int32_t node : faces.triangles[i]) EXPECT_NE(std::find(tet.begin(), tet.end(), node), tet.end());
  }
}

TEST(Geometry, ComponentsAreNumberedByFirstElement) {
  TetMesh mesh = *make_box({.cells = {1, 1, 1}});
  const auto one = static_cast<int32_t>(mesh.vertices.size());
  TetMesh both = mesh;
  for (Vec3d x : mesh.vertices) both.vertices.push_back(x + Vec3d{5, 0, 0});
  for (auto tet : mesh.elements) {
    for (int32_t& i : tet) i += one;
    both.elements.insert(both.elements.begin(), tet);
  }
  const Components parts = connected_components(both);
  EXPECT_EQ(parts.count, 2);
  EXPECT_EQ(parts.of_element.front(), 0);
  EXPECT_EQ(parts.of_element.back(), 1);
  EXPECT_EQ(connected_components(boundary_surface(both).mesh).count, 2);
}

TEST(Geometry, VolumesOfTheTetsSumToTheVolume) {
  const TetMesh mesh = *make_ball({.cells = 6});
  const auto volumes = tet_volumes(mesh);
  EXPECT_EQ(volumes.size(), mesh.elements.size());
  EXPECT_NEAR(std::accumulate(volumes.begin(), volumes.end(), 0.0), total_volume(mesh), 1e-12);
}

TEST(Geometry, BoundsAndEmptyMeshes) {
  const Bounds b = bounding_box(make_box({.size = {1, 2, 3}, .cells = {1, 1, 1}})->vertices);
  EXPECT_EQ(b.low[2], 0);
  EXPECT_EQ(b.high[2], 3);
  const TetMesh empty;
  EXPECT_EQ(total_volume(empty), 0);
  EXPECT_EQ(quality(empty).worst_tet, -1);
  EXPECT_TRUE(boundary(empty).triangles.empty());
  EXPECT_EQ(enclosed_volume(TriMesh{}), 0);
  EXPECT_EQ(bounding_box({}).high[0], 0);
}

}  // namespace
}  // namespace sinew::mesh
