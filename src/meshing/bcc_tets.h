#pragma once
// Tets of a mesh of cells (Chen 2024, section 3.7): a vertex at the centre of every element; over each edge of a face between two
// elements a tet with their centres; over each edge of a boundary face one with the centre of the element and that of
// the face. Where more than two elements share a face, every pair that lies on opposite sides has its tets.
#include <vector>

#include "mesh/mesh.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

struct GridTets {
  mesh::TetMesh
      mesh;  // positive; vertices: those of the grid, then centres of elements, then of boundary faces
  std::vector<int32_t>
      first;  // elements + 1: the tets that have the centre of element e are listed at first[e]..first[e+1]
  std::vector<int32_t> tets;  // by element, ascending; a tet between two elements is in both lists
  int64_t crowded_faces = 0;  // faces of more than two elements: their tets overlap
};
GridTets bcc_tets(const GridMesh<3>& grid);

// VTK's order of corners, positions in metres. Attribute `coverage`; `layers` says how many elements lie in the cell.
mesh::HexMesh hexes(const GridMesh<3>& grid);

}  // namespace sinew::meshing
