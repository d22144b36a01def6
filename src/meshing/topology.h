#pragma once
// How a mesh of cells hangs together: its parts, and the Euler characteristic of the cells with their faces, edges and vertices,
//     V - E + F - H in space, V - E + F in the plane,
// which is 1 for a ball, 0 for a ring, and adds up over parts. Faces and edges are counted as sets of vertices.
#include <cstdint>
#include <vector>

#include "meshing/grid_mesh.h"

namespace sinew::meshing {

struct Topology {
  int32_t components = 0;  // parts that share no vertex
  int64_t euler = 0;
  int64_t crowded_faces = 0;                  // shared by more than two elements
  int64_t overlapping_cells = 0;              // with more than one element
  std::vector<int32_t> component_of_element;  // numbered in the order of their first elements
};

// Every vertex of the grid belongs to an element.
template <int dim>
Topology topology(const GridMesh<dim>& grid);

}  // namespace sinew::meshing
