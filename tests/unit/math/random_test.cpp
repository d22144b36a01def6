#include "math/random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace sinew::math {
namespace {

TEST(Random, IsAFunctionOfSeedAndCounter) {
  const Random a(7), b(7), c(8);
  EXPECT_EQ(a.uniform(123), b.uniform(123));
  EXPECT_EQ(a.normal(5), b.normal(5));
  EXPECT_NE(a.bits(0), c.bits(0));
  EXPECT_NE(a.bits(0), a.bits(1));
  EXPECT_NE(a.stream(0).bits(0), a.stream(1).bits(0));
  EXPECT_NE(a.stream(0).bits(0), a.bits(0));
}

TEST(Random, UniformMomentsAndCells) {
  for (const uint64_t seed : {0, 1, 2}) {
    const Random random(seed);
    const int n = 200000, cells = 64;
    double mean = 0, square = 0, neighbours = 0;
    std::vector<int> count(cells);
    for (int i = 0; i < n; ++i) {
      const double u = random.uniform(i);
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      mean += u / n;
      square += u * u / n;
      neighbours += (u - 0.5) * (random.uniform(i + 1) - 0.5) / n;
      ++count[static_cast<int>(u * cells)];
    }
    EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / n));
    EXPECT_NEAR(square, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
    EXPECT_NEAR(neighbours, 0, 5.0 / 12 / std::sqrt(n));
    double chi2 = 0;
    for (const int k : count) chi2 += (k - n / cells) * double(k - n / cells) / (double(n) / cells);
    EXPECT_LT(std::abs(chi2 - (cells - 1)), 5 * std::sqrt(2.0 * (cells - 1)));
  }
}

// Every input bit of the counter reaches about half of the output bits.
TEST(Random, CounterBitsSpread) {
  const Random random(3);
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    for (uint64_t i = 0; i < 200; ++i)
      changed += __builtin_popcountll(random.bits(i) ^ random.bits(i ^ (uint64_t(1) << bit)));
    EXPECT_NEAR(changed / 200.0, 32, 1.5) << bit;
  }
}

TEST(Random, NormalMoments) {
  const Random random(4);
  const int n = 200000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal(i);
    m1 += x / n, m2 += x * x / n, m3 += x * x * x / n, m4 += x * x * x * x / n;
  }
  EXPECT_NEAR(m1, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(m2, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(m3, 0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(m4, 3, 5 * std::sqrt(96.0 / n));
}

}  // namespace
}  // namespace sinew::math
