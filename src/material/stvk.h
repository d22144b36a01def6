#pragma once
// St. Venant-Kirchhoff: linear elasticity in the Green strain. Soft under compression; it has no barrier.
#include "material/isotropic.h"

namespace sinew::material::stvk {

struct Material : LameLaw {
  static constexpr auto title = "St. Venant-Kirchhoff";
  static constexpr auto formula = "mu E:E + lambda/2 (tr E)^2, E = (F^T F - 1)/2";
  static constexpr auto source = "Ciarlet: Mathematical Elasticity I, 1988";
  static constexpr unsigned uses = uses_I | uses_II;

  // E:E = (II - 2 I + 3)/4, tr E = (I - 3)/2
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const T mu = p[0], lambda = p[1];
    const S e = i.I - 3.0;
    return 0.25 * mu * (i.II - i.I - i.I + 3.0) + 0.125 * lambda * e * e;
  }

  // E_33 = -lambda/(lambda + 2 mu) (E_11 + E_22), also where a thickness with this strain would be none.
  template <class S, class T>
  static S plane_stress(const T* p, const math::Vec<S, 2>& sigma) {
    const T mu = p[0], lambda = T(2) * mu * p[1] / (p[1] + T(2) * mu);
    const S a = 0.5 * (sigma[0] * sigma[0] - 1.0), b = 0.5 * (sigma[1] * sigma[1] - 1.0);
    return mu * (a * a + b * b) + 0.5 * lambda * (a + b) * (a + b);
  }
  template <class T>
  static T free_thickness(const T* p, const T& a, const T& b) {
    const T squared = T(1) - p[1] / (p[1] + T(2) * p[0]) * (a * a + b * b - T(2));
    return sqrt(max(squared, T(0)));
  }
};

}  // namespace sinew::material::stvk
