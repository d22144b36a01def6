#include "contact/closest.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::contact {

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

// Where on the segment from a to b the point closest to the origin lies, 0 to 1.
double closest_to_origin(const Vec3d& a, const Vec3d& b) {
  const Vec3d d = b - a;
  const double along = -dot(a, d), length2 = norm2(d);
  if (!(along > 0)) return 0;
  return along >= length2 ? 1 : along / length2;
}

Vec3d between(const Vec3d& a, const Vec3d& b, double t) { return (1 - t) * a + t * b; }

}  // namespace

// The closest point is the best one of the three edges, or the foot of the perpendicular where that lies inside. Taking
// the least of all four keeps flat and collinear triangles right: there the foot may be wrong, its distance is not.
OnTriangle closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  std::array<Vec3d, 4> x = {p, a, b, c};
  const int exponent = normalise(x);
  const Vec3d* corner = &x[1];
  OnTriangle best;
  best.distance2 = norm2(corner[0]);
  const auto offer = [&](const Vec3d& weight) {
    const Vec3d q = weight[0] * corner[0] + weight[1] * corner[1] + weight[2] * corner[2];
    if (const double distance2 = norm2(q); distance2 < best.distance2) {
      best.distance2 = distance2;
      best.weight = weight;
    }
  };
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double t = closest_to_origin(corner[k], corner[next]);
    Vec3d weight = {0, 0, 0};
    weight[k] = 1 - t;
    weight[next] = t;
    offer(weight);
  }
  const Vec3d n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const Vec3d area = {dot(n, cross(corner[1], corner[2])), dot(n, cross(corner[2], corner[0])),
                      dot(n, cross(corner[0], corner[1]))};
  if (area[0] > 0 && area[1] > 0 && area[2] > 0) offer(area / (area[0] + area[1] + area[2]));
  best.feature = 0;
  for (int k = 0; k < 3; ++k) best.feature |= (best.weight[k] > 0) << k;
  best.distance2 = std::ldexp(best.distance2, -2 * exponent);
  return best;
}

// As above: the best of the ends against the other edge, or the common perpendicular where it meets both inside.
OnEdges closest_on_edges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  std::array<Vec3d, 4> x = {a0, a1, b0, b1};
  const int exponent = normalise(x);
  OnEdges best;
  best.distance2 = norm2(x[0] - x[2]);
  const auto offer = [&](double s, double t) {
    const double distance2 = norm2(between(x[0], x[1], s) - between(x[2], x[3], t));
    if (distance2 < best.distance2) best = {s, t, distance2, false};
  };
  for (int end = 0; end < 2; ++end) {
    offer(end, closest_to_origin(x[2] - x[end], x[3] - x[end]));
    offer(closest_to_origin(x[0] - x[2 + end], x[1] - x[2 + end]), end);
  }
  const Vec3d da = x[1] - x[0], db = x[3] - x[2], r = x[2] - x[0], n = cross(da, db);
  const double n2 = norm2(n), s = dot(n, cross(r, db)), t = dot(n, cross(r, da));
  if (s > 0 && s < n2 && t > 0 && t < n2) offer(s / n2, t / n2);
  best.inside = best.s > 0 && best.s < 1 && best.t > 0 && best.t < 1;
  best.distance2 = std::ldexp(best.distance2, -2 * exponent);
  return best;
}

}  // namespace sinew::contact
