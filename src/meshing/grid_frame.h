#pragma once
// A block of the lattice around a body, with two layers to spare. Its nodes have keys that count along x first; a cell has the key of
// its low node, and corner k of the cell with key c is the node with key c + corner[k].
#include <array>
#include <cstdint>

#include "meshing/lattice.h"

namespace sinew::meshing {

// A node and those that share a cell with it: 3^dim.
template <int dim>
inline constexpr int nodes_around = dim == 2 ? 9 : 27;

template <int dim>
struct GridFrame {
  static constexpr int corners = 1 << dim;

  Lattice<dim> lattice;
  Index<dim> low{};                       // the node with key 0
  std::array<int64_t, dim> count{};       // nodes along each axis
  std::array<int64_t, dim> stride{};      // of keys
  std::array<int64_t, corners> corner{};  // from a cell to its corners

  GridFrame(const Lattice<dim>& l, const Index<dim>& first, const Index<dim>& last) : lattice(l), low(first) {
    int64_t step = 1;
    for (int a = 0; a < dim; ++a) {
      count[a] = int64_t{last[a]} - first[a] + 1;
      stride[a] = step;
      step *= count[a];
    }
    for (int k = 0; k < corners; ++k)
      for (int a = 0; a < dim; ++a)
        if (k >> a & 1) corner[k] += stride[a];
  }

  int64_t key(const Index<dim>& i) const {
    int64_t k = 0;
    for (int a = 0; a < dim; ++a) k += stride[a] * (i[a] - low[a]);
    return k;
  }
  Index<dim> index(int64_t key) const {
    Index<dim> i;
    for (int a = dim - 1; a >= 0; --a) {
      i[a] = static_cast<int32_t>(low[a] + key / stride[a]);
      key %= stride[a];
    }
    return i;
  }
};

}  // namespace sinew::meshing
