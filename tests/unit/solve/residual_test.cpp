#include "solve/residual.h"

#include <gtest/gtest.h>

namespace sinew::solve {
namespace {

constexpr double eps = 0x1p-52;
constexpr Floors::Body floor{1e-9, 1e4, 0.1};  // E = 1e5 Pa

// 100 nodes of the stiffness M h, all at the distance r from the origin.
BodyForces at(double r, double residual, double scale) {
  return {residual * residual, 100 * 1e8, 100 * 1e8 * r * r, scale};
}

TEST(Residual, IsRelativeToTheForces) {
  EXPECT_DOUBLE_EQ(relative_residual(at(1, 2, 50), floor), 0.04);
  EXPECT_EQ(relative_residual(at(1, 1e-10, 50), floor), 0);  // below the floor
}

TEST(Residual, WhatRoundingHidesGrowsWithTheDistance) {
  const double noise = 4 * eps * 10 * 1e4 * 1e8;  // [N]
  EXPECT_EQ(relative_residual(at(1e8, 0.9 * noise, 50), floor), 0);
  EXPECT_NEAR(rounding_share(at(1e8, 0.9 * noise, 50), floor), noise / 50, 1e-12);
  EXPECT_NEAR(rounding_share(at(1e8, 2 * noise, 50), floor), noise / 50, 1e-12);
}

TEST(Residual, RoundingBelowTenBillionthsOfAnEdgeHidesNothing) {
  // 4 eps r = 1e-10 h at r = 1.1e4 m, whatever the forces are.
  EXPECT_EQ(rounding_share(at(1e4, 1e-8, 1e-8), floor), 0);
  EXPECT_GT(rounding_share(at(1.2e4, 1e-8, 1e-8), floor), 0.9);
}

TEST(Residual, AnExactBalanceHidesNothing) { EXPECT_EQ(rounding_share(at(1e8, 0, 0), floor), 0); }

}  // namespace
}  // namespace sinew::solve
