#pragma once
// Linear elasticity: for small rotations only, and as the reference for the others.
#include "material/isotropic.h"
#include "math/mat.h"

namespace sinew::material::linear {

struct Material : LameLaw {
  static constexpr auto title = "Linear elasticity";
  static constexpr auto formula = "mu e:e + lambda/2 (tr e)^2, e = (F + F^T)/2 - 1";
  static constexpr auto source = "Hooke's law";
  // Rotating the body strains it: neither objective nor, in the finite sense, isotropic.
  static constexpr Traits traits{.isotropic = false, .objective = false};
  static constexpr bool convex = true;  // its Hessian needs no projection

  template <class S, class T>
  static S psi(const T* p, const math::Mat3<S>& F) {
    const T mu = p[0], lambda = p[1];
    S ee(0.0), tr(0.0);
    for (int i = 0; i < 3; ++i) {
      const S d = F(i, i) - 1.0;
      tr += d;
      ee += d * d;
      for (int j = i + 1; j < 3; ++j) {
        const S twice = F(i, j) + F(j, i);
        ee += 0.5 * twice * twice;
      }
    }
    return mu * ee + 0.5 * lambda * tr * tr;
  }
};

}  // namespace sinew::material::linear
