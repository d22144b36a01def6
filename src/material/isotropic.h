#pragma once
// What a material header is written with: the invariants, the Lame fields, the continuation past inversion.
//
//     s = tr S = sigma_1 + sigma_2 + sigma_3      (S the stretch of F = R S)
//     I = |F|^2,   II = |F^T F|^2,   J = det F
//
// An isotropic law is psi(params, invariants) for any scalar type; its derivatives come from second-order
// dual numbers in the invariants that it says it uses.
#include "material/law.h"
#include "math/dual.h"
#include "math/pack.h"

namespace sinew::material {

enum Invariant : unsigned { uses_s = 1, uses_I = 2, uses_II = 4, uses_J = 8 };

template <class S>
struct Invariants {
  S s, I, II, J;
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

struct Lame {
  double mu, lambda;
  static Lame from(double young, double poisson) {
    return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
  }
};

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

// What most laws share: fields young and poisson, parameters mu and lambda. A law with other parameters hides convert.
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
