#pragma once
// Fixed corotated elasticity.
#include "material/isotropic.h"

namespace sinew::material::corotated {

struct Material : LameLaw {
  static constexpr auto title = "Fixed corotated";
  static constexpr auto formula = "mu |F - R|^2 + lambda/2 (J - 1)^2, R the rotation of F";
  static constexpr auto source =
      "Stomakhin, Howes, Schroeder, Teran: Energetically Consistent Invertible Elasticity, 2012";
  static constexpr Fields fields = lame_fields_from_0;
  static constexpr unsigned uses = uses_s | uses_I | uses_J;

  // |F - R|^2 = I - 2 s + 3
  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    const T mu = p[0];
    return mu * (i.I - i.s - i.s + 3.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[1], J);
  }

  // Where mu (t - 1)^2 + lambda/2 (a b t - 1)^2 is least.
  template <class T>
  static T free_thickness(const T* p, const T& a, const T& b) {
    const T J = a * b, twice = p[0] + p[0];
    return (twice + p[1] * J) / (twice + p[1] * J * J);
  }

  template <class S, class T>
  static S shape_constraint(const T* p, const Invariants<S>& i) {
    return sqrt(2.0 * p[0] * (i.I - i.s - i.s + 3.0));
  }
  template <class S, class T>
  static S volume_constraint(const T* p, const S& J) {
    return sqrt(p[1]) * (J - 1.0);
  }

  template <class T>
  static ClosedDerivatives<T> closed_derivatives(const T* p, const T& J) {
    return {T(-2) * p[0], p[0], p[1] * (J - T(1)), p[1]};
  }
};

}  // namespace sinew::material::corotated
