#pragma once
// Tets grouped into patches of about six: the stars of edges, longest edges first, and what is left joined to a
// neighbour. In a grid cut by Split::six the patches are the cells.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::mesh {

inline constexpr int max_patch_nodes = 16;

// The patch of each tet, numbered from 0. No patch has more than max_patch_nodes nodes.
std::vector<int32_t> tet_patches(std::span<const std::array<int32_t, 4>> tets,
                                 std::span<const Vec3d> vertices);

}  // namespace sinew::mesh
