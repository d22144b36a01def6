#pragma once
// VTK legacy files, .vtk (Kitware, "VTK file formats"): ASCII or big-endian binary. Read: versions 2 to 5,
// UNSTRUCTURED_GRID of tets (10), second-order tets (24) or triangles (5), POLYDATA; polygons and strips
// are cut into triangles. Point and cell data become attributes, whatever their kind; an unsigned_char
// array named "group:NAME" is the group NAME, as in .vtu files. Lookup tables, texts and field data of the
// whole file are passed over. Cells of other kinds are left out with a note, and those of lower dimension
// give their groups to their vertices; a tet mesh with other solids is refused. Written: version 4.2, binary,
// with attributes and groups as one FIELD each on points and cells. Names have what is not printable as %XX,
// as VTK does.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_vtk_tets(std::string_view text, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_vtk_triangles(std::string_view text, const std::string& name,
                                          Notes* notes = nullptr);
std::string format_vtk(const mesh::TetMesh& mesh);
std::string format_vtk(const mesh::TriMesh& mesh);
std::string format_vtk(const mesh::HexMesh& mesh);

}  // namespace sinew::io
