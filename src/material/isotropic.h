#pragma once
// The parts that a material header is written with: invariants, fields, the continuation past inversion.
//
//     s = tr S = sigma_1 + sigma_2 + sigma_3      (S the stretch of F = R S)
//     I = |F|^2,   II = |F^T F|^2,   J = det F
//     I4 = |F f|^2,   I5 = |F^T F f|^2             (f the unit fibre direction at rest)
//
// A law is psi(params, invariants) for any scalar type; its derivatives come from second-order dual numbers in
// the invariants that it says it uses. One that uses I4 or I5 is anisotropic and says where f stands among its
// parameters. A law in the stretches themselves is psi(params, sigma) with `principal = true`.
#include <cmath>

#include "material/law.h"
#include "math/dual.h"

namespace sinew::material {

enum Invariant : unsigned { uses_s = 1, uses_I = 2, uses_II = 4, uses_J = 8, uses_I4 = 16, uses_I5 = 32 };
inline constexpr int invariant_count = 6;

template <class S>
struct Invariants {
  S s, I, II, J, I4, I5;
};

// A law psi = a s + b I + h(J) with a <= 0 <= h'' may give its derivatives in closed form, closed_derivatives(params, J): the node
// kernels are then short, and what they leave out bounds the energy from above (material/node_kernels.h).
template <class T>
struct ClosedDerivatives {
  T s, I, J, JJ;
};

// Below this det F the laws with a logarithm or a negative power of J are continued by their second-order
// Taylor polynomial in J: defined and smooth for inverted elements.
inline constexpr double extension_start = 0.01;

// h(J) for J >= extension_start, its Taylor polynomial of degree two below.
template <class T, class S, class H>
S extended(const S& J, const H& h) {
  const T J0 = T(extension_start);
  const auto h0 = h(math::Dual<T, 1>::variable(J0, 0));
  const S below = J - J0;
  const S taylor = h0.value + below * (h0.gradient[0] + 0.5 * h0.hessian(0, 0) * below);
  return select(J < S(J0), taylor, h(max(J, S(J0))));
}

// exp(Q) up to Q = 10, its tangent beyond: an exponential law stays finite however far a solver strays.
template <class S>
S bounded_exp(const S& Q) {
  const double most = 10, e = 22026.465794806718;
  return select(Q > S(most), e * (Q - (most - 1.0)), exp(min(Q, S(most))));
}

inline constexpr Field young_field = {.name = "young",
                                      .unit = "Pa",
                                      .doc = "Young's modulus E at small strain.",
                                      .min = 0,
                                      .min_open = true,
                                      .reason = "a material without stiffness has no equilibrium"};

inline constexpr Field lame_fields[] = {
    young_field,
    {.name = "poisson",
     .unit = "1",
     .doc = "Poisson's ratio nu at small strain.",
     .min = -1,
     .max = 0.5,
     .min_open = true,
     .max_open = true,
     .reason = "at 0.5 the bulk modulus is infinite; use 0.49 or less for nearly incompressible bodies"},
};

// For laws whose energy has no lower bound where lambda < 0.
inline constexpr Field lame_fields_from_0[] = {
    young_field,
    {.name = "poisson",
     .unit = "1",
     .doc = "Poisson's ratio nu at small strain.",
     .min = 0,
     .max = 0.5,
     .max_open = true,
     .reason = "below 0 the energy of this law has no lower bound; at 0.5 the bulk modulus is infinite"},
};

inline constexpr Field bulk_field = {.name = "bulk",
                                     .unit = "Pa",
                                     .doc = "Bulk modulus kappa.",
                                     .min = 0,
                                     .min_open = true,
                                     .reason = "a body without resistance to volume change collapses"};

inline constexpr Field fibre_field = {.name = "fibre",
                                      .kind = Field::Kind::vector3,
                                      .doc = "Direction of the fibres at rest, of any length but 0."};

// The fibre field as kernel parameters: a unit vector.
inline void convert_fibre(const double* field, double* p) {
  const double length = std::hypot(field[0], field[1], field[2]);
  for (int i = 0; i < 3; ++i) p[i] = length > 0 ? field[i] / length : (i == 0 ? 1.0 : 0.0);
}

// kappa/2 (J - 1)^2
template <class S, class T>
S squared_volume_change(const T& kappa, const S& J) {
  const S j = J - 1.0;
  return 0.5 * kappa * j * j;
}
// mu/2 I + kappa/2 (J - 1 - mu/kappa)^2 is (C_shape^2 + C_volume^2)/2 (Macklin, Mueller: A Constraint-based Formulation of
// Stable Neo-Hookean Materials, 2021).
template <class S, class T>
S neo_hookean_shape(const T& mu, const S& I) {
  return sqrt(mu * I);
}
template <class S, class T>
S neo_hookean_volume(const T& mu, const T& kappa, const S& J) {
  return sqrt(kappa) * (J - 1.0 - mu / kappa);
}
// kappa/2 (log J)^2, continued past inversion.
template <class S, class T>
S squared_log_volume(const T& kappa, const S& J) {
  return 0.5 * kappa * extended<T>(J, [](const auto& j) {
           const auto l = log(j);
           return l * l;
         });
}
// J^(-2/3), continued past inversion.
template <class T, class S>
S isochoric_factor(const S& J) {
  return extended<T>(J, [](const auto& j) { return pow(j, -2.0 / 3.0); });
}

// The base of most laws: fields young and poisson, parameters mu and lambda. A law with other parameters hides convert.
struct LameLaw {
  static constexpr Fields fields = lame_fields;
  static constexpr Traits traits{};
  static constexpr int param_count = 2;

  static void convert(const double* field, double* p) {
    const Lame lame = Lame::from(field[0], field[1]);
    p[0] = lame.mu;
    p[1] = lame.lambda;
  }
};

}  // namespace sinew::material
