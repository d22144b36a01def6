#pragma once
// Stable neo-Hookean with the logarithm that removes the second rest state at F = 0.
#include "material/isotropic.h"

namespace sinew::material::stable_neo_hookean_log {

struct Material : LameLaw {
  static constexpr auto title = "Stable neo-Hookean with origin barrier";
  static constexpr auto formula =
      "m/2 (I - 3) + l/2 (J - a)^2 - m/2 ln((1 + I)/4) - l/2 (1 - a)^2, m = 4/3 mu, l = lambda + 5/6 mu, a = "
      "1 + 3/4 m/l";
  static constexpr auto source = "Smith, de Goes, Kim: Stable Neo-Hookean Flesh Simulation, 2018";
  static constexpr unsigned uses = uses_I | uses_J;

  static void convert(const double* field, double* p) {
    const Lame lame = Lame::from(field[0], field[1]);
    p[0] = 4.0 / 3.0 * lame.mu;
    p[1] = lame.lambda + 5.0 / 6.0 * lame.mu;
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const T mu = p[0];
    return 0.5 * mu * (i.I - 3.0 - log((1.0 + i.I) * 0.25)) - 0.75 * mu * (i.J - 1.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[1], J);
  }
};

}  // namespace sinew::material::stable_neo_hookean_log
