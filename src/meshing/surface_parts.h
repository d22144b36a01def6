#pragma once
// Connected parts of a surface.
#include <cstdint>
#include <span>

#include "mesh/mesh.h"

namespace sinew::meshing {

// Takes the parts that have one of these points out of the surface, with their groups and data. The points stay, without triangles.
void leave_out_parts(mesh::TriMesh& surface, std::span<const int32_t> points);

}  // namespace sinew::meshing
