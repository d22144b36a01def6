#pragma once
// Closest points of a point and a triangle, and of two edges, for any positions, degenerate ones included.
#include <cstdint>

#include "math/vec.h"

namespace sinew::geometry {

using math::Vec3d;

// Closest point sum weight[k] corner[k] of a triangle. The feature says where it lies: bit k is set where weight[k] > 0,
// so 7 is the inside, 3, 5, 6 are edges and 1, 2, 4 corners.
struct OnTriangle {
  Vec3d weight = {1, 0, 0};
  double distance2 = 0;  // [m^2]
  int32_t feature = 1;
};
OnTriangle closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

// Closest points a0 + s (a1 - a0) and b0 + t (b1 - b0), 0 <= s, t <= 1. `inside`: both lie strictly between the ends.
struct OnEdges {
  double s = 0, t = 0;
  double distance2 = 0;  // [m^2]
  bool inside = false;
};
OnEdges closest_on_edges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

}  // namespace sinew::geometry
