// Known meshes in the plane. Cells, vertices, pieces and Euler characteristic are those of an independent prototype of the
// method, with the lattice's own offset.
#include "meshing/grid_mesher.h"

#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "base/parallel.h"
#include "gridded.h"

namespace sinew::meshing {
namespace {

using namespace tests;

Surface<2> square() { return polygon({rectangle({0, 0}, {1, 1})}, 0.07); }
Surface<2> two_squares() {
  return polygon({rectangle({0, 0}, {1, 1}), rectangle({0.55, 0.35}, {1.55, 1.35})}, 0.07);
}

TEST(GridMesher, MeshesASquare) { expect_counts<2>(square(), 0.1, {121, 144, 1, 1, 0}, {1}, 0); }

TEST(GridMesher, LeavesAHoleOpen) {
  expect_counts<2>(polygon({rectangle({0, 0}, {1, 1}), rectangle({0.3, 0.3}, {0.7, 0.7}, true)}, 0.07), 0.1,
                   {112, 140, 1, 0, 0}, {1}, 0);
}

TEST(GridMesher, LayersOfOneCellShareNothing) {
  // Two segments that share a point, and one of another body, in one cell: three quads become two, with eight vertices.
  const Surface<2> surface = polygon({{{0.05, 0.05}, {0.25, 0.03}, {0.45, 0.05}, {0.45, 0.5}, {0.05, 0.5}},
                                      {{0.02, 0.06}, {0.48, 0.04}, {0.48, 0.52}, {0.02, 0.52}}});
  const auto found = grid_of<2>(surface, 0.1, {0, 0, 0});
  ASSERT_TRUE(found) << found.error().text();
  std::set<int32_t> vertices;
  int elements = 0;
  for (const auto& e : found->mesh.elements)
    if (found->mesh.nodes[e[0]] == Index<2>{2, 0}) {
      vertices.insert(e.begin(), e.end());
      ++elements;
    }
  EXPECT_EQ(elements, 2);
  EXPECT_EQ(vertices.size(), 8u);
}

TEST(GridMesher, WithoutCrossingsTheCellsAreThoseThatMeetTheSolid) {
  // A disc and an L-shape. A cell meets a disc where its nearest point to the centre does.
  Loop circle;
  for (int i = 0; i < 400; ++i) {
    const double a = 2 * std::numbers::pi * i / 400;
    circle.push_back({std::cos(a), std::sin(a)});
  }
  double before = 1;
  for (const double cell : {0.1, 0.05, 0.025}) {
    const auto found = grid_of<2>(polygon({circle}), cell);
    ASSERT_TRUE(found) << found.error().text();
    const auto layers = layers_of<2>(found->mesh);
    const Lattice<2>& lattice = found->mesh.lattice;
    for (int32_t j = -int(1 / cell) - 3; j < 1 / cell + 3; ++j)
      for (int32_t i = -int(1 / cell) - 3; i < 1 / cell + 3; ++i) {
        const Point<2> low = lattice.position({i, j}), high = lattice.position({i + 1, j + 1});
        const double x = std::max({low[0], -high[0], 0.0}), y = std::max({low[1], -high[1], 0.0});
        const double distance = std::hypot(x, y);
        if (distance < 0.9999 || distance > 1) {
          EXPECT_EQ(layers.count({i, j}), distance < 1 ? 1u : 0u);
        }
      }
    const double area = static_cast<double>(found->mesh.elements.size()) * cell * cell;
    const double excess = area - std::numbers::pi;
    EXPECT_GT(excess, 0);
    EXPECT_LT(excess, 2 * std::numbers::pi * 2 * cell);
    EXPECT_LT(excess, 0.65 * before);
    before = excess;
    EXPECT_EQ(complex_of<2>(found->mesh).overlapping_cells, 0);
    EXPECT_EQ(found->report.copies, std::vector<int32_t>{1});
    EXPECT_NEAR(found->report.volume, 200 * std::sin(2 * std::numbers::pi / 400), 1e-9);
  }
  const auto found = grid_of<2>(polygon({{{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}}), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->mesh.elements.size(), 121u - 36u);
}

TEST(GridMesher, MeshesTwoSquaresThatOverlap) {
  expect_counts<2>(two_squares(), 0.1, {242, 288, 2, 2, 35}, {2, 1, 1}, 0);
}

struct Ring {
  double over, growth;
  Counts counts;
  std::vector<int32_t> copies;
  int64_t folded;
};
class GridMesherRing : public testing::TestWithParam<Ring> {};

TEST_P(GridMesherRing, StaysOpenWhereItsEndsOverlap) {
  const Ring& ring = GetParam();
  const Surface<2> surface = polygon({c_ring(ring.over, ring.growth, 80).loop()}, 0.07);
  expect_counts<2>(surface, 0.1, ring.counts, ring.copies, ring.folded);
  const auto found = grid_of<2>(surface, 0.1);
  ASSERT_TRUE(found);
  expect_carried<2>(surface, found->mesh);
}

INSTANTIATE_TEST_SUITE_P(Rings, GridMesherRing,
                         testing::Values(Ring{-0.5, 0, {387, 465, 1, 1, 0}, {1}, 0},
                                         Ring{0.3, 0.03, {450, 537, 1, 1, 28}, {2, 1, 1}, 0},
                                         Ring{0.3, 0.13, {471, 561, 1, 1, 25}, {2, 1}, 0},
                                         Ring{0.6, 0.03, {470, 560, 1, 1, 47}, {4, 1, 1, 1}, 2},
                                         Ring{0.6, 0.13, {493, 588, 1, 1, 45}, {3, 2, 1}, 2},
                                         Ring{1.2, 0.03, {510, 608, 1, 1, 85}, {7, 1, 1, 1, 1, 1, 1}, 5},
                                         Ring{1.2, 0.13, {531, 632, 1, 1, 79}, {6, 1, 1, 1, 1, 1}, 4}),
                         [](const auto& info) { return "Ring" + std::to_string(info.index); });

TEST(GridMesher, MeshesARibbonThatCrossesItself) {
  expect_counts<2>(polygon({crossing_ribbon(121).loop()}, 0.07), 0.1, {482, 608, 1, 1, 28}, {4, 1, 1, 1}, 2);
  expect_counts<2>(polygon({crossing_ribbon(121).loop()}, 0.04), 0.05, {1684, 1936, 1, 1, 91}, {4, 1, 1, 1},
                   2);
}

TEST(GridMesher, MeshesLipsThatOverlap) {
  expect_counts<2>(polygon({lips()}, 0.03), 0.1, {428, 497, 1, 1, 24}, {2, 1}, 0);
  expect_counts<2>(polygon({lips()}, 0.03), 0.05, {1596, 1732, 1, 1, 90}, {2, 1}, 0);
  expect_counts<2>(polygon({lips()}, 0.03), 0.025, {6055, 6322, 1, 1, 304}, {2, 1}, 0);
}

TEST(GridMesher, MeshesLipsWithAHoleBeside) {
  expect_counts<2>(polygon({lips(), rectangle({0.8, 1.6}, {1.1, 1.85}, true)}, 0.03), 0.05,
                   {1576, 1720, 1, 0, 90}, {2, 1}, 0);
}

TEST(GridMesher, ANarrowSlitIsNotGlued) {
  for (const double cell : {0.1, 0.05})
    for (const double width : {0.4 * cell, 0.8 * cell}) {
      const double low = 0.51, high = 0.51 + width;
      const auto found = grid_of<2>(
          polygon({{{0, 0}, {2, 0}, {2, low}, {0.5, low}, {0.5, high}, {2, high}, {2, 1}, {0, 1}}}, 0.07),
          cell);
      ASSERT_TRUE(found) << found.error().text();
      const Complex complex = complex_of<2>(found->mesh);
      EXPECT_EQ(complex.components, 1);
      EXPECT_EQ(complex.euler, 1);
      // Both walls have the cells along the slit, where it lies within one row of cells.
      const Lattice<2>& lattice = found->mesh.lattice;
      if (lattice.below(1, low) == lattice.below(1, high)) {
        EXPECT_GE(complex.overlapping_cells, int64_t(1.4 / cell));
      }
    }
}

TEST(GridMesher, MovesWithItsLattice) {
  const Surface<2> ring = polygon({c_ring(0.6, 0.03, 80).loop()}, 0.07);
  Surface<2> moved = ring;
  constexpr double cell = 0.125;  // a power of two: the move does not round
  for (auto& x : moved.points) x = {std::round(x[0] * 0x1p40) * 0x1p-40, std::round(x[1] * 0x1p40) * 0x1p-40};
  Surface<2> still = moved;
  for (auto& x : moved.points) x += Vec2d{3 * cell, -7 * cell};
  const auto a = grid_of<2>(still, cell, {0.25, 0.375, 0}), b = grid_of<2>(moved, cell, {0.25, 0.375, 0});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->mesh.elements, b->mesh.elements);
  ASSERT_EQ(a->mesh.nodes.size(), b->mesh.nodes.size());
  for (size_t i = 0; i < a->mesh.nodes.size(); ++i) {
    EXPECT_EQ(a->mesh.nodes[i][0] + 3, b->mesh.nodes[i][0]);
    EXPECT_EQ(a->mesh.nodes[i][1] - 7, b->mesh.nodes[i][1]);
  }
}

TEST(GridMesher, DoesNotDependOnTheOrderOfTheInput) {
  const Surface<2> ring = polygon({c_ring(1.2, 0.03, 80).loop()}, 0.07);
  const auto n = static_cast<int32_t>(ring.points.size());
  std::mt19937 random(3);
  std::vector<int32_t> place(n);
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), random);
  Surface<2> other = ring;
  for (int32_t i = 0; i < n; ++i) other.points[place[i]] = ring.points[i];
  for (auto& f : other.facets) f = {place[f[0]], place[f[1]]};
  std::shuffle(other.facets.begin(), other.facets.end(), random);
  const auto a = grid_of<2>(ring, 0.1), b = grid_of<2>(other, 0.1);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(layers_of<2>(a->mesh), layers_of<2>(b->mesh));
  const Complex ca = complex_of<2>(a->mesh), cb = complex_of<2>(b->mesh);
  EXPECT_EQ(ca.vertices, cb.vertices);
  EXPECT_EQ(ca.euler, cb.euler);
  EXPECT_EQ(ca.components, cb.components);
}

