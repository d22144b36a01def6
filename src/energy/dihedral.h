#pragma once
// The angle theta between two triangles that share the edge from y_0 to y_1, (y_0, y_1, y_2) on its left and (y_1, y_0, y_3) on its right,
//
//     sin theta = (n_1 x n_2).e,   cos theta = n_1.n_2,   e along the edge, n_k the unit normals,
//
// with its derivatives. L is the length of the edge, h_k the height of triangle k over it, m_k the unit vector in the triangle
// from the edge to its corner, t_k the place of the foot of that corner along the edge. With moves d_a of the points,
// W_k = (1 - t_k) d_0 + t_k d_1 - d_(k+1) and D = d_1 - d_0,
//
//     a_k = n_k.W_k / h_k   b_k = m_k.W_k / h_k   c_k = e.W_k / h_k   f_k = n_k.D / L   g_k = m_k.D / L
//     theta'  = a_1 + a_2
//     theta'' = sum_k 2 a_k b_k - 2 c_k f_k + f_k g_k
//
// (derived here; the gradient is that of Bridson, Marino, Fedkiw: Simulation of clothing with folds and wrinkles, 2003, and the Hessian
// agrees with Tamstorf, Grinspun: Discrete bending forces and their Jacobians, 2013). Written as
// (a_1 + a_2)(b_1 + b_2) + (a_1 - a_2)(b_1 - b_2) + sum_k f_k (g_k - 2 c_k) it is a sum of four products of two linear forms, each
// of which is made positive semi-definite by an eigenproblem of 2x2: an analytic projection by parts, as that of Wu, Kim: An
// eigenanalysis of angle-based deformation energies, 2023, is by other parts. It is nowhere below the exact form.
#include "math/arctangent.h"
#include "math/mat.h"

namespace sinew::energy {

using math::max;
using math::select;
using math::sqrt;
using math::Vec3;

// A quadratic form uu (u.d)^2 + 2 uv (u.d)(v.d) + vv (v.d)^2 of the moves d of four points.
template <class T>
struct PairForm {
  Vec3<T> u[4], v[4];
  T uu, uv, vv;

  // The negative eigenvalue goes.
  SINEW_INLINE void project();
};

template <class T>
struct Dihedral {
  Vec3<T> along, n[2], m[2];
  T per_length, per_height[2];
  T weight[2][4];  // of the points in W_k
  T sine, cosine;

  // Triangles without area have normals of some finite length: forces stay finite.
  SINEW_INLINE Dihedral(const Vec3<T>& y0, const Vec3<T>& y1, const Vec3<T>& y2, const Vec3<T>& y3) {
    const T tiny = T(sizeof(math::ScalarOf<T>) == 8 ? 1e-200 : 1e-30);
    const Vec3<T> e = y1 - y0, e2 = y2 - y0, e3 = y3 - y0;
    const T per_square = T(1) / max(dot(e, e), tiny);
    per_length = sqrt(per_square);
    along = e * per_length;
    const Vec3<T> N[2] = {cross(e, e2), cross(e3, e)};
    const T foot[2] = {dot(e2, e) * per_square, dot(e3, e) * per_square};
    for (int k = 0; k < 2; ++k) {
      const T per_area = T(1) / sqrt(max(dot(N[k], N[k]), tiny));
      n[k] = N[k] * per_area;
      per_height[k] = per_area * dot(e, e) * per_length;
      weight[k][0] = T(1) - foot[k];
      weight[k][1] = foot[k];
      weight[k][2 + k] = T(-1);
      weight[k][3 - k] = T(0);
    }
    m[0] = cross(n[0], along);
    m[1] = cross(along, n[1]);
    sine = dot(cross(n[0], n[1]), along);
    cosine = dot(n[0], n[1]);
  }

  // theta less an angle of which cosine and sine are given, in (-pi, pi].
  SINEW_INLINE T beyond(const T& cos_rest, const T& sin_rest) const {
    return math::atan2(sine * cos_rest - cosine * sin_rest, cosine * cos_rest + sine * sin_rest);
  }

  // d theta / d y_a
  SINEW_INLINE Vec3<T> gradient(int a) const {
    return n[0] * (weight[0][a] * per_height[0]) + n[1] * (weight[1][a] * per_height[1]);
  }

  // alpha theta' theta'^T + beta theta'', as the sum of the four forms.
  SINEW_INLINE void second(const T& alpha, const T& beta, bool definite, PairForm<T> (&form)[4]) const;
};

template <class T>
SINEW_INLINE void Dihedral<T>::second(const T& alpha, const T& beta, bool definite,
                                      PairForm<T> (&form)[4]) const {
  for (int p = 0; p < 4; ++p) {
    form[p].uu = p == 0 ? alpha : T(0);
    form[p].uv = T(0.5) * beta;
    form[p].vv = T(0);
  }
  for (int a = 0; a < 4; ++a) {
    const T d = a == 0 ? T(-1) : a == 1 ? T(1) : T(0);
    const T w[2] = {weight[0][a] * per_height[0], weight[1][a] * per_height[1]};
    form[0].u[a] = n[0] * w[0] + n[1] * w[1];
    form[0].v[a] = m[0] * w[0] + m[1] * w[1];
    form[1].u[a] = n[0] * w[0] - n[1] * w[1];
    form[1].v[a] = m[0] * w[0] - m[1] * w[1];
    for (int k = 0; k < 2; ++k) {
      form[2 + k].u[a] = n[k] * (d * per_length);
      form[2 + k].v[a] = m[k] * (d * per_length) - along * (T(2) * w[k]);
    }
  }
  if (definite)
    for (PairForm<T>& f : form) f.project();
}

template <class T>
SINEW_INLINE void PairForm<T>::project() {
  const T tiny = T(sizeof(math::ScalarOf<T>) == 8 ? 1e-200 : 1e-30);
  // In orthonormal directions u and v.
  T square = dot(u[0], u[0]), both = dot(u[0], v[0]);
  for (int a = 1; a < 4; ++a) square += dot(u[a], u[a]), both += dot(u[a], v[a]);
  const T length = sqrt(max(square, tiny)), per_length = T(1) / length, along = both * per_length;
  T rest = T(0);
  for (int a = 0; a < 4; ++a) {
    u[a] = u[a] * per_length;
    v[a] = v[a] - u[a] * along;
    rest += dot(v[a], v[a]);
  }
  const T across = sqrt(max(rest, tiny)), per_across = T(1) / across;
  for (int a = 0; a < 4; ++a) v[a] = v[a] * per_across;
  uu = uu * length * length + T(2) * uv * length * along + vv * along * along;
  uv = across * (uv * length + vv * along);
  vv = vv * across * across;
  // What is left of a matrix of one negative eigenvalue is the other one times its projector.
  const T mean = T(0.5) * (uu + vv), half = T(0.5) * (uu - vv), root = sqrt(half * half + uv * uv);
  const T low = mean - root, high = mean + root;
  const auto mixed = (low < T(0)) & (high > T(0));
  const T scale = select(mixed, high / select(mixed, high - low, T(1)), select(high > T(0), T(1), T(0)));
  const T shift = select(mixed, low, T(0));
  uu = (uu - shift) * scale;
  uv = uv * scale;
  vv = (vv - shift) * scale;
}

}  // namespace sinew::energy
