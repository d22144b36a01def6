#pragma once
// When two moving primitives first touch. Corners move straight and evenly from x0 (time 0) to x1 (time 1). Conservative:
// a crossing is never missed, whatever the rounding, and the time found is never after the true one. What touches at x0
// already gives 0, and so do numbers that are not finite. A pass within 1e-11 of the motion may count as a crossing,
// and so may a closer one than 1e-5 or so that lasts while the pair turns, where 100 steps do not clear it.
//
// Time is cleared from 0 on by directions that separate the pair (after Mirtich: Impulse-based Dynamic Simulation of Rigid
// Body Systems, 1996), with bounds of the rounding; ccd.cpp says how. A near miss costs about 100 ns, a crossing 2 us.
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
