#pragma once
// Makes the point kernels of a Law out of `struct Material`. Included by the generated translation units only.
//
// Isotropic laws: P = psi_s R + 2 psi_I F + 4 psi_II F F^T F + psi_J cof F, and in the frame of the SVD
// F = U diag(sigma) V^T the Hessian is a 3x3 block A (stretching) and three 2x2 blocks [alpha beta; beta alpha]
// (shearing), so that the projection needs one 3x3 eigenproblem (Teran, Sifakis, Irving, Fedkiw: Robust
// Quasistatic Finite Elements and Flesh Simulation, 2005). No division by sigma_i - sigma_j occurs, and
// sigma_i + sigma_j >= 0 by the order and sign rule of the SVD.
#include <bit>

#include "material/isotropic.h"
#include "material/law.h"
#include "math/eigen_symmetric.h"
#include "math/mat.h"
#include "math/polar.h"
#include "math/svd.h"

namespace sinew::material {

template <class M>
concept IsotropicMaterial = requires {
  M::uses;
};

namespace detail {

using math::Dual;
using math::Mat3;
using math::Svd;
using math::Vec3;

// First and second derivatives of psi with respect to (s, I, II, J); unused ones are zero.
template <class T>
struct InvariantDerivatives {
  T psi;
  T d[4];
  T dd[4][4];
};

template <class M, class T>
InvariantDerivatives<T> invariant_derivatives(const T* p, const T (&value)[4]) {
  constexpr int n = std::popcount(M::uses);
  using S = Dual<T, n>;
  S variable[4];
  int slot[4];
  for (int k = 0, next = 0; k < 4; ++k) {
    const bool used = M::uses & (1u << k);
    slot[k] = used ? next++ : -1;
    variable[k] = used ? S::variable(value[k], slot[k]) : 0.0;
  }
  const S psi = M::template psi<S>(p, Invariants<S>{variable[0], variable[1], variable[2], variable[3]});
  InvariantDerivatives<T> r;
  r.psi = psi.value;
  for (int k = 0; k < 4; ++k) {
    r.d[k] = slot[k] < 0 ? T(0) : psi.gradient[slot[k]];
    for (int l = 0; l < 4; ++l)
      r.dd[k][l] = slot[k] < 0 || slot[l] < 0 ? T(0) : psi.hessian(slot[k], slot[l]);
  }
  return r;
}

template <class M, class T>
InvariantDerivatives<T> at_stretches(const T* p, const Vec3<T>& sigma) {
  const Vec3<T> q = {sigma[0] * sigma[0], sigma[1] * sigma[1], sigma[2] * sigma[2]};
  return invariant_derivatives<M, T>(
      p, {sigma[0] + sigma[1] + sigma[2], q[0] + q[1] + q[2], q[0] * q[0] + q[1] * q[1] + q[2] * q[2],
          sigma[0] * sigma[1] * sigma[2]});
}

template <class T>
Vec3<T> clamped(const Vec3<T>& sigma, double threshold) {
  const T e = T(threshold);
  return {max(sigma[0], e), max(sigma[1], e), max(sigma[2], e)};
}

// dpsi/dsigma_i
template <class T>
Vec3<T> principal_stress(const InvariantDerivatives<T>& D, const Vec3<T>& s) {
  Vec3<T> P;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    P[i] = D.d[0] + s[i] * (T(2) * D.d[1] + T(4) * s[i] * s[i] * D.d[2]) + s[j] * s[k] * D.d[3];
  }
  return P;
}

template <class M, class T>
void evaluate_isotropic(const T* p, const Mat3<T>& F, const PointOptions& options, T* psi, T* P) {
  Mat3<T> stress;
  T energy;
  if (options.inversion == Inversion::clamp) {
    const Svd<T> f = math::svd(F);
    const Vec3<T> sigma = clamped(f.s, options.clamp_threshold);
    const auto D = at_stretches<M>(p, sigma);
    energy = D.psi;
    const Vec3<T> principal = principal_stress(D, sigma);
    stress = f.U * Mat3<T>::diagonal(principal) * transpose(f.V);
  } else {
    const Mat3<T> cof = cofactor(F);
    T s = T(0), II = T(0);
    Mat3<T> R = Mat3<T>::zero(), FC = Mat3<T>::zero();
    if constexpr (M::uses & uses_s) {
      R = math::polar_rotation(F);
      s = contract(R, F);
    }
    if constexpr (M::uses & uses_II) {
      FC = F * (transpose(F) * F);
      II = contract(F, FC);
    }
    const auto D = invariant_derivatives<M, T>(p, {s, contract(F, F), II, dot(F.c[0], cof.c[0])});
    energy = D.psi;
    stress = F * (T(2) * D.d[1]);
    if constexpr (M::uses & uses_J) stress += cof * D.d[3];
    if constexpr (M::uses & uses_s) stress += R * D.d[0];
    if constexpr (M::uses & uses_II) stress += FC * (T(4) * D.d[2]);
  }
  if (psi) *psi = energy;
  if (P)
    for (int k = 0; k < 9; ++k) P[k] = stress.c[k / 3].v[k % 3];
}

// C += a b^T for 9-vectors, upper triangle.
template <class T>
void add_outer(T* C, const Mat3<T>& a, const Mat3<T>& b) {
  for (int i = 0, m = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, ++m) C[m] += a.c[i / 3].v[i % 3] * b.c[j / 3].v[j % 3];
}

template <class M, class T>
void linearise_isotropic(const T* p, const Mat3<T>& F, const PointOptions& options, T* C) {
  const Svd<T> f = math::svd(F);
  const Vec3<T> s = options.inversion == Inversion::clamp ? clamped(f.s, options.clamp_threshold) : f.s;
  const auto D = at_stretches<M>(p, s);

  Mat3<T> A;
  T alpha[3], beta[3];  // pair k joins the other two axes
  for (int i = 0; i < 3; ++i) {
    const T q[3][4] = {{T(1), T(2) * s[0], T(4) * s[0] * s[0] * s[0], s[1] * s[2]},
                       {T(1), T(2) * s[1], T(4) * s[1] * s[1] * s[1], s[2] * s[0]},
                       {T(1), T(2) * s[2], T(4) * s[2] * s[2] * s[2], s[0] * s[1]}};
    for (int j = i; j < 3; ++j) {
      T a = i == j ? T(2) * D.d[1] + T(12) * s[i] * s[i] * D.d[2] : s[3 - i - j] * D.d[3];
      for (int m = 0; m < 4; ++m) {
        if (!(M::uses & (1u << m))) continue;
        for (int n = 0; n < 4; ++n)
          if (M::uses & (1u << n)) a += D.dd[m][n] * q[i][m] * q[j][n];
      }
      A(i, j) = A(j, i) = a;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const T si = s[(k + 1) % 3], sj = s[(k + 2) % 3];
    alpha[k] = T(2) * D.d[1];
    beta[k] = -s[k] * D.d[3];
    if constexpr (M::uses & uses_II) {
      alpha[k] += T(4) * (si * si + sj * sj) * D.d[2];
      beta[k] += T(4) * si * sj * D.d[2];
    }
    if constexpr (M::uses & uses_s) {
      const T rotation = D.d[0] / max(si + sj, T(1e-6));
      alpha[k] += rotation;
      beta[k] -= rotation;
    }
  }
  if (options.hessian == Hessian::projected) {
    A = math::project_psd(A, T(0));
    for (int k = 0; k < 3; ++k) {
      const T sum = max(alpha[k] + beta[k], T(0)), difference = max(alpha[k] - beta[k], T(0));
      alpha[k] = T(0.5) * (sum + difference);
      beta[k] = T(0.5) * (sum - difference);
    }
  }

  for (int m = 0; m < upper_count; ++m) C[m] = T(0);
  for (int i = 0; i < 3; ++i) {
    Mat3<T> w = Mat3<T>::zero();
    for (int j = 0; j < 3; ++j) w += outer(f.U.c[j] * A(i, j), f.V.c[j]);
    add_outer(C, outer(f.U.c[i], f.V.c[i]), w);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Mat3<T> eij = outer(f.U.c[i], f.V.c[j]), eji = outer(f.U.c[j], f.V.c[i]);
    add_outer(C, eij, eij * alpha[k] + eji * beta[k]);
    add_outer(C, eji, eij * beta[k] + eji * alpha[k]);
  }
}

// Laws written in F itself: derivatives from dual numbers in the nine entries.
template <class M, class T>
Dual<T, 9> general_dual(const T* p, const Mat3<T>& F) {
  using S = Dual<T, 9>;
  Mat3<S> G;
  for (int k = 0; k < 9; ++k) G.c[k / 3].v[k % 3] = S::variable(F.c[k / 3].v[k % 3], k);
  return M::template psi<S>(p, G);
}

template <class M, class T>
void evaluate(int count, const T* params, int stride, const T* F, PointOptions options, T* psi, T* P) {
  for (int k = 0; k < count; ++k) {
    const T* p = params + int64_t(k) * stride;
    const T* f = F + 9 * int64_t(k);
    const Mat3<T> Fk = {{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}}};
    T* psi_k = psi ? psi + k : nullptr;
    T* P_k = P ? P + 9 * int64_t(k) : nullptr;
    if constexpr (IsotropicMaterial<M>) {
      evaluate_isotropic<M>(p, Fk, options, psi_k, P_k);
    } else {
      const auto dual = general_dual<M>(p, Fk);
      if (psi_k) *psi_k = dual.value;
      if (P_k)
        for (int m = 0; m < 9; ++m) P_k[m] = dual.gradient[m];
    }
  }
}

template <class M, class T>
void linearise(int count, const T* params, int stride, const T* F, PointOptions options, T* C) {
  for (int k = 0; k < count; ++k) {
    const T* p = params + int64_t(k) * stride;
    const T* f = F + 9 * int64_t(k);
    const Mat3<T> Fk = {{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}}};
    T* C_k = C + upper_count * int64_t(k);
    if constexpr (IsotropicMaterial<M>) {
      linearise_isotropic<M>(p, Fk, options, C_k);
    } else {
      static_assert(M::convex, "a law in F must be convex, or written in invariants to be projected");
      const auto dual = general_dual<M>(p, Fk);
      for (int i = 0, m = 0; i < 9; ++i)
        for (int j = i; j < 9; ++j, ++m) C_k[m] = dual.hessian(i, j);
    }
  }
}

}  // namespace detail

template <class M>
Law make_law(std::string_view name) {
  return {.name = name,
          .title = M::title,
          .formula = M::formula,
          .source = M::source,
          .fields = M::fields,
          .traits = M::traits,
          .param_count = M::param_count,
          .convert = &M::convert,
          .d = {&detail::evaluate<M, math::PackD>, &detail::linearise<M, math::PackD>},
          .f = {&detail::evaluate<M, math::PackF>, &detail::linearise<M, math::PackF>}};
}

}  // namespace sinew::material
