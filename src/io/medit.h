#pragma once
// Medit .mesh files, ASCII, dimension 3 (P. Frey, "MEDIT: an interactive mesh visualization software",
// INRIA report 0253, 2001): Vertices, Tetrahedra, Triangles; indices count from 1. References become the
// attribute "ref" and groups "ref_<value>"; references of triangles in a tet mesh become vertex groups
// "triangle_ref_<value>". Edges, corners, ridges and normals are passed over; hexes are refused.
// A file without End is read, with a note.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_medit_tets(std::string_view text, const std::string& name,
                                       Notes* notes = nullptr);
Result<mesh::TriMesh> parse_medit_triangles(std::string_view text, const std::string& name,
                                            Notes* notes = nullptr);
// Corners alone; of the attributes "ref" alone, where its values are whole numbers of 32 bits.
std::string format_medit(const mesh::TetMesh& mesh);
std::string format_medit(const mesh::TriMesh& mesh);
std::string format_medit(const mesh::HexMesh& mesh);

}  // namespace sinew::io
