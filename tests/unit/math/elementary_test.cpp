#include "math/elementary.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "math/random.h"
#include "sample_matrices.h"

namespace sinew::math {
namespace {

// The distance to the exact result in units in the last place of T.
template <class T>
double ulps(T x, long double exact) {
  const T rounded = static_cast<T>(exact);
  if (x == rounded || (std::isnan(x) && std::isnan(rounded))) return 0;
  if (!std::isfinite(x) || !std::isfinite(rounded)) return 1e30;
  const T size = std::abs(rounded);
  const T ulp = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return static_cast<double>(std::abs(static_cast<long double>(x) - exact) / ulp);
}

// Arguments of all sizes, denser near 1 where log and pow are most delicate.
template <class T>
T positive(const Random& random, int i) {
  const double range = std::log(static_cast<double>(std::numeric_limits<T>::max())) * 0.999;
  return static_cast<T>(i % 2 ? random.uniform(i, 0.5, 2) : std::exp(random.uniform(i, -range, range)));
}

template <class T>
class ElementaryTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(ElementaryTest, Scalars);

TYPED_TEST(ElementaryTest, WithinTwoUlp) {
  using T = TypeParam;
  const Random random(1), other(2);
  const double range = std::log(static_cast<double>(std::numeric_limits<T>::max())) * 1.06;
  double worst_exp = 0, worst_log = 0, worst_pow = 0, worst_cbrt = 0;
  for (int i = 0; i < 200000; ++i) {
    const T x = static_cast<T>(random.uniform(i, -1, 1) * (i % 2 ? range : 1)), y = positive<T>(random, i);
    const T z = static_cast<T>(other.uniform(i, -1, 1) * (i % 4 < 2 ? 3 : 60));
    const long double X = x, Y = y, Z = z;
    worst_exp = std::max(worst_exp, ulps(math::exp(x), std::exp(X)));
    worst_log = std::max(worst_log, ulps(math::log(y), std::log(Y)));
    worst_pow = std::max(worst_pow, ulps(math::pow(y, z), std::pow(Y, Z)));
    worst_cbrt = std::max(worst_cbrt, ulps(math::cbrt(-y), -std::cbrt(Y)));
  }
  EXPECT_LE(worst_exp, 2);
  EXPECT_LE(worst_log, 2);
  EXPECT_LE(worst_pow, 2);
  EXPECT_LE(worst_cbrt, 2);
}

TYPED_TEST(ElementaryTest, SpecialArguments) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  const T infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  for (const T x : {T(0), T(-0.0), infinity, -infinity, nan, T(-1), T(1), Limits::denorm_min(),
                    Limits::min() / 8, Limits::min(), Limits::max(), T(800), T(-800)}) {
    EXPECT_LE(ulps(math::exp(x), std::exp(x)), 2) << x;
    EXPECT_LE(ulps(math::log(x), std::log(x)), 2) << x;
    EXPECT_LE(ulps(math::cbrt(x), std::cbrt(x)), 2) << x;
    if (x < 0) {
      EXPECT_TRUE(std::isnan(math::pow(x, T(0.5)))) << x;
      continue;
    }
    for (const T y : {T(0), T(0.5), T(1), T(-1.0 / 3), T(-2), T(300), T(-300)})
      EXPECT_LE(ulps(math::pow(x, y), std::pow(x, y)), 2) << x << " " << y;
  }
}

template <class P>
void expect_lanes_agree() {
  using S = ScalarOf<P>;
  const Random random(4);
  const double tolerance = 8 * std::numeric_limits<S>::epsilon();
  const auto agree = [&](S a, S b) {
    if (std::isnan(b)) return std::isnan(a);
    return same_bits_expected || std::isinf(b) ? a == b : std::abs(a - b) <= tolerance * std::abs(b);
  };
  for (int first = 0; first < 20000; first += lanes_of<P>) {
    const P x = P::generate([&](int l) { return random.uniform(first + l, -90, 90); });
    const P y = P::generate([&](int l) { return positive<S>(random, first + l); });
    const P z = P::generate([&](int l) { return random.uniform(first + l + 40000, -3, 3); });
    const P e = exp(x), g = log(y), p = pow(y, z), c = cbrt(x);
    for (int l = 0; l < lanes_of<P>; ++l) {
      ASSERT_TRUE(agree(e[l], math::exp(x[l])));
      ASSERT_TRUE(agree(g[l], math::log(y[l])));
      ASSERT_TRUE(agree(p[l], math::pow(y[l], z[l])));
      ASSERT_TRUE(agree(c[l], math::cbrt(x[l])));
    }
  }
}

TEST(Elementary, LanesAgreeWithScalarCode) {
  expect_lanes_agree<PackD>();
  expect_lanes_agree<PackF>();
}

}  // namespace
}  // namespace sinew::math
