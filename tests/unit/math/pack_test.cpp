#include "math/pack.h"

#include <cmath>
#include <gtest/gtest.h>

#include "math/mat.h"

namespace sinew::math {
namespace {

template <class T>
class PackTest : public testing::Test {};
using Packs = testing::Types<PackD, PackF>;
TYPED_TEST_SUITE(PackTest, Packs);

TYPED_TEST(PackTest, ArithmeticGoesLaneByLane) {
  using P = TypeParam;
  using S = ScalarOf<P>;
  const P a = P::generate([](int i) { return i * 0.75 - 2; });
  const P b = P::generate([](int i) { return 3.5 - i; });
  for (int i = 0; i < lanes_of<P>; ++i) {
    const S x = a[i], y = b[i];
    EXPECT_EQ((a + b)[i], x + y);
    EXPECT_EQ((a - b)[i], x - y);
    EXPECT_EQ((a * b)[i], x * y);
    EXPECT_EQ((a / b)[i], x / y);
    EXPECT_EQ((-a)[i], -x);
    EXPECT_EQ((a + 1)[i], x + 1);
    EXPECT_EQ((0.5 * a)[i], S(0.5) * x);
    EXPECT_EQ(min(a, b)[i], std::min(x, y));
    EXPECT_EQ(max(a, b)[i], std::max(x, y));
    EXPECT_EQ(abs(a)[i], std::abs(x));
    EXPECT_EQ(sqrt(abs(a))[i], std::sqrt(std::abs(x)));
    EXPECT_EQ(copysign(a, b)[i], std::copysign(x, y));
    EXPECT_EQ(math::select(a < b, a, b)[i], x < y ? x : y);
    EXPECT_EQ(math::select(!(a < b) || (a == b), P(1), P(0))[i], !(x < y) ? 1 : 0);
    EXPECT_EQ((a <= b)[i], x <= y);
    EXPECT_EQ((a > b)[i], x > y);
    EXPECT_EQ((a >= b)[i], x >= y);
    EXPECT_EQ((a != b)[i], x != y);
  }
}

TYPED_TEST(PackTest, MemoryLanesAndBits) {
  using P = TypeParam;
  using S = ScalarOf<P>;
  constexpr int n = lanes_of<P>;
  S memory[n + 1], back[n + 1] = {};
  for (int i = 0; i <= n; ++i) memory[i] = S(i * i - 7);
  P a = P::load(memory + 1);
  a.store(back + 1);
  for (int i = 1; i <= n; ++i) EXPECT_EQ(back[i], memory[i]);
  a.set(n - 1, S(0.125));
  EXPECT_EQ(a[n - 1], S(0.125));
  EXPECT_EQ(lane(a, 0), memory[1]);
  EXPECT_TRUE(all(from_bits(to_bits(a)) == a));
  EXPECT_EQ(lane(to_bits(a), 0), to_bits(memory[1]));
}

TYPED_TEST(PackTest, MasksAndReductions) {
  using P = TypeParam;
  constexpr int n = lanes_of<P>;
  const P index = P::generate([](int i) { return i; });
  EXPECT_TRUE(all(index >= P(0)));
  EXPECT_TRUE(any(index == P(n - 1)));
  EXPECT_FALSE(any(index > P(n - 1)));
  EXPECT_FALSE(all(index > P(0)));
  for (int i = 0; i < n; ++i) {
    MaskOf<P> m(false);
    EXPECT_FALSE(any(m));
    m.set(i, true);
    EXPECT_TRUE(any(m));
    EXPECT_FALSE(all(m));
    EXPECT_FALSE(any(m && !m));
    EXPECT_TRUE(all(m | !m));
    EXPECT_EQ(sum(select(m, index, P(0))), ScalarOf<P>(i));
  }
  EXPECT_EQ(sum(index), ScalarOf<P>(n * (n - 1) / 2));
}

TYPED_TEST(PackTest, WorksInsideVecAndMat) {
  using P = TypeParam;
  Mat3<P> A = Mat3<P>::identity();
  A(0, 1) = P::generate([](int i) { return i; });
  const Mat3<P> B = inverse(A) * A;
  for (int i = 0; i < lanes_of<P>; ++i) {
    EXPECT_EQ(lane(det(A), i), 1);
    EXPECT_EQ(lane(B(0, 1), i), 0);
    EXPECT_NEAR(lane(norm(A.col(1)), i), std::sqrt(1.0 + i * i), 1e-5);
  }
}

}  // namespace
}  // namespace sinew::math
