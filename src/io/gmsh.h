#pragma once
// Gmsh .msh 4.1 files, ASCII (Geuzaine and Remacle, "Gmsh: a 3-D finite element mesh generator with
// built-in pre- and post-processing facilities", 2009). Linear tets and triangles. Physical groups of the
// elements' own dimension become element groups; those of lower dimensions become vertex groups.
// A group without a name is called "physical_<tag>". Vertices and elements keep the file's order.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_gmsh_tets(std::string_view text, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_gmsh_triangles(std::string_view text, const std::string& name,
                                           Notes* notes = nullptr);
// Element groups become physical groups, vertex groups physical points; attributes are not written.
std::string format_gmsh(const mesh::TetMesh& mesh);
std::string format_gmsh(const mesh::TriMesh& mesh);

}  // namespace sinew::io
