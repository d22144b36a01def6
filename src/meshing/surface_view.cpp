#include "meshing/surface_view.h"

namespace sinew::meshing {

template <int dim>
SurfaceView<dim> view_surface(std::span<const Point<dim>> points, std::span<const Facet<dim>> facets) {
  return {points, facets, mesh::node_elements(facets, static_cast<int64_t>(points.size()))};
}

template SurfaceView<2> view_surface<2>(std::span<const Point<2>>, std::span<const Facet<2>>);
template SurfaceView<3> view_surface<3>(std::span<const Point<3>>, std::span<const Facet<3>>);

}  // namespace sinew::meshing
