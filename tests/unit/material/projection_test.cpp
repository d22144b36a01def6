// Definiteness, inverted and degenerate gradients, the continuation below extension_start and the clamp.
#include <gtest/gtest.h>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

constexpr PointOptions exact{.hessian = Hessian::exact};
constexpr PointOptions projected{.hessian = Hessian::projected};

class AnyGradient : public testing::TestWithParam<const Law*> {
 protected:
  const Law& law() const { return *GetParam(); }
  const LawAt at{law()};
};

INSTANTIATE_TEST_SUITE_P(Laws, AnyGradient, testing::ValuesIn(solid_laws().begin(), solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

// Stretches from compressed to stretched; every second matrix is inverted. sigma_2 + sigma_3 stays away from
// zero, where the rotation of F jumps.
std::vector<Matrix3d> smooth_gradients(uint64_t seed, int count) {
  const math::Random random(seed);
  std::vector<Matrix3d> list;
  for (int i = 0; i < count; ++i) {
    const double third = random.uniform(3 * i, 0.05, 1.0);
    const double second = third + random.uniform(3 * i + 1, 0.1, 1.0);
    const Vector3d sigma(second + random.uniform(3 * i + 2, 0.0, 1.0), second, i % 2 ? third : -third);
    list.push_back(with_stretches(random, i, sigma));
  }
  return list;
}

std::vector<Matrix3d> degenerate_gradients() {
  const math::Random random(17);
  std::vector<Matrix3d> list = {Matrix3d::Zero(),
                                -Matrix3d::Identity(),
                                1e-30 * Matrix3d::Identity(),
                                Matrix3d::Constant(1),
                                Vector3d(1, 1, 0).asDiagonal().toDenseMatrix(),
                                Vector3d(1, 1, -1).asDiagonal().toDenseMatrix()};
  for (int i = 0; i < 100; ++i) {
    const double a = random.uniform(2 * i, 0.1, 3), b = random.uniform(2 * i + 1, 0.05, 0.1);
    list.push_back(with_stretches(random, 8 * i, {a, 0, 0}));
    list.push_back(with_stretches(random, 8 * i + 1, {a, b, 0}));
    list.push_back(with_stretches(random, 8 * i + 2, {a, b, -b}));
    list.push_back(with_stretches(random, 8 * i + 3, {a, a, -a}));
    list.push_back(with_stretches(random, 8 * i + 4, {a, 1e-9, -1e-12}));
    list.push_back(with_stretches(random, 8 * i + 5, {1e3 * a, 1e-3 * b, -b * 1e-3}));
    list.push_back(with_stretches(random, 8 * i + 6, {a, a, a}));
    list.push_back(with_stretches(random, 8 * i + 7, {50 * a, 40 * a, -30 * a}));
  }
  return list;
}

Matrix9d nearest_psd(const Matrix9d& C) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(C);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

double lowest_eigenvalue(const Matrix9d& C) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(C, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

TEST_P(AnyGradient, ProjectionIsTheNearestPositiveSemiDefinite) {
  auto list = smooth_gradients(11, 200);
  const auto regular = random_gradients(12, 200);
  list.insert(list.end(), regular.begin(), regular.end());
  int indefinite = 0;
  for (const Matrix3d& F : list) {
    const Matrix9d C = at.C(F, exact), C_plus = at.C(F, projected);
    ASSERT_LT((C_plus - nearest_psd(C)).norm(), 1e-9 * C.norm()) << F;
    ASSERT_GE(lowest_eigenvalue(C_plus), -1e-12 * C.norm()) << F;
    indefinite += lowest_eigenvalue(C) < -1e-6 * C.norm();
  }
  if (law().traits.objective && law().traits.rest_stable) {
    EXPECT_GT(indefinite, 50) << "the sample does not test the projection";
  }
}

TEST_P(AnyGradient, ProjectionLeavesDefiniteTensorsAlone) {
  int definite = 0;
  for (const Matrix3d& F : random_gradients(13, 400)) {
    const Matrix9d C = at.C(F, exact);
    if (lowest_eigenvalue(C) < -1e-14 * C.norm()) continue;
    ++definite;
    ASSERT_LT((at.C(F, projected) - C).norm(), 1e-12 * C.norm()) << F;
  }
  EXPECT_GT(definite, 10);
}

TEST_P(AnyGradient, EverythingIsFiniteAndDefiniteForDegenerateGradients) {
  for (const Matrix3d& F : degenerate_gradients())
    for (Inversion inversion : {Inversion::extend, Inversion::clamp}) {
      const PointOptions options{.hessian = Hessian::exact, .inversion = inversion};
      const PointOptions definite{.hessian = Hessian::projected, .inversion = inversion};
      ASSERT_TRUE(std::isfinite(at.psi(F, options))) << F;
      ASSERT_TRUE(at.P(F, options).allFinite()) << F;
      ASSERT_TRUE(at.C(F, options).allFinite()) << F;
      const Matrix9d C = at.C(F, definite);
      ASSERT_TRUE(C.allFinite()) << F;
      // What is left may be small beside what was taken away.
      ASSERT_GE(lowest_eigenvalue(C), -1e-12 * std::max(C.norm(), at.C(F, options).norm())) << F;
    }
}

TEST_P(AnyGradient, SinglePrecisionIsFiniteForDegenerateGradients) {
  const LawAtSingle single(law());
  for (const Matrix3d& F : degenerate_gradients()) {
    if (F.norm() > 10) continue;  // third powers of the continuation leave the range of floats
    ASSERT_TRUE(std::isfinite(single.psi(F))) << F;
    ASSERT_TRUE(single.P(F).allFinite()) << F;
    ASSERT_TRUE(single.C(F, projected).allFinite()) << F;
  }
}

TEST_P(AnyGradient, StressAndHessianAreDerivativesForInvertedGradients) {
  for (const Matrix3d& F : smooth_gradients(14, 200)) {
    const Matrix3d P = at.P(F);
    const Matrix9d C = at.C(F, exact);
    // The third derivative jumps where the continuation begins: no difference may straddle it.
    if (std::abs(F.determinant() - extension_start) < 5e-3) continue;
    ASSERT_LT((P - stress_by_differences([&](const Matrix3d& G) { return at.psi(G); }, F)).norm(),
              1e-7 * C.norm())
        << F;
    ASSERT_LT((C - hessian_by_differences(at, F)).norm(), 1e-6 * C.norm()) << F;
  }
}

TEST_P(AnyGradient, ContinuationIsTwiceContinuouslyDifferentiable) {
  const math::Random random(15);
  for (int i = 0; i < 50; ++i) {
    const double a = random.uniform(2 * i, 0.4, 1.5), b = random.uniform(2 * i + 1, 0.4, 1.5);
    const Matrix3d F = with_stretches(random, i, {a, b, extension_start / (a * b)});
    const Matrix3d above = F * (1 + 1e-10), below = F * (1 - 1e-10);
    const double scale = at.C(F, exact).norm();
    ASSERT_NEAR(at.psi(above), at.psi(below), 1e-7 * scale) << F;
    ASSERT_LT((at.P(above) - at.P(below)).norm(), 1e-7 * scale) << F;
    ASSERT_LT((at.C(above, exact) - at.C(below, exact)).norm(), 1e-6 * scale) << F;
  }
}

// Singular values with rotations on both sides by Eigen's Jacobi SVD; the last one takes the sign of det F.
struct SignedSvd {
  Matrix3d U, V;
  Vector3d sigma;
  explicit SignedSvd(const Matrix3d& F) {
    const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    U = svd.matrixU(), V = svd.matrixV(), sigma = svd.singularValues();
    if (U.determinant() < 0) U.col(2) *= -1, sigma[2] *= -1;
    if (V.determinant() < 0) V.col(2) *= -1, sigma[2] *= -1;
  }
};

TEST_P(AnyGradient, ClampTakesStressAndHessianAtTheThreshold) {
  if (!law().traits.isotropic) GTEST_SKIP() << "the clamp is defined in principal stretches";
  for (double threshold : {0.25, 0.5}) {
    for (const Matrix3d& F : smooth_gradients(16, 100)) {
      const SignedSvd f(F);
      const Vector3d sigma = f.sigma.cwiseMax(threshold);
      // Differences of psi in the stretches must not straddle the start of the continuation.
      if (std::abs(sigma.prod() - extension_start) < 5e-3) continue;
      Vector3d principal;
      for (int i = 0; i < 3; ++i)
        principal[i] = slope(
            [&](double t) { return at.psi(Vector3d(sigma + t * Vector3d::Unit(i)).asDiagonal()); }, 2e-4);
      const Matrix3d P = f.U * principal.asDiagonal() * f.V.transpose();
      const PointOptions clamp{Hessian::exact, Inversion::clamp, threshold};
      const Matrix9d C_diagonal = hessian_by_differences(at, sigma.asDiagonal());
      ASSERT_LT((at.P(F, clamp) - P).norm(), 1e-7 * C_diagonal.norm()) << F;
      Matrix9d turn;  // of the entries of a matrix by columns: X -> U X V^T
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l) turn.block<3, 3>(3 * j, 3 * l) = f.V(j, l) * f.U;
      ASSERT_LT((at.C(F, clamp) - turn * C_diagonal * turn.transpose()).norm(), 1e-6 * C_diagonal.norm())
          << F;
    }
  }
}

TEST_P(AnyGradient, ClampChangesNothingAboveTheThreshold) {
  const math::Random random(18);
  for (int i = 0; i < 50; ++i) {
    const Matrix3d F = with_stretches(random, i,
                                      {random.uniform(3 * i, 0.3, 2), random.uniform(3 * i + 1, 0.3, 2),
                                       random.uniform(3 * i + 2, 0.3, 2)});
    const PointOptions clamp{Hessian::exact, Inversion::clamp, 0.25};
    const Matrix9d C = at.C(F, exact);
    ASSERT_NEAR(at.psi(F, clamp), at.psi(F), 1e-12 * C.norm());
    ASSERT_LT((at.P(F, clamp) - at.P(F)).norm(), 1e-12 * C.norm());
    ASSERT_LT((at.C(F, clamp) - C).norm(), 1e-12 * C.norm());
  }
}

}  // namespace
}  // namespace sinew::material
