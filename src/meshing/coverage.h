#pragma once
// What a facet takes away from a cell. With v(q) = 1 where q is material of a layer, the share of a box that is material is
//     v(high corner) + sum over the layer's facets of share_below(facet, low, high),
// where share_below is the signed share of the points of the box that see the facet when they look along +x to the far face, on that
// face along +y, and on that edge along +z (counted where the looking crosses the facet: plus where it goes out of the material,
// minus where it comes in). So shares add up facet by facet, and over all cells to the volume inside the surface.
#include <array>

#include "meshing/lattice.h"

namespace sinew::meshing {

template <int dim>
double share_below(const std::array<Point<dim>, dim>& facet, const Point<dim>& low, const Point<dim>& high);

}  // namespace sinew::meshing
