#pragma once
// Ogden: powers of the isochoric stretches, up to three of them. The powers are continued below a stretch of 0.1
// by their Taylor polynomials of degree two, as J^(-1/3) is below J = 0.01.
#include "material/isotropic.h"
#include "math/vec.h"

namespace sinew::material::ogden {

inline constexpr std::string_view modulus_doc =
    "Modulus of a term; mu = sum mu_k alpha_k / 2 at small strain.";
inline constexpr std::string_view exponent_doc = "Exponent of the term.";
inline constexpr std::string_view exponent_reason = "larger powers overflow";
inline constexpr Field ogden_fields[] = {
    {.name = "mu1", .unit = "Pa", .doc = modulus_doc},
    {.name = "alpha1", .unit = "1", .doc = exponent_doc, .min = -30, .max = 30, .reason = exponent_reason},
    {.name = "mu2", .unit = "Pa", .doc = modulus_doc, .initial = "0"},
    {.name = "alpha2",
     .unit = "1",
     .doc = exponent_doc,
     .min = -30,
     .max = 30,
     .reason = exponent_reason,
     .initial = "2"},
    {.name = "mu3", .unit = "Pa", .doc = modulus_doc, .initial = "0"},
    {.name = "alpha3",
     .unit = "1",
     .doc = exponent_doc,
     .min = -30,
     .max = 30,
     .reason = exponent_reason,
     .initial = "2"},
    bulk_field,
};

struct Material {
  static constexpr auto title = "Ogden";
  static constexpr auto formula =
      "sum_k mu_k/alpha_k (J^(-alpha_k/3) (sigma_1^alpha_k + sigma_2^alpha_k + sigma_3^alpha_k) - 3) + "
      "bulk/2 (J - 1)^2";
  static constexpr auto source =
      "Ogden: Large Deformation Isotropic Elasticity: on the correlation of theory and experiment for "
      "incompressible rubberlike solids, 1972";
  static constexpr Fields fields = ogden_fields;
  static constexpr Traits traits{.lame = false};
  static constexpr int param_count = 7;
  static constexpr bool principal = true;

  // mu_k/alpha_k and alpha_k; an exponent of 0 leaves the term without effect.
  static void convert(const double* field, double* p) {
    for (int k = 0; k < 3; ++k) {
      p[2 * k] = field[2 * k + 1] == 0 ? 0 : field[2 * k] / field[2 * k + 1];
      p[2 * k + 1] = field[2 * k + 1];
    }
    p[6] = field[6];
  }

  template <class T, class S>
  static S power(const S& sigma, const T& alpha) {
    const T start = T(0.1);
    const auto h = pow(math::Dual<T, 1>::variable(start, 0), alpha);
    const S below = sigma - start;
    return select(sigma < S(start), h.value + below * (h.gradient[0] + 0.5 * h.hessian(0, 0) * below),
                  pow(max(sigma, S(start)), alpha));
  }

  template <class S, class T>
  static S psi(const T* p, const math::Vec3<S>& sigma) {
    const S J = sigma[0] * sigma[1] * sigma[2];
    S sum = volume(p, J);
    for (int k = 0; k < 3; ++k) {
      const T alpha = p[2 * k + 1], third = alpha * T(-1.0 / 3.0);
      const S g = extended<T>(J, [&](const auto& j) { return pow(j, third); });
      sum +=
          p[2 * k] * (g * (power(sigma[0], alpha) + power(sigma[1], alpha) + power(sigma[2], alpha)) - 3.0);
    }
    return sum;
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_volume_change(p[6], J);
  }
};

}  // namespace sinew::material::ogden
