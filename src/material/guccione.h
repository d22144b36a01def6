#pragma once
// Guccione: passive heart muscle, an exponential of the Green strain with one stiff direction.
#include "material/isotropic.h"

namespace sinew::material::guccione {

inline constexpr std::string_view exponent_reason = "a negative exponent softens without end";
inline constexpr Field guccione_fields[] = {
    {.name = "c",
     .unit = "Pa",
     .doc = "Scale of the stress.",
     .min = 0,
     .min_open = true,
     .reason = "a material without stiffness has no equilibrium"},
    {.name = "b_f",
     .unit = "1",
     .doc = "Exponent along the fibre.",
     .min = 0,
     .min_open = true,
     .reason = exponent_reason,
     .initial = "8"},
    {.name = "b_t",
     .unit = "1",
     .doc = "Exponent across the fibre.",
     .min = 0,
     .min_open = true,
     .reason = exponent_reason,
     .initial = "2"},
    {.name = "b_fs",
     .unit = "1",
     .doc = "Exponent of shear along the fibre.",
     .min = 0,
     .min_open = true,
     .reason = exponent_reason,
     .initial = "4"},
    bulk_field,
    fibre_field,
};

struct Material {
  static constexpr auto title = "Guccione";
  static constexpr auto formula =
      "c/2 (exp(Q) - 1) + bulk/2 (J - 1)^2, Q = b_f E11^2 + b_t (E22^2 + E33^2 + 2 E23^2) + 2 b_fs (E12^2 + "
      "E13^2), E "
      "= (F^T F - 1)/2 with axis 1 along the fibre; beyond exp(10) its tangent";
  static constexpr auto source =
      "Guccione, McCulloch, Waldman: Passive material properties of intact ventricular myocardium determined "
      "from a "
      "cylindrical model, 1991";
  static constexpr Fields fields = guccione_fields;
  static constexpr Traits traits{.isotropic = false, .lame = false};
  static constexpr int param_count = 8;
  static constexpr unsigned uses = uses_I | uses_II | uses_J | uses_I4 | uses_I5;
  static constexpr int fibre = 5;

  static void convert(const double* field, double* p) {
    for (int k = 0; k < 5; ++k) p[k] = field[k];
    convert_fibre(field + 5, p + 5);
  }

  // E:E = (II - 2 I + 3)/4, E11 = (I4 - 1)/2, E11^2 + E12^2 + E13^2 = |E f|^2 = (I5 - 2 I4 + 1)/4.
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const S all = 0.25 * (i.II - i.I - i.I + 3.0), row = 0.25 * (i.I5 - i.I4 - i.I4 + 1.0);
    const S along = 0.5 * (i.I4 - 1.0), along2 = along * along, shear = row - along2;
    const S Q = p[1] * along2 + p[2] * (all - along2 - shear - shear) + 2.0 * (p[3] * shear);
    return 0.5 * p[0] * (bounded_exp(Q) - 1.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[4], J);
  }
};

}  // namespace sinew::material::guccione
