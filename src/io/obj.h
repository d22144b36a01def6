#pragma once
// Wavefront OBJ surfaces: v, vt, f, g and o. Polygons are cut as io/polygons.h says; negative indices count back from the
// last vertex; normal indices are passed over. Texture coordinates (u, v) of corners become element data as mesh/texture.h says; a
// note counts the faces without, among others with. The names after `g` become element groups; those after `o` where there are several
// and no `g`.
// Lines that describe other shapes are left out with a note.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TriMesh> parse_obj(std::string_view text, const std::string& name, Notes* notes = nullptr);
// A triangle in several groups is written with all their names, one whose texture coordinates are all zero without them.
std::string format_obj(const mesh::TriMesh& mesh);

}  // namespace sinew::io
