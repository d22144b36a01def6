#pragma once
// When two moving primitives first touch. Corners move straight and evenly from x0 (time 0) to x1 (time 1). Conservative:
// a crossing is never missed, whatever the rounding, and the time found is never after the true one; a pass closer than
// about 1e-6 of the primitives' size may count as a crossing.
//
//     if (auto t = first_touch_point_triangle(x0, x1)) ...    // corners p, a, b, c
#include <array>
#include <optional>

#include "math/vec.h"

namespace sinew::contact {

using math::Vec3d;
using Corners = std::array<Vec3d, 4>;

std::optional<double> first_touch_point_triangle(const Corners& x0, const Corners& x1);
// Corners a0, a1, b0, b1.
std::optional<double> first_touch_edges(const Corners& x0, const Corners& x1);

}  // namespace sinew::contact
