#include "meshing/topology.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mesh/disjoint_sets.h"
#include "meshing/cell_order.h"
#include "meshing/grid_faces.h"

namespace sinew::meshing {
namespace {

// Nearly every vertex has one edge upwards along an axis. That one is kept in an array; the others, where layers part, in a
// list.
template <int dim>
int64_t count_edges(const GridMesh<dim>& grid) {
  int64_t count = 0;
  std::array<int32_t, dim> nowhere;
  nowhere.fill(-1);
  std::vector<std::array<int32_t, dim>> ends(grid.nodes.size(), nowhere);
  std::vector<std::pair<int32_t, int32_t>> others;
  for (const auto& element : grid.elements)
    for (int corner = 0; corner < 1 << dim; ++corner)
      for (int axis = 0; axis < dim; ++axis) {
        if (corner >> axis & 1) continue;
        const int32_t from = element[corner], to = element[corner | 1 << axis];
        int32_t& end = ends[from][axis];
        if (end < 0) {
          end = to;
          ++count;
        } else if (end != to) {
          others.emplace_back(from, to);
        }
      }
  std::sort(others.begin(), others.end());
  return count + (std::unique(others.begin(), others.end()) - others.begin());
}

template <int dim>
void find_components(const GridMesh<dim>& grid, Topology& found) {
  mesh::DisjointSets<> part(static_cast<int64_t>(grid.nodes.size()));
  for (const auto& element : grid.elements)
    for (int k = 1; k < 1 << dim; ++k) part.join(element[0], element[k]);
  std::vector<int32_t> number(grid.nodes.size(), -1);
  found.component_of_element.reserve(grid.elements.size());
  for (const auto& element : grid.elements) {
    int32_t& component = number[part.find(element[0])];
    if (component < 0) component = found.components++;
    found.component_of_element.push_back(component);
  }
}

}  // namespace

template <int dim>
Topology topology(const GridMesh<dim>& grid) {
  Topology found;
  find_components(grid, found);
  int64_t faces = 0;
  GridFaces<dim>(grid).for_each([&](const GridFace& face) {
    ++faces;
    found.crowded_faces += face.elements() > 2;
  });
  const auto vertices = static_cast<int64_t>(grid.nodes.size());
  const auto elements = static_cast<int64_t>(grid.elements.size());
  // In the plane the faces between elements are the edges.
  found.euler = dim == 2 ? vertices - faces + elements : vertices - count_edges(grid) + faces - elements;
  found.overlapping_cells = overlapping_cells(grid);
  return found;
}

template Topology topology<2>(const GridMesh<2>&);
template Topology topology<3>(const GridMesh<3>&);

}  // namespace sinew::meshing
