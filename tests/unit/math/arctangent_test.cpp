#include "math/arctangent.h"

#include <gtest/gtest.h>

#include "math/pack.h"
#include "math/random.h"

namespace sinew::math {
namespace {

template <class T>
double worst_ulps() {
  const Random random(3);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const T y = static_cast<T>(random.uniform(3 * i, -1, 1)),
            x = static_cast<T>(random.uniform(3 * i + 1, -1, 1));
    const T shrink = static_cast<T>(std::exp(random.uniform(3 * i + 2, -12, 0)));
    const T s = i % 2 ? y * shrink : y, c = i % 4 < 2 ? x : x * shrink;
    const long double exact = std::atan2(static_cast<long double>(s), static_cast<long double>(c));
    const T size = std::abs(static_cast<T>(exact));
    const T ulp = std::nextafter(size, T(10)) - size;
    worst =
        std::max(worst, static_cast<double>(std::abs(static_cast<long double>(atan2(s, c)) - exact) / ulp));
  }
  return worst;
}

TEST(Arctangent, WithinThreeUlp) {
  EXPECT_LT(worst_ulps<double>(), 3);
  EXPECT_LT(worst_ulps<float>(), 3);
}

TEST(Arctangent, OnTheAxes) {
  const double pi = std::acos(-1.0);
  EXPECT_EQ(atan2(0.0, 0.0), 0);
  EXPECT_EQ(atan2(0.0, 2.0), 0);
  EXPECT_EQ(atan2(0.0, -2.0), pi);
  EXPECT_EQ(atan2(3.0, 0.0), pi / 2);
  EXPECT_EQ(atan2(-3.0, 0.0), -pi / 2);
}

// With contraction off; a lane may be contracted as the number alone is not.
TEST(Arctangent, LanesAreNumbers) {
  const Random random(4);
  const PackD y = PackD::generate([&](int l) { return random.uniform(2 * l, -1, 1); });
  const PackD x = PackD::generate([&](int l) { return random.uniform(2 * l + 1, -1, 1); });
  const PackD angle = atan2(y, x);
  for (int l = 0; l < 8; ++l) EXPECT_NEAR(angle[l], std::atan2(y[l], x[l]), 1e-15);
}

}  // namespace
}  // namespace sinew::math
