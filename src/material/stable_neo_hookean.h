#pragma once
// Stable neo-Hookean without the logarithm: defined for every F, inverted ones included.
#include "material/isotropic.h"

namespace sinew::material::stable_neo_hookean {

struct Material : LameLaw {
  static constexpr auto title = "Stable neo-Hookean";
  static constexpr auto formula =
      "mu/2 (I - 3) + (lambda + mu)/2 (J - a)^2 - mu^2/(2 (lambda + mu)), a = 1 + mu/(lambda + mu)";
  static constexpr auto source =
      "Smith, de Goes, Kim: Stable Neo-Hookean Flesh Simulation, 2018 (without its log term)";
  static constexpr unsigned uses = uses_I | uses_J;

  static void convert(const double* field, double* p) {
    const Lame lame = Lame::from(field[0], field[1]);
    p[0] = lame.mu;
    p[1] = lame.lambda + lame.mu;
  }

  // (J - a)^2 - (1 - a)^2 = (J - 1)(J - 1 - 2 mu/kappa): no constant is left to cancel.
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return 0.5 * p[0] * (i.I - 3.0) - p[0] * (i.J - 1.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[1], J);
  }

  template <class S, class T>
  static S shape_constraint(const T* p, const Invariants<S>& i) {
    return neo_hookean_shape(p[0], i.I);
  }
  template <class S, class T>
  static S volume_constraint(const T* p, const S& J) {
    return neo_hookean_volume(p[0], p[1], J);
  }

  template <class T>
  static ClosedDerivatives<T> closed_derivatives(const T* p, const T& J) {
    return {T(0), T(0.5) * p[0], p[1] * (J - T(1)) - p[0], p[1]};
  }
};

}  // namespace sinew::material::stable_neo_hookean
