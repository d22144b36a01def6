#pragma once
// Orthotropic St. Venant-Kirchhoff for woven cloth: stiff along warp and weft, soft in shear. The axes are those of the body's
// material, warp first.
#include "material/isotropic.h"

namespace sinew::material::orthotropic {

inline constexpr Field orthotropic_fields[] = {
    {.name = "young_warp",
     .unit = "Pa",
     .doc = "Young's modulus along the warp.",
     .min = 0,
     .min_open = true,
     .reason = "a material without stiffness has no equilibrium"},
    {.name = "young_weft",
     .unit = "Pa",
     .doc = "Young's modulus along the weft.",
     .min = 0,
     .min_open = true,
     .reason = "a material without stiffness has no equilibrium"},
    {.name = "poisson",
     .unit = "1",
     .doc =
         "Contraction of the weft over the stretch of the warp; its square is below young_warp / young_weft.",
     .min = -10,
     .max = 10,
     .reason = "larger ratios are not known of cloth"},
    {.name = "shear",
     .unit = "Pa",
     .doc = "Shear modulus between warp and weft.",
     .min = 0,
     .min_open = true,
     .reason = "a material without stiffness has no equilibrium"},
};

struct Material {
  static constexpr auto title = "Orthotropic St. Venant-Kirchhoff";
  static constexpr auto formula =
      "(Q_11 E_11^2 + 2 Q_12 E_11 E_22 + Q_22 E_22^2)/2 + 2 shear E_12^2, E = (F^T F - 1)/2 in warp and "
      "weft, "
      "Q_11 = young_warp/D, Q_22 = young_weft/D, Q_12 = poisson young_weft/D, D = 1 - poisson^2 "
      "young_weft/young_warp";
  static constexpr auto source = "Jones: Mechanics of Composite Materials, 1999, plane stress";
  static constexpr Fields fields = orthotropic_fields;
  static constexpr Traits traits{.isotropic = false, .lame = false};
  static constexpr int param_count = 4;
  static constexpr bool sheet = true;

  static void convert(const double* field, double* p) {
    const double D = 1 - field[2] * field[2] * field[1] / field[0];
    p[0] = field[0] / D;
    p[1] = field[2] * field[1] / D;
    p[2] = field[1] / D;
    p[3] = field[3];
  }

  template <class S, class T>
  static S psi(const T* p, const math::Vec3<S>& E) {
    return 0.5 * (p[0] * E[0] * E[0] + p[2] * E[1] * E[1]) + p[1] * E[0] * E[1] + 2.0 * p[3] * E[2] * E[2];
  }
};

}  // namespace sinew::material::orthotropic
