#pragma once
// The rotation nearest to F: R = U V^T of the singular value decomposition, det R = +1 also where F is inverted or
// singular. Most F need no decomposition: the trace s of the stretch is the largest root of
//     s^4 - 2 I s^2 - 8 J s + 2 II - I^2 = 0,   I = |F|^2, II = |F^T F|^2, J = det F,
// and R is its derivative in F (Lin, Chitalu, Komura: Isotropic ARAP Energy Using Cauchy-Green Invariants, 2022):
//     R = ((s^2 + I) F + 2 s cof F - 2 F F^T F) / (s^3 - I s - 2 J).
// Newton's method from sqrt(3 I), an upper bound, falls to the root. The denominator is twice the product of the sums of
// two stretches; where it is small, near an inverted F whose rotation is about to turn over, the lanes go by the SVD.
#include "math/svd.h"

namespace sinew::math {

namespace detail {

template <class T>
SINEW_HD Mat3<T> polar_by_svd(const Mat3<T>& F) {
  const Svd<T> f = svd(F);
  Mat3<T> R;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      R(i, j) = f.U(i, 0) * f.V(j, 0) + f.U(i, 1) * f.V(j, 1) + f.U(i, 2) * f.V(j, 2);
  return R;
}

// R = a F + b cof F - c F F^T F in the lanes that are `good`.
template <class T>
struct PolarFactors {
  T a, b, c;
  MaskOf<T> good;
};

template <class T>
SINEW_INLINE PolarFactors<T> polar_factors(const Mat3<T>& F, const Mat3<T>& cof) {
  constexpr double small = sizeof(ScalarOf<T>) == 8 ? 0.05 : 0.25;
  constexpr double last = sizeof(ScalarOf<T>) == 8 ? 3e-9 : 5e-5;  // a step whose square is below rounding
  constexpr int most = 8;
  const T J = dot(F.c[0], cof.c[0]);
  const T c00 = dot(F.c[0], F.c[0]), c11 = dot(F.c[1], F.c[1]), c22 = dot(F.c[2], F.c[2]);
  const T c01 = dot(F.c[0], F.c[1]), c02 = dot(F.c[0], F.c[2]), c12 = dot(F.c[1], F.c[2]);
  const T I = c00 + c11 + c22;
  const T II = c00 * c00 + c11 * c11 + c22 * c22 + T(2) * (c01 * c01 + c02 * c02 + c12 * c12);
  const T constant = T(2) * II - I * I, twice = I + I, eight = T(8) * J;
  T s = sqrt(T(3) * I);
  MaskOf<T> active(true);
  for (int k = 0; k < most && any(active); ++k) {
    const T q = s * s;
    const T step = ((q - twice) * q - eight * s + constant) / (T(4) * s * (q - I) - eight);
    s = select(active, s - step, s);
    active = active & (step > T(last) * s);
  }
  const T product = s * (s * s - I) - (J + J);
  const T inverse = T(1) / product;
  const MaskOf<T> good = (product > T(small) * (s * s * s)) && !active;
  return {(s * s + I) * inverse, (s + s) * inverse, inverse + inverse, good};
}

}  // namespace detail

template <class T>
SINEW_HD Mat3<T> polar_rotation(const Mat3<T>& F) {
  const Mat3<T> cof = cofactor(F);
  const detail::PolarFactors<T> f = detail::polar_factors(F, cof);
  Mat3<T> R = F * f.a + cof * f.b - (F * (transpose(F) * F)) * f.c;
  if (!all(f.good)) {
    const Mat3<T> other = detail::polar_by_svd(F);
    for (int j = 0; j < 3; ++j) R.c[j] = detail::select3(f.good, R.c[j], other.c[j]);
  }
  return R;
}

// R g without R.
template <class T>
SINEW_INLINE Vec3<T> polar_times(const Mat3<T>& F, const Mat3<T>& cof, const Vec3<T>& g) {
  const detail::PolarFactors<T> f = detail::polar_factors(F, cof);
  const Vec3<T> Fg = F * g;
  const Vec3<T> z = {dot(F.c[0], Fg), dot(F.c[1], Fg), dot(F.c[2], Fg)};
  Vec3<T> r = Fg * f.a + (cof * g) * f.b - (F * z) * f.c;
  if (!all(f.good)) r = detail::select3(f.good, r, detail::polar_by_svd(F) * g);
  return r;
}

}  // namespace sinew::math
