#pragma once
// Which side of a line or plane a point is on, for doubles taken as they are: never wrong. A determinant in double
// precision decides where a bound of its rounding allows it; otherwise it is computed without rounding, as a sum of
// doubles whose bits do not overlap (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997). Coordinates whose
// products overflow or underflow are outside the bound: keep |x| within 1e-70 and 1e70, or 0.
//
//     orient3d(a, b, c, d) > 0   // d is above the plane of a, b, c: a, b, c turn to the left seen from d
#include <cstdint>

#include "math/vec.h"

namespace sinew::math {

int orient2d(const Vec<double, 2>& a, const Vec<double, 2>& b,
             const Vec<double, 2>& c);                                         // 1: a, b, c turn left
int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);  // sign of (b-a)x(c-a).(d-a)

// How many signs the calling thread has asked for, and how many of them needed exact arithmetic.
struct PredicateTally {
  int64_t calls = 0;
  int64_t exact = 0;
};
PredicateTally& predicate_tally();

}  // namespace sinew::math
