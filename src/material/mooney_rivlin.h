#pragma once
// Mooney-Rivlin in the isochoric invariants (Abaqus, CalculiX: C10, C01, D1 = 2/bulk).
#include "material/isotropic.h"

namespace sinew::material::mooney_rivlin {

inline constexpr Field mooney_fields[] = {
    {.name = "c10",
     .unit = "Pa",
     .doc = "Factor of the first invariant; mu = 2 (c10 + c01) at small strain."},
    {.name = "c01", .unit = "Pa", .doc = "Factor of the second invariant."},
    bulk_field,
};

struct Material {
  static constexpr auto title = "Mooney-Rivlin";
  static constexpr auto formula = "c10 (J^(-2/3) I - 3) + c01 (J^(-4/3) (I^2 - II)/2 - 3) + bulk/2 (J - 1)^2";
  static constexpr auto source = "Rivlin: Large elastic deformations of isotropic materials IV, 1948";
  static constexpr Fields fields = mooney_fields;
  static constexpr Traits traits{.lame = false};
  static constexpr int param_count = 3;
  static constexpr unsigned uses = uses_I | uses_II | uses_J;

  static void convert(const double* field, double* p) {
    for (int k = 0; k < 3; ++k) p[k] = field[k];
  }

  // c10 (I1 - 3) + c01 (I2 - 3), the isochoric invariants.
  template <class S, class T>
  static S isochoric(const T& c10, const T& c01, const Invariants<S>& i) {
    const S second = extended<T>(i.J, [](const auto& j) { return pow(j, -4.0 / 3.0); });
    return c10 * (isochoric_factor<T>(i.J) * i.I - 3.0) + c01 * (0.5 * second * (i.I * i.I - i.II) - 3.0);
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return isochoric(p[0], p[1], i) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[2], J);
  }
};

}  // namespace sinew::material::mooney_rivlin
