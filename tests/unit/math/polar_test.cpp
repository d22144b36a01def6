#include "math/polar.h"

#include <gtest/gtest.h>

#include "sample_matrices.h"

namespace sinew::math {
namespace {

// R^T F is symmetric for every stationary rotation; the next test asks which one is nearest.
TEST(PolarRotation, IsARotationThatLeavesASymmetricStretch) {
  for (int first = 0; first < 40000; first += 8) {
    const Mat3<PackD> F = pack_of<PackD>([&](int l) { return sample(first + l); });
    const Mat3<PackD> R = polar_rotation(F);
    for (int l = 0; l < 8; ++l) {
      const Mat3d A = lane_of(F, l), Q = lane_of(R, l), S = transpose(Q) * A;
      ASSERT_LT(frobenius(transpose(Q) * Q - Mat3d::identity()), 1e-12) << first + l;
      ASSERT_NEAR(det(Q), 1, 1e-12);
      ASSERT_LE(frobenius(S - transpose(S)), 1e-12 * frobenius(A)) << first + l;
    }
  }
}

TEST(PolarRotation, NoOtherRotationIsNearer) {
  const Random random(3);
  for (int i = 0; i < 4000; ++i) {
    const Mat3d A = sample(i), R = polar_rotation(A);
    const double distance = frobenius(A - R);
    for (int k = 0; k < 8; ++k)
      ASSERT_LE(distance, frobenius(A - random_rotation(random, 8 * i + k)) * (1 + 1e-12) + 1e-12);
  }
}

TEST(PolarRotation, FloatInLanes) {
  for (int first = 0; first < 40000; first += 16) {
    const Mat3<PackF> F = pack_of<PackF>([&](int l) { return sample(first + l); });
    const Mat3<PackF> R = polar_rotation(F);
    for (int l = 0; l < 16; ++l) {
      const Mat3d A = lane_of(F, l), Q = lane_of(R, l), S = transpose(Q) * A;
      ASSERT_LT(frobenius(transpose(Q) * Q - Mat3d::identity()), 1e-5) << first + l;
      ASSERT_LE(frobenius(S - transpose(S)), 1e-5 * frobenius(A)) << first + l;
    }
  }
}

}  // namespace
}  // namespace sinew::math
