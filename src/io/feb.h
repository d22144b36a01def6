#pragma once
// FEBio .feb models, read (Maas, Ellis, Ateshian, Weiss, "FEBio: finite elements for biomechanics", 2012):
// the mesh of versions 2.5, 3.0 and 4.0, which is <Geometry> or <Mesh>. Nodes; elements of type tet4, tet10
// or tri3, whose list becomes an element group by its name; ElementSet; NodeSet; Surface, which becomes a
// vertex group. Elements of a material become the group "material_<name>", by mat= of the list or of its
// domain. Triangles in a tet mesh give their groups to their vertices and are left out. Other solids and
// from= are refused.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_feb_tets(std::string_view text, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_feb_triangles(std::string_view text, const std::string& name,
                                          Notes* notes = nullptr);

}  // namespace sinew::io
