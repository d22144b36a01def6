#pragma once
// Rotations by axis and angle, and by rotation vectors w = angle * axis, whose exponential exp([w]) is the matrix.
#include <cmath>
#include <utility>

#include "math/mat.h"

namespace sinew::math {

// Axis and angle in [0, pi] of a rotation matrix.
inline std::pair<Vec3d, double> axis_angle(const Mat3d& R) {
  const Vec3d w = {R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  const double sine = 0.5 * norm(w), cosine = 0.5 * (trace(R) - 1);
  const double angle = std::atan2(sine, cosine);
  if (sine > 1e-9) return {normalized(w), angle};
  if (cosine > 0) return {{0, 0, 1}, 0.0};
  // Half a turn: the axis is the largest column of (R + 1)/2.
  const Mat3d B = (R + Mat3d::identity()) * 0.5;
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (B(i, i) > B(k, k)) k = i;
  return {normalized(B.col(k)), angle};
}

// (exp([w]) - 1) r, by Rodrigues' formula.
inline Vec3d turn(const Vec3d& w, const Vec3d& r) {
  const auto sinc = [](double x) { return x > 1e-8 ? std::sin(x) / x : 1; };
  const double angle = norm(w), half = sinc(0.5 * angle);
  const Vec3d once = cross(w, r);
  return once * sinc(angle) + cross(w, once) * (0.5 * half * half);
}

}  // namespace sinew::math
