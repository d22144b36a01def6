#pragma once
// Decides exactly which triangles of a surface meet another one that they share no node with: signs of determinants by
// doubles where their rounding allows (Shewchuk: Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates, 1997, gives the bound), by integers elsewhere. Touching counts.
//
//     for (auto [i, j] : exact::crossings(x, triangles)) ...    // i < j, ascending
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "exact/integer.h"
#include "math/vec.h"

namespace sinew::exact {

using math::Vec3d;
using Triangle = std::array<int32_t, 3>;

namespace detail {

inline Integer determinant(const std::array<std::array<Integer, 3>, 3>& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The sign of det(a - d, b - d, c - d).
inline int side(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Vec3d u = a - d, v = b - d, w = c - d;
  double value = 0, magnitude = 0;
  for (int i = 0; i < 3; ++i) {
    const double p = v[(i + 1) % 3] * w[(i + 2) % 3], q = v[(i + 2) % 3] * w[(i + 1) % 3];
    value += u[i] * (p - q);
    magnitude += std::abs(u[i]) * (std::abs(p) + std::abs(q));
  }
  if (std::abs(value) > 1e-14 * magnitude + 1e-290) return value > 0 ? 1 : -1;
  Unit unit;
  for (const Vec3d& x : {a, b, c, d})
    for (int i = 0; i < 3; ++i) unit.fit(x[i]);
  std::array<std::array<Integer, 3>, 3> m;
  for (int i = 0; i < 3; ++i) {
    const Integer origin = unit(d[i]);
    m[0][i] = unit(a[i]) - origin;
    m[1][i] = unit(b[i]) - origin;
    m[2][i] = unit(c[i]) - origin;
  }
  return sign(determinant(m));
}

// The side of c on the line from a to b, seen along an axis.
inline int turn(const Vec3d& a, const Vec3d& b, const Vec3d& c, int axis) {
  Vec3d p = a, q = b, r = c, apex = c;
  p[axis] = q[axis] = r[axis] = 0;
  apex[axis] = 1;
  return side(p, q, r, apex);
}

// Segments in one plane.
inline bool segments_meet(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  for (int axis = 0; axis < 3; ++axis) {
    const int abc = turn(a, b, c, axis), abd = turn(a, b, d, axis), cda = turn(c, d, a, axis),
              cdb = turn(c, d, b, axis);
    // Seen along this axis they are not all on one line, so what meets there meets in space.
    if (abc != 0 || abd != 0 || cda != 0 || cdb != 0) return abc * abd <= 0 && cda * cdb <= 0;
  }
  for (int i = 0; i < 3; ++i)
    if (std::max(a[i], b[i]) < std::min(c[i], d[i]) || std::max(c[i], d[i]) < std::min(a[i], b[i]))
      return false;
  return true;
}

inline bool inside_in_plane(const Vec3d& p, const std::array<Vec3d, 3>& x) {
  for (int axis = 0; axis < 3; ++axis) {
    if (turn(x[0], x[1], x[2], axis) == 0) continue;
    const int a = turn(x[0], x[1], p, axis), b = turn(x[1], x[2], p, axis), c = turn(x[2], x[0], p, axis);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
  }
  return false;  // no area: it is its edges
}

inline bool segment_meets(const Vec3d& p, const Vec3d& q, const std::array<Vec3d, 3>& x) {
  const int at_p = side(x[0], x[1], x[2], p), at_q = side(x[0], x[1], x[2], q);
  if (at_p * at_q > 0) return false;
  if (at_p == 0 && at_q == 0) {
    const bool flat =
        turn(x[0], x[1], x[2], 0) == 0 && turn(x[0], x[1], x[2], 1) == 0 && turn(x[0], x[1], x[2], 2) == 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d &a = x[k], &b = x[(k + 1) % 3];
      if ((!flat || side(p, q, a, b) == 0) && segments_meet(p, q, a, b)) return true;
    }
    return inside_in_plane(p, x);
  }
  const int a = side(p, q, x[0], x[1]), b = side(p, q, x[1], x[2]), c = side(p, q, x[2], x[0]);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

}  // namespace detail

// Whether two triangles have a point in common, degenerate ones included: if so, an edge of one meets the other.
inline bool triangles_meet(const std::array<Vec3d, 3>& a, const std::array<Vec3d, 3>& b) {
  for (int k = 0; k < 3; ++k)
    if (detail::segment_meets(a[k], a[(k + 1) % 3], b) || detail::segment_meets(b[k], b[(k + 1) % 3], a))
      return true;
  return false;
}

// Candidates by a sweep along x.
inline std::vector<std::array<int32_t, 2>> crossings(std::span<const Vec3d> x,
                                                     std::span<const Triangle> triangles) {
  struct Extent {
    Vec3d low, high;
    int32_t triangle;
  };
  std::vector<Extent> extents;
  for (size_t i = 0; i < triangles.size(); ++i) {
    Extent e = {x[triangles[i][0]], x[triangles[i][0]], static_cast<int32_t>(i)};
    for (const int32_t node : triangles[i])
      for (int d = 0; d < 3; ++d) {
        e.low[d] = std::min(e.low[d], x[node][d]);
        e.high[d] = std::max(e.high[d], x[node][d]);
      }
    extents.push_back(e);
  }
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.low[0] < b.low[0]; });
  const auto corners = [&](int32_t i) {
    return std::array<Vec3d, 3>{x[triangles[i][0]], x[triangles[i][1]], x[triangles[i][2]]};
  };
  std::vector<std::array<int32_t, 2>> found;
  for (size_t i = 0; i < extents.size(); ++i)
    for (size_t j = i + 1; j < extents.size() && extents[j].low[0] <= extents[i].high[0]; ++j) {
      const Extent &a = extents[i], &b = extents[j];
      if (a.low[1] > b.high[1] || b.low[1] > a.high[1] || a.low[2] > b.high[2] || b.low[2] > a.high[2])
        continue;
      const Triangle &p = triangles[a.triangle], &q = triangles[b.triangle];
      if (std::find_first_of(p.begin(), p.end(), q.begin(), q.end()) != p.end()) continue;
      if (triangles_meet(corners(a.triangle), corners(b.triangle)))
        found.push_back({std::min(a.triangle, b.triangle), std::max(a.triangle, b.triangle)});
    }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace sinew::exact
