#include "meshing/topology.h"

#include <algorithm>
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
  std::vector<int32_t> end;
  std::vector<std::pair<int32_t, int32_t>> others;
  for (int axis = 0; axis < dim; ++axis) {
    end.assign(grid.nodes.size(), -1);
    others.clear();
    for (const auto& element : grid.elements)
      for (int corner : face_corners<dim>(axis, 0)) {
        const int32_t from = element[corner], to = element[corner | 1 << axis];
        if (end[from] < 0) {
          end[from] = to;
          ++count;
        } else if (end[from] != to) {
          others.emplace_back(from, to);
        }
      }
    std::sort(others.begin(), others.end());
    count += std::unique(others.begin(), others.end()) - others.begin();
  }
  return count;
}

}  // namespace

template <int dim>
Topology topology(const GridMesh<dim>& grid) {
  Topology found;

  mesh::DisjointSets<> part(static_cast<int32_t>(grid.nodes.size()));
  std::vector<bool> used(grid.nodes.size());
  for (const auto& element : grid.elements)
    for (int32_t vertex : element) {
      part.join(element[0], vertex);
      used[vertex] = true;
    }
  std::vector<int32_t> number(grid.nodes.size(), -1);
  found.component_of_element.reserve(grid.elements.size());
  for (const auto& element : grid.elements) {
    int32_t& component = number[part.find(element[0])];
    if (component < 0) component = found.components++;
    found.component_of_element.push_back(component);
  }

  int64_t faces = 0;
  for_each_face(grid, [&](const GridFace& face) {
    ++faces;
    found.crowded_faces += face.elements() > 2;
  });
  const auto vertices = static_cast<int64_t>(std::count(used.begin(), used.end(), true));
  const auto elements = static_cast<int64_t>(grid.elements.size());
  // In the plane the faces between elements are the edges.
  found.euler = dim == 2 ? vertices - faces + elements : vertices - count_edges(grid) + faces - elements;
  found.overlapping_cells = overlapping_cells(grid);
  return found;
}

template Topology topology<2>(const GridMesh<2>&);
template Topology topology<3>(const GridMesh<3>&);

}  // namespace sinew::meshing
