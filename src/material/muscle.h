#pragma once
// Muscle: a Mooney-Rivlin matrix with fibres that pull along one direction, passively when stretched and actively
// in proportion to the activation.
//
//     psi = isochoric Mooney-Rivlin + bulk/2 (ln J)^2 + W(l),   dW/dl = peak_stress/optimal (f_pas + activation f_act)
//
// l is the stretch along the fibre without its volumetric part, J^(-1/3) |F f|, or |F f| itself; with e = l/optimal - 1
//
//     f_act = 1 - 25/6 e^2 for |e| < 0.4, 25/3 (|e| - 0.6)^2 up to 0.6, 0 beyond
//     f_pas = P1 (exp(P2 e) - P2 e - 1) for 0 < e < 0.4, its tangent beyond; P1 = 0.05, P2 = 6.6
#include "material/mooney_rivlin.h"

namespace sinew::material::muscle {

inline constexpr Field muscle_fields[] = {
    {.name = "c10", .unit = "Pa", .doc = "Factor of the first invariant of the matrix.", .initial = "6e4"},
    {.name = "c01", .unit = "Pa", .doc = "Factor of the second invariant of the matrix.", .initial = "2e4"},
    {.name = "bulk",
     .unit = "Pa",
     .doc = "Bulk modulus kappa.",
     .min = 0,
     .min_open = true,
     .reason = "a body without resistance to volume change collapses",
     .initial = "3e6"},
    {.name = "peak_stress",
     .unit = "Pa",
     .doc = "Stress of the fully active fibre at its optimal length.",
     .min = 0,
     .reason = "fibres pull",
     .initial = "3e5"},
    {.name = "optimal",
     .unit = "1",
     .doc = "Stretch at which the fibre pulls hardest.",
     .min = 0.1,
     .max = 10,
     .reason = "a ratio of lengths near 1",
     .initial = "1"},
    {.name = "activation",
     .unit = "1",
     .doc = "0 relaxed, 1 fully active.",
     .min = 0,
     .max = 1,
     .reason = "a share of the fibres that work",
     .initial = "0"},
    {.name = "isochoric_fibre",
     .kind = Field::Kind::boolean,
     .doc = "The fibre stretch leaves out the volumetric part, so that fibres do not change the pressure.",
     .initial = "true"},
    fibre_field,
};

struct Material {
  static constexpr auto title = "Muscle, transversely isotropic";
  static constexpr auto formula =
      "c10 (J^(-2/3) I - 3) + c01 (J^(-4/3) (I^2 - II)/2 - 3) + bulk/2 (ln J)^2 + W(l), dW/dl = "
      "peak_stress/optimal "
      "(f_pas + activation f_act)";
  static constexpr auto source =
      "Teran, Sifakis, Blemker, Ng-Thow-Hing, Lau, Fedkiw: Creating and Simulating Skeletal Muscle from the "
      "Visible "
      "Human Data Set, 2005";
  static constexpr Fields fields = muscle_fields;
  static constexpr Traits traits{.isotropic = false, .lame = false};
  static constexpr int param_count = 10;
  static constexpr unsigned uses = uses_I | uses_II | uses_J | uses_I4;
  static constexpr int fibre = 7;

  static void convert(const double* field, double* p) {
    for (int k = 0; k < 7; ++k) p[k] = field[k];
    convert_fibre(field + 7, p + 7);
  }

  // The integrals of f_act and f_pas from e = 0.
  template <class S>
  static S active_energy(const S& e) {
    const S a = abs(e), tail = min(a, S(0.6)) - 0.6;
    const S size =
        select(a < S(0.4), a * (1.0 - (25.0 / 18.0) * a * a), (25.0 / 9.0) * tail * tail * tail + 1.0 / 3.0);
    return select(e < S(0.0), -size, size);
  }
  template <class S>
  static S passive_energy(const S& e) {
    const double P1 = 0.05, P2 = 6.6, end = 0.4;
    const S stretched = max(e, S(0.0)), inner = min(stretched, S(end)), over = stretched - inner;
    const S exponential = P1 * ((exp(P2 * inner) - 1.0) / P2 - inner - 0.5 * P2 * inner * inner);
    // exp(0.4 P2) in double precision, so that value and slope join.
    const double e_end = 14.013203607733615, force = P1 * (e_end - P2 * end - 1),
                 slope = P1 * P2 * (e_end - 1);
    return exponential + over * (force + 0.5 * slope * over);
  }

  template <class S, class T>
  static S psi(const T* p, const Invariants<S>& i) {
    // Below a hundredth of its length the fibre has no force; the root must not see 0.
    const S length = sqrt(max(i.I4, S(1e-4)));
    const S factor = extended<T>(i.J, [](const auto& J) { return pow(J, -1.0 / 3.0); });
    const S e = select(p[6] > T(0.5), factor * length, length) / p[4] - 1.0;
    return mooney_rivlin::Material::isochoric(p[0], p[1], i) + volume(p, i.J) +
           p[3] * (p[5] * active_energy(e) + passive_energy(e));
  }

  template <class S, class T>
  static S volume(const T* p, const S& J) {
    return squared_log_volume(p[2], J);
  }
};

}  // namespace sinew::material::muscle
