#pragma once
// Makes the point kernels of a Law out of `struct Material`. Included by the generated translation units only.
//
// Isotropic laws: P = psi_s R + 2 psi_I F + 4 psi_II F F^T F + psi_J cof F, and in the frame of the SVD
// F = U diag(sigma) V^T the Hessian is a 3x3 block A (stretching) and three 2x2 blocks [alpha beta; beta alpha]
// (shearing), so that the projection needs one 3x3 eigenproblem (Teran, Sifakis, Irving, Fedkiw: Robust
// Quasistatic Finite Elements and Flesh Simulation, 2005). No division by sigma_i - sigma_j occurs, and
// sigma_i + sigma_j >= 0 by the order and sign rule of the SVD. Laws in the stretches themselves divide, and take
// the limit where two stretches meet. Fibre laws are in material/fibre_kernels.h.
#include <bit>

#include "material/fibre_kernels.h"
#include "material/invariant_derivatives.h"
#include "material/membrane_kernels.h"
#include "material/node_kernels.h"
#include "math/eigen_symmetric.h"
#include "math/polar.h"
#include "math/project_packed.h"
#include "math/svd.h"

namespace sinew::material {

// psi(params, sigma), sigma the three stretches, the last one negative where F is inverted.
template <class M>
concept PrincipalMaterial = requires {
  M::principal;
};
template <class M>
concept InvariantMaterial = requires {
  M::uses;
};
template <class M>
concept FibreMaterial = InvariantMaterial<M> &&((M::uses & (uses_I4 | uses_I5)) != 0);
template <class M>
concept ClosedFormMaterial = requires(const double* p) {
  M::closed_derivatives(p, 1.0);
};
template <class M>
concept VolumeMaterial = requires(const double* p) {
  M::volume(p, 1.0);
};
// psi = (C_shape^2 + C_volume^2)/2 + const: shape_constraint(params, invariants) without J, volume_constraint(params, J).
template <class M>
concept ConstraintMaterial = requires(const double* p) {
  M::volume_constraint(p, 1.0);
};

namespace detail {

using math::Svd;

template <class M, class T>
InvariantDerivatives<T> at_stretches(const T* p, const Vec3<T>& sigma) {
  const Vec3<T> q = {sigma[0] * sigma[0], sigma[1] * sigma[1], sigma[2] * sigma[2]};
  return invariant_derivatives<M, T>(
      p, {sigma[0] + sigma[1] + sigma[2], q[0] + q[1] + q[2], q[0] * q[0] + q[1] * q[1] + q[2] * q[2],
          sigma[0] * sigma[1] * sigma[2], T(0), T(0)});
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

// psi and its derivatives in the stretches.
template <class M, class T>
Dual<T, 3> principal_dual(const T* p, const Vec3<T>& sigma) {
  using S = Dual<T, 3>;
  return M::template psi<S>(
      p, Vec3<S>{S::variable(sigma[0], 0), S::variable(sigma[1], 1), S::variable(sigma[2], 2)});
}

template <class M, class T>
void stress_by_stretches(const T* p, const Mat3<T>& F, const PointOptions& options, T& psi, Mat3<T>& P) {
  const Svd<T> f = math::svd(F);
  const Vec3<T> sigma = options.inversion == Inversion::clamp ? clamped(f.s, options.clamp_threshold) : f.s;
  Vec3<T> principal;
  if constexpr (PrincipalMaterial<M>) {
    const auto D = principal_dual<M>(p, sigma);
    psi = D.value;
    principal = {D.gradient[0], D.gradient[1], D.gradient[2]};
  } else {
    const auto D = at_stretches<M>(p, sigma);
    psi = D.psi;
    principal = principal_stress(D, sigma);
  }
  P = f.U * Mat3<T>::diagonal(principal) * transpose(f.V);
}

template <class M, class T>
void stress_by_invariants(const T* p, const Mat3<T>& F, T& psi, Mat3<T>& P) {
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
  const T I = contract(F, F), J = dot(F.c[0], cof.c[0]);
  if constexpr (ClosedFormMaterial<M>) {
    const ClosedDerivatives<T> D = M::closed_derivatives(p, J);
    psi = M::template psi<T>(p, Invariants<T>{s, I, II, J, T(0), T(0)});
    P = F * (T(2) * D.I);
    if constexpr (M::uses & uses_J) P += cof * D.J;
    if constexpr (M::uses & uses_s) P += R * D.s;
    return;
  }
  const auto D = invariant_derivatives<M, T>(p, {s, I, II, J, T(0), T(0)});
  psi = D.psi;
  P = F * (T(2) * D.d[1]);
  if constexpr (M::uses & uses_J) P += cof * D.d[3];
  if constexpr (M::uses & uses_s) P += R * D.d[0];
  if constexpr (M::uses & uses_II) P += FC * (T(4) * D.d[2]);
}

// The Hessian in the frame of the SVD: A stretches, pair k shears the two other axes.
template <class T>
struct PrincipalHessian {
  Mat3<T> A;
  T alpha[3], beta[3];
};

template <class M, class T>
PrincipalHessian<T> hessian_by_invariants(const T* p, const Vec3<T>& s) {
  const auto D = at_stretches<M>(p, s);
  PrincipalHessian<T> H;
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
      H.A(i, j) = H.A(j, i) = a;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const T si = s[(k + 1) % 3], sj = s[(k + 2) % 3];
    H.alpha[k] = T(2) * D.d[1];
    H.beta[k] = -s[k] * D.d[3];
    if constexpr (M::uses & uses_II) {
      H.alpha[k] += T(4) * (si * si + sj * sj) * D.d[2];
      H.beta[k] += T(4) * si * sj * D.d[2];
    }
    if constexpr (M::uses & uses_s) {
      const T rotation = D.d[0] / max(si + sj, T(1e-6));
      H.alpha[k] += rotation;
      H.beta[k] -= rotation;
    }
  }
  return H;
}

// alpha + beta = (P_i - P_j)/(sigma_i - sigma_j) and alpha - beta = (P_i + P_j)/(sigma_i + sigma_j), P_i =
// dpsi/dsigma_i. Stretches that nearly meet take the limit of the first, A_ii - A_ij, which is off by their
// distance squared.
template <class M, class T>
PrincipalHessian<T> hessian_by_stretches(const T* p, const Vec3<T>& s) {
  const auto D = principal_dual<M>(p, s);
  const T nearly = T(sizeof(math::ScalarOf<T>) == 8 ? 1e-5 : 1e-2);
  PrincipalHessian<T> H;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) H.A(i, j) = D.hessian(i, j);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const T apart = s[i] - s[j];
    const auto meet = abs(apart) < nearly * max(max(abs(s[i]), abs(s[j])), nearly);
    const T limit = T(0.5) * (H.A(i, i) + H.A(j, j)) - H.A(i, j);
    const T sum = select(meet, limit, (D.gradient[i] - D.gradient[j]) / select(meet, T(1), apart));
    const T difference = (D.gradient[i] + D.gradient[j]) / max(s[i] + s[j], T(1e-6));
    H.alpha[k] = T(0.5) * (sum + difference);
    H.beta[k] = T(0.5) * (sum - difference);
  }
  return H;
}

