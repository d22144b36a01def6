#pragma once
// OFF surfaces (the text format of Geomview): OFF, COFF with colours of the vertices, and colours of the faces in
// both, as attributes "color" of 3 or 4 numbers (of 1 where faces have an index into a table). Normals (NOFF)
// are left out with a note; other kinds and binary files are refused. Polygons are cut as io/polygons.h says.
// A vertex or a face is one line.
//
//     Result<mesh::TriMesh> mesh = parse_off(text, "cow.off", &notes);
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TriMesh> parse_off(std::string_view text, const std::string& name, Notes* notes = nullptr);
// Stores colours; other attributes and groups are left out.
std::string format_off(const mesh::TriMesh& mesh);

}  // namespace sinew::io
