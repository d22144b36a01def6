#include "contact/ccd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/closest.h"

namespace sinew::contact {

using geometry::closest_on_edges;
using geometry::closest_on_triangle;
using geometry::OnEdges;
using geometry::OnTriangle;

namespace {

// Two primitives meet when the origin lies in the hull of the differences q_k of their corners, three or four. These move
// straight. Directions d that separate, d.q_k > 0 for all k, prove that there is no contact:
//   a fixed d     d.q_k is linear in time: d clears one span of times, known in closed form
//   a turning d   linear in time from d0 to d1 between two times: d.q_k is quadratic, with the Bernstein coefficients
//                 d0.q_k0, (d0.q_k1 + d1.q_k0) / 2, d1.q_k1
// The best d at one time is that of the shortest distance.
template <int n>
struct Differences {
  std::array<Vec3d, n> start, end;
  Vec3d size = {0, 0, 0};  // largest magnitude of each component
  bool finite = true;
  bool apart = false;  // along an axis, at all times; the sign of a difference is exact

  void measure() {
    double nothing = 0;
    for (int i = 0; i < 3; ++i) {
      double low = start[0][i], high = low;
      for (int k = 0; k < n; ++k) {
        nothing += 0 * start[k][i] + 0 * end[k][i];
        low = std::min({low, start[k][i], end[k][i]});
        high = std::max({high, start[k][i], end[k][i]});
      }
      apart |= low > 0 || high < 0;
      size[i] = std::max(high, -low);
    }
    finite = nothing == 0;
  }
  double motion2() const {
    double most = 0;
    for (int k = 0; k < n; ++k) most = std::max(most, norm2(end[k] - start[k]));
    return most;
  }
  // More than the rounding of any d.q. A difference of two doubles is off by u = 2^-53 of itself, one moved to another
  // time by 8 u of its size, a product of three terms by 3 u; 16 u covers these and the sum itself.
  double error(const Vec3d& d) const {
    return 0x1p-49 * (std::abs(d[0]) * size[0] + std::abs(d[1]) * size[1] + std::abs(d[2]) * size[2]) +
           0x1p-1060;
  }
};

template <int n>
struct Instant {
  double time = 0;
  std::array<Vec3d, n> q;
  Vec3d plain;  // from the origin to the closest point of the hull
  // About the same direction, from the feature that the point is on: right also where the distance is all rounding.
  Vec3d refined;
};

struct Span {
  double from = 0, to = 2;  // to > 1: up to the end
};

// The bounds of d.q at both ends have known signs, so the quotients suffer no cancellation. Comparisons are written so that
// numbers that are not finite clear nothing.
template <int n>
Span cleared(const Differences<n>& q, const Vec3d& d) {
  const double error = q.error(d);
  Span span;
  for (int k = 0; k < n; ++k) {
    const double g0 = dot(d, q.start[k]) - error, g1 = dot(d, q.end[k]) - error;
    if (!(g0 > 0)) {
      if (!(g1 > 0)) return {1, 0};
      span.from = std::max(span.from, g0 / (g0 - g1) * (1 + 0x1p-50));
    } else if (!(g1 > 0)) {
      span.to = std::min(span.to, g0 / (g0 - g1) * (1 - 0x1p-50));
    }
  }
  return span;
}

// Whether the turning direction clears the time between two instants. A quadratic with coefficients b0, b2 > 0 is positive
// where b1 > -sqrt(b0 b2).
template <int n>
bool cleared(const Differences<n>& q, const Instant<n>& a, const Instant<n>& b) {
  const Vec3d da = normalized(a.refined), db = normalized(b.refined);
  const double error = q.error(da) + q.error(db);
  for (int k = 0; k < n; ++k) {
    const double b0 = dot(da, a.q[k]) - error, b2 = dot(db, b.q[k]) - error;
    if (!(b0 > 0 && b2 > 0)) return false;
    const double b1 = 0.5 * (dot(da, b.q[k]) + dot(db, a.q[k])) - error;
    if (!(b1 > 0 || b1 * b1 + 1e-300 < 0.99 * (b0 * b2))) return false;
  }
  return true;
}

// Whether the pair stays out of a common plane between two instants: det(q_0, q_1, q_2) is cubic in time.
template <int n>
bool off_plane(const Differences<n>& q, const Instant<n>& a, const Instant<n>& b) {
  const Vec3d aa = cross(a.q[1], a.q[2]), ab = cross(a.q[1], b.q[2]) + cross(b.q[1], a.q[2]),
              bb = cross(b.q[1], b.q[2]);
  const double c0 = dot(a.q[0], aa), c3 = dot(b.q[0], bb), c1 = (dot(b.q[0], aa) + dot(a.q[0], ab)) / 3,
               c2 = (dot(a.q[0], bb) + dot(b.q[0], ab)) / 3;
  const double error = 0x1p-44 * (q.size[0] * q.size[1] * q.size[2]) + 0x1p-1060;
  return (c0 > error && c1 > error && c2 > error && c3 > error) ||
         (c0 < -error && c1 < -error && c2 < -error && c3 < -error);
}

Vec3d across(const Vec3d& d, const Vec3d& edge) {
  const double length2 = norm2(edge);
  return length2 > 0 ? d - (dot(d, edge) / length2) * edge : d;
}

Vec3d towards(const Vec3d& d, const Vec3d& normal) { return dot(d, normal) < 0 ? -normal : normal; }

void aim(Instant<3>& at) {
  const auto& q = at.q;
  const OnTriangle on = closest_on_triangle({0, 0, 0}, q[0], q[1], q[2]);
  at.plain = on.weight[0] * q[0] + on.weight[1] * q[1] + on.weight[2] * q[2];
  switch (on.feature) {
    case 3:
      at.refined = across(at.plain, q[1] - q[0]);
      break;
    case 5:
      at.refined = across(at.plain, q[2] - q[0]);
      break;
    case 6:
      at.refined = across(at.plain, q[2] - q[1]);
      break;
    case 7:
      at.refined = towards(q[0], cross(q[1] - q[0], q[2] - q[0]));
      break;
    default:
      at.refined = at.plain;
  }
}

// Differences a0 - b0, a1 - b0, a0 - b1, a1 - b1.
void aim(Instant<4>& at) {
  const Vec3d &a0 = at.q[0], &a1 = at.q[1], b1 = a0 - at.q[2];
  const OnEdges on = closest_on_edges(a0, a1, {0, 0, 0}, b1);
  at.plain = (1 - on.s) * a0 + on.s * a1 - on.t * b1;
  if (on.inside)
    at.refined = towards(a0, cross(a1 - a0, b1));
  else if (on.s > 0 && on.s < 1)
    at.refined = across(at.plain, a1 - a0);
  else
    at.refined = on.t > 0 && on.t < 1 ? across(at.plain, b1) : at.plain;
}

template <int n>
Instant<n> instant(const Differences<n>& q, double t) {
  Instant<n> at;
  at.time = t;
  for (int k = 0; k < n; ++k) at.q[k] = q.start[k] + t * (q.end[k] - q.start[k]);
  aim(at);
  return at;
}

// Clears the time from 0 on, piece by piece: as far as the direction at hand does, or farther with one that turns. Ends when
// the pair has come close, or when the work is no longer worth it: up to there no contact is possible.
template <int n>
std::optional<double> first_touch(Differences<n>& q) {
  constexpr int max_steps = 100;
  q.measure();
  if (!q.finite) return 0;
  if (q.apart) return std::nullopt;
  Instant<n> here = instant(q, 0);
  double close2 = 0;
  double leap = std::numeric_limits<double>::infinity();  // attempted, in steps with a fixed direction
  for (int step = 0; step < max_steps; ++step) {
    const double t = here.time;
    if (!(norm2(here.plain) > close2)) return t;
    Span span = cleared(q, here.refined);
    if (!(span.from <= t && span.to > t)) span = cleared(q, here.plain);
    if (!(span.from <= t && span.to > t)) return t;
    if (span.to > 1) return std::nullopt;
    if (step == 0) close2 = std::min(1e-22 * q.motion2(), 1e-4 * norm2(here.plain));
    if (leap > 2) {
      const double next = std::min(1.0, t + leap * (span.to - t));
      const Instant<n> there = instant(q, next);
      if (cleared(q, here, there) || off_plane(q, here, there)) {
        if (next == 1) return std::nullopt;
        here = there;
        leap *= 2;
        continue;
      }
      leap = std::min(4.0, leap / 4);
    }
    here = instant(q, span.to);
    leap *= 1.5;
  }
  return here.time;
}

}  // namespace

std::optional<double> first_touch_point_triangle(const Corners& x0, const Corners& x1) {
  Differences<3> q;
  for (int k = 0; k < 3; ++k) {
    q.start[k] = x0[k + 1] - x0[0];
    q.end[k] = x1[k + 1] - x1[0];
  }
  return first_touch(q);
}

std::optional<double> first_touch_edges(const Corners& x0, const Corners& x1) {
  Differences<4> q;
  for (int k = 0; k < 4; ++k) {
    q.start[k] = x0[k % 2] - x0[2 + k / 2];
    q.end[k] = x1[k % 2] - x1[2 + k / 2];
  }
  return first_touch(q);
}

}  // namespace sinew::contact
