#include "batch/design.h"

#include <gtest/gtest.h>
#include <set>

namespace sinew::batch {
namespace {

TEST(Design, RadicalInverseHasTheKnownValues) {
  const double base2[] = {0, 1.0 / 2, 1.0 / 4, 3.0 / 4, 1.0 / 8, 5.0 / 8, 3.0 / 8, 7.0 / 8};
  const double base3[] = {0, 1.0 / 3, 2.0 / 3, 1.0 / 9, 4.0 / 9, 7.0 / 9, 2.0 / 9, 5.0 / 9};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(radical_inverse(2, i), base2[i]);
    EXPECT_NEAR(radical_inverse(3, i), base3[i], 1e-15);
  }
}

// The first base^k points have one in each of base^k equal intervals, whatever the permutation of digits.
TEST(Design, HaltonStratifiesEachAxis) {
  const Design design(DesignKind::halton, 7, 1000, std::vector<Axis>(4));
  const int powers[] = {512, 729, 625, 343};
  for (int axis = 0; axis < 4; ++axis) {
    std::set<int> hit;
    for (int i = 0; i < powers[axis]; ++i) {
      std::vector<double> u(4);
      design.point(i, u);
      ASSERT_GE(u[axis], 0);
      ASSERT_LT(u[axis], 1);
      hit.insert(static_cast<int>(u[axis] * powers[axis]));
    }
    EXPECT_EQ(static_cast<int>(hit.size()), powers[axis]) << "axis " << axis;
  }
}

TEST(Design, HaltonDependsOnSeedAndIndexAlone) {
  const Design one(DesignKind::halton, 7, 10, std::vector<Axis>(3)),
      more(DesignKind::halton, 7, 100000, std::vector<Axis>(3)),
      other(DesignKind::halton, 8, 10, std::vector<Axis>(3));
  int same = 0;
  for (int i = 0; i < 10; ++i) {
    std::vector<double> a(3), b(3), c(3);
    one.point(i, a);
    more.point(i, b);
    other.point(i, c);
    EXPECT_EQ(a, b);
    same += a == c;
  }
  EXPECT_LT(same, 2);
}

TEST(Design, PermutationsVisitEveryNumberOnce) {
  for (uint64_t n : {1, 2, 3, 5, 16, 17, 100, 1000})
    for (uint64_t key : {0, 1, 99}) {
      std::set<uint64_t> seen;
      for (uint64_t i = 0; i < n; ++i) {
        const uint64_t p = permuted(i, n, key);
        EXPECT_LT(p, n);
        seen.insert(p);
      }
      EXPECT_EQ(seen.size(), n);
    }
}

TEST(Design, LatinHitsEveryStratumOnce) {
  for (int n : {1, 7, 50, 333}) {
    const Design design(DesignKind::latin, 3, n, std::vector<Axis>(5));
    std::vector<std::set<int>> strata(5);
    std::vector<double> u(5);
    for (int i = 0; i < n; ++i) {
      design.point(i, u);
      for (int k = 0; k < 5; ++k) strata[k].insert(static_cast<int>(u[k] * n));
    }
    for (const std::set<int>& hit : strata) EXPECT_EQ(static_cast<int>(hit.size()), n);
  }
}

TEST(Design, GridHasEveryCombination) {
  const Design design(DesignKind::grid, 1, 12, {{3, false}, {2, true}, {2, false}});
  std::set<std::vector<double>> seen;
  std::vector<double> u(3);
  for (int i = 0; i < 12; ++i) {
    design.point(i, u);
    seen.insert(u);
  }
  std::set<std::vector<double>> expected;
  for (double a : {0.0, 0.5, 1.0})
    for (double b : {0.25, 0.75})
      for (double c : {0.0, 1.0}) expected.insert({a, b, c});
  EXPECT_EQ(seen, expected);
  design.point(1, u);
  EXPECT_EQ(u, (std::vector<double>{0, 0.25, 1}));  // the last axis is the fastest
}

}  // namespace
}  // namespace sinew::batch
