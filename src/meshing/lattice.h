#pragma once
// The lattice that cells are taken from: node i of an axis lies at cell (2^level i + offset). It is anchored at the origin, not at
// the body, so that bodies meshed apart have the same cells. The coordinates as doubles are the truth: predicates take them
// as they are. The offset is an odd fraction of a cell, which keeps faces of blocks and planes of symmetry off the nodes.
#include <array>
#include <cmath>
#include <cstdint>

#include "math/vec.h"

namespace sinew::meshing {

template <int dim>
using Point = math::Vec<double, dim>;
template <int dim>
using Index = std::array<int32_t, dim>;
template <int dim>
using Facet = std::array<int32_t, dim>;  // of a surface: a segment or a triangle, as ids of points

inline constexpr double generic_offset[3] = {0.137, 0.0711, 0.0373};

template <int dim>
struct Lattice {
  double cell = 1;                   // edge at level 0 [m]
  std::array<double, dim> offset{};  // [cells of level 0]
  int level = 0;                     // of coarsening; 2^level times a node's number is below 2^53

  double spacing() const { return std::ldexp(cell, level); }  // [m]
  double coordinate(int axis, int64_t i) const {
    return cell * (static_cast<double>(i << level) + offset[axis]);
  }
  Point<dim> position(const Index<dim>& node) const {
    Point<dim> x;
    for (int a = 0; a < dim; ++a) x[a] = coordinate(a, node[a]);
    return x;
  }
  // The last node that is not above x, also where the division rounds.
  int64_t below(int axis, double x) const {
    auto i = static_cast<int64_t>(
        std::floor((x / cell - offset[axis]) / static_cast<double>(int64_t{1} << level)));
    while (coordinate(axis, i) > x) --i;
    while (coordinate(axis, i + 1) <= x) ++i;
    return i;
  }
  // The cell that x is in; on a face the lower one, as for FacetTests.
  int64_t cell_of(int axis, double x) const {
    const int64_t i = below(axis, x);
    return coordinate(axis, i) == x ? i - 1 : i;
  }
};

}  // namespace sinew::meshing
