// What every registered law must fulfil, by its traits: derivatives, objectivity, isotropy, rest state, lanes.
#include "material/law.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

constexpr PointOptions exact{.hessian = Hessian::exact};
constexpr PointOptions projected{.hessian = Hessian::projected};

class EveryLaw : public testing::TestWithParam<const Law*> {
 protected:
  const Law& law() const { return *GetParam(); }
  const LawAt at{law()};
};

INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, testing::ValuesIn(solid_laws().begin(), solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(EveryLaw, IsDescribed) {
  EXPECT_FALSE(law().title.empty());
  EXPECT_FALSE(law().formula.empty());
  EXPECT_FALSE(law().source.empty());
  EXPECT_GT(law().param_count, 0);
  EXPECT_EQ(find_law(law().name), &law());
  // Numbers come before vectors, so that a number's place among the fields is its place among the values.
  bool vector_seen = false;
  for (const Field& field : law().fields) {
    EXPECT_FALSE(vector_seen && field.kind != Field::Kind::vector3) << field.name;
    vector_seen |= field.kind == Field::Kind::vector3;
  }
}

TEST_P(EveryLaw, StressIsTheDerivativeOfTheEnergy) {
  for (const Matrix3d& F : random_gradients(1, 200)) {
    const Matrix3d P = at.P(F),
                   reference = stress_by_differences([&](const Matrix3d&G) { return at.psi(G); }, F);
    ASSERT_LT((P - reference).norm(), 1e-7 * P.norm()) << F;
  }
}

TEST_P(EveryLaw, HessianIsTheDerivativeOfTheStress) {
  for (const Matrix3d& F : random_gradients(2, 200)) {
    const Matrix9d C = at.C(F, exact), reference = hessian_by_differences(at, F);
    ASSERT_LT((C - reference).norm(), 1e-6 * C.norm()) << F;
    // Symmetry is not in the packed storage to lose; the true derivative must have it as well.
    ASSERT_LT((reference - reference.transpose()).norm(), 1e-6 * C.norm());
  }
}

TEST_P(EveryLaw, IsObjective) {
  if (!law().traits.objective) GTEST_SKIP() << "not objective";
  const math::Random random(3);
  const auto list = random_gradients(3, 200);
  for (size_t i = 0; i < list.size(); ++i) {
    const Matrix3d& F = list[i];
    const Matrix3d Q = random_rotation(random, i), P = at.P(F);
    // Energies cancel near rest: their scale is the stress times the stretch.
    ASSERT_NEAR(at.psi(Q * F), at.psi(F), 1e-12 * P.norm() * F.norm()) << F;
    ASSERT_LT((at.P(Q * F) - Q * P).norm(), 1e-12 * std::max(P.norm(), at.C(F, exact).norm())) << F;
  }
}

TEST_P(EveryLaw, IsIsotropic) {
  if (!law().traits.isotropic) GTEST_SKIP() << "not isotropic";
  const math::Random random(4);
  const auto list = random_gradients(4, 200);
  for (size_t i = 0; i < list.size(); ++i) {
    const Matrix3d& F = list[i];
    const Matrix3d Q = random_rotation(random, i), P = at.P(F);
    ASSERT_NEAR(at.psi(F * Q), at.psi(F), 1e-12 * P.norm() * F.norm()) << F;
    ASSERT_LT((at.P(F * Q) - P * Q).norm(), 1e-12 * std::max(P.norm(), at.C(F, exact).norm())) << F;
  }
}

TEST_P(EveryLaw, RestIsStressFree) {
  if (!law().traits.rest_stable) GTEST_SKIP() << "no rest state at F = 1";
  const Matrix3d I = Matrix3d::Identity();
  const double scale = at.C(I, exact).norm();
  EXPECT_NEAR(at.psi(I), 0, 1e-12 * scale);
  EXPECT_LT(at.P(I).norm(), 1e-12 * scale);
  EXPECT_LT((at.C(I, projected) - at.C(I, exact)).norm(), 1e-12 * scale);
}

TEST_P(EveryLaw, SmallStrainModuliAreLame) {
  if (!law().traits.lame) GTEST_SKIP() << "fields are not Lame moduli";
  for (double poisson : {-0.4, 0.0, 0.3, 0.45, 0.49}) {
    const double E = 7, mu = E / (2 * (1 + poisson)),
                 lambda = E * poisson / ((1 + poisson) * (1 - 2 * poisson));
    Matrix9d linear;
    for (int a = 0; a < 9; ++a)
      for (int b = 0; b < 9; ++b) {
        const int i = a % 3, j = a / 3, k = b % 3, l = b / 3;
        linear(a, b) = mu * ((i == k && j == l) + (i == l && j == k)) + lambda * (i == j && k == l);
      }
    const Matrix9d C = LawAt(law(), E, poisson).C(Matrix3d::Identity(), exact);
    EXPECT_LT((C - linear).norm(), 1e-12 * linear.norm()) << "poisson " << poisson;
  }
}

TEST_P(EveryLaw, SinglePrecisionFollowsDouble) {
  const LawAtSingle single(law());
  for (const Matrix3d& F : random_gradients(5, 200)) {
    const Matrix3d P = at.P(F);
    const Matrix9d C = at.C(F, projected);
    const double scale = std::max(P.norm(), C.norm());
    ASSERT_NEAR(single.psi(F), at.psi(F), 1e-4 * scale) << F;
    ASSERT_LT((single.P(F) - P).norm(), 1e-4 * scale) << F;
    ASSERT_LT((single.C(F, projected) - C).norm(), 1e-4 * C.norm()) << F;
  }
}

// Eight matrices in the lanes of a pack give the bits that each gives alone, also with parameters by lane.
TEST_P(EveryLaw, LanesAreIndependent) {
  constexpr int lanes = LawAt::lanes, blocks = 5;
  const auto list = random_gradients(6, lanes * blocks, -3, 3);
  const int p = law().param_count;
  std::vector<math::PackD> params(p * blocks), F(9 * blocks), psi(blocks), P(9 * blocks),
      C(upper_count * blocks);
  const auto young = [](int i) { return 1.0 + i; };
  for (int i = 0; i < lanes * blocks; ++i) {
    const LawAt one(law(), young(i), 0.3);
    for (int k = 0; k < p; ++k) params[i / lanes * p + k].set(i % lanes, one.params()[k][0]);
    for (int k = 0; k < 9; ++k) F[i / lanes * 9 + k].set(i % lanes, list[i](k % 3, k / 3));
  }
  law().d.evaluate(blocks, params.data(), p, F.data(), {}, psi.data(), P.data());
  law().d.linearise(blocks, params.data(), p, F.data(), projected, C.data());
  for (int i = 0; i < lanes * blocks; ++i) {
    const LawAt one(law(), young(i), 0.3);
    const Matrix3d P_one = one.P(list[i]);
    const Matrix9d C_one = one.C(list[i], projected);
    ASSERT_EQ(psi[i / lanes][i % lanes], one.psi(list[i]));
    for (int k = 0; k < 9; ++k) ASSERT_EQ(P[i / lanes * 9 + k][i % lanes], P_one(k % 3, k / 3));
    for (int a = 0; a < 9; ++a)
      for (int b = a; b < 9; ++b) ASSERT_EQ(C[i / lanes * upper_count + upper(a, b)][i % lanes], C_one(a, b));
  }
}

TEST(Laws, AreSortedAndUnique) {
  std::set<std::string_view> names;
  for (const Law* law : solid_laws()) {
    EXPECT_TRUE(names.empty() || *names.rbegin() < law->name);
    names.insert(law->name);
  }
  EXPECT_GE(names.size(), 7u);
  EXPECT_EQ(find_law("no_such_law"), nullptr);
}

TEST(Laws, UpperTriangleIsNumberedByRows) {
  int next = 0;
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j) EXPECT_EQ(upper(i, j), next++);
  EXPECT_EQ(next, upper_count);
}

}  // namespace
}  // namespace sinew::material
