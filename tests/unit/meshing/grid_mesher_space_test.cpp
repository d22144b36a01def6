// Known meshes in space, and volumes.
#include <gtest/gtest.h>
#include <numbers>
#include <set>

#include "gridded.h"
#include "meshing/bcc_tets.h"
#include "meshing/grid_mesher.h"
#include "meshing/topology.h"

namespace sinew::meshing {
namespace {

using namespace tests;

const mesh::TriMesh torus = mesh::torus_surface(1, 0.35, 48, 20);
const mesh::TriMesh two_boxes =
    mesh::joined(box({0, 0, 0}, {1, 1, 1}, 8), box({0.55, 0.35, 0.45}, {1.55, 1.35, 1.45}, 8));

TEST(GridMesherInSpace, MeshesABox) {
  const Surface<3> surface = surface_of(box({0, 0, 0}, {1, 1, 1}, 8));
  expect_counts<3>(surface, 0.1, {1331, 1728, 1, 1, 0}, {1}, 0);
  const auto found = grid_of<3>(surface, 0.1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->report.shell_elements, 602);
  expect_carried<3>(surface, found->mesh);
}

TEST(GridMesherInSpace, MeshesATorus) {
  expect_counts<3>(surface_of(torus), 0.1, {3493, 4730, 1, 0, 0}, {1}, 0);
}

TEST(GridMesherInSpace, MeshesTwoBoxesThatOverlap) {
  expect_counts<3>(surface_of(two_boxes), 0.1, {2662, 3456, 2, 2, 210}, {2, 1, 1}, 0);
}

TEST(GridMesherInSpace, MeshesTwoToriThatOverlap) {
  const mesh::TriMesh other = mesh::moved(torus, [](const Vec3d& x) {
    return Vec3d{x[2] + 0.9, x[0], x[1] + 0.05};
  });
  const Surface<3> surface = surface_of(mesh::joined(torus, other));
  expect_counts<3>(surface, 0.1, {6995, 9472, 2, 0, 464}, {2, 2, 1, 1}, 0);
  const auto found = grid_of<3>(surface, 0.1);
  ASSERT_TRUE(found);
  expect_carried<3>(surface, found->mesh);
}

TEST(GridMesherInSpace, MeshesABandWhoseEndsOverlap) {
  const Surface<3> surface = surface_of(c_ring(0.6, 0.05, 60).extruded(0.02, 0.63, 6));
  expect_counts<3>(surface, 0.1, {3332, 4544, 1, 1, 329}, {2, 1, 1, 1}, 0);
  const auto found = grid_of<3>(surface, 0.1);
  ASSERT_TRUE(found);
  expect_carried<3>(surface, found->mesh);
}

TEST(GridMesherInSpace, MeshesARibbonThatCrossesItself) {
  expect_counts<3>(surface_of(crossing_ribbon(101).extruded(0.02, 0.63, 6)), 0.1, {3374, 4864, 1, 1, 196},
                   {2, 1, 1, 1}, 0);
}

TEST(GridMesherInSpace, TellsTwistedBandsApartOnCoarseGrids) {
  const mesh::TriMesh band = twisted_band(0.6, 0.25);
  const mesh::TriMesh other = mesh::moved(band, [](const Vec3d& x) {
    return Vec3d{x[0] + 0.2, 0.8 * x[1] - 0.6 * x[2] + 0.1, 0.6 * x[1] + 0.8 * x[2] + 0.15};
  });
  for (const int cells : {21, 39, 75}) {
    const auto found = grid_of<3>(surface_of(mesh::joined(band, other)), 2.8 / cells);
    ASSERT_TRUE(found) << found.error().text();
    const Topology topology = meshing::topology<3>(found->mesh);
    EXPECT_EQ(topology.components, 2) << cells;
    EXPECT_EQ(topology.euler, 0) << cells;
    EXPECT_GT(topology.overlapping_cells, 100);
    EXPECT_TRUE(found->report.mismatches.empty());
  }
}

TEST(GridMesherInSpace, BristlesThatCrossAreNotGlued) {
  for (const double cell : {0.1, 0.05}) {
    const auto found = grid_of<3>(surface_of(bristled_torus(5)), cell);
    ASSERT_TRUE(found) << found.error().text();
    const Topology topology = meshing::topology<3>(found->mesh);
    EXPECT_EQ(topology.components, 1);
    EXPECT_EQ(topology.euler, 0);
    EXPECT_GT(topology.overlapping_cells, 100);
    EXPECT_TRUE(found->report.mismatches.empty());
  }
}

// No tet has a node of the upper and one of the lower lip: pulled apart, they resist by what joins them behind the mouth alone.
TEST(GridMesherInSpace, NoTetJoinsLipsThatOverlap) {
  const tests::Loop loop = tests::lips();
  const auto n = static_cast<int32_t>(loop.size());
  mesh::TriMesh skin;  // a prism over the polygon, whose caps are cut into triangles by hand
  for (const double z : {0.0, 0.6})
    for (const auto& p : loop) skin.vertices.push_back({p[0], p[1], z});
  for (int32_t i = 0; i < n; ++i) {
    const int32_t j = (i + 1) % n;
    skin.elements.push_back({i, j, j + n});
    skin.elements.push_back({i, j + n, i + n});
  }
  const std::vector<std::array<int32_t, 3>> cap = {{0, 1, 4},  {1, 2, 3},  {1, 3, 4},  {0, 4, 5},
                                                   {0, 5, 6},  {0, 6, 11}, {6, 7, 11}, {7, 10, 11},
                                                   {7, 8, 10}, {8, 9, 10}};
  for (const auto& t : cap) {
    skin.elements.push_back({t[0], t[2], t[1]});
    skin.elements.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  const auto found = grid_of<3>(tests::surface_of(skin), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_TRUE(found->report.mismatches.empty());
  const GridTets tets = bcc_tets(found->mesh);
  std::set<int32_t> lower, upper;
  for (const auto& piece : found->mesh.pieces) {
    const int32_t wall = piece.facet / 2;
    std::set<int32_t>* lip = wall == 2   ? &lower
                             : wall == 8 ? &upper
                                         : nullptr;  // y = 1.17 below, y = 0.83 above
    if (lip)
      lip->insert(found->mesh.elements[piece.element].begin(), found->mesh.elements[piece.element].end());
  }
  ASSERT_GT(lower.size(), 50u);
  ASSERT_GT(upper.size(), 50u);
  for (const auto& tet : tets.mesh.elements) {
    const auto in = [&](const std::set<int32_t>& lip) {
      return std::any_of(tet.begin(), tet.end(), [&](int32_t v) { return lip.count(v) > 0; });
    };
    EXPECT_FALSE(in(lower) && in(upper));
  }
}

TEST(GridMesherInSpace, RefusesASlabThinnerThanACellAndASurfaceThatIsInsideOut) {
  EXPECT_FALSE(grid_of<3>(surface_of(box({0, 0, 0.01}, {1, 1, 0.04}, 8)), 0.1));
  mesh::TriMesh turned = box({0, 0, 0}, {1, 1, 1}, 8);
  for (auto& t : turned.elements) std::swap(t[1], t[2]);
  EXPECT_FALSE(grid_of<3>(surface_of(turned), 0.1));
}

TEST(GridMesherInSpace, KeepsABodyInsideAnotherOneApart) {
  const auto found = grid_of<3>(
      surface_of(mesh::joined(box({0, 0, 0}, {1, 1, 1}, 8), box({0.3, 0.3, 0.3}, {0.7, 0.7, 0.7}, 8))), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->report.nested, 1);
  EXPECT_TRUE(found->report.mismatches.empty());
  const Complex complex = complex_of<3>(found->mesh);
  EXPECT_EQ(complex.elements, 1331 + 125);
  EXPECT_EQ(complex.components, 2);
  EXPECT_EQ(complex.euler, 2);
}

TEST(GridMesherInSpace, ACavityStaysEmpty) {
  mesh::TriMesh cavity = box({0.3, 0.3, 0.3}, {0.7, 0.7, 0.7}, 8);
  for (auto& t : cavity.elements) std::swap(t[1], t[2]);
  const auto found = grid_of<3>(surface_of(mesh::joined(box({0, 0, 0}, {1, 1, 1}, 8), cavity)), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(complex_of<3>(found->mesh).euler, 2);
  EXPECT_NEAR(found->report.volume, 1 - 0.064, 1e-12);
  EXPECT_TRUE(found->report.mismatches.empty());
}

// V25: two unit cubes that overlap by half have the volume 2, not 1.5.
TEST(GridMesherInSpace, TheVolumeOfOverlappingCubesIsThatOfBoth) {
  const Surface<3> surface = surface_of(
      mesh::joined(box({0, 0, 0}, {1, 1, 1}, 1), box({0.5, 0.001, 0.002}, {1.5, 1.001, 1.002}, 1)));
  for (const double cell : {0.2, 0.1, 0.05}) {
    const auto found = grid_of<3>(surface, cell);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_NEAR(found->report.volume, 2, 1e-9);
    const double volume = static_cast<double>(found->mesh.elements.size()) * std::pow(cell, 3);
    // Each cube takes at most one cell more along each axis.
    EXPECT_GE(volume, 2);
    EXPECT_LE(volume, 2 * std::pow(1 + 2 * cell, 3));
    double covered = 0;
    for (const float share : found->mesh.coverage) {
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      covered += share;
    }
    EXPECT_NEAR(covered * std::pow(cell, 3), 2, 1e-5);
    EXPECT_EQ(complex_of<3>(found->mesh).components, 2);
  }
}

TEST(GridMesherInSpace, TheVolumeOfASphereConvergesToFirstOrder) {
  const mesh::TriMesh sphere = mesh::sphere_surface(60);
  const double exact = mesh::signed_volume(sphere);
  EXPECT_NEAR(exact, 4 * std::numbers::pi / 3, 2e-3);
  double before = 0;
  for (const double cell : {0.2, 0.1, 0.05}) {
    const auto found = grid_of<3>(surface_of(sphere), cell);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_NEAR(found->report.volume, exact, 1e-9);
    const double excess = static_cast<double>(found->mesh.elements.size()) * std::pow(cell, 3) - exact;
    EXPECT_GT(excess, 0);
    // The mean over all places of the lattice of what a cell sticks out is 3/4 of a cell an area.
    EXPECT_LT(excess, 4 * std::numbers::pi * 1.2 * cell);
    if (before > 0) {
      EXPECT_LT(excess, 0.6 * before);
    }
    before = excess;
  }
}

}  // namespace
}  // namespace sinew::meshing
