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

// Where two stretches cancel the rotation turns over, and its error grows as that of F over their sum.
template <class P>
void expect_rotation_times_vector(double tolerance) {
  const Random random(5);
  for (int first = 0; first < 40000; first += lanes_of<P>) {
    const Mat3<P> F = pack_of<P>([&](int l) { return sample(first + l); });
    Vec3<P> g;
    for (int k = 0; k < 3; ++k)
      g[k] = P::generate([&](int l) { return random.uniform(3 * (first + l) + k, -1, 1); });
    const Vec3<P> found = polar_times(F, cofactor(F), g);
    for (int l = 0; l < lanes_of<P>; ++l) {
      const Mat3d A = lane_of(F, l);
      const Svd<double> f = svd(A);
      const double size = std::abs(f.s[0]), gap = f.s[1] + f.s[2];
      if (gap < 1e3 * tolerance * size) continue;  // any rotation about the last axis is as near
      const Vec3d v = {g[0][l], g[1][l], g[2][l]}, r = {found[0][l], found[1][l], found[2][l]};
      ASSERT_LT(norm(r - polar_rotation(A) * v), tolerance * std::max(1.0, size / gap) * 10) << first + l;
    }
  }
}

TEST(PolarTimes, AgreesWithTheRotationOfTheSvd) { expect_rotation_times_vector<PackD>(1e-14); }
TEST(PolarTimes, FloatInLanes) { expect_rotation_times_vector<PackF>(1e-6); }

// Sizes that occur where a solver has strayed: the fourth power of F must not overflow or vanish.
TEST(PolarTimes, HugeAndTiny) {
  const Random random(6);
  for (double size : {1e-30, 1e-9, 1e-3, 1e3, 1e9, 1e30})
    for (int i = 0; i < 100; ++i) {
      const Mat3d A = random_matrix(random, i) * size;
      const Mat3<PackD> F = pack_of<PackD>([&](int) { return A; });
      const Vec3<PackD> r = polar_times(F, cofactor(F), Vec3<PackD>{PackD(1.0), PackD(-2.0), PackD(0.5)});
      const Vec3d expected = polar_rotation(A) * Vec3d{1, -2, 0.5};
      for (int k = 0; k < 3; ++k) ASSERT_NEAR(r[k][3], expected[k], 1e-9) << size << ", " << i;
    }
}

TEST(PolarTimes, ZeroAndRankOneGiveUnitLength) {
  for (int kind = 0; kind < 2; ++kind) {
    const Mat3d A = kind == 0 ? Mat3d::zero() : outer(Vec3d{1, 2, 3}, Vec3d{0, 1, -1});
    const Mat3<PackD> F = pack_of<PackD>([&](int) { return A; });
    const Vec3<PackD> r = polar_times(F, cofactor(F), Vec3<PackD>{PackD(0.6), PackD(0.0), PackD(0.8)});
    EXPECT_NEAR(norm(Vec3d{r[0][0], r[1][0], r[2][0]}), 1, 1e-12) << kind;
  }
}

}  // namespace
}  // namespace sinew::math