TEST(GridMesher, FindsTheSameTopologyOnEveryOffset) {
  const Surface<2> ring = polygon({c_ring(0.6, 0.03, 80).loop()}, 0.07);
  const std::pair<std::array<double, 3>, size_t> known[] = {
      {{0.137, 0.0711, 0}, 470}, {{0.3, 0.6, 0}, 467}, {{0.01, 0.02, 0}, 472}, {{0.5, 0.77, 0}, 464}};
  for (const auto& [offset, elements] : known) {
    const auto found = grid_of<2>(ring, 0.1, offset);
    ASSERT_TRUE(found) << found.error().text();
    const Complex complex = complex_of<2>(found->mesh);
    EXPECT_EQ(complex.components, 1);
    EXPECT_EQ(complex.euler, 1);
    EXPECT_EQ(found->mesh.elements.size(), elements);
  }
}

TEST(GridMesher, RefusesASlabThinnerThanACell) {
  // Between two rows of nodes.
  const auto found = grid_of<2>(polygon({rectangle({0, 0.01}, {1, 0.04})}, 0.07), 0.1);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().text().find("cell"), std::string::npos) << found.error().text();
}

TEST(GridMesher, RefusesASurfaceThatIsInsideOut) {
  const auto found = grid_of<2>(polygon({rectangle({0, 0}, {1, 1}, true)}, 0.07), 0.1);
  ASSERT_FALSE(found);
}

