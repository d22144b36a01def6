#pragma once
// Meshes of cells made by hand: cells are added one by one and joined where the test says so.
//
//     HandGrid<2> grid;
//     const int a = grid.add({0, 0}), b = grid.add({1, 0});
//     grid.join(a, b);                          // the corners at the same nodes become one
//     GridMesh<2> mesh = grid.mesh();
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "meshing/grid_mesh.h"

namespace sinew::meshing {

template <int dim>
class HandGrid {
 public:
  static constexpr int corners = 1 << dim;

  int add(const Index<dim>& cell) {
    cells_.push_back(cell);
    for (int k = 0; k < corners; ++k) id_.push_back(static_cast<int>(id_.size()));
    return static_cast<int>(cells_.size()) - 1;
  }
  int count() const { return static_cast<int>(cells_.size()); }
  const Index<dim>& cell(int e) const { return cells_[e]; }

  // Corners of the two elements that lie at the same node, or just those of a node.
  void join(int a, int b) {
    for (int k = 0; k < corners; ++k)
      for (int l = 0; l < corners; ++l)
        if (node(a, k) == node(b, l)) merge(a * corners + k, b * corners + l);
  }
  void join_at(int a, int b, const Index<dim>& where) {
    for (int k = 0; k < corners; ++k)
      for (int l = 0; l < corners; ++l)
        if (node(a, k) == where && node(b, l) == where) merge(a * corners + k, b * corners + l);
  }
  // Whether cells are side by side, so that elements there may share a face.
  bool side_by_side(int a, int b) const {
    int steps = 0;
    for (int axis = 0; axis < dim; ++axis) steps += std::abs(cells_[a][axis] - cells_[b][axis]);
    return steps == 1;
  }
  void join_neighbours(int first, int end) {
    for (int a = first; a < end; ++a)
      for (int b = first; b < a; ++b)
        if (side_by_side(a, b)) join(a, b);
  }

  // Elements with the same vertices are one.
  GridMesh<dim> mesh() const {
    GridMesh<dim> grid;
    grid.lattice.cell = 0.125;
    for (int a = 0; a < dim; ++a) grid.lattice.offset[a] = generic_offset[a];
    std::map<int, int32_t> vertex;
    std::set<typename GridMesh<dim>::Element> seen;
    for (int e = 0; e < count(); ++e) {
      typename GridMesh<dim>::Element element;
      for (int k = 0; k < corners; ++k) {
        const auto [at, is_new] =
            vertex.emplace(root(e * corners + k), static_cast<int32_t>(grid.nodes.size()));
        if (is_new) grid.nodes.push_back(node(e, k));
        element[k] = at->second;
      }
      if (seen.insert(element).second) grid.elements.push_back(element);
    }
    return grid;
  }

 private:
  Index<dim> node(int e, int k) const {
    Index<dim> node = cells_[e];
    for (int a = 0; a < dim; ++a) node[a] += k >> a & 1;
    return node;
  }
  int root(int id) const {
    while (id_[id] != id) id = id_[id];
    return id;
  }
  void merge(int a, int b) { id_[root(a)] = root(b); }

  std::vector<Index<dim>> cells_;
  std::vector<int> id_;
};

// The cells low <= i < high as one layer; returns the number of its first element.
template <int dim>
int add_block(HandGrid<dim>& grid, const Index<dim>& low, const Index<dim>& high) {
  const int first = grid.count();
  Index<dim> cell = low;
  while (cell[dim - 1] < high[dim - 1]) {
    grid.add(cell);
    for (int a = 0; a < dim; ++a) {
      if (++cell[a] < high[a] || a == dim - 1) break;
      cell[a] = low[a];
    }
  }
  grid.join_neighbours(first, grid.count());
  return first;
}

template <int dim>
Index<dim> filled(int32_t i) {
  Index<dim> index;
  index.fill(i);
  return index;
}

template <int dim>
GridMesh<dim> block(int32_t low, int32_t high) {
  HandGrid<dim> grid;
  add_block<dim>(grid, filled<dim>(low), filled<dim>(high));
  return grid.mesh();
}

// A square ring of outer size 4 w whose ends overlap by w cells in the middle of its lower side without being joined; in space
// it is `height` cells thick.
template <int dim>
GridMesh<dim> open_ring(int32_t w, int32_t height = 1) {
  HandGrid<dim> grid;
  std::vector<int> end;  // -1 and 1: part of the left and the right end
  const auto add = [&](int32_t x, int32_t y, int which) {
    for (int32_t z = 0; z < (dim == 2 ? 1 : height); ++z) {
      Index<dim> cell{};
      cell[0] = x, cell[1] = y;
      if constexpr (dim == 3) cell[2] = z;
      grid.add(cell);
      end.push_back(which);
    }
  };
  for (int32_t y = 0; y < 4 * w; ++y)
    for (int32_t x = 0; x < 4 * w; ++x) {
      if (x >= w && x < 3 * w && y >= w && y < 3 * w) continue;
      if (y < w && x >= w && x < 3 * w) {
        if (2 * x < 5 * w) add(x, y, -1);
        if (2 * x >= 3 * w) add(x, y, 1);
      } else {
        add(x, y, y >= w ? 0 : x < 2 * w ? -1 : 1);
      }
    }
  for (int a = 0; a < grid.count(); ++a)
    for (int b = 0; b < a; ++b)
      if (grid.side_by_side(a, b) && end[a] * end[b] >= 0) grid.join(a, b);
  return grid.mesh();
}

// Elements at random in a box of `size` cells around the origin, some of them in one cell, joined at random: along faces,
// and a few at single nodes.
template <int dim>
GridMesh<dim> random_grid(uint32_t seed, int32_t size, int elements) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint32_t>(n)); };
  HandGrid<dim> grid;
  for (int e = 0; e < elements; ++e) {
    Index<dim> cell;
    for (int a = 0; a < dim; ++a) cell[a] = below(size) - size / 2;
    grid.add(cell);
  }
  const int share = 20 + below(80);
  for (int a = 0; a < elements; ++a)
    for (int b = 0; b < a; ++b) {
      if (grid.side_by_side(a, b) && below(100) < share) grid.join(a, b);
      if (grid.cell(a) == grid.cell(b) && below(100) < 30) {
        // Two in one cell that share one face.
        const int axis = below(dim), side = below(2);
        for (int k = 0; k < 1 << dim; ++k) {
          if ((k >> axis & 1) != side) continue;
          Index<dim> node = grid.cell(a);
          for (int d = 0; d < dim; ++d) node[d] += k >> d & 1;
          grid.join_at(a, b, node);
        }
      }
      if (below(100) < 2) grid.join_at(a, b, grid.cell(a));
    }
  return grid.mesh();
}

}  // namespace sinew::meshing
