// Surfaces meshed and made coarser: cells, pieces and Euler characteristic level by level are those of an independent prototype of
// the method.
#include <gtest/gtest.h>

#include "gridded.h"
#include "meshing/carried.h"
#include "meshing/coarsen.h"
#include "meshing/topology.h"

namespace sinew::meshing {
namespace {

using namespace tests;

template <int dim>
void expect_levels(const Surface<dim>& surface, double cell, const std::vector<size_t>& elements,
                   int components) {
  const auto found = grid_of<dim>(surface, cell);
  ASSERT_TRUE(found) << found.error().text();
  GridMesh<dim> grid = found->mesh;
  double covered = 0;
  for (size_t level = 0; level < elements.size(); ++level) {
    SCOPED_TRACE(level);
    if (level) grid = coarsen(grid);
    EXPECT_EQ(grid.elements.size(), elements[level]);
    const Topology now = topology(grid);
    EXPECT_EQ(now.components, components);
    EXPECT_EQ(now.euler, components);
    EXPECT_EQ(now.crowded_faces, 0);
    expect_carried<dim>(surface, grid);
    double sum = 0;
    for (float c : grid.coverage) sum += c * std::pow(grid.lattice.spacing(), dim);
    if (level) {
      EXPECT_NEAR(sum, covered, 1e-5 * covered);
    }
    covered = sum;
  }
}

TEST(CoarsenedSurfaces, RingWhoseEndsOverlap) {
  expect_levels<2>(polygon({c_ring(0.6, 0.03, 80).loop()}, 0.04), 0.05, {1696, 475, 148, 46}, 1);
}

TEST(CoarsenedSurfaces, RibbonThatCrossesItself) {
  expect_levels<2>(polygon({crossing_ribbon(121).loop()}, 0.04), 0.05, {1684, 482, 148, 50}, 1);
}

TEST(CoarsenedSurfaces, SlabThinnerThanTheCoarseCells) {
  // In two rows of cells, which are one row of the next level.
  expect_levels<2>(polygon({rectangle({0, 0.01}, {1, 0.04})}, 0.01), 0.02, {102, 26, 14, 8}, 1);
}

TEST(CoarsenedSurfaces, TwoBoxesThatOverlap) {
  const mesh::TriMesh boxes =
      mesh::joined(box({0, 0, 0}, {1, 1, 1}, 8), box({0.55, 0.35, 0.45}, {1.55, 1.35, 1.45}, 8));
  expect_levels<3>(surface_of(boxes), 0.1, {2662, 432, 100}, 2);
}

TEST(CoarsenedSurfaces, BandWhoseEndsOverlap) {
  expect_levels<3>(surface_of(c_ring(0.6, 0.05, 60).extruded(0.02, 0.63, 6)), 0.1, {3332, 580, 92}, 1);
}

TEST(CoarsenedSurfaces, LipsAreAsIfMeshedCoarse) {
  const Surface<2> surface = polygon({lips()}, 0.03);
  const auto fine = grid_of<2>(surface, 0.05), direct = grid_of<2>(surface, 0.1);
  ASSERT_TRUE(fine && direct);
  const GridMesh<2> coarse = coarsen(fine->mesh);
  EXPECT_EQ(coarse.elements.size(), 428u);
  EXPECT_EQ(direct->mesh.elements.size(), 428u);
}

TEST(CoarsenedSurfaces, TetsFillTheCells) {
  const mesh::TriMesh body = box({0, 0, 0}, {1, 1, 1}, 8);
  const auto found = grid_of<3>(surface_of(body), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(bcc_tet_count(found->mesh), 17424);
  const GridTets tets = bcc_tets(found->mesh);
  const auto carried = carried_by_tets(tets, found->mesh, body.vertices);
  for (size_t i = 0; i < carried.size(); ++i) {
    Point<3> at{};
    for (int k = 0; k < 4; ++k) at = at + carried[i].weights[k] * tets.mesh.vertices[carried[i].vertices[k]];
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(at[a], body.vertices[i][a], 1e-13);
  }
}

}  // namespace
}  // namespace sinew::meshing
