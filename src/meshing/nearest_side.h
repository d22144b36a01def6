#pragma once
// Decides on which side of a patch of the surface a point is, by the nearest facet of the patch. Where the nearest is
// an edge, its two facets decide exactly: a point that they do not agree about is outside where the edge
// bulges outwards, inside where it is a groove. Where it is a point, the sum of the normals around it,
// weighted by angles, does (Baerentzen, Aanaes, Signed Distance Computation Using the Angle Weighted
// Pseudonormal, 2005). Where the nearest is an edge or a point, all facets around it join the patch first.
// Facets that are near in space and far along the surface never join: a ray or a winding number would be
// wrong where layers overlap.
#include <span>

#include "meshing/surface_view.h"

namespace sinew::meshing {

// +1 outside, -1 inside. The patch is not empty.
template <int dim>
int nearest_side(const SurfaceView<dim>& surface, std::span<const int32_t> patch, const Point<dim>& x);

}  // namespace sinew::meshing
