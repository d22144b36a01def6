#include "math/svd.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "math/random.h"
#include "sample_matrices.h"

namespace sinew::math {
namespace {

struct Worst {
  double reconstruction = 0, orthogonality = 0, det = 0;
  int disorder = 0, wrong_sign = 0, not_finite = 0;
};

void take_max(double& worst, double x) {
  if (!(x <= worst)) worst = x;  // also for NaN
}

template <class P>
Worst check(int64_t count, double tolerance) {
  constexpr int lanes = lanes_of<P>;
  Worst worst;
  const Mat3d I = Mat3d::identity();
  for (int64_t first = 0; first < count; first += lanes) {
    const Mat3<P> F = pack_of<P>([&](int l) { return sample(first + l); });
    const Svd<P> f = svd(F);
    for (int l = 0; l < lanes; ++l) {
      const Mat3d A = lane_of(F, l), U = lane_of(f.U, l), V = lane_of(f.V, l);
      const Vec3d s = {lane(f.s[0], l), lane(f.s[1], l), lane(f.s[2], l)};
      const double size = std::max(frobenius(A), 1e-300);
      take_max(worst.reconstruction, frobenius(U * Mat3d::diagonal(s) * transpose(V) - A) / size);
      take_max(worst.orthogonality, frobenius(transpose(U) * U - I));
      take_max(worst.orthogonality, frobenius(transpose(V) * V - I));
      take_max(worst.det, std::abs(det(U) - 1));
      take_max(worst.det, std::abs(det(V) - 1));
      if (!(s[0] >= s[1] && s[1] >= std::abs(s[2]))) ++worst.disorder;
      const double J = det(A) / (size * size * size);
      if (std::abs(J) > tolerance && J * s[2] <= 0) ++worst.wrong_sign;
      for (int k = 0; k < 9; ++k)
        if (!std::isfinite(U(k % 3, k / 3) + V(k % 3, k / 3) + s[k % 3])) ++worst.not_finite;
    }
  }
  return worst;
}

// Together a million matrices.
TEST(Svd, DoubleOnRandomAndDegenerateMatrices) {
  const Worst w = check<PackD>(700000, 1e-12);
  EXPECT_LT(w.reconstruction, 1e-12);
  EXPECT_LT(w.orthogonality, 1e-12);
  EXPECT_LT(w.det, 1e-12);
  EXPECT_EQ(w.disorder, 0);
  EXPECT_EQ(w.wrong_sign, 0);
  EXPECT_EQ(w.not_finite, 0);
}

TEST(Svd, FloatOnRandomAndDegenerateMatrices) {
  const Worst w = check<PackF>(300000, 1e-5);
  EXPECT_LT(w.reconstruction, 1e-5);
  EXPECT_LT(w.orthogonality, 1e-5);
  EXPECT_LT(w.det, 1e-5);
  EXPECT_EQ(w.disorder, 0);
  EXPECT_EQ(w.wrong_sign, 0);
  EXPECT_EQ(w.not_finite, 0);
}

TEST(Svd, SingularValuesOfEigen) {
  for (int i = 0; i < 4000; ++i) {
    const Mat3d A = sample(i);
    const Eigen::JacobiSVD<Eigen::Matrix3d> reference(Eigen::Map<const Eigen::Matrix3d>(&A.c[0].v[0]));
    const Vec3d s = svd(A).s;
    for (int k = 0; k < 3; ++k)
      ASSERT_NEAR(std::abs(s[k]), reference.singularValues()[k], 1e-14 * reference.singularValues()[0]) << i;
  }
}

TEST(Svd, ExtremeSizesStayFinite) {
  for (const double size : {0.0, 5e-324, 1e-310, 1e-300, 1e-150, 1e150, 1e307})
    for (int i = 0; i < 64; ++i) {
      Mat3d A = sample(i);
      A = A * (1 / std::max(frobenius(A), 1e-100)) * size;
      const Svd<double> f = svd(A);
      const Mat3d error = f.U * Mat3d::diagonal(f.s) * transpose(f.V) - A;
      for (int k = 0; k < 9; ++k)
        ASSERT_NEAR(error(k % 3, k / 3), 0, 1e-12 * size + 1e-305) << i << " size " << size;
      ASSERT_NEAR(det(f.U), 1, 1e-12);
      ASSERT_NEAR(det(f.V), 1, 1e-12);
    }
}

TEST(Svd, LanesAgreeWithScalarCode) {
  for (int first = 0; first < 4096; first += 8) {
    const Svd<PackD> f = svd(pack_of<PackD>([&](int l) { return sample(first + l); }));
    for (int l = 0; l < 8; ++l) {
      const Svd<double> g = svd(sample(first + l));
      for (int k = 0; k < 3; ++k) {
        if (same_bits_expected) {
          ASSERT_EQ(lane(f.s[k], l), g.s[k]);
          for (int i = 0; i < 3; ++i) {
            ASSERT_EQ(lane(f.U(i, k), l), g.U(i, k));
            ASSERT_EQ(lane(f.V(i, k), l), g.V(i, k));
          }
        } else {
          ASSERT_NEAR(lane(f.s[k], l), g.s[k], 1e-14 * g.s[0]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::math
