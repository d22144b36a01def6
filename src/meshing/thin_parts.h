#pragma once
// Finds where a body is thinner than the grid: elements that one layer of the surface passes through more than once. Such an element
// bends and thickens as a whole; a finer grid tells its sides apart.
#include "mesh/mesh.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

// Elements whose pieces fall into parts that share no point of the surface.
int64_t count_thin_elements(const GridMesh<3>& grid, const mesh::TriMesh& surface);

}  // namespace sinew::meshing
