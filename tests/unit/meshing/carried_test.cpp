#include "meshing/carried.h"

#include <gtest/gtest.h>
#include <random>

#include "hand_grids.h"
#include "meshing/coarsen.h"

namespace sinew::meshing {
namespace {

// Points in elements at random: inside, and on faces, edges and corners of their cells.
std::vector<Point<3>> scatter(GridMesh<3>& grid, uint32_t seed, int count) {
  std::mt19937 random(seed);
  std::vector<Point<3>> points;
  grid.carriers.clear();
  for (int i = 0; i < count; ++i) {
    const auto e = static_cast<int32_t>(random() % grid.elements.size());
    Point<3> x;
    for (int a = 0; a < 3; ++a) {
      const double low = grid.lattice.coordinate(a, grid.cell(e)[a]);
      const double high = grid.lattice.coordinate(a, grid.cell(e)[a] + 1);
      const double shares[] = {0, 1, 0.5, 0.25, random() / 4294967296.0, random() / 4294967296.0};
      const double share = shares[random() % 6];
      x[a] = share == 1 ? high : low + share * (high - low);
    }
    points.push_back(x);
    grid.carriers.push_back(e);
  }
  return points;
}

template <int corners>
void expect_at(const Carried<corners>& carried, const std::vector<mesh::Vec3d>& vertices, const Point<3>& x,
               double cell) {
  double sum = 0;
  mesh::Vec3d at{};
  for (int k = 0; k < corners; ++k) {
    EXPECT_GE(carried.weights[k], 0);
    EXPECT_LE(carried.weights[k], 1);
    sum += carried.weights[k];
    at = at + carried.weights[k] * vertices[carried.vertices[k]];
  }
  EXPECT_NEAR(sum, 1, 1e-15);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(at[a], x[a], 1e-12 * cell);
}

TEST(Carried, PointsAreWhereTheyWere) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    GridMesh<3> grid = random_grid<3>(seed, 4, 40);
    if (seed % 2) grid = coarsen(grid);
    const std::vector<Point<3>> points = scatter(grid, seed, 200);
    const GridTets tets = bcc_tets(grid);
    const mesh::HexMesh cells = hexes(grid);
    const std::vector<Carried<8>> in_hexes = carried_by_hexes(grid, points);
    const std::vector<Carried<4>> in_tets = carried_by_tets(tets, grid, points);
    for (size_t i = 0; i < points.size(); ++i) {
      const int32_t carrier = grid.carriers[i];
      EXPECT_EQ(in_hexes[i].element, carrier);
      EXPECT_EQ(in_hexes[i].vertices, cells.elements[carrier]);
      expect_at(in_hexes[i], cells.vertices, points[i], grid.lattice.spacing());
      // The tet has the centre of the carrier, whatever else lies in the same cell.
      const auto& tet = tets.mesh.elements[in_tets[i].element];
      EXPECT_EQ(in_tets[i].vertices, tet);
      const int32_t centre = static_cast<int32_t>(grid.nodes.size()) + carrier;
      EXPECT_EQ(std::count(tet.begin(), tet.end(), centre), 1);
      expect_at(in_tets[i], tets.mesh.vertices, points[i], grid.lattice.spacing());
    }
  }
}

TEST(Carried, PointOfNoFacet) {
  GridMesh<3> grid = block<3>(0, 1);
  grid.carriers = {-1};
  const std::vector<Point<3>> points = {{9, 9, 9}};
  EXPECT_EQ(carried_by_hexes(grid, points)[0].element, -1);
  EXPECT_EQ(carried_by_tets(bcc_tets(grid), grid, points)[0].element, -1);
  EXPECT_EQ(coarsen(grid).carriers[0], -1);
}

