#pragma once
// Neo-Hookean split into a volume-preserving and a volumetric part (Abaqus, CalculiX: C10 = mu/2, D1 = 2/kappa).
#include "material/isotropic.h"

namespace sinew::material::neo_hookean_decoupled {

struct Material : LameLaw {
  static constexpr auto title = "Neo-Hookean, decoupled";
  static constexpr auto formula = "mu/2 (J^(-2/3) I - 3) + kappa/2 (J - 1)^2, kappa = lambda + 2/3 mu";
  static constexpr auto source =
      "Ogden: Nearly isochoric elastic deformations: application to rubberlike solids, 1978";
  static constexpr unsigned uses = uses_I | uses_J;

  static void convert(const double* field, double* p) {
    const Lame lame = Lame::from(field[0], field[1]);
    p[0] = lame.mu;
    p[1] = lame.lambda + 2.0 / 3.0 * lame.mu;
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    return 0.5 * p[0] * (isochoric_factor<T>(i.J) * i.I - 3.0) + volume(p, i.J);
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[1], J);
  }
};

}  // namespace sinew::material::neo_hookean_decoupled
