#pragma once
// Points at one place: seams of a surface file, layers of a mesh that are not joined.
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"

namespace sinew::mesh {

// For each point the first one with the same coordinates, itself where there is none before. By sorting: the time is bounded for
// any points. No coordinate is a NaN.
std::vector<int32_t> first_at_place(std::span<const math::Vec3d> points);

}  // namespace sinew::mesh
