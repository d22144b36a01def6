#pragma once
// Gmsh .msh files (Geuzaine and Remacle, "Gmsh: a 3-D finite element mesh generator with built-in pre- and
// post-processing facilities", 2009). Read: versions 2 and 4.1, text and binary of either byte order. Written:
// 4.1 binary, so that numbers come back exactly. Linear tets and triangles, tets of second order. Physical
// groups of the elements' own dimension become element groups; those of lower dimensions become vertex
// groups. A group without a name is called "physical_<tag>". $NodeData and $ElementData are attributes.
// Vertices and elements keep the file's order. Files are read and written in pieces.
#include <string>

#include "base/result.h"
#include "io/checks.h"
#include "io/source.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_gmsh_tets(const Source& source, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_gmsh_triangles(const Source& source, const std::string& name,
                                           Notes* notes = nullptr);
// Element groups become physical groups, vertex groups physical points. Where there are groups, elements in
// none of them are in one called gmsh_no_group, which is passed over in reading: other programs want a
// physical group for all elements or for none.
inline constexpr char gmsh_no_group[] = "(no group)";
// An entity is in no more groups than this: others are not read, and an element or a vertex in more is not written.
inline constexpr size_t gmsh_max_groups = 64;
Result<void> write_gmsh(const std::string& path, const mesh::TetMesh& mesh);
Result<void> write_gmsh(const std::string& path, const mesh::TriMesh& mesh);
Result<void> write_gmsh(const std::string& path, const mesh::HexMesh& mesh);

}  // namespace sinew::io
