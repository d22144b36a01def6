#pragma once
// PLY surfaces (Turk, The PLY polygon file format, 1994): text, and bytes in either order. Properties may stand in any
// order and have any type. Polygons are cut as io/polygons.h says. Every other number of a vertex or a face becomes an
// attribute of its property's name; consecutive properties a_0, a_1, ... become one attribute a. Lists other
// than the corners, and elements other than vertex and face, are left out with a note.
// A row of a text file is one line. Written: bytes, little endian, coordinates and attributes as double.
//
//     Result<mesh::TriMesh> mesh = parse_ply(bytes, "bunny.ply", &notes);
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TriMesh> parse_ply(std::string_view bytes, const std::string& name, Notes* notes = nullptr);
// Groups are not stored.
std::string format_ply(const mesh::TriMesh& mesh);

}  // namespace sinew::io
