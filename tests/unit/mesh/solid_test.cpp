#include "mesh/solid.h"

#include <cmath>
#include <gtest/gtest.h>

#include "random_solid.h"

namespace sinew::mesh {
namespace {

using Kind = Solid::Kind;

TEST(Solid, ValuesAreDistancesWhereTheyAreKnown) {
  const Solid ball{.size = {2, 2, 2}, .centre = {1, 0, 0}};
  EXPECT_NEAR(value(ball, {1, 5, 0}), 3, 1e-15);
  EXPECT_NEAR(value(ball, {1, 0, 0.5}), -1.5, 1e-15);
  const Solid box{.kind = Kind::box, .size = {1, 2, 3}};
  EXPECT_NEAR(value(box, {4, 6, 0}), 5, 1e-15);
  EXPECT_NEAR(value(box, {0.25, 0, 0}), -0.75, 1e-15);
  const Solid cylinder{.kind = Kind::cylinder, .size = {1, 2, 0}};
  EXPECT_NEAR(value(cylinder, {0, 4, 6}), 5, 1e-15);
  EXPECT_NEAR(value(cylinder, {0, 0, 1.9}), -0.1, 1e-15);
  const Solid capsule{.kind = Kind::capsule, .size = {1, 2, 0}};
  EXPECT_NEAR(value(capsule, {0, 3, 6}), 4, 1e-15);
  EXPECT_NEAR(value(capsule, {0.5, 0, 1}), -0.5, 1e-15);
  const Solid torus{.kind = Kind::torus, .size = {2, 0.5, 0}};
  EXPECT_NEAR(value(torus, {0, 0, 0}), 1.5, 1e-15);
  EXPECT_NEAR(value(torus, {0, -5, 4}), 4.5, 1e-15);
  const Solid half{
      .kind = Kind::half_space, .centre = {0, 0, 1}, .turn = Mat3d::columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0})};
  EXPECT_NEAR(value(half, {-3, 7, 9}), -3, 1e-15);
}

TEST(Solid, OperationsAreThoseOfSets) {
  const math::Random random(9);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    uint64_t n = 0;
    const math::Random stream = random.stream(seed);
    const std::vector<Solid> parts{random_solid(stream, n, 1), random_solid(stream, n, 1),
                                   random_solid(stream, n, 1)};
    for (int k = 0; k < 50; ++k) {
      Vec3d x;
      for (int d = 0; d < 3; ++d) x[d] = stream.uniform(n++, -1, 1);
      const bool a = value(parts[0], x) < 0, b = value(parts[1], x) < 0, c = value(parts[2], x) < 0;
      EXPECT_EQ(value({.kind = Kind::unite, .parts = parts}, x) < 0, a || b || c);
      EXPECT_EQ(value({.kind = Kind::intersect, .parts = parts}, x) < 0, a && b && c);
      EXPECT_EQ(value({.kind = Kind::subtract, .parts = parts}, x) < 0, a && !b && !c);
    }
  }
}

TEST(Solid, ValuesNeverRiseFasterThanTheDistance) {
  const math::Random random(11);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    uint64_t n = 0;
    const Solid solid = random_solid(random.stream(seed), n, 2);
    for (int k = 0; k < 20; ++k) {
      Vec3d x[2];
      for (Vec3d& p : x)
        for (int d = 0; d < 3; ++d) p[d] = random.stream(seed).uniform(n++, -1.5, 1.5);
      ASSERT_LE(std::abs(value(solid, x[0]) - value(solid, x[1])), norm(x[0] - x[1]) * (1 + 1e-12));
    }
  }
}

TEST(Solid, NothingInsideLiesBeyondTheBounds) {
  const math::Random random(3);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    uint64_t n = 0;
    const Solid solid = random_solid(random.stream(seed), n, 2);
    const Bounds b = bounds(solid);
    for (int k = 0; k < 500; ++k) {
      Vec3d x;
      for (int d = 0; d < 3; ++d) x[d] = random.stream(seed).uniform(n++, -2, 2);
      if (value(solid, x) >= 0) continue;
      for (int d = 0; d < 3; ++d) ASSERT_TRUE(x[d] >= b.low[d] && x[d] <= b.high[d]);
    }
  }
}

}  // namespace
}  // namespace sinew::mesh
