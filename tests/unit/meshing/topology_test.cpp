#include "meshing/topology.h"

#include <gtest/gtest.h>
#include <random>

#include "hand_grids.h"
#include "meshing/cell_order.h"

namespace sinew::meshing {
namespace {

// By sets of sets of vertices.
template <int dim>
Topology counted(const GridMesh<dim>& grid) {
  std::set<int32_t> vertices;
  std::set<std::set<int32_t>> edges;
  std::map<std::set<int32_t>, int> faces;
  std::map<Index<dim>, int> cells;
  for (size_t e = 0; e < grid.elements.size(); ++e) {
    const auto& element = grid.elements[e];
    ++cells[grid.cell(static_cast<int64_t>(e))];
    vertices.insert(element.begin(), element.end());
    for (int k = 0; k < 1 << dim; ++k)
      for (int a = 0; a < dim; ++a) edges.insert({element[k], element[k ^ 1 << a]});
    for (int a = 0; a < dim; ++a)
      for (int side : {0, 1}) {
        std::set<int32_t> face;
        for (int k = 0; k < 1 << dim; ++k)
          if ((k >> a & 1) == side) face.insert(element[k]);
        ++faces[face];
      }
  }
  Topology found;
  const auto size = [](const auto& set) { return static_cast<int64_t>(set.size()); };
  found.euler =
      size(vertices) - size(edges) + (dim == 2 ? 0 : size(faces)) + (dim == 2 ? 1 : -1) * size(grid.elements);
  for (const auto& [face, n] : faces) found.crowded_faces += n > 2;
  for (const auto& [cell, n] : cells) found.overlapping_cells += n > 1;

  found.component_of_element.assign(grid.elements.size(), -1);
  for (size_t first = 0; first < grid.elements.size(); ++first) {
    if (found.component_of_element[first] >= 0) continue;
    std::set<int32_t> reached(grid.elements[first].begin(), grid.elements[first].end());
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t e = 0; e < grid.elements.size(); ++e) {
        const auto& element = grid.elements[e];
        if (found.component_of_element[e] >= 0) continue;
        if (std::none_of(element.begin(), element.end(), [&](int32_t v) { return reached.count(v); }))
          continue;
        found.component_of_element[e] = found.components;
        reached.insert(element.begin(), element.end());
        grown = true;
      }
    }
    ++found.components;
  }
  return found;
}

template <int dim>
void expect_as_counted(const GridMesh<dim>& grid) {
  const Topology found = topology(grid), expected = counted(grid);
  EXPECT_EQ(found.components, expected.components);
  EXPECT_EQ(found.euler, expected.euler);
  EXPECT_EQ(found.crowded_faces, expected.crowded_faces);
  EXPECT_EQ(found.overlapping_cells, expected.overlapping_cells);
  EXPECT_EQ(found.component_of_element, expected.component_of_element);
}

TEST(Topology, BlocksAndRings) {
  EXPECT_EQ(topology(GridMesh<3>()).components, 0);
  EXPECT_EQ(topology(block<2>(-2, 3)).euler, 1);
  EXPECT_EQ(topology(block<3>(-2, 2)).euler, 1);
  EXPECT_EQ(topology(block<3>(-2, 2)).components, 1);

  HandGrid<2> two;
  add_block<2>(two, {0, 0}, {4, 4});
  add_block<2>(two, {2, 1}, {6, 5});
  const Topology both = topology(two.mesh());
  EXPECT_EQ(both.components, 2);
  EXPECT_EQ(both.euler, 2);
  EXPECT_EQ(both.overlapping_cells, 6);
  EXPECT_EQ(both.crowded_faces, 0);
  EXPECT_EQ(both.component_of_element.front(), 0);
  EXPECT_EQ(both.component_of_element.back(), 1);

  // A closed ring has 0; this one lies over its own end instead.
  const Topology ring = topology(open_ring<2>(4));
  EXPECT_EQ(ring.components, 1);
  EXPECT_EQ(ring.euler, 1);
  EXPECT_EQ(ring.overlapping_cells, 16);
  HandGrid<2> closed;
  for (int32_t y = 0; y < 3; ++y)
    for (int32_t x = 0; x < 3; ++x)
      if (x != 1 || y != 1) closed.add({x, y});
  closed.join_neighbours(0, closed.count());
  EXPECT_EQ(topology(closed.mesh()).euler, 0);
}

TEST(Topology, HollowBoxAndFacesOfThree) {
  HandGrid<3> hollow;
  for (int32_t z = 0; z < 3; ++z)
    for (int32_t y = 0; y < 3; ++y)
      for (int32_t x = 0; x < 3; ++x)
        if (x != 1 || y != 1 || z != 1) hollow.add({x, y, z});
  hollow.join_neighbours(0, hollow.count());
  EXPECT_EQ(topology(hollow.mesh()).euler, 2);

  HandGrid<3> fork;  // one element with two on its upper side, which share no more than that face
  const int stem = fork.add({0, 0, 0});
  fork.join(stem, fork.add({1, 0, 0}));
  fork.join(stem, fork.add({1, 0, 0}));
  EXPECT_EQ(topology(fork.mesh()).crowded_faces, 1);
  EXPECT_EQ(topology(fork.mesh()).overlapping_cells, 1);
}

TEST(Topology, AgreesWithSetsOnRandomGrids) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_counted(random_grid<2>(seed, 4, 2 + static_cast<int>(seed % 30)));
    expect_as_counted(random_grid<3>(seed, 3, 2 + static_cast<int>(seed % 40)));
  }
}

TEST(CellOrder, SortsFarCells) {
  std::mt19937 random(7);
  HandGrid<3> grid;
  for (int e = 0; e < 200; ++e)
    grid.add({static_cast<int32_t>(random() % 3) - 1, static_cast<int32_t>(random() % 3) * 1000000 - 1000000,
              static_cast<int32_t>(random() % 4) * 3000 - 2048});
  const GridMesh<3> mesh = grid.mesh();
  const std::vector<int32_t> order = elements_by_cell(mesh);
  const auto key = [&](int32_t e) {
    const Index<3>& cell = mesh.cell(e);
    return std::array<int32_t, 4>{cell[2], cell[1], cell[0], e};
  };
  ASSERT_EQ(order.size(), 200u);
  for (size_t k = 1; k < order.size(); ++k) EXPECT_LT(key(order[k - 1]), key(order[k]));
  const std::vector<int32_t> layers = layers_of_elements(mesh);
  for (int32_t e = 0; e < 200; ++e) {
    int expected = 0;
    for (int32_t f = 0; f < 200; ++f) expected += mesh.cell(e) == mesh.cell(f);
    EXPECT_EQ(layers[e], expected);
  }
}

}  // namespace
}  // namespace sinew::meshing
