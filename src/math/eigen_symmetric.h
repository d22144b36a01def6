#pragma once
// Eigenvalues and eigenvectors of symmetric 3x3 matrices in lanes, without branches or iteration to
// convergence: A = Q diag(lambda) Q^T, lambda descending, det Q = +1, errors of a few ulp of |A|.
//
// The deviator of A has the eigenvalues 2 p cos(t + 2 pi k / 3) with cos(3 t) = det(dev A) / (2 p^3)
// (Smith, Eigenvalues of a symmetric 3x3 matrix, 1961). Only the one eigenvalue that is well away from
// the two others is taken from this cubic; its vector is a column of an adjugate, and what remains is a
// 2x2 matrix (after Eberly, A robust eigensolver for 3x3 symmetric matrices, 2014).
//
//     const Mat3<T> H_plus = project_psd(H, T(0));
#include "math/frame.h"
#include "math/mat.h"

namespace sinew::math {

namespace detail {

// Squares below this belong to numbers that do not count beside entries of size 1.
template <class T>
SINEW_INLINE T negligible_square() {
  return T(sizeof(ScalarOf<T>) == 8 ? 1e-60 : 1e-30);
}

// x in [sqrt(3)/2, 1] with 4 x^3 - 3 x = r in [0, 1]: a polynomial good to 1e-8, then one Newton step.
template <class T>
SINEW_INLINE T cosine_of_third(const T& r) {
  T x = T(0.00054260771293);
  x = x * r + T(-0.0029228305027);
  x = x * r + T(0.0076643017556);
  x = x * r + T(-0.014289564826);
  x = x * r + T(0.024392383832);
  x = x * r + T(-0.048077350345);
  x = x * r + T(0.16666504306);
  x = x * r + T(0.86602541639);
  const T x2 = x * x;
  return x - (x * (T(4) * x2 - T(3)) - r) / (T(12) * x2 - T(3));
}

// A unit eigenvector of the symmetric matrix A, entries of size 1 or less, for its eigenvalue that lies
// farther from the other two. `top`: it is the largest one, else the smallest.
template <class T>
SINEW_INLINE Vec3<T> isolated_eigenvector(const Mat3<T>& A, MaskOf<T>& top) {
  const T mean = (A(0, 0) + A(1, 1) + A(2, 2)) * T(1.0 / 3);
  T d0 = A(0, 0) - mean, d1 = A(1, 1) - mean, d2 = A(2, 2) - mean;
  T e0 = A(2, 1), e1 = A(2, 0), e2 = A(1, 0);  // e_i stands opposite to d_i
  const T p2 = (d0 * d0 + d1 * d1 + d2 * d2 + T(2) * (e0 * e0 + e1 * e1 + e2 * e2)) * T(1.0 / 6);
  // A multiple of the identity leaves zeros, and then any vector will do: the first axis comes out.
  const auto distinct = p2 > negligible_square<T>();
  T scale = select(distinct, T(1) / sqrt(select(distinct, p2, T(1))), T(0));
  const T r = (d0 * (d1 * d2 - e0 * e0) - e2 * (e2 * d2 - e0 * e1) + e1 * (e2 * e0 - d1 * e1)) * T(0.5) *
              scale * scale * scale;
  top = r >= T(0);
  scale = select(top, scale, -scale);
  const T lambda = T(2) * cosine_of_third(min(abs(r), T(1)));

  // N = lambda I - scale dev(A) is semi-definite of rank two, so adj(N) is a multiple of w w^T.
  d0 = lambda - d0 * scale, d1 = lambda - d1 * scale, d2 = lambda - d2 * scale;
  e0 = -e0 * scale, e1 = -e1 * scale, e2 = -e2 * scale;
  const T a00 = d1 * d2 - e0 * e0, a11 = d0 * d2 - e1 * e1, a22 = d0 * d1 - e2 * e2;
  const T a10 = e0 * e1 - e2 * d2, a20 = e0 * e2 - e1 * d1, a21 = e1 * e2 - e0 * d0;
  const auto second = a11 > a00;
  Vec3<T> w = {select(second, a10, a00), select(second, a11, a10), select(second, a21, a20)};
  const auto third = a22 > max(a00, a11);
  w = {select(third, a20, w[0]), select(third, a21, w[1]), select(third, a22, w[2])};
  return w * (T(1) / sqrt(norm2(w)));
}

// cos and sin of half the angle of the unit vector (c, s); the cosine is not negative.
template <class T>
SINEW_INLINE void half_angle(const T& c, const T& s, T& c_half, T& s_half) {
  const T large = sqrt(T(0.5) + T(0.5) * abs(c)), small = T(0.5) * s / large;
  const auto acute = c >= T(0);
  c_half = select(acute, large, abs(small));
  s_half = select(acute, small, copysign(large, s));
}

template <class T>
SINEW_INLINE Vec3<T> select3(const MaskOf<T>& m, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(m, a[0], b[0]), select(m, a[1], b[1]), select(m, a[2], b[2])};
}

// The largest |A(i, j)|, or the smallest number that has a finite reciprocal.
template <class T>
SINEW_INLINE T largest_entry(const Mat3<T>& A) {
  T m = T(4) * T(sizeof(ScalarOf<T>) == 8 ? 0x1p-1022 : 0x1p-126);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) m = max(m, abs(A(i, j)));
  return m;
}

}  // namespace detail

