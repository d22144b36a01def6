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
};

}  // namespace sinew::material::stvk
