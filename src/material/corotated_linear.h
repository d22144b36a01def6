#pragma once
// Corotated linear elasticity: Hooke's law in the frame that turns with the element.
#include "material/isotropic.h"

namespace sinew::material::corotated_linear {

struct Material : LameLaw {
  static constexpr auto title = "Corotated, linear volume term";
  static constexpr auto formula = "mu |F - R|^2 + lambda/2 (tr(R^T F) - 3)^2, R the rotation of F";
  static constexpr auto source = "Muller, Gross: Interactive Virtual Materials, 2004";
  static constexpr Fields fields = lame_fields_from_0;
  static constexpr unsigned uses = uses_s | uses_I;

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const T mu = p[0], lambda = p[1];
    const S e = i.s - 3.0;
    return mu * (i.I - i.s - i.s + 3.0) + 0.5 * lambda * e * e;
  }
};

}  // namespace sinew::material::corotated_linear