template <class T>
struct EigenSymmetric {
  Mat3<T> Q;       // unit eigenvectors, by columns
  Vec3<T> lambda;  // descending
};

template <class T>
SINEW_HD EigenSymmetric<T> eigen_symmetric(const Mat3<T>& A) {
  const T size = detail::largest_entry(A);
  const Mat3<T> S = A * (T(1) / size);
  MaskOf<T> top;
  const Vec3<T> w = detail::isolated_eigenvector(S, top);
  Vec3<T> a, b;
  complete_frame(w, a, b);

  // The block of the two others is [m + h, k; k, m - h] = m + radius [cos, sin; sin, -cos](2 theta).
  const Vec3<T> Sa = S * a, Sb = S * b;
  const T m = T(0.5) * (dot(a, Sa) + dot(b, Sb)), h = T(0.5) * (dot(a, Sa) - dot(b, Sb)), k = dot(a, Sb);
  const T radius2 = h * h + k * k;
  const auto distinct = radius2 > detail::negligible_square<T>();
  const T radius = sqrt(radius2), inverse = T(1) / select(distinct, radius, T(1));
  T c, s;
  detail::half_angle(select(distinct, h * inverse, T(1)), select(distinct, k * inverse, T(0)), c, s);
  const Vec3<T> q0 = c * a + s * b, q1 = c * b - s * a;
  const T isolated = dot(w, S * w), upper = m + radius, lower = m - radius;

  EigenSymmetric<T> r;
  r.Q = Mat3<T>::columns(detail::select3(top, w, q0), detail::select3(top, q0, q1),
                         detail::select3(top, q1, w));
  const T l0 = select(top, isolated, upper), l1 = min(select(top, upper, lower), l0);
  const T l2 = min(select(top, lower, isolated), l1);
  r.lambda = {l0 * size, l1 * size, l2 * size};
  return r;
}

// Q max(lambda, floor) Q^T; where all lambda >= floor already, A itself, bit for bit.
template <class T>
SINEW_HD Mat3<T> project_psd(const Mat3<T>& A, const T& floor) {
  const EigenSymmetric<T> e = eigen_symmetric(A);
  const auto definite = e.lambda[2] >= floor;
  const Vec3<T> l = {max(e.lambda[0], floor), max(e.lambda[1], floor), max(e.lambda[2], floor)};
  Mat3<T> r;
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) {
      const T s = e.Q(i, 0) * e.Q(j, 0) * l[0] + e.Q(i, 1) * e.Q(j, 1) * l[1] + e.Q(i, 2) * e.Q(j, 2) * l[2];
      r(i, j) = select(definite, A(i, j), s);
      r(j, i) = select(definite, A(j, i), s);
    }
  return r;
}

}  // namespace sinew::math
