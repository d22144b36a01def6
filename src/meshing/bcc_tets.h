#pragma once
// Tets of a mesh of cells (Chen, PhD thesis, UCLA 2024, section 3.7): a vertex at the centre of every element; over each edge of a
// face between two elements a tet with their centres; over each edge of a boundary face one with the centre of the element
// and that of the face. Where more than two elements share a face, every pair that lies on opposite sides has its
// tets: these overlap. A block of n^3 cells has 12 n^2 (n + 1) tets.
#include <array>
#include <vector>

#include "mesh/mesh.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

struct GridTets {
  // Positive; vertices: those of the grid, then centres of elements, then of boundary faces. Element data `layers`, the most of
  // the cells whose centres the tet has, and `coverage`: half of a tet between two elements lies in each and has the coverage
  // of that, a part of it where several tets have that half. So what is covered of tets is what is covered of elements.
  mesh::TetMesh mesh;
  // Elements + 1: tets first[e] to first[e + 1] have the centre of element e, and no centre of an element before it.
  std::vector<int32_t> first;
  // For each face of an element, at 2 axis + side, the first of its four tets. Tet 2 i + s of the four is over
  // the edge on side s of the face, seen along axis (axis + 1 + i) % 3.
  std::vector<std::array<int32_t, 6>> over_face;
  int64_t crowded_faces = 0;  // faces of more than two elements
};
GridTets bcc_tets(const GridMesh<3>& grid);  // fewer than 2^31 tets
int64_t bcc_tet_count(const GridMesh<3>& grid);

// VTK's order of corners, positions in metres. Element data `coverage`, and `layers`: how many elements lie in the cell.
mesh::HexMesh hexes(const GridMesh<3>& grid);
inline constexpr int vtk_corners[8] = {0, 1, 3, 2, 4, 5, 7, 6};  // of an element of the grid

}  // namespace sinew::meshing