template <class T>
void project(PrincipalHessian<T>& H) {
  H.A = math::project_psd(H.A, T(0));
  for (int k = 0; k < 3; ++k) {
    const T sum = max(H.alpha[k] + H.beta[k], T(0)), difference = max(H.alpha[k] - H.beta[k], T(0));
    H.alpha[k] = T(0.5) * (sum + difference);
    H.beta[k] = T(0.5) * (sum - difference);
  }
}

template <class T>
void expand(const PrincipalHessian<T>& H, const Svd<T>& f, T* C) {
  for (int m = 0; m < upper_count; ++m) C[m] = T(0);
  for (int i = 0; i < 3; ++i) {
    Mat3<T> w = Mat3<T>::zero();
    for (int j = 0; j < 3; ++j) w += outer(f.U.c[j] * H.A(i, j), f.V.c[j]);
    add_outer(C, outer(f.U.c[i], f.V.c[i]), w);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Mat3<T> eij = outer(f.U.c[i], f.V.c[j]), eji = outer(f.U.c[j], f.V.c[i]);
    add_outer(C, eij, eij * H.alpha[k] + eji * H.beta[k]);
    add_outer(C, eji, eij * H.beta[k] + eji * H.alpha[k]);
  }
}

template <class M, class T>
void linearise_isotropic(const T* p, const Mat3<T>& F, const PointOptions& options, T* C) {
  const Svd<T> f = math::svd(F);
  const Vec3<T> s = options.inversion == Inversion::clamp ? clamped(f.s, options.clamp_threshold) : f.s;
  PrincipalHessian<T> H;
  if constexpr (PrincipalMaterial<M>)
    H = hessian_by_stretches<M>(p, s);
  else
    H = hessian_by_invariants<M>(p, s);
  if (definite(options.hessian)) project(H);
  expand(H, f, C);
}

