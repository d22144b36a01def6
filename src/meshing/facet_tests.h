#pragma once
// A facet against the lattice, decided exactly (math/predicates.h): which boxes it meets, which side of it a node is on, which
// lattice edges it cuts. A node on the plane of a facet counts as outside, so that every answer fits the others: a facet
// that crosses an edge is in all cells around that edge, and the ends of a cut edge are on different sides.
#include <array>

#include "meshing/lattice.h"

namespace sinew::meshing {

template <int dim>
class FacetTests {
 public:
  explicit FacetTests(const std::array<Point<dim>, dim>& corners);  // with an area (length) other than 0

  // Whether the closed facet and the closed box have a point in common.
  bool meets(const Point<dim>& low, const Point<dim>& high) const;
  // +1 outside or on the plane of the facet, -1 inside.
  int side(const Point<dim>& x) const;

  // The lattice edge from p along an axis to where that coordinate is `end` > p[axis].
  struct Cut {
    bool cut = false;  // the closed facet meets the edge, and its ends are on different sides
    // How much deeper the end is than p: 1 where the edge goes in, -1 where it goes out. Of facets that share an edge or a
    // point which the lattice edge meets just one counts, as if the lattice edge were moved by (e, e^2) across.
    int deeper = 0;
  };
  Cut cut(const Point<dim>& p, int axis, double end) const;

 private:
  std::array<Point<dim>, dim> x_;
};

}  // namespace sinew::meshing
