#include "geometry/closest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew::geometry {

namespace {

// Fourth powers of lengths between these bounds neither overflow nor vanish.
constexpr double shortest = 0x1p-200, longest = 0x1p200;

template <size_t n>
double largest(const std::array<Vec3d, n>& x) {
  double most = 0;
  for (const Vec3d& v : x)
    for (int i = 0; i < 3; ++i) most = std::max(most, std::abs(v[i]));
  return most;
}

template <size_t n>
void scale(std::array<Vec3d, n>& x, int exponent) {
  for (Vec3d& v : x)
    for (int i = 0; i < 3; ++i) v[i] = std::ldexp(v[i], exponent);
}

// Moves the first point to the origin and multiplies all by a power of two, so that their size lies between the bounds.
// Returns its exponent.
template <size_t n>
int normalise(std::array<Vec3d, n>& x) {
  const std::array<Vec3d, n> given = x;
  for (Vec3d& v : x) v -= given[0];
  if (const double size = largest(x); size >= shortest && size <= longest) return 0;
  x = given;
  int exponent = 0;
  if (const double size = largest(x); size > longest) scale(x, exponent = -std::ilogb(size));
  const Vec3d origin = x[0];
  for (Vec3d& v : x) v -= origin;
  if (const double size = largest(x); size > 0 && size < shortest) {
    const int more = -std::ilogb(size);
    scale(x, more);
    exponent += more;
  }
  return exponent;
}

double unscaled(double distance2, int exponent) {
  return exponent == 0 ? distance2 : std::ldexp(distance2, -2 * exponent);
}

// Two directions with a cross product longer than this, squared and relative to their lengths, are not parallel: what is
// inside by the cross product is.
constexpr double well_shaped = 1e-8;

// The parameter, 0 to 1, of the point on the segment from a to b that is closest to the origin.
double closest_to_origin(const Vec3d& a, const Vec3d& b) {
  const Vec3d d = b - a;
  const double along = -dot(a, d), length2 = norm2(d);
  if (!(along > 0)) return 0;
  return along >= length2 ? 1 : along / length2;
}

Vec3d between(const Vec3d& a, const Vec3d& b, double t) { return (1 - t) * a + t * b; }

}  // namespace

// The foot of the perpendicular, where it lies inside, or else the best point of the three edges. In flat and collinear
// triangles the foot may be wrong, but not its distance: there the least of all four is taken.
OnTriangle closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  std::array<Vec3d, 4> x = {p, a, b, c};
  const int exponent = normalise(x);
  const Vec3d* corner = &x[1];
  const Vec3d ab = corner[1] - corner[0], ac = corner[2] - corner[0], n = cross(ab, ac);
  const Vec3d area = {dot(n, cross(corner[1], corner[2])), dot(n, cross(corner[2], corner[0])),
                      dot(n, cross(corner[0], corner[1]))};
  OnTriangle best;
  best.distance2 = std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vec3d& weight) {
    const Vec3d q = weight[0] * corner[0] + weight[1] * corner[1] + weight[2] * corner[2];
    if (const double distance2 = norm2(q); distance2 < best.distance2) {
      best.distance2 = distance2;
      best.weight = weight;
    }
  };
  const bool inside = area[0] > 0 && area[1] > 0 && area[2] > 0;
  if (inside) offer(area / (area[0] + area[1] + area[2]));
  if (!inside || norm2(n) < well_shaped * (norm2(ab) * norm2(ac))) {
    for (int k = 0; k < 3; ++k) {
      const int next = k == 2 ? 0 : k + 1;
      const double t = closest_to_origin(corner[k], corner[next]);
      Vec3d weight = {0, 0, 0};
      weight[k] = 1 - t;
      weight[next] = t;
      offer(weight);
    }
  }
  best.feature = 0;
  for (int k = 0; k < 3; ++k) best.feature |= (best.weight[k] > 0) << k;
  best.distance2 = unscaled(best.distance2, exponent);
  return best;
}

// As above: the common perpendicular where it meets both inside, or the best of the ends against the other edge.
OnEdges closest_on_edges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  std::array<Vec3d, 4> x = {a0, a1, b0, b1};
  const int exponent = normalise(x);
  const Vec3d da = x[1] - x[0], db = x[3] - x[2], r = x[2] - x[0], n = cross(da, db);
  const double n2 = norm2(n), s = dot(n, cross(r, db)), t = dot(n, cross(r, da));
  OnEdges best;
  best.distance2 = std::numeric_limits<double>::infinity();
  const auto offer = [&](double s, double t) {
    const double distance2 = norm2(between(x[0], x[1], s) - between(x[2], x[3], t));
    if (distance2 < best.distance2) best = {s, t, distance2, false};
  };
  const bool inside = s > 0 && s < n2 && t > 0 && t < n2;
  if (inside) offer(s / n2, t / n2);
  if (!inside || n2 < well_shaped * (norm2(da) * norm2(db))) {
    for (int end = 0; end < 2; ++end) {
      offer(end, closest_to_origin(x[2] - x[end], x[3] - x[end]));
      offer(closest_to_origin(x[0] - x[2 + end], x[1] - x[2 + end]), end);
    }
  }
  best.inside = best.s > 0 && best.s < 1 && best.t > 0 && best.t < 1;
  best.distance2 = unscaled(best.distance2, exponent);
  return best;
}

}  // namespace sinew::geometry
