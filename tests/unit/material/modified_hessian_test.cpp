#include "material/modified_hessian.h"

#include <gtest/gtest.h>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

Matrix9d modified(double mu, double lambda, const Matrix3d& F) {
  double C[upper_count];
  math::Mat3d f;
  for (int k = 0; k < 9; ++k) f.c[k / 3].v[k % 3] = F(k % 3, k / 3);
  modified_hessian(mu, lambda, f, C);
  Matrix9d m;
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j) m(i, j) = m(j, i) = C[upper(i, j)];
  return m;
}

TEST(ModifiedHessian, HasTheSpectrumOfADyadAndTheIdentity) {
  const double mu = 1.3, lambda = 2.1;
  for (const double low : {-3.0, 0.2})
    for (const Matrix3d& F : random_gradients(3, 50, low, low + 2.8)) {
      // |cof F|^2 is the sum of the squared products of two stretches.
      const Vector3d s = F.jacobiSvd().singularValues();
      const double cof2 = s[0] * s[0] * s[1] * s[1] + s[1] * s[1] * s[2] * s[2] + s[2] * s[2] * s[0] * s[0];
      const Eigen::SelfAdjointEigenSolver<Matrix9d> eigen(modified(mu, lambda, F));
      const double largest = 2 * mu + lambda * cof2;
      for (int k = 0; k < 8; ++k) EXPECT_NEAR(eigen.eigenvalues()[k], 2 * mu, 1e-12 * largest);
      EXPECT_NEAR(eigen.eigenvalues()[8], largest, 1e-12 * largest);
    }
}

TEST(ModifiedHessian, AtRestStretchesAsLinearElasticityDoes) {
  const double mu = 1.3, lambda = 2.1;
  const Matrix9d C = modified(mu, lambda, Matrix3d::Identity());
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      const bool both = i % 4 == 0 && j % 4 == 0;
      EXPECT_DOUBLE_EQ(C(i, j), (i == j ? 2 * mu : 0) + (both ? lambda : 0));
    }
}

// The dyad is that of the derivative of det F.
TEST(ModifiedHessian, TheDyadIsTheSlopeOfTheVolume) {
  for (const Matrix3d& F : random_gradients(4, 20, -2, 2)) {
    Eigen::Matrix<double, 9, 1> c;
    for (int k = 0; k < 9; ++k)
      c[k] = slope([&](double t) { return Matrix3d(F + t * unit_entry(k)).determinant(); }, 1e-3);
    EXPECT_LT((modified(0, 2, F) - 2 * c * c.transpose()).norm(), 1e-9 * (1 + c.squaredNorm()));
  }
}

}  // namespace
}  // namespace sinew::material
