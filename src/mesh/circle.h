#pragma once
// Points of circles about the z axis.
#include <cmath>
#include <numbers>

#include "math/vec.h"

namespace sinew::mesh {

// At an angle that counts from x towards y. Quarter turns are exact: nodes of a quarter lie in its planes of symmetry.
inline math::Vec3d turned(double r, double degrees, double z) {
  const double turns = degrees / 90, whole = std::round(turns);
  const double angle = (turns - whole) * (std::numbers::pi / 2);
  const double c = r * std::cos(angle), s = r * std::sin(angle);
  const int quarter = static_cast<int>(std::fmod(whole, 4) + 4) % 4;
  const double x[4] = {c, -s, -c, s}, y[4] = {s, c, -s, -c};
  return {x[quarter], y[quarter], z};
}

}  // namespace sinew::mesh