TEST(CarriedGroups, ByMostPiecesThenNearest) {
  HandGrid<3> row;
  add_block<3>(row, {0, 0, 0}, {7, 1, 1});
  GridMesh<3> grid = row.mesh();
  mesh::TriMesh surface;
  surface.elements.resize(6);
  surface.element_groups = {{"lip", {0, 1}}, {"arm", {2, 3}}, {"unused", {}}};
  // Triangles 4 and 5 have no group.
  grid.pieces = {{0, 0}, {1, 0}, {1, 3}, {2, 0}, {2, 3}, {3, 6}, {4, 6}};
  // Element 3 has one of each and 6 one without a group: the lowest name, and no name is lower than any.
  EXPECT_EQ(carried_groups(grid, surface), (mesh::Groups{{"arm", {2, 3, 4}}, {"lip", {0, 1}}}));
  grid.pieces.pop_back();
  const mesh::Groups groups = carried_groups(grid, surface);
  EXPECT_EQ(groups, (mesh::Groups{{"arm", {2, 3, 4, 5, 6}}, {"lip", {0, 1}}}));

  const GridTets tets = bcc_tets(grid);
  const mesh::Groups of_tets = groups_of_tets(tets, groups);
  EXPECT_EQ(of_tets.at("arm").size() + of_tets.at("lip").size(), tets.mesh.elements.size());
  EXPECT_EQ(of_tets.at("lip").size(), static_cast<size_t>(tets.first[2]));
  EXPECT_TRUE(carried_groups(grid, mesh::TriMesh()).empty());
}

// For each element the distances to all others, step by step.
TEST(CarriedGroups, AgreeWithDistancesOnRandomGrids) {
  const std::vector<std::string> names = {"", "a", "b", "c"};
  for (uint32_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    GridMesh<3> grid = random_grid<3>(seed, 4, 70);
    const auto count = static_cast<int32_t>(grid.elements.size());
    std::mt19937 random(seed);
    mesh::TriMesh surface;
    std::vector<int> group_of(12);
    for (int32_t f = 0; f < 12; ++f) {
      surface.elements.push_back({0, 1, 2});
      group_of[f] = static_cast<int>(random() % 4);
      if (group_of[f]) surface.element_groups[names[group_of[f]]].push_back(f);
    }
    std::set<GridMesh<3>::Piece> pieces;
    for (int i = 0; i < 15; ++i)
      pieces.insert({static_cast<int32_t>(random() % 12), static_cast<int32_t>(random() % count)});
    grid.pieces.assign(pieces.begin(), pieces.end());

    std::vector<std::vector<int>> held(count, std::vector<int>(4));
    for (const auto& piece : pieces) ++held[piece.element][group_of[piece.facet]];
    const auto share_a_face = [&](int32_t e, int32_t f) {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          std::set<int32_t> face, other;
          for (int k = 0; k < 8; ++k) {
            if ((k >> (i / 2) & 1) == i % 2) face.insert(grid.elements[e][k]);
            if ((k >> (j / 2) & 1) == j % 2) other.insert(grid.elements[f][k]);
          }
          if (face == other) return true;
        }
      return false;
    };
    std::vector<std::vector<int32_t>> beside(count);
    for (int32_t e = 0; e < count; ++e)
      for (int32_t f = 0; f < count; ++f)
        if (e != f && share_a_face(e, f)) beside[e].push_back(f);

    mesh::Groups expected;
    for (int32_t e = 0; e < count; ++e) {
      std::vector<int> steps(count, -1);
      std::vector<int32_t> queue = {e};
      steps[e] = 0;
      int nearest = 1000, group = 0;
      for (size_t q = 0; q < queue.size(); ++q) {
        const auto& own = held[queue[q]];
        const auto most = std::max_element(own.begin(), own.end());  // the first of equals
        if (*most &&
            (steps[queue[q]] < nearest || (steps[queue[q]] == nearest && most - own.begin() < group))) {
          nearest = steps[queue[q]];
          group = static_cast<int>(most - own.begin());
        }
        for (int32_t n : beside[queue[q]])
          if (steps[n] < 0) {
            steps[n] = steps[queue[q]] + 1;
            queue.push_back(n);
          }
      }
      if (group) expected[names[group]].push_back(e);
    }
    EXPECT_EQ(carried_groups(grid, surface), expected);
  }
}

}  // namespace
}  // namespace sinew::meshing
