// The constraint form of the laws: its energy, and its gradients by differences.
#include <cmath>
#include <gtest/gtest.h>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

using math::PackD;

struct Value {
  double C;
  Matrix3d G;
};

Value at(PointKernels<PackD>::Constraint kernel, const LawAt& law, const Matrix3d& F) {
  PackD f[9], C, G[9];
  for (int k = 0; k < 9; ++k) f[k] = PackD(F(k % 3, k / 3));
  kernel(law.params().data(), f, &C, G);
  Value value{C[3], {}};
  for (int k = 0; k < 9; ++k) value.G(k % 3, k / 3) = G[k][3];
  return value;
}

Matrix3d some_gradient(uint64_t i) {
  const math::Random random(9 + i);
  Matrix3d F = Matrix3d::Identity();
  for (int k = 0; k < 9; ++k) F(k % 3, k / 3) += random.uniform(k, -0.3, 0.3);
  return random_rotation(random, 77) * F;
}

void expect_derivative(PointKernels<PackD>::Constraint kernel, const LawAt& law, const Matrix3d& F) {
  const double step = 1e-6;
  const Value here = at(kernel, law, F);
  for (int k = 0; k < 9; ++k) {
    Matrix3d dF = Matrix3d::Zero();
    dF(k % 3, k / 3) = step;
    const double difference = (at(kernel, law, F + dF).C - at(kernel, law, F - dF).C) / (2 * step);
    EXPECT_NEAR(here.G(k % 3, k / 3), difference, 1e-6 * std::max(1.0, here.G.norm()));
  }
}

class Constraints : public testing::TestWithParam<const Law*> {};

TEST_P(Constraints, OfTheEnergy) {
  const LawAt law(*GetParam());
  for (uint64_t i = 0; i < 5; ++i) {
    const Matrix3d F = some_gradient(i);
    const double psi = law.psi(F);
    const Value value = at(GetParam()->d.energy_constraint, law, F);
    EXPECT_NEAR(value.C * value.C / 2, std::max(psi, 0.0), 1e-12 * std::abs(psi));
    if (psi > 0.01) expect_derivative(GetParam()->d.energy_constraint, law, F);
  }
}

TEST_P(Constraints, OfShapeAndVolumeAddUpToTheEnergy) {
  const auto& kernels = GetParam()->d;
  ASSERT_EQ(kernels.shape_constraint == nullptr, kernels.volume_constraint == nullptr);
  if (!kernels.shape_constraint) GTEST_SKIP() << "the law names none";
  const LawAt law(*GetParam());
  double constant = NAN;
  for (uint64_t i = 0; i < 5; ++i) {
    const Matrix3d F = some_gradient(i);
    const double shape = at(kernels.shape_constraint, law, F).C,
                 volume = at(kernels.volume_constraint, law, F).C;
    const double rest = (shape * shape + volume * volume) / 2 - law.psi(F);
    if (i == 0) constant = rest;
    EXPECT_NEAR(rest, constant, 1e-12);
    expect_derivative(kernels.shape_constraint, law, F);
    expect_derivative(kernels.volume_constraint, law, F);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Constraints, testing::ValuesIn(solid_laws().begin(), solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Constraints, AreNamedByTheLawsThatHaveThem) {
  for (const char* name : {"corotated", "stable_neo_hookean", "macklin_mueller"})
    EXPECT_TRUE(find_law(name)->d.shape_constraint) << name;
}

}  // namespace
}  // namespace sinew::material
