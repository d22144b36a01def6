// Coulomb friction of one pair: its energy against differences and against the work of the force, and its limit.
#include "contact/friction.h"

#include <cmath>
#include <gtest/gtest.h>

#include "math/random.h"
#include "unit/eigen.h"

namespace sinew::contact {
namespace {

constexpr double k = 500, coefficient = 0.4, load = 30, limit = coefficient * load;  // [N/m], -, [N], [N]

Pair rubbing() {
  Pair pair;
  pair.normal = normalized(Vec3d{1, -2, 0.5});
  pair.stiffness = k;
  pair.friction = coefficient;
  pair.load = load;
  pair.slip = {0.003, 0.001, -0.002};
  pair.start = {0.1, 0.2, -0.1};
  return pair;
}

// A d whose elastic slip has this size, in a direction by number, with something along the normal as well.
Vec3d slipped(const Pair& pair, double size, uint64_t number) {
  const math::Random random(7);
  const auto any = [&](uint64_t i) { return random.uniform(3 * number + i, -1, 1); };
  Vec3d u = {any(0), any(1), any(2)};
  u -= pair.normal * dot(pair.normal, u);
  return pair.start - pair.slip + u * (size / norm(u)) + pair.normal * 0.07;
}

Vec3d force(const Pair& pair, const Vec3d& d) {
  const Friction friction(pair, d);
  return friction.slip() * friction.secant();
}

TEST(Friction, TheForceGrowsWithTheSlipUpToCoulombsLimitAndHasNoPartAlongTheNormal) {
  const Pair pair = rubbing();
  for (double size : {0.0, 0.001, 0.01, 0.02, 0.0239, 0.0241, 0.1, 2.0}) {
    const Friction friction(pair, slipped(pair, size, 3));
    EXPECT_EQ(friction.sticks(), k * size <= limit) << size;
    const Vec3d f = force(pair, slipped(pair, size, 3));
    EXPECT_NEAR(norm(f), std::min(k * size, limit), 1e-12) << size;
    EXPECT_NEAR(dot(f, pair.normal), 0, 1e-13) << size;
    EXPECT_NEAR(k * norm(friction.kept_slip()), std::min(k * size, limit), 1e-12) << size;
  }
}

TEST(Friction, TheForceIsTheDerivativeOfTheEnergyAndTheStiffnessThatOfTheForce) {
  const Pair pair = rubbing();
  const Mat3d N = outer(pair.normal, pair.normal);
  for (double size : {0.005, 0.02, 0.03, 0.3})
    for (uint64_t number = 0; number < 5; ++number) {
      const Vec3d d = slipped(pair, size, number);
      Mat3d K = Mat3d::zero();
      Friction(pair, d).add_second(N, false, K);
      const double h = 1e-7;
      for (int i = 0; i < 3; ++i) {
        Vec3d ahead = d, behind = d;
        ahead[i] += h;
        behind[i] -= h;
        const double slope = (Friction(pair, ahead).energy() - Friction(pair, behind).energy()) / (2 * h);
        EXPECT_NEAR(force(pair, d)[i], slope, 1e-6 * limit);
        const Vec3d change = (force(pair, ahead) - force(pair, behind)) * (1 / (2 * h));
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(K(j, i), change[j], 1e-6 * k);
      }
    }
}

TEST(Friction, TheDefiniteStiffnessIsSemiDefiniteAndKeepsATenthAlongTheSlip) {
  const Pair pair = rubbing();
  const Mat3d N = outer(pair.normal, pair.normal);
  const Vec3d d = slipped(pair, 0.3, 1);
  const Friction friction(pair, d);
  Mat3d K = Mat3d::zero();
  friction.add_second(N, true, K);
  Eigen::Matrix3d A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(i, j) = K(i, j);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(A);
  EXPECT_NEAR(eigen.eigenvalues()[0], 0, 1e-12);                 // along the normal
  EXPECT_NEAR(eigen.eigenvalues()[1], 0.1 * limit / 0.3, 1e-9);  // along the slip
  EXPECT_NEAR(eigen.eigenvalues()[2], limit / 0.3, 1e-9);        // across both
}

// What was put in by moving along a straight line is what the elastic slip stores and what sliding has dissipated.
TEST(Friction, TheWorkOfTheForceIsStoredOrDissipated) {
  const Pair pair = rubbing();
  const Vec3d start = slipped(pair, 0, 2), end = slipped(pair, 0.08, 2);
  const int steps = 20000;
  double work = 0;
  for (int s = 0; s < steps; ++s)
    work += dot(force(pair, start + (end - start) * ((s + 0.5) / steps)), (end - start) * (1.0 / steps));
  const Friction friction(pair, end);
  const double stored = 0.5 * k * norm2(friction.kept_slip());
  EXPECT_NEAR(stored + friction.dissipation(), work, 1e-7 * work);
  EXPECT_NEAR(friction.energy(), work, 1e-7 * work);
  EXPECT_TRUE(Friction(pair, slipped(pair, 0.02, 2)).sticks());
}

TEST(Friction, WithoutLoadOrCoefficientThereIsNone) {
  Pair pair = rubbing();
  pair.load = 0;
  EXPECT_FALSE(Friction(pair, slipped(pair, 0.1, 1)).active());
  EXPECT_EQ(norm(Friction(pair, slipped(pair, 0.1, 1)).kept_slip()), 0);
  EXPECT_TRUE(Friction(pair, slipped(pair, 0.1, 1)).sticks());
  pair = rubbing();
  pair.friction = 0;
  EXPECT_FALSE(Friction(pair, slipped(pair, 0.1, 1)).active());
}

TEST(Friction, AForceBeyondTheLimitIsScaledBackToIt) {
  EXPECT_EQ(coulomb_share(3, 5), 1);
  EXPECT_EQ(coulomb_share(5, 5), 1);
  EXPECT_EQ(coulomb_share(8, 2), 0.25);
  EXPECT_EQ(coulomb_share(8, 0), 0);
  EXPECT_EQ(coulomb_share(0, 0), 1);
}

}  // namespace
}  // namespace sinew::contact
