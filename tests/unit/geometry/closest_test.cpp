#include "geometry/closest.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>

#include "math/random.h"

namespace {

using namespace sinew;
using geometry::closest_on_edges;
using geometry::closest_on_triangle;
using geometry::OnEdges;
using geometry::OnTriangle;
using math::Random;
using math::Vec3d;

Vec3d random_point(const Random& random, uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1), random.uniform(3 * i + 2, -1, 1)};
}

Vec3d rounded(const Vec3d& x) { return {std::round(2 * x[0]), std::round(2 * x[1]), std::round(2 * x[2])}; }

// q is the closest point of a convex set to p just where (p - q).(y - q) <= 0 for all corners y.
void expect_closest(const OnTriangle& found, const Vec3d& p, const std::array<Vec3d, 3>& y, double size) {
  Vec3d q = {0, 0, 0};
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    ASSERT_GE(found.weight[k], 0);
    EXPECT_EQ(found.weight[k] > 0, ((found.feature >> k) & 1) == 1);
    q += found.weight[k] * y[k];
    sum += found.weight[k];
  }
  EXPECT_NEAR(sum, 1, 1e-15);
  EXPECT_NEAR(found.distance2, norm2(p - q), 1e-14 * size * size);
  for (const Vec3d& corner : y) EXPECT_LE(dot(p - q, corner - q), 1e-10 * size * size);
}

void expect_closest(const OnEdges& found, const std::array<Vec3d, 4>& x, double size) {
  ASSERT_TRUE(found.s >= 0 && found.s <= 1 && found.t >= 0 && found.t <= 1);
  EXPECT_EQ(found.inside, found.s > 0 && found.s < 1 && found.t > 0 && found.t < 1);
  const Vec3d a = x[0] + found.s * (x[1] - x[0]), b = x[2] + found.t * (x[3] - x[2]);
  EXPECT_NEAR(found.distance2, norm2(a - b), 1e-14 * size * size);
  for (int end = 0; end < 2; ++end) {
    EXPECT_LE(dot(b - a, x[end] - a), 1e-10 * size * size);
    EXPECT_LE(dot(a - b, x[2 + end] - b), 1e-10 * size * size);
  }
}

TEST(ClosestOnTriangle, HasNoBetterPoint) {
  const Random random(1);
  for (uint64_t i = 0; i < 50000; ++i) {
    std::array<Vec3d, 4> x;
    for (int k = 0; k < 4; ++k) x[k] = random_point(random, 4 * i + k);
    if (i % 5 == 1) x[3] = x[1] + random.stream(1).uniform(i, -1, 2) * (x[2] - x[1]);  // nearly collinear
    if (i % 5 == 2)
      for (Vec3d& v : x) v = rounded(v);
    if (i % 5 == 3) x[2] = x[1] + 1e-9 * x[2];
    if (i % 5 == 4) x[0] = 0.25 * x[1] + 0.75 * x[2];  // on an edge
    expect_closest(closest_on_triangle(x[0], x[1], x[2], x[3]), x[0], {x[1], x[2], x[3]}, 1);
  }
}

TEST(ClosestOnTriangle, NamesTheFeature) {
  const Vec3d a = {0, 0, 0}, b = {1, 0, 0}, c = {0, 1, 0};
  EXPECT_EQ(closest_on_triangle({.2, .2, 1}, a, b, c).feature, 7);
  EXPECT_EQ(closest_on_triangle({.5, -1, 1}, a, b, c).feature, 3);
  EXPECT_EQ(closest_on_triangle({1, 1, -1}, a, b, c).feature, 6);
  EXPECT_EQ(closest_on_triangle({-1, .5, 0}, a, b, c).feature, 5);
  EXPECT_EQ(closest_on_triangle({-1, -1, 0}, a, b, c).feature, 1);
  EXPECT_EQ(closest_on_triangle({3, -1, 0}, a, b, c).feature, 2);
  EXPECT_EQ(closest_on_triangle({0, 3, 2}, a, b, c).feature, 4);
  EXPECT_DOUBLE_EQ(closest_on_triangle({.2, .2, 3}, a, b, c).distance2, 9);
  EXPECT_EQ(closest_on_triangle({0, 0, 2}, a, a, a).distance2, 4);
}

