#pragma once
// Singular values of 3x3 matrices with rotations on both sides, in lanes: F = U diag(s) V^T with
// det U = det V = +1 and s0 >= s1 >= |s2|; s2 has the sign of det F. Any F: inverted, rank 0, 1, 2.
//
// No iteration. One right singular vector w comes from the isolated eigenvalue of F^T F
// (math/eigen_symmetric.h), its partner u, with frames (a, b) around w and (p, q) around u, from
//     u = F w / |F w|                 if it belongs to s0,
//     u = F a x F b / |F a x F b|     if it belongs to s2: then s1 is not small, nor is the product.
// M = [p q]^T F [a b] is a 2x2 matrix, and its two rotations are known in closed form. F^T F decides about
// w alone: singular values are right to a few ulp of |F|, and U, V are orthonormal to a few ulp for any F.
//
//     const auto [U, V, s] = svd(F);   // T = double, float, PackD, PackF
#include "math/eigen_symmetric.h"

namespace sinew::math {

template <class T>
struct Svd {
  Mat3<T> U, V;
  Vec3<T> s;
};

namespace detail {

// [m00 m01; m10 m11] = R(phi) diag(upper, lower) R(theta)^T, upper >= |lower|, R(t) = [cos -sin; sin cos].
template <class T>
struct Svd2 {
  T cos_phi, sin_phi, cos_theta, sin_theta, upper, lower;
};

// With d = phi - theta and e = phi + theta:
//     (upper + lower) (cos d, sin d) = (m00 + m11, m10 - m01)
//     (upper - lower) (cos e, sin e) = (m00 - m11, m10 + m01)
template <class T>
SINEW_INLINE Svd2<T> svd2(const T& m00, const T& m10, const T& m01, const T& m11) {
  T dx = m00 + m11, dy = m10 - m01, ex = m00 - m11, ey = m10 + m01;
  const T d2 = dx * dx + dy * dy, e2 = ex * ex + ey * ey;
  const T d = sqrt(d2), e = sqrt(e2);
  const auto has_d = d2 > negligible_square<T>(), has_e = e2 > negligible_square<T>();
  const T d_inverse = T(1) / select(has_d, d, T(1)), e_inverse = T(1) / select(has_e, e, T(1));
  dx = select(has_d, dx * d_inverse, T(1)), dy = select(has_d, dy * d_inverse, T(0));
  ex = select(has_e, ex * e_inverse, dx), ey = select(has_e, ey * e_inverse, dy);

  Svd2<T> r;
  half_angle(ex * dx + ey * dy, ey * dx - ex * dy, r.cos_theta, r.sin_theta);
  r.cos_phi = r.cos_theta * dx - r.sin_theta * dy;
  r.sin_phi = r.sin_theta * dx + r.cos_theta * dy;
  r.upper = T(0.5) * (d + e);
  r.lower = T(0.5) * (d - e);
  return r;
}

template <class T>
SINEW_INLINE Mat3<T> gram(const Mat3<T>& F) {
  Mat3<T> S;
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) S(i, j) = S(j, i) = dot(F.col(i), F.col(j));
  return S;
}

}  // namespace detail

template <class T>
SINEW_HD Svd<T> svd(const Mat3<T>& F) {
  using detail::select3;
  const T size = detail::largest_entry(F);
  const Mat3<T> G = F * (T(1) / size);
  MaskOf<T> top;
  const Vec3<T> w = detail::isolated_eigenvector(detail::gram(G), top);
  Vec3<T> a, b, p, q;
  complete_frame(w, a, b);
  const Vec3<T> Gw = G * w, Ga = G * a, Gb = G * b;
  Vec3<T> u = select3(top, Gw, cross(Ga, Gb));
  const T u2 = norm2(u);
  const auto nonzero = u2 > detail::negligible_square<T>();
  u = u * (T(1) / sqrt(select(nonzero, u2, T(1))));
  u = select3(nonzero, u, Vec3<T>::unit(0));
  complete_frame(u, p, q);
  const auto m = detail::svd2(dot(p, Ga), dot(q, Ga), dot(p, Gb), dot(q, Gb));
  const Vec3<T> p1 = m.cos_phi * p + m.sin_phi * q, q1 = m.cos_phi * q - m.sin_phi * p;
  const Vec3<T> a1 = m.cos_theta * a + m.sin_theta * b, b1 = m.cos_theta * b - m.sin_theta * a;
  const T isolated = dot(u, Gw);

  Svd<T> r;
  r.U = Mat3<T>::columns(select3(top, u, p1), select3(top, p1, q1), select3(top, q1, u));
  r.V = Mat3<T>::columns(select3(top, w, a1), select3(top, a1, b1), select3(top, b1, w));
  // Equal singular values may come out of order by an ulp.
  const T s0 = select(top, isolated, m.upper), s1 = min(select(top, m.upper, m.lower), s0);
  const T s2 = select(top, m.lower, isolated);
  r.s = {s0 * size, s1 * size, min(max(s2, -s1), s1) * size};
  return r;
}

}  // namespace sinew::math
