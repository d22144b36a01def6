#pragma once
// Yeoh: a cubic in the first isochoric invariant, for rubber that stiffens at large stretch.
#include "material/isotropic.h"

namespace sinew::material::yeoh {

inline constexpr Field yeoh_fields[] = {
    {.name = "c10",
     .unit = "Pa",
     .doc = "Half the shear modulus at small strain.",
     .min = 0,
     .min_open = true,
     .reason = "a material without shear stiffness flows"},
    {.name = "c20", .unit = "Pa", .doc = "Factor of the square.", .initial = "0"},
    {.name = "c30",
     .unit = "Pa",
     .doc = "Factor of the cube.",
     .min = 0,
     .reason = "a falling cube has no lower bound",
     .initial = "0"},
    bulk_field,
};

struct Material {
  static constexpr auto title = "Yeoh";
  static constexpr auto formula = "c10 e + c20 e^2 + c30 e^3 + bulk/2 (J - 1)^2, e = J^(-2/3) I - 3";
  static constexpr auto source = "Yeoh: Some forms of the strain energy function for rubber, 1993";
  static constexpr Fields fields = yeoh_fields;
  static constexpr Traits traits{.lame = false};
  static constexpr int param_count = 4;
  static constexpr unsigned uses = uses_I | uses_J;

  static void convert(const double* field, double* p) {
    for (int k = 0; k < 4; ++k) p[k] = field[k];
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const S e = isochoric_factor<T>(i.J) * i.I - 3.0;
    return e * (p[0] + e * (p[1] + e * p[2])) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[3], J);
  }
};

}  // namespace sinew::material::yeoh