TEST(GridMesher, KeepsABodyInsideAnotherOneApart) {
  const auto found =
      grid_of<2>(polygon({rectangle({0, 0}, {1, 1}), rectangle({0.3, 0.3}, {0.7, 0.7})}, 0.07), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->report.nested, 1);
  EXPECT_TRUE(found->report.mismatches.empty());
  const Complex complex = complex_of<2>(found->mesh);
  EXPECT_EQ(complex.elements, 121 + 25);
  EXPECT_EQ(complex.components, 2);
  EXPECT_EQ(complex.euler, 2);
}

// Each square alone has so many cells; together they have all of these, and nothing is joined.
TEST(GridMesher, KeepsBodiesInsideOthersApartHoweverTheyOverlap) {
  using Square = std::pair<Vec2d, Vec2d>;
  const std::vector<std::vector<Square>> cases = {
      {{{0, 0}, {1, 1}}, {{0.15, 0.15}, {0.85, 0.85}}, {{0.31, 0.31}, {0.72, 0.72}}},  // one in the other
      {{{0, 0}, {1, 1}},
       {{0.15, 0.15}, {0.55, 0.55}},
       {{0.51, 0.41}, {0.92, 0.82}}},  // two that overlap, in a third
      {{{0, 0}, {1, 1}}, {{0.4, 0.4}, {1.4, 1.4}}, {{0.55, 0.55}, {0.8, 0.8}}},  // one in the overlap of two
  };
  for (const auto& squares : cases) {
    std::vector<tests::Loop> loops;
    std::map<Index<2>, int64_t> expected;
    for (const auto& [low, high] : squares) {
      loops.push_back(rectangle(low, high));
      const auto alone = grid_of<2>(polygon({loops.back()}, 0.07), 0.04);
      ASSERT_TRUE(alone) << alone.error().text();
      for (size_t e = 0; e < alone->mesh.elements.size(); ++e) ++expected[alone->mesh.cell(e)];
    }
    const auto found = grid_of<2>(polygon(loops, 0.07), 0.04);
    ASSERT_TRUE(found) << found.error().text();
    std::map<Index<2>, int64_t> layers;
    for (size_t e = 0; e < found->mesh.elements.size(); ++e) ++layers[found->mesh.cell(e)];
    EXPECT_EQ(layers, expected);
    EXPECT_TRUE(found->report.mismatches.empty());
    const Complex complex = complex_of<2>(found->mesh);
    EXPECT_EQ(complex.components, 3);
    EXPECT_EQ(complex.euler, 3);
  }
}

TEST(GridMesher, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto surface = polygon({crossing_ribbon(121).loop()}, 0.07);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = grid_of<2>(surface, 0.01);
  set_thread_count(3);
  const auto three = grid_of<2>(surface, 0.01);
  set_thread_count(before);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->mesh.nodes, three->mesh.nodes);
  EXPECT_EQ(one->mesh.elements, three->mesh.elements);
  EXPECT_EQ(one->mesh.coverage, three->mesh.coverage);
  EXPECT_EQ(one->mesh.pieces, three->mesh.pieces);
  EXPECT_EQ(one->mesh.carriers, three->mesh.carriers);
  EXPECT_EQ(one->report.volume, three->report.volume);
}

TEST(GridMesher, TellsOfASlitThatIsTurnedInsideOut) {
  const auto found = grid_of<2>(polygon({wedge_slit()}, 0.07), 0.1);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_GT(complex_of<2>(found->mesh).crowded_faces + found->report.ambiguous +
                int64_t(found->report.mismatches.size()),
            0);
}

}  // namespace
}  // namespace sinew::meshing
