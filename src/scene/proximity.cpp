#include "scene/proximity.h"

#include <algorithm>
#include <cmath>

namespace sinew::scene {

using math::Vec3d;

double distance_to_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return norm(ap);
  const Vec3d bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return norm(bp);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return norm(ap - ab * (d1 / (d1 - d3)));
  const Vec3d cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return norm(cp);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return norm(ap - ac * (d2 / (d2 - d6)));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return norm(bp - (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))));
  const double sum = va + vb + vc;
  return norm(ap - ab * (vb / sum) - ac * (vc / sum));
}

SurfaceProximity::SurfaceProximity(std::span<const Vec3d> points,
                                   std::span<const std::array<int32_t, 3>> triangles, double distance)
    : points_(points), triangles_(triangles), distance_(distance) {
  low_ = high_ = points[triangles[0][0]];
  double extent = 0;  // sum of the triangles' largest extents
  const auto box = [&](const std::array<int32_t, 3>& t, Vec3d& low, Vec3d& high) {
    low = high = points[t[0]];
    for (int32_t node : t)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], points[node][i]);
        high[i] = std::max(high[i], points[node][i]);
      }
  };
  Vec3d low, high;
  for (const auto& triangle : triangles) {
    box(triangle, low, high);
    double largest = 0;
    for (int i = 0; i < 3; ++i) {
      low_[i] = std::min(low_[i], low[i] - distance);
      high_[i] = std::max(high_[i], high[i] + distance);
      largest = std::max(largest, high[i] - low[i]);
    }
    extent += largest;
  }
  const double whole = std::max({high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]});
  // At most 64 cells along an axis: bounded memory whatever the distance.
  size_ = std::max({distance, extent / static_cast<double>(triangles.size()), whole / 64});
  for (int i = 0; i < 3; ++i) count_[i] = static_cast<int64_t>((high_[i] - low_[i]) / size_) + 1;
  in_cell_.resize(count_[0] * count_[1] * count_[2]);
  const Vec3d margin = Vec3d::filled(distance);
  for (size_t t = 0; t < triangles.size(); ++t) {
    box(triangles[t], low, high);
    const auto first = cell(low - margin), last = cell(high + margin);
    for (int64_t k = first[2]; k <= last[2]; ++k)
      for (int64_t j = first[1]; j <= last[1]; ++j)
        for (int64_t i = first[0]; i <= last[0]; ++i)
          in_cell_[i + count_[0] * (j + count_[1] * k)].push_back(static_cast<int32_t>(t));
  }
}

std::array<int64_t, 3> SurfaceProximity::cell(const Vec3d& p) const {
  std::array<int64_t, 3> c;
  for (int i = 0; i < 3; ++i)
    c[i] = std::clamp<int64_t>(static_cast<int64_t>((p[i] - low_[i]) / size_), 0, count_[i] - 1);
  return c;
}

bool SurfaceProximity::within(const Vec3d& p) const {
  for (int i = 0; i < 3; ++i)
    if (!(p[i] >= low_[i] && p[i] <= high_[i])) return false;
  const auto c = cell(p);
  for (int32_t t : in_cell_[c[0] + count_[0] * (c[1] + count_[1] * c[2])]) {
    const auto& [a, b, d] = triangles_[t];
    if (distance_to_triangle(p, points_[a], points_[b], points_[d]) <= distance_) return true;
  }
  return false;
}

}  // namespace sinew::scene
