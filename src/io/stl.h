#pragma once
// STL surfaces, text and binary. A file lists corner positions; equal ones become one vertex (0 and -0 are
// equal, nothing else is rounded), numbered by first use, and a note says how many. Normals are passed over.
// The names of the solids become element groups where there are several solids. The two bytes after a
// binary triangle become the attribute "attribute" unless all are 0.
// A file is binary if its length is the one its count asks for, whatever its first word.
// Written: binary, so positions are rounded to float.
//
//     Result<mesh::TriMesh> mesh = parse_stl(bytes, "bone.stl", &notes);
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TriMesh> parse_stl(std::string_view bytes, const std::string& name, Notes* notes = nullptr);
// Refuses positions that float cannot hold.
Result<std::string> format_stl(const mesh::TriMesh& mesh);

}  // namespace sinew::io
