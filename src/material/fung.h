#pragma once
// Fung's exponential in the first isochoric invariant: soft tissue that stiffens with stretch in every direction.
#include "material/isotropic.h"

namespace sinew::material::fung {

inline constexpr Field fung_fields[] = {
    young_field,
    lame_fields[1],
    {.name = "stiffening",
     .unit = "1",
     .doc = "The exponent b; small values approach neo_hookean_decoupled.",
     .min = 1e-4,
     .max = 1000,
     .reason = "the law divides by it, and digits are lost below",
     .initial = "1"},
};

struct Material : LameLaw {
  static constexpr auto title = "Fung, isotropic exponential";
  static constexpr auto formula =
      "mu/(2 b) (exp(b (J^(-2/3) I - 3)) - 1) + kappa/2 (J - 1)^2; beyond exp(10) its tangent";
  static constexpr auto source = "Demiray: A note on the elasticity of soft biological tissues, 1972";
  static constexpr Fields fields = fung_fields;
  static constexpr int param_count = 3;
  static constexpr unsigned uses = uses_I | uses_J;

  static void convert(const double* field, double* p) {
    const Lame lame = Lame::from(field[0], field[1]);
    p[0] = lame.mu / (2 * field[2]);
    p[1] = lame.lambda + 2.0 / 3.0 * lame.mu;
    p[2] = field[2];
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const S Q = p[2] * (isochoric_factor<T>(i.J) * i.I - 3.0);
    return p[0] * (bounded_exp(Q) - 1.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[1], J);
  }
};

}  // namespace sinew::material::fung
