#pragma once
// A facet against the lattice, decided exactly (math/predicates.h): which cells it passes through, which side of it a
// node is on, which lattice edges it cuts. The lattice counts as moved by (e, e^2, e^3) with e > 0 smaller than any
// number: no node lies on a facet, no lattice edge passes through an edge or a point of the surface and no face of a
// cell through a point, wherever the surface lies. So every answer fits the others: along any closed way over lattice
// edges a closed surface is left as often as entered, the ends of a cut edge are on different sides, and a facet that
// cuts a lattice edge meets all cells around that edge.
//
//     const FacetTests<3> facet(surface.corners(f));
//     facet.for_each_cell(lattice, [&](const Index<3>& cell) { ... });
#include <algorithm>
#include <array>

#include "meshing/lattice.h"

namespace sinew::meshing {

template <int dim>
class FacetTests {
 public:
  explicit FacetTests(const std::array<Point<dim>, dim>& corners);  // with an area (length) other than 0

  // Whether the facet and a box between planes of the lattice have a point in common.
  bool meets(const Point<dim>& low, const Point<dim>& high) const;
  // +1 outside, -1 inside.
  int side(const Point<dim>& x) const;
  // Tests the lattice edge from p along an axis to where that coordinate is `end` > p[axis]: 0 where the facet
  // does not cut it, 1 where it goes in at the facet, -1 where it goes out.
  int cut(const Point<dim>& p, int axis, double end) const;
  // Seen along an axis, the others in cyclic order: 1 where the line through x passes on the left of the edge
  // from corner k to the next, -1 on the right. 0 where the edge is seen as a point.
  int turn(int axis, int k, const Point<dim>& x) const requires(dim == 3);

  // f(cell) for all cells of the lattice that the facet meets, in work linear in these, whatever box they
  // span.
  template <class F>
  void for_each_cell(const Lattice<dim>& lattice, F&& f) const {
    Index<dim> first, last;
    for (int a = 0; a < dim; ++a) {
      first[a] = static_cast<int32_t>(lattice.cell_of(a, low_[a]));
      last[a] = static_cast<int32_t>(lattice.cell_of(a, high_[a]));
    }
    cells_within(lattice, first, last, f);
  }

  // f(node, axis, deeper) for all lattice edges that the facet cuts, from `node` along `axis`; `deeper` is 1
  // or -1 as for cut().
  template <class F>
  void for_each_cut(const Lattice<dim>& lattice, F&& f) const;

 private:
  template <class F>
  void cells_within(const Lattice<dim>& lattice, const Index<dim>& first, const Index<dim>& last, F& f) const;
  // Sign of the height above the plane; 0 is on it.
  int height(const Point<dim>& x) const;
  // Whether the line through x along the axis passes the facet. Moved by (e, e^2, e^3) as above.
  bool covers(int axis, const Point<dim>& x) const;
  // The nodes of the row through x that `covers` need be asked for, at most one too many at each end;
  // `across` is the third axis.
  void narrow(const Lattice<dim>& lattice, int axis, int across, const Point<dim>& x, int64_t& first,
              int64_t& last) const;
  // The last node below the facet on a line that the facet covers.
  int64_t node_below(const Lattice<dim>& lattice, int axis, Point<dim> x) const;

  std::array<Point<dim>, dim> x_;
  Point<dim> low_, high_;      // of the corners
  Point<dim> normal_, error_;  // outwards, rounded; error of n . (x - x0) by |x - x0|, component by component
  std::array<int, dim> sign_;  // of the components of the true normal
  int tie_;                    // the side of nodes on the plane
  std::array<Point<dim>, dim> edge_;  // from corner k to the next, rounded
};

template <int dim>
template <class F>
void FacetTests<dim>::cells_within(const Lattice<dim>& lattice, const Index<dim>& first,
                                   const Index<dim>& last, F& f) const {
  int64_t count = 1;
  int longest = 0;
  for (int a = 0; a < dim; ++a) {
    count *= last[a] - first[a] + 1;
    if (last[a] - first[a] > last[longest] - first[longest]) longest = a;
  }
  const auto met = [&](const Index<dim>& from, const Index<dim>& to) {
    Point<dim> low, high;
    for (int a = 0; a < dim; ++a) {
      low[a] = lattice.coordinate(a, from[a]);
      high[a] = lattice.coordinate(a, int64_t{to[a]} + 1);
    }
    return meets(low, high);
  };
  if (count <= (1 << dim)) {
    Index<dim> cell = first;
    for (int64_t n = 0; n < count; ++n) {
      if (met(cell, cell)) f(cell);
      for (int a = 0; a < dim && ++cell[a] > last[a]; ++a) cell[a] = first[a];
    }
    return;
  }
  Index<dim> low_last = last, high_first = first;
  low_last[longest] = first[longest] + (last[longest] - first[longest]) / 2;
  high_first[longest] = low_last[longest] + 1;
  if (met(first, low_last)) cells_within(lattice, first, low_last, f);
  if (met(high_first, last)) cells_within(lattice, high_first, last, f);
}

template <int dim>
template <class F>
void FacetTests<dim>::for_each_cut(const Lattice<dim>& lattice, F&& f) const {
  // Nodes that lie strictly between low_ and high_ once they are moved.
  std::array<int64_t, dim> first, last;
  for (int a = 0; a < dim; ++a) {
    first[a] = lattice.cell_of(a, low_[a]) + 1;
    last[a] = lattice.cell_of(a, high_[a]);
  }
  for (int axis = 0; axis < dim; ++axis) {
    if (sign_[axis] == 0) continue;
    const int u = (axis + 1) % dim, v = dim == 3 ? (axis + 2) % dim : u;
    Index<dim> node{};
    Point<dim> x = x_[0];
    for (int64_t j = first[v]; j <= (dim == 3 ? last[v] : first[v]); ++j) {
      int64_t begin = first[u], end = last[u];
      if constexpr (dim == 3) {
        node[v] = static_cast<int32_t>(j);
        x[v] = lattice.coordinate(v, j);
        if (end - begin > 4) narrow(lattice, u, axis, x, begin, end);
      }
      for (int64_t i = begin; i <= end; ++i) {
        x[u] = lattice.coordinate(u, i);
        if (!covers(axis, x)) continue;
        node[u] = static_cast<int32_t>(i);
        node[axis] = static_cast<int32_t>(node_below(lattice, axis, x));
        f(node, axis, -sign_[axis]);
      }
    }
  }
}

}  // namespace sinew::meshing
