#include "meshing/coarsen.h"

#include <gtest/gtest.h>
#include <random>

#include "hand_grids.h"
#include "meshing/topology.h"

namespace sinew::meshing {
namespace {

// The rules one by one over all pairs of elements: every element becomes a large one with corners of its own, pairs say which
// corners are one, equal elements are dropped.
template <int dim>
struct Referee {
  static constexpr int corners = 1 << dim;
  GridMesh<dim> coarse;
  std::vector<int32_t> place;  // of each fine element

  explicit Referee(const GridMesh<dim>& fine) {
    const auto count = static_cast<int>(fine.elements.size());
    for (int i = 0; i < count * corners; ++i) label.push_back(i);
    for (int e = 0; e < count; ++e)
      for (int f = 0; f < e; ++f) pair(fine, e, f);
    std::map<int, int32_t> vertex;
    std::map<typename GridMesh<dim>::Element, int32_t> seen;
    for (int e = 0; e < count; ++e) {
      typename GridMesh<dim>::Element element;
      for (int k = 0; k < corners; ++k) {
        const auto [at, is_new] =
            vertex.emplace(label[e * corners + k], static_cast<int32_t>(coarse.nodes.size()));
        if (is_new) {
          Index<dim> node = large_cell(fine, e);
          for (int a = 0; a < dim; ++a) node[a] += k >> a & 1;
          coarse.nodes.push_back(node);
        }
        element[k] = at->second;
      }
      const auto [at, is_new] = seen.emplace(element, static_cast<int32_t>(coarse.elements.size()));
      if (is_new) coarse.elements.push_back(element);
      place.push_back(at->second);
    }
  }

 private:
  std::vector<int> label;

  static Index<dim> large_cell(const GridMesh<dim>& fine, int e) {
    Index<dim> cell;
    for (int a = 0; a < dim; ++a) cell[a] = static_cast<int32_t>(std::floor(fine.cell(e)[a] / 2.0));
    return cell;
  }
  void same(int a, int b) {
    const int from = label[a], to = label[b];
    for (int& l : label)
      if (l == from) l = to;
  }
  static std::set<int32_t> face(const GridMesh<dim>& fine, int e, int axis, int side) {
    std::set<int32_t> face;
    for (int k = 0; k < corners; ++k)
      if ((k >> axis & 1) == side) face.insert(fine.elements[e][k]);
    return face;
  }
  void pair(const GridMesh<dim>& fine, int e, int f) {
    for (int axis = 0; axis < dim; ++axis)
      for (int e_side : {0, 1})
        for (int f_side : {0, 1}) {
          if (face(fine, e, axis, e_side) != face(fine, f, axis, f_side)) continue;
          const bool coincide = fine.cell(e) == fine.cell(f);
          const bool total = !coincide && large_cell(fine, e) == large_cell(fine, f);
          for (int k = 0; k < corners; ++k) {
            if (total)
              same(e * corners + k, f * corners + k);
            else if ((k >> axis & 1) == e_side)
              same(e * corners + k, f * corners + (e_side == f_side ? k : k ^ 1 << axis));
          }
        }
  }
};

template <int dim>
void expect_as_by_the_rules(GridMesh<dim> fine, uint32_t seed) {
  std::mt19937 random(seed);
  const auto count = static_cast<uint32_t>(fine.elements.size());
  std::set<typename GridMesh<dim>::Piece> pieces;
  for (uint32_t e = 0; e < count; ++e) {
    fine.coverage.push_back(static_cast<float>(random() % 1000) / 999.0f);
    fine.carriers.push_back(static_cast<int32_t>(random() % count));
    pieces.insert({static_cast<int32_t>(random() % 9), static_cast<int32_t>(random() % count)});
  }
  fine.pieces.assign(pieces.begin(), pieces.end());

  const Referee<dim> expected(fine);
  const GridMesh<dim> coarse = coarsen(fine);
  EXPECT_EQ(coarse.elements, expected.coarse.elements);
  EXPECT_EQ(coarse.nodes, expected.coarse.nodes);
  EXPECT_EQ(coarse.lattice.level, fine.lattice.level + 1);

  std::vector<double> covered(coarse.elements.size());
  pieces.clear();
  for (uint32_t e = 0; e < count; ++e) covered[expected.place[e]] += fine.coverage[e] / double(1 << dim);
  for (const auto& piece : fine.pieces) pieces.insert({piece.facet, expected.place[piece.element]});
  EXPECT_TRUE(std::equal(pieces.begin(), pieces.end(), coarse.pieces.begin(), coarse.pieces.end()));
  ASSERT_EQ(coarse.coverage.size(), covered.size());
  for (size_t e = 0; e < covered.size(); ++e)
    EXPECT_NEAR(coarse.coverage[e], std::min(1.0, covered[e]), 1e-6);
  for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(coarse.carriers[i], expected.place[fine.carriers[i]]);
}

TEST(Coarsen, FollowsTheRulesOnRandomGrids) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_by_the_rules(random_grid<2>(seed, 5, 2 + static_cast<int>(seed % 40)), seed);
    expect_as_by_the_rules(random_grid<3>(seed, 4, 2 + static_cast<int>(seed % 50)), seed);
  }
}

