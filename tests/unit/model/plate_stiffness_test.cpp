#include "model/plate_stiffness.h"

#include <cmath>
#include <gtest/gtest.h>

#include "unit/plates.h"

namespace sinew::model {
namespace {

using namespace sinew::sample;

void expect_near(const math::Mat3d& D, const math::Mat3d& expected, double tolerance) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(D(i, j), expected(i, j), tolerance * expected(0, 0)) << i << j;
}

math::Mat3d isotropic(double D, double nu) {
  return {{{D, nu * D, 0}, {nu * D, D, 0}, {0, 0, 0.5 * (1 - nu) * D}}};
}

// E t^3 / (12 (1 - nu^2)) for every law whose small strains are Hooke's.
TEST(PlateStiffness, OfIsotropicLaws) {
  for (const material::Law* law : material::membrane_laws()) {
    if (!law->traits.lame || !law->traits.isotropic) continue;
    SCOPED_TRACE(law->name);
    const Model model = plate({.thickness = 0.03, .law = law->name.data(), .young = 2e4, .poisson = 0.25});
    const double D = 2e4 * 0.03 * 0.03 * 0.03 / (12 * (1 - 0.0625));
    for (const math::Mat3d& found : plate_stiffness(model, model.params, 0))
      expect_near(found, isotropic(D, 0.25), 1e-7);
  }
}

// No strain across: the modulus is 2 mu + lambda.
TEST(PlateStiffness, OfFixedThickness) {
  Model model = plate({.thickness = 0.1, .law = "neo_hookean", .young = 2e4, .poisson = 0.25});
  model.bodies[0].fixed_thickness = true;
  const double mu = 2e4 / 2.5, lambda = 2e4 * 0.25 / (1.25 * 0.5), I = 1e-3 / 12;
  const math::Mat3d expected = {
      {{(2 * mu + lambda) * I, lambda * I, 0}, {lambda * I, (2 * mu + lambda) * I, 0}, {0, 0, mu * I}}};
  expect_near(plate_stiffness(model, model.params, 0)[3], expected, 1e-7);
}

// Constants of each triangle, and rigidities that take their place.
TEST(PlateStiffness, ByTriangle) {
  Model model = plate({.thickness = 0.1, .poisson = 0.25});
  const size_t count = model.elements.size();
  std::vector<double>& young = model.params.material[0][0].values;
  std::vector<double>& rigidity = model.params.rigidity[0].values;
  young.clear();
  rigidity.assign(count, 0);
  for (size_t t = 0; t < count; ++t) young.push_back(1e4 + 100.0 * t);
  rigidity[5] = 0.7;
  const auto D = plate_stiffness(model, model.params, 0);
  for (size_t t = 0; t < count; ++t)
    expect_near(D[t], isotropic(t == 5 ? 0.7 : young[t] * 1e-3 / (12 * 0.9375), 0.25), 1e-9);
}

// Bending along a line at the angle a to the warp: the transformed stiffness of laminate theory (Jones: Mechanics of Composite Materials, 1999).
TEST(PlateStiffness, OfWovenClothByDirection) {
  Model model = plate({.thickness = 0.1, .law = "orthotropic"});
  const double E1 = 3e4, E2 = 1e4, nu = 0.3, G = 2e3;
  for (int f = 0; f < 4; ++f) model.params.material[0][f].values = {std::array{E1, E2, nu, G}[f]};
  const math::Mat3d D = plate_stiffness(model, model.params, 0)[0];
  const double d = (1 - nu * nu * E2 / E1) * 12e3, D11 = E1 / d, D22 = E2 / d, D12 = nu * E2 / d,
               D66 = G / 12e3;
  for (const double a : {0.0, 0.4, 1.0, 1.5707963267948966}) {
    const double c = std::cos(a), s = std::sin(a);
    const double expected = D11 * c * c * c * c + 2 * (D12 + 2 * D66) * s * s * c * c + D22 * s * s * s * s;
    EXPECT_NEAR(cylinder_stiffness(D, {c, s}), expected, 1e-9 * D11);
  }
}

// Squares of 0.3 x 0.3: along the straight edges |e|^2 / (A_1 + A_2) = 1, along the diagonals 2.
TEST(PlateStiffness, OfHinges) {
  const PlateOptions options = {.diagonals = Diagonals::one_way, .jitter = 0, .bending = Bending::hinge};
  Model model = plate(options);
  const double D = 1e4 * 0.05 * 0.05 * 0.05 / (12 * 0.91);
  const auto weighted = hinge_stiffness(model, model.params, 0);
  model.bodies[0].weighted_hinges = false;
  const auto plain = hinge_stiffness(model, model.params, 0);
  ASSERT_EQ(weighted.size(), model.hinges.size());
  for (size_t h = 0; h < weighted.size(); ++h) {
    const Vec3d e = model.X[model.hinges[h].nodes[1]] - model.X[model.hinges[h].nodes[0]];
    EXPECT_NEAR(weighted[h], (std::abs(e[0] * e[1]) > 1e-9 ? 2 : 1) * D, 1e-9 * D);
    EXPECT_NEAR(plain[h], D, 1e-9 * D);
  }
}

}  // namespace
}  // namespace sinew::model