// F with its stretches clamped.
template <class T>
Mat3<T> clamped_gradient(const Mat3<T>& F, double threshold) {
  const Svd<T> f = math::svd(F);
  return f.U * Mat3<T>::diagonal(clamped(f.s, threshold)) * transpose(f.V);
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
void evaluate_point(const T* p, const Mat3<T>& F, const PointOptions& options, T& psi, Mat3<T>& P) {
  const bool clamp = options.inversion == Inversion::clamp;
  if constexpr (FibreMaterial<M>) {
    evaluate_fibre<M>(p, clamp ? clamped_gradient(F, options.clamp_threshold) : F, psi, P);
  } else if constexpr (PrincipalMaterial<M>) {
    stress_by_stretches<M>(p, F, options, psi, P);
  } else if constexpr (InvariantMaterial<M>) {
    if (clamp)
      stress_by_stretches<M>(p, F, options, psi, P);
    else
      stress_by_invariants<M>(p, F, psi, P);
  } else {
    const auto dual = general_dual<M>(p, F);
    psi = dual.value;
    for (int m = 0; m < 9; ++m) P.c[m / 3].v[m % 3] = dual.gradient[m];
  }
}

template <class M, class T>
void linearise_point(const T* p, const Mat3<T>& F, const PointOptions& options, T* C) {
  if constexpr (FibreMaterial<M>) {
    const bool clamp = options.inversion == Inversion::clamp;
    linearise_fibre<M>(p, clamp ? clamped_gradient(F, options.clamp_threshold) : F, C);
    if (definite(options.hessian)) math::project_psd_packed<9>(C);
  } else if constexpr (PrincipalMaterial<M> || InvariantMaterial<M>) {
    linearise_isotropic<M>(p, F, options, C);
  } else {
    static_assert(M::convex, "a law in F must be convex, or written in invariants to be projected");
    const auto dual = general_dual<M>(p, F);
    for (int i = 0, m = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, ++m) C[m] = dual.hessian(i, j);
  }
}

template <class T>
Mat3<T> gradient_at(const T* F, int k) {
  const T* f = F + 9 * int64_t(k);
  return {{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}}};
}

template <class M, class T>
void evaluate(int count, const T* params, int stride, const T* F, PointOptions options, T* psi, T* P) {
  for (int k = 0; k < count; ++k) {
    T energy;
    Mat3<T> stress;
    evaluate_point<M>(params + int64_t(k) * stride, gradient_at(F, k), options, energy, stress);
    if (psi) psi[k] = energy;
    if (P)
      for (int m = 0; m < 9; ++m) P[9 * int64_t(k) + m] = stress.c[m / 3].v[m % 3];
  }
}

template <class M, class T>
void linearise(int count, const T* params, int stride, const T* F, PointOptions options, T* C) {
  for (int k = 0; k < count; ++k)
    linearise_point<M>(params + int64_t(k) * stride, gradient_at(F, k), options,
                       C + upper_count * int64_t(k));
}

// The law sees F times a rotation without a change of energy (a fibre is turned with it).
template <class M>
inline constexpr bool frame_invariant = InvariantMaterial<M> || PrincipalMaterial<M>;

// The node kernels leave out the second derivative of s.
template <class M>
inline constexpr bool uses_trace = [] {
  if constexpr (InvariantMaterial<M>) return (M::uses & uses_s) != 0;
  return false;
}();

// A sweep streams through its tets: what comes six of them later is asked for now.
inline constexpr int fetch_distance = 6;
inline void fetch_ahead(const void* from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(from) + at);
}

