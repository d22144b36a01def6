#pragma once
// Stable neo-Hookean with the constants as its constraint form prints them: at small strain lambda acts as
// lambda - mu. stable_neo_hookean is the same energy with lambda + mu in place of lambda, which keeps the moduli.
#include "material/isotropic.h"

namespace sinew::material::macklin_mueller {

inline constexpr Field constraint_fields[] = {
    young_field,
    {.name = "poisson",
     .unit = "1",
     .doc = "Poisson's ratio from which lambda is computed; the ratio at small strain is lower.",
     .min = 0.125,
     .max = 0.5,
     .min_open = true,
     .max_open = true,
     .reason = "at 0.125 and below this form has no stiffness against volume change at rest"},
};

struct Material : LameLaw {
  static constexpr auto title = "Neo-Hookean, Macklin-Mueller";
  static constexpr auto formula = "mu/2 (I - 3) + lambda/2 (J - 1 - mu/lambda)^2 - mu^2/(2 lambda)";
  static constexpr auto source =
      "Macklin, Mueller: A Constraint-based Formulation of Stable Neo-Hookean Materials, 2021";
  static constexpr Fields fields = constraint_fields;
  static constexpr Traits traits{.lame = false};
  static constexpr unsigned uses = uses_I | uses_J;

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return 0.5 * p[0] * (i.I - 3.0) - p[0] * (i.J - 1.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[1], J);
  }

  template <class S, class T>
  static S shape_constraint(const T* p, const Invariants<S>& i) {
    return neo_hookean_shape(p[0], i.I);
  }
  template <class S, class T>
  static S volume_constraint(const T* p, const S& J) {
    return neo_hookean_volume(p[0], p[1], J);
  }

  template <class T>
  static Slopes<T> slopes(const T* p, const T& J) {
    return {T(0), T(0.5) * p[0], p[1] * (J - T(1)) - p[0], p[1]};
  }
};

}  // namespace sinew::material::macklin_mueller
