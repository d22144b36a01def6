#pragma once
// Compressible neo-Hookean with logarithms of J (Bonet-Wood; FEBio's "neo-Hookean").
#include "material/isotropic.h"

namespace sinew::material::neo_hookean {

struct Material : LameLaw {
  static constexpr auto title = "Neo-Hookean, logarithmic";
  static constexpr auto formula = "mu/2 (I - 3) - mu ln J + lambda/2 (ln J)^2";
  static constexpr auto source =
      "Bonet, Wood: Nonlinear Continuum Mechanics for Finite Element Analysis, 1997";
  static constexpr Fields fields = lame_fields_from_0;
  static constexpr unsigned uses = uses_I | uses_J;

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const T mu = p[0], lambda = p[1];
    return 0.5 * mu * (i.I - 3.0) + extended<T>(i.J, [&](const auto& J) {
             using R = std::decay_t<decltype(J)>;
             const R l = log(J);
             return l * (0.5 * lambda * l - mu);
           });
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_log_volume(p[1], J);
  }
};

}  // namespace sinew::material::neo_hookean
