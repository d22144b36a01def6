#pragma once
// Compressible neo-Hookean with Ciarlet's volume term, which is polyconvex.
#include "material/isotropic.h"

namespace sinew::material::neo_hookean_ciarlet {

struct Material : LameLaw {
  static constexpr auto title = "Neo-Hookean, Ciarlet";
  static constexpr auto formula = "mu/2 (I - 3) + lambda/4 (J^2 - 1) - (lambda/2 + mu) ln J";
  static constexpr auto source = "Ciarlet: Mathematical Elasticity I, 1988";
  static constexpr Fields fields = lame_fields_from_0;
  static constexpr unsigned uses = uses_I | uses_J;

  template <class T, class S>
  static S log_of(const S& J) {
    return extended<T>(J, [](const auto& j) { return log(j); });
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const T mu = p[0], lambda = p[1];
    return 0.5 * mu * (i.I - 3.0) + 0.25 * lambda * (i.J * i.J - 1.0) - (0.5 * lambda + mu) * log_of<T>(i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    const T lambda = p[1];
    return 0.25 * lambda * (J * J - 1.0) - 0.5 * lambda * log_of<T>(J);
  }
};

}  // namespace sinew::material::neo_hookean_ciarlet
