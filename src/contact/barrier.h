#pragma once
// The energy of a contact over its gap d, in units of the thickness h: s = d / h.
//
//     b(s) = -(1 - s)^2 ln s      for s < 1, nothing beyond
//
// It has two continuous derivatives and grows beyond all bounds as surfaces meet (Li, Ferguson, Schneider, Langlois, Zorin,
// Panozzo, Jiang, Kaufman: Incremental Potential Contact, 2020, there in squared distances). A gap with a sign, as that to a
// collider, needs no bound to be kept: below s0 the parabola that touches there goes on for ever.
#include <cmath>

namespace sinew::contact {

struct BarrierValue {
  double value = 0, first = 0, second = 0;
};

inline BarrierValue barrier(double s) {
  if (!(s < 1)) return {};
  const double l = std::log(s), r = 1 - s;
  return {-r * r * l, 2 * r * l - r * r / s, -2 * l + 4 * r / s + r * r / (s * s)};
}

inline BarrierValue signed_barrier(double s) {
  constexpr double s0 = 0.2;
  if (s >= s0) return barrier(s);
  const BarrierValue at = barrier(s0);
  const double t = s - s0;
  return {at.value + t * (at.first + 0.5 * t * at.second), at.first + t * at.second, at.second};
}

// What takes the energy of two edges away as they become parallel: x is the square of the area that they span, over that from
// which on nothing is taken.
inline BarrierValue fading(double x) {
  if (!(x < 1)) return {1, 0, 0};
  return {x * (2 - x), 2 - 2 * x, -2};
}

}  // namespace sinew::contact
