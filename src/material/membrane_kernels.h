#pragma once
// Makes the kernels of triangles (material/law.h) out of the same `struct Material` as those of solids. With the singular values
// sigma_1, sigma_2 of the two columns of F the energy is psi(sigma_1, sigma_2, t), t the stretch of the thickness: fixed at 1, or
// the one of least energy, where no stress acts across (plane stress). The derivatives of the latter W are those of psi, less
// what t gives way: W_i = psi_i, W_ij = psi_ij - psi_it psi_jt / psi_tt.
//
// In the frame F = sum sigma_i u_i v_i^T, n across, the Hessian is a 2x2 block A (stretching), the 2x2 block [alpha beta; beta alpha] of
// the in-plane shears, and W_i / sigma_i for moves of column i along n: the projection needs no eigenvalue problem larger
// than 2x2. A triangle that has collapsed to a line or a point has a frame all the same, any of those that fit.
//
// A law of orthotropic sheets is psi(params, E), E = (E_11, E_22, E_12) the Green strain in the axes of the material, and has
// `sheet = true`.
#include "material/isotropic.h"
#include "material/node_kernels.h"
#include "math/project_packed.h"
#include "math/vec.h"

namespace sinew::material {

template <class M>
concept SheetMaterial = requires {
  M::sheet;
};

namespace detail {

using math::Dual;
using math::Mat;
using math::Vec;
using math::Vec3;

template <class T>
using Vec2 = Vec<T, 2>;
template <class T>
using Mat32 = Mat<T, 3, 2>;

// psi at stretches of any scalar type.
template <class M, class S, class T>
S psi_at_stretches(const T* p, const S& a, const S& b, const S& t) {
  if constexpr (requires { M::principal; }) {
    return M::template psi<S>(p, Vec3<S>{a, b, t});
  } else {
    const S aa = a * a, bb = b * b, tt = t * t;
    const S zero = a * 0.0;
    return M::template psi<S>(
        p, Invariants<S>{a + b + t, aa + bb + tt, aa * aa + bb * bb + tt * tt, a * b * t, zero, zero});
  }
}

inline constexpr double min_thickness = 1e-3, max_thickness = 1e3;

// The t of least psi. Newton's method in brackets; a lane that has converged stays as it is.
template <class M, class T>
T free_thickness(const T* p, const T& a, const T& b) {
  if constexpr (requires { M::free_thickness(p, a, b); }) {
    return min(max(M::free_thickness(p, a, b), T(min_thickness)), T(max_thickness));
  } else {
    using S = Dual<T, 1>;
    const double close = sizeof(math::ScalarOf<T>) == 8 ? 1e-15 : 2e-7;
    T low = T(min_thickness), high = T(max_thickness);
    T t = min(max(T(1) - T(0.4) * (a + b - T(2)), T(0.3)), T(3));
    auto moving = a == a;
    for (int iteration = 0; iteration < 60 && any(moving); ++iteration) {
      const S psi = psi_at_stretches<M, S>(p, S(a), S(b), S::variable(t, 0));
      const T slope = psi.gradient[0], curvature = psi.hessian(0, 0);
      low = select(slope < T(0), t, low);
      high = select(slope > T(0), t, high);
      const T newton = t - slope / select(curvature > T(0), curvature, T(1));
      const auto inside = (curvature > T(0)) & (newton > low) & (newton < high);
      const T next = select(slope == T(0), t, select(inside, newton, sqrt(low * high)));
      const auto close_now = abs(next - t) <= T(close) * t;
      t = select(moving, next, t);
      moving = moving & !close_now;
    }
    return t;
  }
}

// The energy in the two stretches of the plane.
template <class T>
struct PlaneEnergy {
  T W;
  T d[2];
  T dd[3];  // 11 12 22
};

template <class M, class T>
PlaneEnergy<T> plane_energy(const T* p, const T& a, const T& b, bool fixed) {
  if constexpr (requires { M::plane_stress(p, Vec2<T>{a, b}); }) {
    if (!fixed) {
      using S = Dual<T, 2>;
      const S W = M::plane_stress(p, Vec2<S>{S::variable(a, 0), S::variable(b, 1)});
      return {W.value, {W.gradient[0], W.gradient[1]}, {W.hessian(0, 0), W.hessian(0, 1), W.hessian(1, 1)}};
    }
  }
  using S = Dual<T, 3>;
  const T t = fixed ? T(1) : free_thickness<M>(p, a, b);
  const S psi = psi_at_stretches<M, S>(p, S::variable(a, 0), S::variable(b, 1), S::variable(t, 2));
  PlaneEnergy<T> r = {psi.value,
                      {psi.gradient[0], psi.gradient[1]},
                      {psi.hessian(0, 0), psi.hessian(0, 1), psi.hessian(1, 1)}};
  if (fixed) return r;
  const T across = psi.hessian(2, 2);
  const auto gives = (across > T(0)) & (t > T(1.01 * min_thickness)) & (t < T(0.99 * max_thickness));
  const T inverse = select(gives, T(1) / select(gives, across, T(1)), T(0));
  r.dd[0] -= psi.hessian(0, 2) * psi.hessian(0, 2) * inverse;
  r.dd[1] -= psi.hessian(0, 2) * psi.hessian(1, 2) * inverse;
  r.dd[2] -= psi.hessian(1, 2) * psi.hessian(1, 2) * inverse;
  return r;
}

// F = s_1 u_1 v_1^T + s_2 u_2 v_2^T with s_1 >= s_2 >= 0, v_2 = v_1 turned by 90 degrees, n = u_1 x u_2.
template <class T>
struct PlaneSvd {
  Vec3<T> u[2], n;
  Vec2<T> v[2];
  T s[2];
};

// A unit vector at right angles to the unit vector u.
template <class T>
Vec3<T> any_normal(const Vec3<T>& u) {
  const auto x = abs(u[0]) < T(0.6);
  const Vec3<T> axis = {select(x, T(1), T(0)), select(x, T(0), T(1)), T(0)};
  const Vec3<T> n = cross(u, axis);
  return n * (T(1) / sqrt(dot(n, n)));
}

template <class T>
PlaneSvd<T> plane_svd(const Mat32<T>& F) {
  const T tiny = T(sizeof(math::ScalarOf<T>) == 8 ? 1e-150 : 1e-18);
  PlaneSvd<T> r;
  const Vec3<T> area = cross(F.c[0], F.c[1]);
  const T J = sqrt(dot(area, area));
  const T c00 = dot(F.c[0], F.c[0]), c01 = dot(F.c[0], F.c[1]), c11 = dot(F.c[1], F.c[1]);
  const T half = T(0.5) * (c00 - c11), root = sqrt(half * half + c01 * c01);
  r.s[0] = sqrt(T(0.5) * (c00 + c11) + root);
  // v_1 by half angles: of cos and sin the larger one first.
  const auto turned = root > tiny;
  const T share = abs(half) / select(turned, root, T(1));
  const T large = sqrt(T(0.5) * (T(1) + select(turned, share, T(1))));
  const T small = T(0.5) * c01 / select(turned, root * large, T(1));
  const auto first = half >= T(0);
  const T sign = copysign(T(1), c01);
  const T cos = select(turned, select(first, large, abs(small)), T(1));
  const T sin = select(turned, select(first, small, sign * large), T(0));
  r.v[0] = {cos, sin};
  r.v[1] = {-sin, cos};
  const auto extended = r.s[0] > tiny;
  const T inverse = T(1) / select(extended, r.s[0], T(1));
  r.s[1] = J * inverse;
  const Vec3<T> u = (F.c[0] * cos + F.c[1] * sin) * inverse;
  r.u[0] = {select(extended, u[0], T(1)), select(extended, u[1], T(0)), select(extended, u[2], T(0))};
  const auto flat = J > tiny;
  const T inverse_area = T(1) / select(flat, J, T(1));
  const Vec3<T> any = any_normal(r.u[0]);
  for (int i = 0; i < 3; ++i) r.n[i] = select(flat, area[i] * inverse_area, any[i]);
  r.u[1] = cross(r.n, r.u[0]);
  return r;
}

template <class T>
Mat32<T> plane_outer(const Vec3<T>& u, const Vec2<T>& v) {
  return {{u * v[0], u * v[1]}};
}

// C += scale a a^T
template <class T>
void add_square(T* C, const Mat32<T>& a, const T& scale) {
  for (int i = 0, m = 0; i < 6; ++i) {
    const T w = a.c[i / 3].v[i % 3] * scale;
    for (int j = i; j < 6; ++j, ++m) C[m] += w * a.c[j / 3].v[j % 3];
  }
}

// [a b; b c] without its negative eigenvalue.
template <class T>
void project_plane(T& a, T& b, T& c) {
  const T mean = T(0.5) * (a + c), half = T(0.5) * (a - c), root = sqrt(half * half + b * b);
  const T low = mean - root, high = mean + root;
  const auto one = (low < T(0)) & (high > T(0));  // high (high - low)^-1 (A - low) remains
  const T scale = select(one, high / select(one, high - low, T(1)), select(high > T(0), T(1), T(0)));
  const T shift = select(one, low, T(0));
  a = (a - shift) * scale;
  b = b * scale;
  c = (c - shift) * scale;
}

template <class M, class T>
void membrane_point(const T* p, const Mat32<T>& F, const PointOptions& options, T& psi, Mat32<T>& P) {
  const PlaneSvd<T> f = plane_svd(F);
  const PlaneEnergy<T> W = plane_energy<M>(p, f.s[0], f.s[1], options.fixed_thickness);
  psi = W.W;
  P = plane_outer(f.u[0] * W.d[0], f.v[0]) + plane_outer(f.u[1] * W.d[1], f.v[1]);
}

// The second derivatives in the frame of the singular vectors.
template <class T>
struct PlaneModuli {
  T stretch[3];       // W_11 W_12 W_22
  T sum, difference;  // of the shears u_1 v_2^T + u_2 v_1^T and u_1 v_2^T - u_2 v_1^T, over their squares
  T across[2];        // of moves of the columns along n
  T slope[2];         // W_1 W_2
};

template <class M, class T>
PlaneModuli<T> plane_moduli(const T* p, const PlaneSvd<T>& f, const PointOptions& options) {
  const T least = T(1e-6), nearly = T(sizeof(math::ScalarOf<T>) == 8 ? 1e-5 : 1e-2);
  PlaneEnergy<T> W = plane_energy<M>(p, f.s[0], f.s[1], options.fixed_thickness);
  // Stretches that nearly meet take the limit of (W_1 - W_2) / (s_1 - s_2).
  const T apart = f.s[0] - f.s[1];
  const auto meet = apart < nearly * max(f.s[0], nearly);
  const T limit = T(0.5) * (W.dd[0] + W.dd[2]) - W.dd[1];
  PlaneModuli<T> r;
  r.sum = T(0.5) * select(meet, limit, (W.d[0] - W.d[1]) / select(meet, T(1), apart));
  r.difference = T(0.5) * (W.d[0] + W.d[1]) / max(f.s[0] + f.s[1], least);
  for (int i = 0; i < 2; ++i) {
    r.across[i] = W.d[i] / max(f.s[i], least);
    r.slope[i] = W.d[i];
  }
  if (definite(options.hessian)) {
    project_plane(W.dd[0], W.dd[1], W.dd[2]);
    r.sum = max(r.sum, T(0));
    r.difference = max(r.difference, T(0));
    for (T& value : r.across) value = max(value, T(0));
  }
  for (int k = 0; k < 3; ++k) r.stretch[k] = W.dd[k];
  return r;
}

template <class M, class T>
void linearise_membrane(const T* p, const Mat32<T>& F, const PointOptions& options, T* C) {
  const PlaneSvd<T> f = plane_svd(F);
  const PlaneModuli<T> W = plane_moduli<M>(p, f, options);
  for (int m = 0; m < membrane_upper_count; ++m) C[m] = T(0);
  const Mat32<T> e11 = plane_outer(f.u[0], f.v[0]), e22 = plane_outer(f.u[1], f.v[1]);
  add_square(C, e11, W.stretch[0] - W.stretch[1]);
  add_square(C, e22, W.stretch[2] - W.stretch[1]);
  add_square(C, e11 + e22, W.stretch[1]);
  const Mat32<T> e12 = plane_outer(f.u[0], f.v[1]), e21 = plane_outer(f.u[1], f.v[0]);
  add_square(C, e12 + e21, W.sum);
  add_square(C, e12 - e21, W.difference);
  for (int i = 0; i < 2; ++i) add_square(C, plane_outer(f.n, f.v[i]), W.across[i]);
}

// A += scale a a^T, A packed as 00 01 02 11 12 22
template <class T>
void add_square(T* A, const Vec3<T>& a, const T& scale) {
  for (int i = 0, m = 0; i < 3; ++i) {
    const T w = a[i] * scale;
    for (int j = i; j < 3; ++j, ++m) A[m] += w * a[j];
  }
}

// P g and the block of second derivatives in d where dF = d g^T.
template <class M, class T>
void membrane_node(const T* p, const Mat32<T>& F, const Vec2<T>& g, const PointOptions& options, Vec3<T>& Pg,
                   T* A) {
  const PlaneSvd<T> f = plane_svd(F);
  const PlaneModuli<T> W = plane_moduli<M>(p, f, options);
  const T w[2] = {dot(f.v[0], g), dot(f.v[1], g)};
  const Vec3<T> a = f.u[0] * w[0], b = f.u[1] * w[1], c = f.u[0] * w[1], d = f.u[1] * w[0];
  Pg = a * W.slope[0] + b * W.slope[1];
  for (int m = 0; m < 6; ++m) A[m] = T(0);
  add_square(A, a, W.stretch[0] - W.stretch[1]);
  add_square(A, b, W.stretch[2] - W.stretch[1]);
  add_square(A, a + b, W.stretch[1]);
  add_square(A, c + d, W.sum);
  add_square(A, c - d, W.difference);
  add_square(A, f.n, w[0] * w[0] * W.across[0] + w[1] * w[1] * W.across[1]);
}

// Laws in the Green strain E of the sheet, S = dpsi/dE: P = F S.
template <class M, class T>
Dual<T, 3> sheet_energy(const T* p, const Mat32<T>& F) {
  using S = Dual<T, 3>;
  const T E[3] = {T(0.5) * (dot(F.c[0], F.c[0]) - T(1)), T(0.5) * (dot(F.c[1], F.c[1]) - T(1)),
                  T(0.5) * dot(F.c[0], F.c[1])};
  return M::template psi<S>(p, Vec3<S>{S::variable(E[0], 0), S::variable(E[1], 1), S::variable(E[2], 2)});
}

template <class M, class T>
void sheet_point(const T* p, const Mat32<T>& F, T& psi, Mat32<T>& P) {
  const auto W = sheet_energy<M>(p, F);
  const T shear = T(0.5) * W.gradient[2];
  psi = W.value;
  P.c[0] = F.c[0] * W.gradient[0] + F.c[1] * shear;
  P.c[1] = F.c[0] * shear + F.c[1] * W.gradient[1];
}

template <class M, class T>
void linearise_sheet(const T* p, const Mat32<T>& F, T* C) {
  const auto W = sheet_energy<M>(p, F);
  const T S[3] = {W.gradient[0], W.gradient[1], T(0.5) * W.gradient[2]};
  // dE by each entry of F.
  T dE[6][3];
  for (int i = 0; i < 3; ++i) {
    const T f = F.c[0].v[i], g = F.c[1].v[i];
    dE[i][0] = f, dE[i][1] = T(0), dE[i][2] = T(0.5) * g;
    dE[3 + i][0] = T(0), dE[3 + i][1] = g, dE[3 + i][2] = T(0.5) * f;
  }
  for (int i = 0, m = 0; i < 6; ++i) {
    T w[3];
    for (int k = 0; k < 3; ++k)
      w[k] = dE[i][0] * W.hessian(0, k) + dE[i][1] * W.hessian(1, k) + dE[i][2] * W.hessian(2, k);
    for (int j = i; j < 6; ++j, ++m) {
      C[m] = w[0] * dE[j][0] + w[1] * dE[j][1] + w[2] * dE[j][2];
      if (i % 3 == j % 3) C[m] += S[i / 3 == j / 3 ? i / 3 : 2];
    }
  }
}

template <class M, class T>
void sheet_node(const T* p, const Mat32<T>& F, const Vec2<T>& g, const PointOptions& options, Vec3<T>& Pg,
                T* A) {
  T psi, C[membrane_upper_count];
  Mat32<T> P;
  sheet_point<M>(p, F, psi, P);
  Pg = P * g;
  linearise_sheet<M>(p, F, C);
  Mat3<T> block;
  for (int i = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k)
      block(i, k) = block(k, i) = C[upper<6>(i, k)] * g[0] * g[0] + C[upper<6>(3 + i, 3 + k)] * g[1] * g[1] +
                                  (C[upper<6>(i, 3 + k)] + C[upper<6>(k, 3 + i)]) * g[0] * g[1];
  if (definite(options.hessian)) block = definite_part(block);
  for (int i = 0, m = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k, ++m) A[m] = block(i, k);
}

template <class T>
Mat32<T> columns_at(const T* F, int64_t k) {
  const T* f = F + 6 * k;
  return {{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}}};
}

template <class M, class T>
void evaluate_membrane(int count, const T* params, int stride, const T* F, PointOptions options, T* psi,
                       T* P) {
  for (int64_t k = 0; k < count; ++k) {
    T energy;
    Mat32<T> stress;
    if constexpr (SheetMaterial<M>)
      sheet_point<M>(params + k * stride, columns_at(F, k), energy, stress);
    else
      membrane_point<M>(params + k * stride, columns_at(F, k), options, energy, stress);
    if (psi) psi[k] = energy;
    if (P)
      for (int m = 0; m < 6; ++m) P[6 * k + m] = stress.c[m / 3].v[m % 3];
  }
}

template <class M, class T>
void linearise_membranes(int count, const T* params, int stride, const T* F, PointOptions options, T* C) {
  for (int64_t k = 0; k < count; ++k, C += membrane_upper_count) {
    if constexpr (SheetMaterial<M>) {
      linearise_sheet<M>(params + k * stride, columns_at(F, k), C);
      if (definite(options.hessian)) math::project_psd_packed<6>(C);
    } else {
      linearise_membrane<M>(params + k * stride, columns_at(F, k), options, C);
    }
  }
}

template <class M, class T>
void node_of_membrane(const T* params, const T* F, const math::Vec<T, 2>& g, PointOptions options,
                      math::Vec3<T>& Pg, T* A) {
  if constexpr (SheetMaterial<M>)
    sheet_node<M>(params, columns_at(F, 0), g, options, Pg, A);
  else
    membrane_node<M>(params, columns_at(F, 0), g, options, Pg, A);
}

template <class M, class T>
void membrane_constraint(const T* params, const T* F, PointOptions options, T* C, T* G) {
  T psi;
  evaluate_membrane<M>(1, params, 0, F, options, &psi, G);
  *C = sqrt(max(psi + psi, T(0)));
  const T inverse = T(1) / *C;
  for (int m = 0; m < 6; ++m) G[m] = G[m] * inverse;
}

template <class M, class T>
void membrane_thickness(int count, const T* params, int stride, const T* F, PointOptions options,
                        T* stretch) {
  for (int64_t k = 0; k < count; ++k) {
    if constexpr (SheetMaterial<M>) {
      stretch[k] = T(1);
    } else {
      const PlaneSvd<T> f = plane_svd(columns_at(F, k));
      stretch[k] = options.fixed_thickness ? T(1) : free_thickness<M>(params + k * stride, f.s[0], f.s[1]);
    }
  }
}

// Laws in the invariants or stretches alone, and those of sheets.
template <class M>
inline constexpr bool has_membrane = [] {
  if constexpr (SheetMaterial<M>) return true;
  if constexpr (requires { M::principal; }) return true;
  if constexpr (requires { M::uses; }) return (M::uses & (uses_I4 | uses_I5)) == 0;
  return false;
}();

template <class M, class T>
constexpr MembraneKernels<T> membrane_kernels_of() {
  if constexpr (has_membrane<M>)
    return {&evaluate_membrane<M, T>, &linearise_membranes<M, T>, &node_of_membrane<M, T>,
            &membrane_constraint<M, T>, &membrane_thickness<M, T>};
  return {};
}

}  // namespace detail
}  // namespace sinew::material
