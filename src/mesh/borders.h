#pragma once
// Borders of a surface: its edges of one triangle, in loops. A loop runs as its triangles do: seen from the side that they face, the
// surface is to its left. Where fans of triangles only touch in a vertex, a loop keeps to its fan.
//
//     for (const std::vector<int32_t>& loop : border_loops(mesh)) ...
#include <cstdint>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::mesh {

// The vertices of each loop in order, the loops by their first edge. Neighbours agree about the side that they face, and no edge has
// three triangles (mesh/check_sheet.h).
std::vector<std::vector<int32_t>> border_loops(const TriMesh& mesh);

// Of each vertex, whether it is at a border.
std::vector<char> border_vertices(const TriMesh& mesh);

}  // namespace sinew::mesh
