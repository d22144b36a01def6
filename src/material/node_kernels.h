#pragma once
// For methods that move one node at a time: with dF = d g^T, g the gradient of the node's shape function, the force P g
// and the 3x3 block A of second derivatives in d, summed over the node's tets. det F is affine in d, so its second
// derivative falls out; that of s = tr S is left out: s is convex and has a negative factor in the corotated laws, so what
// remains bounds the energy from above there, from any configuration. For other laws the block is that of the energy
// itself, tet by tet its positive part. Chen, Han, Chen, Teran: Position-Based Nonlinear Gauss-Seidel for Quasistatic
// Hyperelasticity, 2023, use 2 mu |g|^2 + lambda c c^T, c = cof(F) g, for every law: the same for corotated bodies, but no
// bound for neo-Hookean ones below nu = 0.25 (NodeTets::lame asks for it). No singular values are needed.
#include "material/fibre_kernels.h"
#include "material/node_tets.h"
#include "math/eigen_symmetric.h"
#include "math/gather.h"
#include "math/polar.h"

namespace sinew::material::detail {

// A itself where it is positive definite, its nearest semi-definite matrix elsewhere.
template <class T>
Mat3<T> definite_part(const Mat3<T>& A) {
  const T m01 = A(0, 0) * A(1, 1) - A(0, 1) * A(0, 1);
  const auto definite = (A(0, 0) > T(0)) & (m01 > T(0)) & (det(A) > T(0));
  if (all(definite)) return A;
  // Lane by lane, so that no lane's bits depend on its neighbours.
  Mat3<T> B = math::project_psd(A, T(0));
  for (int i = 0; i < 3; ++i) B.c[i] = math::detail::select3(definite, A.c[i], B.c[i]);
  return B;
}

// For laws with closed derivatives (material/isotropic.h).
template <class M, class T>
SINEW_INLINE void node_by_closed_derivatives(const T* p, const Mat3<T>& F, const Mat3<T>& cof,
                                             const Vec3<T>& g, Vec3<T>& Pg, Mat3<T>& A) {
  const auto D = M::closed_derivatives(p, dot(F.c[0], cof.c[0]));
  const T twice = T(2) * D.I;
  Pg = F * (g * twice);
  A = Mat3<T>::zero();
  if constexpr (M::uses & uses_s) Pg += math::polar_times(F, cof, g) * D.s;
  if constexpr (M::uses & uses_J) {
    const Vec3<T> c = cof * g;
    Pg += c * D.J;
    A = outer(c, c * D.JJ);
  }
  const T diagonal = twice * dot(g, g);
  for (int i = 0; i < 3; ++i) A(i, i) += diagonal;
}

template <class M, class T>
void node_by_invariants(const T* p, const Mat3<T>& F, const Mat3<T>& cof, const Vec3<T>& g, Vec3<T>& Pg,
                        Mat3<T>& A) {
  constexpr bool I = M::uses & uses_I, II = M::uses & uses_II;
  constexpr bool fibre = M::uses & (uses_I4 | uses_I5);
  const T gg = dot(g, g);
  [[maybe_unused]] Vec3<T> Fg, z, y;
  [[maybe_unused]] Mat3<T> B;
  [[maybe_unused]] T fg, zg;
  T value[invariant_count] = {T(0), T(0), T(0), dot(F.c[0], cof.c[0]), T(0), T(0)};
  Vec3<T> slope[invariant_count];  // gradient of each invariant, times g
  if constexpr (I || II || fibre) Fg = F * g;
  if constexpr (I) {
    value[1] = contract(F, F);
    slope[1] = Fg * T(2);
  }
  slope[3] = cof * g;
  if constexpr (M::uses & uses_s) {
    const Mat3<T> R = math::polar_rotation(F);
    value[0] = contract(R, F);
    slope[0] = R * g;
  }
  if constexpr (II) {
    z = transpose(F) * Fg;
    const Mat3<T> C = transpose(F) * F;
    value[2] = contract(C, C);
    slope[2] = (F * z) * T(4);
  }
  if constexpr (II || (M::uses & uses_I5)) B = F * transpose(F);
  if constexpr (fibre) {
    const Vec3<T> f = {p[M::fibre], p[M::fibre + 1], p[M::fibre + 2]};
    y = F * f;
    const Vec3<T> Cf = transpose(F) * y;
    fg = dot(f, g);
    zg = dot(Cf, g);
    value[4] = dot(y, y);
    value[5] = dot(Cf, Cf);
    slope[4] = y * (T(2) * fg);
    slope[5] = (y * zg + (F * Cf) * fg) * T(2);
  }
  const auto D = invariant_derivatives<M, T>(p, value);
  Pg = Vec3<T>::zero();
  T diagonal = T(2) * D.d[1] * gg;
  A = Mat3<T>::zero();
  if constexpr (II) {
    diagonal += T(4) * D.d[2] * dot(g, z);
    A += (outer(Fg, Fg) + B * gg) * (T(4) * D.d[2]);
  }
  if constexpr (M::uses & uses_I4) diagonal += T(2) * D.d[4] * fg * fg;
  if constexpr (M::uses & uses_I5) {
    diagonal += T(4) * D.d[5] * fg * zg;
    A += (outer(y, y) * gg + (outer(y, Fg) + outer(Fg, y)) * fg + B * (fg * fg)) * (T(2) * D.d[5]);
  }
  for (int m = 0; m < invariant_count; ++m) {
    if (!(M::uses & (1u << m))) continue;
    Pg += slope[m] * D.d[m];
    Vec3<T> w = Vec3<T>::zero();
    for (int n = 0; n < invariant_count; ++n)
      if (M::uses & (1u << n)) w += slope[n] * D.dd[m][n];
    A += outer(slope[m], w);
  }
  for (int i = 0; i < 3; ++i) A(i, i) += diagonal;
}

// P g and A from the stress and the projected Hessian, for laws of another form.
template <class T>
void node_by_tensor(const Mat3<T>& P, const T* C, const Vec3<T>& g, Vec3<T>& Pg, Mat3<T>& A) {
  Pg = P * g;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      T s = T(0);
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l) {
          const int r = i + 3 * j, c = k + 3 * l;
          s += C[r <= c ? upper(r, c) : upper(c, r)] * g[j] * g[l];
        }
      A(i, k) = s;
    }
}

}  // namespace sinew::material::detail