template <class M, class T>
void node(const NodeTets<T>& tets, const math::ScalarOf<T>* x, const Vec3<T>& x0, NodeSums<T>& sums) {
  constexpr int lanes = math::lanes_of<T>;
  constexpr int size = frame_invariant<M> ? NodeTets<T>::rotated_size : NodeTets<T>::full_size;
  NodeSums<T> s = sums;
  for (int64_t k = 0; k < tets.count; ++k) {
    const int32_t* id = tets.others + 3 * lanes * k;
    const Vec3<T> e1 = math::gather3<T>(x, id) - x0, e2 = math::gather3<T>(x, id + lanes) - x0,
                  e3 = math::gather3<T>(x, id + 2 * lanes) - x0;
    const T* r = tets.rest + size * (tets.shape ? int64_t(tets.shape[k]) : k);
    if (!tets.shape) fetch_ahead(r + fetch_distance * size, size * sizeof(T));
    fetch_ahead(id + fetch_distance * 3 * lanes, 3 * lanes * sizeof(int32_t));
    fetch_ahead(tets.params + (k + fetch_distance) * tets.stride, tets.stride * sizeof(T));
    Mat3<T> F = {{e1 * r[0] + e2 * r[1] + e3 * r[3], e2 * r[2] + e3 * r[4], e3 * r[5]}};
    Vec3<T> g = {-(r[0] + r[1] + r[3]), -(r[2] + r[4]), -r[5]};
    if constexpr (!frame_invariant<M>) {
      const Mat3<T> Q = {{{r[7], r[8], r[9]}, {r[10], r[11], r[12]}, {r[13], r[14], r[15]}}};
      F = F * transpose(Q);
      g = Q * g;
    }
    const T* p = tets.params + k * tets.stride;
    const Mat3<T> cof = cofactor(F);
    Vec3<T> Pg;
    Mat3<T> A;
    if constexpr (ClosedFormMaterial<M>) {
      node_by_closed_derivatives<M>(p, F, cof, g, Pg, A);
    } else if constexpr (InvariantMaterial<M>) {
      node_by_invariants<M>(p, F, cof, g, Pg, A);
      A = definite_part(A);
    } else {
      T psi, C[upper_count];
      Mat3<T> P;
      evaluate_point<M>(p, F, {}, psi, P);
      linearise_point<M>(p, F, {}, C);
      node_by_tensor(P, C, g, Pg, A);
    }
    const T V = tets.coverage ? r[NodeTets<T>::triangle] * tets.coverage[k] : r[NodeTets<T>::triangle];
    if constexpr (!ClosedFormMaterial<M>) {  // what fills up a lane may overflow
      const auto there = V > T(0);
      Pg = math::detail::select3(there, Pg, Vec3<T>::zero());
      for (int i = 0; i < 3; ++i) A.c[i] = math::detail::select3(there, A.c[i], Vec3<T>::zero());
    }
    if (tets.lame) {
      const Vec3<T> c = cof * g;
      A = outer(c, c * tets.lame[2 * k + 1]);
      const T diagonal = T(2) * tets.lame[2 * k] * dot(g, g);
      for (int i = 0; i < 3; ++i) A(i, i) += diagonal;
    }
    for (int i = 0, m = 0; i < 3; ++i) {
      s.gradient[i] += V * Pg[i];
      for (int j = i; j < 3; ++j, ++m) s.block[m] += V * A(i, j);
    }
  }
  sums = s;
}

template <class M, class T>
void volume(int count, const T* params, int stride, const T* J, T* U, T* dU, T* ddU) {
  for (int k = 0; k < count; ++k) {
    const auto u = M::volume(params + int64_t(k) * stride, Dual<T, 1>::variable(J[k], 0));
    U[k] = u.value;
    dU[k] = u.gradient[0];
    ddU[k] = u.hessian(0, 0);
  }
}

// The constraints of a law in the place of an energy.
template <class M>
struct ShapeConstraint {
  static constexpr unsigned uses = M::uses & ~uses_J;
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return M::shape_constraint(p, i);
  }
};
template <class M>
struct VolumeConstraint {
  static constexpr unsigned uses = uses_J;
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return M::volume_constraint(p, i.J);
  }
};

template <class M, class T>
void constraint(const T* params, const T* F, T* C, T* G) {
  Mat3<T> gradient;
  stress_by_invariants<M>(params, gradient_at(F, 0), *C, gradient);
  for (int m = 0; m < 9; ++m) G[m] = gradient.c[m / 3].v[m % 3];
}

template <class M, class T>
void energy_constraint(const T* params, const T* F, T* C, T* G) {
  T psi;
  evaluate<M, T>(1, params, 0, F, {}, &psi, G);
  *C = sqrt(T(2) * max(psi, T(0)));
  const T factor = T(1) / *C;
  for (int m = 0; m < 9; ++m) G[m] *= factor;
}

template <class M, class T>
constexpr PointKernels<T> kernels_of() {
  if constexpr (SheetMaterial<M>) {
    return {};
  } else {
    PointKernels<T> table{&evaluate<M, T>,          &linearise<M, T>, &node<M, T>, nullptr,
                          &energy_constraint<M, T>, nullptr,          nullptr};
    if constexpr (VolumeMaterial<M>) table.volume = &volume<M, T>;
    if constexpr (ConstraintMaterial<M>) {
      table.shape_constraint = &constraint<ShapeConstraint<M>, T>;
      table.volume_constraint = &constraint<VolumeConstraint<M>, T>;
    }
    return table;
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
          .frame_invariant = detail::frame_invariant<M>,
          .node_majorant = ClosedFormMaterial<M> ||
                           !detail::frame_invariant<M>,  // laws in F itself are convex and quadratic
          .node_overestimates = detail::uses_trace<M>,
          .param_count = M::param_count,
          .convert = &M::convert,
          .d = detail::kernels_of<M, math::PackD>(),
          .f = detail::kernels_of<M, math::PackF>(),
          .membrane_d = detail::membrane_kernels_of<M, math::PackD>(),
          .membrane_f = detail::membrane_kernels_of<M, math::PackF>()};
}

}  // namespace sinew::material
