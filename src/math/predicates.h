#pragma once
// Exact predicates: on which side of a line or plane a point is, for doubles taken as they are. A determinant in
// double precision decides where a bound of its rounding allows it; otherwise it is computed without
// rounding, as a sum of doubles whose bits do not overlap (Shewchuk, Adaptive Precision Floating-Point
// Arithmetic and Fast Robust Geometric Predicates, 1997). Coordinates whose products overflow or underflow
// are outside the bound: keep |x| within 1e-70 and 1e70, or 0.
//
//     orient3d(a, b, c, d) > 0   // d is above the plane of a, b, c: a, b, c turn to the left seen from d
#include <cmath>
#include <cstdint>

#include "math/vec.h"

namespace sinew::math {

// How many signs the calling thread has asked for, and how many of them needed exact arithmetic.
struct PredicateTally {
  int64_t calls = 0;
  int64_t exact = 0;
};
extern constinit thread_local PredicateTally thread_predicate_tally;
inline PredicateTally& predicate_tally() { return thread_predicate_tally; }

// The same without trying the determinant in double precision first; counted as exact.
int exact_orient2d(const Vec<double, 2>& a, const Vec<double, 2>& b, const Vec<double, 2>& c);
int exact_orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

// 1: a, b, c turn left; 0: they lie on a line.
inline int orient2d(const Vec<double, 2>& a, const Vec<double, 2>& b, const Vec<double, 2>& c) {
  ++predicate_tally().calls;
  const double p = (b[0] - a[0]) * (c[1] - a[1]), q = (b[1] - a[1]) * (c[0] - a[0]);
  const double det = p - q;
  const double size = std::abs(p) + std::abs(q);
  // Each product has an error of three roundings, the difference a fourth; one more covers those of the
  // bound.
  if (std::abs(det) > 5 * 0x1p-53 * size) return det > 0 ? 1 : -1;
  return size == 0 ? 0 : exact_orient2d(a, b, c);
}

// The sign of (b - a) x (c - a) . (d - a).
inline int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  ++predicate_tally().calls;
  const Vec3d u = b - a, v = c - a, w = d - a;
  double det = 0, size = 0;
  for (int i = 0, j = 1, k = 2; i < 3; j = k, k = i++) {
    const double p = u[j] * v[k], q = u[k] * v[j];
    det += (p - q) * w[i];
    size += (std::abs(p) + std::abs(q)) * std::abs(w[i]);
  }
  // Three roundings of a product of two, one of their difference, two of the third factor, two of the sum.
  if (std::abs(det) > 9 * 0x1p-53 * size) return det > 0 ? 1 : -1;
  return size == 0 ? 0 : exact_orient3d(a, b, c, d);
}

}  // namespace sinew::math
