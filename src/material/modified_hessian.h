#pragma once
// The modified Hessian of an isotropic law: twice the shear modulus in every direction, and the dyad of volume change,
//
//     C = 2 mu 1 + lambda cof F cof F^T,   eigenvalues 2 mu (eight times) and 2 mu + lambda |cof F|^2,
//
// mu and lambda those of small strain (model::rest_lame), whatever the law (Chen, Han, Chen, Teran:
// Position-Based Nonlinear Gauss-Seidel for Quasistatic Hyperelasticity, 2023). Definite for every F, inverted ones included, and
// without an SVD; not the derivative of the stress, so that Newton's method with it converges linearly.
#include "material/law.h"
#include "math/mat.h"

namespace sinew::material {

// C (45 numbers) at one F; T a pack or a number.
template <class T>
void modified_hessian(const T& mu, const T& lambda, const math::Mat3<T>& F, T* C) {
  const math::Mat3<T> cof = cofactor(F);
  for (int a = 0, m = 0; a < 9; ++a) {
    const T scaled = lambda * cof.c[a / 3].v[a % 3];
    for (int b = a; b < 9; ++b, ++m) C[m] = scaled * cof.c[b / 3].v[b % 3];
    C[upper(a, a)] += mu + mu;
  }
}

}  // namespace sinew::material
