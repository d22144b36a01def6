#pragma once
// What generic code asks of its scalar type T, here for T = double and float: selection by a mask, roots, bits, lanes. Code
// written with these names runs in the lanes of a Pack as well, which math/pack.h defines; the packs are declared here, so
// that an interface can name them without the vector instructions of the machine.
//
//     template <class T> T f(const T& x) { return select(x > T(0), sqrt(x), T(0)); }
#include <cmath>
#include <cstdint>
#include <cstring>

#include "math/device.h"

namespace sinew::math {

SINEW_HD inline double select(bool m, double a, double b) { return m ? a : b; }
SINEW_HD inline float select(bool m, float a, float b) { return m ? a : b; }
SINEW_HD inline bool any(bool m) { return m; }
SINEW_HD inline bool all(bool m) { return m; }
SINEW_HD inline double sqrt(double x) { return ::sqrt(x); }
SINEW_HD inline float sqrt(float x) { return ::sqrtf(x); }
SINEW_HD inline double abs(double x) { return ::fabs(x); }
SINEW_HD inline float abs(float x) { return ::fabsf(x); }
SINEW_HD inline double min(double a, double b) { return b < a ? b : a; }
SINEW_HD inline float min(float a, float b) { return b < a ? b : a; }
SINEW_HD inline double max(double a, double b) { return a < b ? b : a; }
SINEW_HD inline float max(float a, float b) { return a < b ? b : a; }
SINEW_HD inline double copysign(double x, double s) { return ::copysign(x, s); }
SINEW_HD inline float copysign(float x, float s) { return ::copysignf(x, s); }
SINEW_HD inline double sum(double x) { return x; }
SINEW_HD inline float sum(float x) { return x; }

// The bits of a number as an unsigned integer and back.
SINEW_HD inline uint64_t to_bits(double x) {
  uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
SINEW_HD inline uint32_t to_bits(float x) {
  uint32_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
SINEW_HD inline double from_bits(uint64_t b) {
  double x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}
SINEW_HD inline float from_bits(uint32_t b) {
  float x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

// Same<T> is T, but takes no part in deducing template arguments: min(pack, 0.5) converts the number.
template <class T>
struct TypeIdentity {
  using Type = T;
};
template <class T>
using Same = typename TypeIdentity<T>::Type;

// What generic code may ask about its scalar type.
template <class T>
struct ScalarTraits {
  using Scalar = T;   // the number in one lane
  using Mask = bool;  // what comparisons give
  static constexpr int lanes = 1;
};
template <class T>
using ScalarOf = typename ScalarTraits<T>::Scalar;
template <class T>
using MaskOf = typename ScalarTraits<T>::Mask;
template <class T>
inline constexpr int lanes_of = ScalarTraits<T>::lanes;

#ifndef __CUDACC__

template <class T, int n>
struct Pack;
template <class T, int n>
struct PackMask;

using PackD = Pack<double, 8>;
using PackF = Pack<float, 16>;

template <class T, int n>
struct ScalarTraits<Pack<T, n>> {
  using Scalar = T;
  using Mask = PackMask<T, n>;
  static constexpr int lanes = n;
};

#endif  // __CUDACC__

SINEW_HD inline double lane(double x, int) { return x; }
SINEW_HD inline float lane(float x, int) { return x; }
SINEW_HD inline bool lane(bool x, int) { return x; }

}  // namespace sinew::math
