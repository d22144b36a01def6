#pragma once
// Vega .veg files, read (J. Barbic, F. Sin, D. Schroeder, "Vega FEM Library", 2012): VERTICES, ELEMENTS of
// TETS, MATERIAL, SET and REGION. Numbers are separated by blanks or commas and count from the first
// vertex's and the first element's, 0 or 1. A SET becomes an element group. The numbers of a material
// become element attributes where a REGION gives it to a set (ENU: density [kg/m^3], young [Pa], poisson),
// and those elements the group "material_<name>"; the last region that holds an element counts. Elements of
// no region get zeros and a note. INCLUDE is refused: the files it names are TetGen's, which can be read by
// themselves.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_veg(std::string_view text, const std::string& name, Notes* notes = nullptr);

}  // namespace sinew::io
