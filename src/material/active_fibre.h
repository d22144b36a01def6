#pragma once
// A constant active stress along a fibre, to be added to a passive law: of second Piola-Kirchhoff kind, T f f^T, or of
// first kind, T along the deformed fibre per rest area.
#include "material/isotropic.h"

namespace sinew::material::active_fibre {

inline constexpr Field active_fields[] = {
    {.name = "tension", .unit = "Pa", .doc = "Active stress T.", .min = 0, .reason = "fibres pull"},
    {.name = "nominal",
     .kind = Field::Kind::boolean,
     .doc = "The force per rest area is constant, psi = T (|F f| - 1); otherwise psi = T/2 (|F f|^2 - 1).",
     .initial = "false"},
    fibre_field,
};

struct Material {
  static constexpr auto title = "Active fibre stress";
  static constexpr auto formula = "T/2 (|F f|^2 - 1), or T (|F f| - 1) if nominal";
  static constexpr auto source =
      "Ambrosi, Pezzuto: Active stress vs. active strain in mechanobiology: constitutive issues, 2012";
  static constexpr Fields fields = active_fields;
  static constexpr Traits traits{.isotropic = false, .rest_stable = false, .lame = false};
  static constexpr int param_count = 5;
  static constexpr unsigned uses = uses_I4;
  static constexpr int fibre = 2;

  static void convert(const double* field, double* p) {
    p[0] = field[0];
    p[1] = field[1];
    convert_fibre(field + 2, p + 2);
  }

  // The root is continued by its tangent below |F f| = 0.01.
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const double least = 1e-4;
    const S length = sqrt(max(i.I4, S(least))) + 50.0 * min(i.I4 - least, S(0.0));
    return p[0] * select(p[1] > T(0.5), length - 1.0, 0.5 * (i.I4 - 1.0));
  }
};

}  // namespace sinew::material::active_fibre
