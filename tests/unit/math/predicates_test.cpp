#include "math/predicates.h"

#include <cmath>
#include <gtest/gtest.h>

#include "exact/integer.h"
#include "math/random.h"

using namespace sinew;
using Vec2d = math::Vec<double, 2>;
using math::Vec3d;

namespace {

// The same signs from integers of any size.
int referee(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  exact::Unit unit;
  for (const Vec2d& x : {a, b, c})
    for (double s : x.v) unit.fit(s);
  const auto d = [&](const Vec2d& p, int i) { return exact::Integer(unit(p[i]) - unit(a[i])); };
  return exact::sign(d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0));
}

int referee(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
  exact::Unit unit;
  for (const Vec3d& x : {a, b, c, p})
    for (double s : x.v) unit.fit(s);
  const auto d = [&](const Vec3d& q, int i) { return exact::Integer(unit(q[i]) - unit(a[i])); };
  exact::Integer sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += d(p, i) * (d(b, j) * d(c, k) - d(b, k) * d(c, j));
  }
  return exact::sign(sum);
}

// Moves by some units in the last place, or not at all; 0 stays, whose neighbours are out of the range.
double nudged(double x, uint64_t bits) {
  const int steps = x == 0 ? 0 : static_cast<int>(bits % 5) - 2;
  for (int i = 0; i < std::abs(steps); ++i) x = std::nextafter(x, steps > 0 ? 1e300 : -1e300);
  return x;
}

// Coordinates of several kinds: whole numbers, eighths, any, far from the origin, of very different size.
double coordinate(const math::Random& random, uint64_t i, int kind) {
  switch (kind) {
    case 0:
      return std::floor(random.uniform(i, -3, 3));
    case 1:
      return std::ldexp(std::floor(random.uniform(i, -20, 20)), -40);
    case 2:
      return random.uniform(i, -1, 1);
    case 3:
      return 1000 + 1e-4 * std::floor(random.uniform(i, 0, 5));
    default:
      return std::ldexp(random.uniform(i, -1, 1), static_cast<int>(random.bits(i + 77777) % 200) - 100);
  }
}

TEST(Predicates, SignsInThePlaneAreThoseOfIntegers) {
  int zeros = 0;
  for (int kind = 0; kind < 5; ++kind) {
    const math::Random random(10 + kind);
    for (uint64_t n = 0; n < 20000; ++n) {
      Vec2d x[3];
      for (int k = 0; k < 6; ++k) x[k / 2][k % 2] = coordinate(random, 8 * n + k, kind);
      const double t = random.uniform(8 * n + 6, -1, 2);
      if (n % 2)  // near the line of the others
        for (int i = 0; i < 2; ++i)
          x[2][i] = nudged(x[0][i] + t * (x[1][i] - x[0][i]), random.bits(8 * n + 7) >> (8 * i));
      const int sign = referee(x[0], x[1], x[2]);
      zeros += sign == 0;
      ASSERT_EQ(math::orient2d(x[0], x[1], x[2]), sign) << kind << " " << n;
      ASSERT_EQ(math::orient2d(x[1], x[0], x[2]), -sign);
      ASSERT_EQ(math::exact_orient2d(x[2], x[0], x[1]), sign);
    }
  }
  EXPECT_GT(zeros, 5000);
}

TEST(Predicates, SignsInSpaceAreThoseOfIntegers) {
  int zeros = 0;
  for (int kind = 0; kind < 5; ++kind) {
    const math::Random random(20 + kind);
    for (uint64_t n = 0; n < 20000; ++n) {
      Vec3d x[4];
      for (int k = 0; k < 12; ++k) x[k / 3][k % 3] = coordinate(random, 16 * n + k, kind);
      const double s = random.uniform(16 * n + 12, -1, 2), t = random.uniform(16 * n + 13, -1, 2);
      if (n % 2)
        for (int i = 0; i < 3; ++i)
          x[3][i] = nudged(x[0][i] + s * (x[1][i] - x[0][i]) + t * (x[2][i] - x[0][i]),
                           random.bits(16 * n + 14) >> (8 * i));
      const int sign = referee(x[0], x[1], x[2], x[3]);
      zeros += sign == 0;
      ASSERT_EQ(math::orient3d(x[0], x[1], x[2], x[3]), sign) << kind << " " << n;
      ASSERT_EQ(math::orient3d(x[0], x[2], x[1], x[3]), -sign);
      ASSERT_EQ(math::exact_orient3d(x[3], x[0], x[2], x[1]), sign);
    }
  }
  EXPECT_GT(zeros, 2000);
}

// Steps of one unit in the last place across a line: the signs change where the integers say.
TEST(Predicates, GridOfNeighbouringDoubles) {
  const Vec2d b = {12, 12}, c = {24, 24};
  double x = 0.5;
  for (int i = 0; i < 64; ++i, x = std::nextafter(x, 1)) {
    double y = 0.5;
    for (int j = 0; j < 64; ++j, y = std::nextafter(y, 1))
      ASSERT_EQ(math::orient2d(Vec2d{x, y}, b, c), i < j ? 1 : i > j ? -1 : 0) << i << " " << j;
  }
}

TEST(Predicates, TurnsLeftIsPositive) {
  EXPECT_EQ(math::orient2d(Vec2d{0, 0}, Vec2d{1, 0}, Vec2d{0, 1}), 1);
  EXPECT_EQ(math::orient3d(Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}), 1);
}

TEST(Predicates, TallyCountsCallsAndExactOnes) {
  const math::PredicateTally before = math::predicate_tally();
  math::orient2d(Vec2d{0, 0}, Vec2d{1, 0}, Vec2d{0, 1});
  math::orient2d(Vec2d{0.1, 0.1}, Vec2d{0.2, 0.2}, Vec2d{0.7, 0.7});
  EXPECT_EQ(math::predicate_tally().calls - before.calls, 2);
  EXPECT_EQ(math::predicate_tally().exact - before.exact, 1);
}

}  // namespace