template <int dim>
std::vector<size_t> sizes_with_topology(GridMesh<dim> grid, int levels, int components, int euler) {
  std::vector<size_t> sizes;
  for (int level = 0; level <= levels; ++level) {
    if (level) grid = coarsen(grid);
    sizes.push_back(grid.elements.size());
    const Topology found = topology(grid);
    EXPECT_EQ(found.components, components) << level;
    EXPECT_EQ(found.euler, euler) << level;
    EXPECT_EQ(found.crowded_faces, 0) << level;
  }
  return sizes;
}

TEST(Coarsen, KeepsTheTopologyOfOverlaps) {
  using Sizes = std::vector<size_t>;
  // 256 cells less a hole of 64, and 16 that are there twice.
  EXPECT_EQ(sizes_with_topology(open_ring<2>(4), 2, 1, 1), (Sizes{208, 52, 14}));
  EXPECT_EQ(sizes_with_topology(open_ring<3>(4, 2), 2, 1, 1), (Sizes{416, 52, 14}));
  HandGrid<3> two;
  add_block<3>(two, {0, 0, 0}, {8, 8, 8});
  add_block<3>(two, {2, 3, 4}, {10, 11, 12});
  // The second takes 4 x 5 x 4 cells of twice the size, then 3 x 3 x 2, then 2 x 2 x 2.
  EXPECT_EQ(sizes_with_topology(two.mesh(), 3, 2, 2), (Sizes{1024, 64 + 80, 8 + 18, 1 + 8}));
}

// The positions of coarse nodes are those of every second fine one.
TEST(Coarsen, KeepsPositions) {
  const GridMesh<3> fine = block<3>(-4, 4), coarse = coarsen(fine);
  std::set<std::array<double, 3>> places;
  const auto place = [](const GridMesh<3>& grid, const Index<3>& node) {
    const Point<3> x = grid.lattice.position(node);
    return std::array<double, 3>{x[0], x[1], x[2]};
  };
  for (const Index<3>& node : fine.nodes) places.insert(place(fine, node));
  EXPECT_EQ(coarse.nodes.size(), 125u);
  for (const Index<3>& node : coarse.nodes) EXPECT_TRUE(places.count(place(coarse, node)));
}

template <int dim>
void expect_binning(const GridMesh<dim>& fine) {
  std::set<Index<dim>> bins, found;
  for (size_t e = 0; e < fine.elements.size(); ++e) {
    Index<dim> cell = fine.cell(static_cast<int64_t>(e));
    for (int a = 0; a < dim; ++a) cell[a] = static_cast<int32_t>(std::floor(cell[a] / 2.0));
    bins.insert(cell);
  }
  const GridMesh<dim> coarse = coarsen(fine);
  for (size_t e = 0; e < coarse.elements.size(); ++e) found.insert(coarse.cell(static_cast<int64_t>(e)));
  EXPECT_EQ(found, bins);
  EXPECT_EQ(coarse.elements.size(), bins.size());
}

TEST(Coarsen, OfABlockIsBinning) {
  for (int32_t low : {-3, -2, 0, 1})
    for (int32_t size : {1, 2, 5, 8}) {
      expect_binning(block<2>(low, low + size));
      expect_binning(block<3>(low, low + size));
    }
}

TEST(Coarsen, OfNothingIsNothing) {
  EXPECT_TRUE(coarsen(GridMesh<2>()).elements.empty());
  EXPECT_TRUE(coarsen(GridMesh<3>()).nodes.empty());
}

}  // namespace
}  // namespace sinew::meshing
