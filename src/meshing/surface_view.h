#pragma once
// A surface as the mesher sees it: closed, every edge with two facets that run along it in opposite directions. In the plane
// the facets are segments with the outside on their right; in space triangles that turn left seen from outside.
#include <span>

#include "mesh/adjacency.h"
#include "meshing/lattice.h"

namespace sinew::meshing {

template <int dim>
struct SurfaceView {
  std::span<const Point<dim>> points;
  std::span<const Facet<dim>> facets;
  mesh::Csr incident;  // the facets at each point, ascending

  std::array<Point<dim>, dim> corners(int32_t facet) const {
    std::array<Point<dim>, dim> x;
    for (int k = 0; k < dim; ++k) x[k] = points[facets[facet][k]];
    return x;
  }
};

template <int dim>
SurfaceView<dim> view_surface(std::span<const Point<dim>> points, std::span<const Facet<dim>> facets);

}  // namespace sinew::meshing
