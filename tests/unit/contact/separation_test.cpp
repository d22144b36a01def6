// Distances of primitives: derivatives against differences, for every feature that can be closest.
#include "contact/separation.h"

#include <gtest/gtest.h>
#include <set>

#include "contact/barrier.h"
#include "math/random.h"

namespace sinew::contact {
namespace {

constexpr double step = 1e-5;

Corners random_corners(const math::Random& random, int k) {
  Corners x;
  for (int i = 0; i < 12; ++i) x[i / 3][i % 3] = random.uniform(12 * k + i, -1, 1);
  return x;
}

// Compares first and second derivatives with central differences of measure(x) and of its gradient.
template <class Measure>
void expect_derivatives(const Corners& x, const Measure& measure) {
  const Separation at = measure(x);
  CornerBlocks H;
  second_derivatives(at, H);
  for (int j = 0; j < 4; ++j)
    for (int c = 0; c < 3; ++c) {
      Corners up = x, down = x;
      up[j][c] += step;
      down[j][c] -= step;
      const Separation a = measure(up), b = measure(down);
      if (a.parameters != at.parameters || b.parameters != at.parameters) continue;  // another feature
      EXPECT_NEAR(at.normal[c] * at.weight[j], (a.distance - b.distance) / (2 * step), 1e-8);
      for (int i = 0; i < 4; ++i)
        for (int r = 0; r < 3; ++r) {
          const double difference = (a.normal[r] * a.weight[i] - b.normal[r] * b.weight[i]) / (2 * step);
          EXPECT_NEAR(H[i][j](r, c), difference, 1e-6 * (1 + std::abs(difference)));
        }
    }
}

TEST(Separation, DerivativesOfAPointAndATriangle) {
  const math::Random random(5);
  std::set<int> seen;
  for (int k = 0; k < 200; ++k) {
    const Corners x = random_corners(random, k);
    const Separation at = point_triangle(x);
    if (at.distance < 0.1 || norm2(cross(x[2] - x[1], x[3] - x[1])) < 0.05) continue;
    seen.insert(at.parameters);
    expect_derivatives(x, point_triangle);
  }
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2}));
}

TEST(Separation, DerivativesOfTwoEdges) {
  const math::Random random(6);
  std::set<int> seen;
  for (int k = 0; k < 200; ++k) {
    const Corners x = random_corners(random, k);
    const Separation at = between_edges(x);
    if (at.distance < 0.1 || spanned_area(x).squared < 0.05) continue;
    seen.insert(at.parameters);
    expect_derivatives(x, between_edges);
  }
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2}));
}

TEST(Separation, DerivativesOfTheSpannedArea) {
  const math::Random random(7);
  for (int k = 0; k < 20; ++k) {
    const Corners x = random_corners(random, k);
    CornerBlocks H;
    second_derivatives_of_area(x, H);
    for (int j = 0; j < 4; ++j)
      for (int c = 0; c < 3; ++c) {
        Corners up = x, down = x;
        up[j][c] += step;
        down[j][c] -= step;
        const SpannedArea a = spanned_area(up), b = spanned_area(down);
        EXPECT_NEAR(spanned_area(x).first[j][c], (a.squared - b.squared) / (2 * step), 1e-7);
        for (int i = 0; i < 4; ++i)
          for (int r = 0; r < 3; ++r)
            EXPECT_NEAR(H[i][j](r, c), (a.first[i][r] - b.first[i][r]) / (2 * step), 1e-7);
      }
  }
}

TEST(Separation, PlainCases) {
  const Vec3d a = {0, 0, 0}, b = {1, 0, 0}, c = {0, 1, 0};
  EXPECT_DOUBLE_EQ(point_triangle({Vec3d{0.2, 0.3, 0.5}, a, b, c}).distance, 0.5);
  EXPECT_DOUBLE_EQ(point_triangle({Vec3d{-3, -4, 0}, a, b, c}).distance, 5);
  EXPECT_DOUBLE_EQ(between_edges({a, b, Vec3d{0.5, -1, 0.25}, Vec3d{0.5, 1, 0.25}}).distance, 0.25);
}

// First and second derivatives against differences; both values meet at the ends of their ranges.
TEST(Barrier, HasTwoContinuousDerivatives) {
  for (const auto& function : {barrier, signed_barrier, fading})
    for (const double s : {0.05, 0.3, 0.7, 0.999, 1.5}) {
      const BarrierValue at = function(s), up = function(s + 1e-6), down = function(s - 1e-6);
      if (s > 1 - 1e-6 && s < 1 + 1e-6) continue;
      EXPECT_NEAR(at.first, (up.value - down.value) / 2e-6, 1e-6 * (1 + std::abs(at.first)));
      EXPECT_NEAR(at.second, (up.first - down.first) / 2e-6, 1e-5 * (1 + std::abs(at.second)));
    }
  EXPECT_EQ(barrier(1).value, 0);
  EXPECT_NEAR(barrier(1 - 1e-9).second, 0, 1e-8);
  EXPECT_GT(barrier(1e-300).value, 600);
  const BarrierValue above = signed_barrier(0.2), below = signed_barrier(0.2 - 1e-12);
  EXPECT_NEAR(above.second, below.second, 1e-9);
  EXPECT_LT(signed_barrier(-3).first, signed_barrier(-2).first);  // it pushes ever harder
}

}  // namespace
}  // namespace sinew::contact
