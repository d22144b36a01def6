#pragma once
// Stress and Hessian of a law in I, II, J, I4 and I5 (material/isotropic.h), for one fibre direction f:
//
//     P = 2 psi_I F + 4 psi_II F C + psi_J cof F + 2 psi_4 y f^T + 2 psi_5 (y z^T + F z f^T)
//
// with C = F^T F, y = F f, z = C f. The Hessian is sum psi_mn g_m g_n^T + sum psi_m dg_m, g_m the gradients of the
// invariants; it has no simple frame, so its projection is a 9x9 eigenproblem (math/project_packed.h).
#include "material/invariant_derivatives.h"
#include "math/det_hessian.h"

namespace sinew::material::detail {

// The vectors that the derivatives of the invariants are made of.
template <class M, class T>
struct FibreFrame {
  Mat3<T> F, C, cof;
  Vec3<T> f, y, z;

  FibreFrame(const T* p, const Mat3<T>& gradient) : F(gradient) {
    static_assert(!(M::uses & uses_s), "fibre laws have no use for the trace of the stretch");
    f = {p[M::fibre], p[M::fibre + 1], p[M::fibre + 2]};
    C = transpose(F) * F;
    cof = cofactor(F);
    y = F * f;
    z = transpose(F) * y;
  }

  InvariantDerivatives<T> derivatives(const T* p) const {
    return invariant_derivatives<M, T>(
        p, {T(0), contract(F, F), contract(C, C), dot(F.c[0], cof.c[0]), dot(y, y), dot(z, z)});
  }

  Mat3<T> invariant_gradient(int m) const {
    switch (m) {
      case 1:
        return F * T(2);
      case 2:
        return (F * C) * T(4);
      case 3:
        return cof;
      case 4:
        return outer(y, f) * T(2);
      default:
        return (outer(y, z) + outer(F * z, f)) * T(2);
    }
  }
};

template <class M, class T>
void evaluate_fibre(const T* p, const Mat3<T>& F, T& psi, Mat3<T>& P) {
  const FibreFrame<M, T> frame(p, F);
  const auto D = frame.derivatives(p);
  psi = D.psi;
  P = Mat3<T>::zero();
  for (int m = 1; m < invariant_count; ++m)
    if (M::uses & (1u << m)) P += frame.invariant_gradient(m) * D.d[m];
}

// Adds w at the entries (i + 3 j, k + 3 l) of the packed upper triangle, for all i, j, k, l with entry(i, j, k, l).
template <class T, class Entry>
void add_entries(T* C, const T& w, const Entry& entry) {
  for (int a = 0, m = 0; a < 9; ++a)
    for (int b = a; b < 9; ++b, ++m) C[m] += w * entry(a % 3, a / 3, b % 3, b / 3);
}

template <class M, class T>
void linearise_fibre(const T* p, const Mat3<T>& F, T* C) {
  const FibreFrame<M, T> frame(p, F);
  const auto D = frame.derivatives(p);
  for (int m = 0; m < upper_count; ++m) C[m] = T(0);
  for (int m = 1; m < invariant_count; ++m) {
    if (!(M::uses & (1u << m))) continue;
    Mat3<T> w = Mat3<T>::zero();
    for (int n = 1; n < invariant_count; ++n)
      if (M::uses & (1u << n)) w += frame.invariant_gradient(n) * D.dd[m][n];
    add_outer(C, frame.invariant_gradient(m), w);
  }
  if constexpr (M::uses & uses_I)
    for (int a = 0; a < 9; ++a) C[upper(a, a)] += T(2) * D.d[1];
  const Mat3<T> B = F * transpose(F);
  const auto delta = [](int i, int j) { return T(i == j ? 1.0 : 0.0); };
  if constexpr (M::uses & uses_II)
    add_entries(C, T(4) * D.d[2], [&](int i, int j, int k, int l) {
      return delta(i, k) * frame.C(l, j) + F(i, l) * F(k, j) + B(i, k) * delta(j, l);
    });
  if constexpr (M::uses & uses_J)
    add_entries(C, D.d[3], [&](int i, int j, int k, int l) { return math::det_hessian(F, i, j, k, l); });
  const Vec3<T>&f = frame.f, &y = frame.y, &z = frame.z;
  if constexpr (M::uses & uses_I4)
    add_entries(C, T(2) * D.d[4], [&](int i, int j, int k, int l) { return delta(i, k) * f[j] * f[l]; });
  if constexpr (M::uses & uses_I5)
    add_entries(C, T(2) * D.d[5], [&](int i, int j, int k, int l) {
      return delta(i, k) * (f[l] * z[j] + z[l] * f[j]) + y[i] * (delta(j, l) * y[k] + F(k, j) * f[l]) +
             (F(i, l) * y[k] + B(i, k) * f[l]) * f[j];
    });
}

}  // namespace sinew::material::detail
