#pragma once
// As rigid as possible: the distance of F to its rotation, without resistance to a change of volume as such.
#include "material/isotropic.h"

namespace sinew::material::arap {

inline constexpr Field arap_fields[] = {{.name = "mu",
                                         .unit = "Pa",
                                         .doc = "Shear modulus at small strain.",
                                         .min = 0,
                                         .min_open = true,
                                         .reason = "a material without stiffness has no equilibrium"}};

struct Material {
  static constexpr auto title = "As rigid as possible";
  static constexpr auto formula = "mu |F - R|^2, R the rotation of F";
  static constexpr auto source =
      "Chao, Pinkall, Sanan, Schroeder: A Simple Geometric Model for Elastic Deformations, 2010";
  static constexpr Fields fields = arap_fields;
  static constexpr Traits traits{.lame = false};
  static constexpr int param_count = 1;
  static constexpr unsigned uses = uses_s | uses_I;

  static void convert(const double* field, double* p) { p[0] = field[0]; }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return p[0] * (i.I - i.s - i.s + 3.0);
  }

  template <class T>
  static ClosedDerivatives<T> closed_derivatives(const T* p, const T&) {
    return {T(-2) * p[0], p[0], T(0), T(0)};
  }
};

}  // namespace sinew::material::arap