TEST(ClosestOnEdges, HasNoBetterPoint) {
  const Random random(2);
  for (uint64_t i = 0; i < 50000; ++i) {
    std::array<Vec3d, 4> x;
    for (int k = 0; k < 4; ++k) x[k] = random_point(random, 4 * i + k);
    if (i % 5 == 1) x[3] = x[2] + random.stream(1).uniform(i, -2, 2) * (x[1] - x[0]);  // nearly parallel
    if (i % 5 == 2)
      for (Vec3d& v : x) v = rounded(v);
    if (i % 5 == 3) x[1] = x[0] + 1e-9 * x[1];
    if (i % 5 == 4) x[1] = x[0];
    expect_closest(closest_on_edges(x[0], x[1], x[2], x[3]), x, 1);
  }
}

TEST(ClosestOnEdges, TellsInsideFromEnds) {
  const OnEdges crossing = closest_on_edges({-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, 3, 1});
  EXPECT_TRUE(crossing.inside);
  EXPECT_DOUBLE_EQ(crossing.s, 0.5);
  EXPECT_DOUBLE_EQ(crossing.t, 0.25);
  EXPECT_DOUBLE_EQ(crossing.distance2, 1);
  EXPECT_FALSE(closest_on_edges({-1, 0, 0}, {1, 0, 0}, {2, -1, 1}, {2, 3, 1}).inside);
  const OnEdges parallel = closest_on_edges({0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {3, 1, 0});
  EXPECT_DOUBLE_EQ(parallel.distance2, 1);
}

TEST(Closest, IsFiniteForAnySize) {
  const Random random(3);
  const double size[] = {
      0, 5e-324, 1e-300, 1e-160, 1e-80, 1e80, 1e150, 1e300, std::numeric_limits<double>::max()};
  for (uint64_t i = 0; i < 20000; ++i) {
    std::array<Vec3d, 4> x;
    for (int k = 0; k < 4; ++k)
      for (int d = 0; d < 3; ++d)
        x[k][d] =
            random.uniform(12 * i + 3 * k + d, -1, 1) * size[random.stream(1).bits(12 * i + 3 * k + d) % 9];
    const OnTriangle on = closest_on_triangle(x[0], x[1], x[2], x[3]);
    const OnEdges edges = closest_on_edges(x[0], x[1], x[2], x[3]);
    ASSERT_GE(on.distance2, 0);
    ASSERT_NEAR(on.weight[0] + on.weight[1] + on.weight[2], 1, 1e-15);
    ASSERT_GE(edges.distance2, 0);
    ASSERT_TRUE(edges.s >= 0 && edges.s <= 1 && edges.t >= 0 && edges.t <= 1);
  }
}

TEST(Closest, ScalesWithTheInput) {
  for (double size : {1e-150, 1e-70, 1e70, 1e150}) {
    const OnTriangle on =
        closest_on_triangle({.25 * size, .25 * size, size}, {0, 0, 0}, {size, 0, 0}, {0, size, 0});
    EXPECT_EQ(on.feature, 7);
    EXPECT_NEAR(on.weight[1], 0.25, 1e-15);
    EXPECT_NEAR(on.distance2, size * size, 1e-14 * size * size);
    const OnEdges edges = closest_on_edges({-size, 0, 0}, {size, 0, 0}, {0, -size, size}, {0, size, size});
    EXPECT_TRUE(edges.inside);
    EXPECT_NEAR(edges.distance2, size * size, 1e-14 * size * size);
  }
}

}  // namespace
