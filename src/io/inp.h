#pragma once
// Abaqus and CalculiX input decks, .inp (Dhondt, "CalculiX CrunchiX user's manual", 2022): the mesh in
// them. Read: NODE, ELEMENT of types C3D4 and C3D10 (their variants too) or three-node shells and
// membranes, NSET, ELSET, with GENERATE and sets of sets. Flat decks, or one PART with at most one INSTANCE
// that may be moved. A set of elements of lower dimension becomes a vertex group; such elements are left
// out of a tet mesh. Other solids, INCLUDE and keywords that make nodes or elements are refused; all other
// keywords are passed over and named in a note. Written: nodes in the set NALL, elements in EALL, a set for
// each group that is not empty, and a commented skeleton of the rest of a deck; attributes are not written.
// CalculiX takes 20 characters of a number: the few that need more are rounded to what fits. Set names are
// made of A-Z 0-9 _ - and '.'; a comment before each holds the group's own name.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_inp_tets(std::string_view text, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_inp_triangles(std::string_view text, const std::string& name,
                                          Notes* notes = nullptr);
std::string format_inp(const mesh::TetMesh& mesh);
std::string format_inp(const mesh::TriMesh& mesh);  // elements S3
std::string format_inp(const mesh::HexMesh& mesh);  // elements C3D8

}  // namespace sinew::io
