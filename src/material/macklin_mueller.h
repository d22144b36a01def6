#pragma once
// Stable neo-Hookean with the constants as its constraint form prints them: at small strain lambda acts as
// lambda - mu. stable_neo_hookean is the same energy with lambda + mu in place of lambda, which keeps the moduli.
#include "material/stable_neo_hookean.h"

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

struct Material : stable_neo_hookean::Material {
  static constexpr auto title = "Neo-Hookean, Macklin-Mueller";
  static constexpr auto formula = "mu/2 (I - 3) + lambda/2 (J - 1 - mu/lambda)^2 - mu^2/(2 lambda)";
  static constexpr auto source =
      "Macklin, Mueller: A Constraint-based Formulation of Stable Neo-Hookean Materials, 2021";
  static constexpr Fields fields = constraint_fields;
  static constexpr Traits traits{.lame = false};

  static void convert(const double* field, double* p) { LameLaw::convert(field, p); }
};

}  // namespace sinew::material::macklin_mueller
