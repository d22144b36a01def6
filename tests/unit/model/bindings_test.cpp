#include "model/bindings.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew::model {
namespace {

std::vector<Vec3d> vectors(uint64_t seed, size_t count) {
  const math::Random random(seed);
  std::vector<Vec3d> list(count);
  for (size_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) list[i][k] = random.uniform(3 * i + k, -1, 1);
  return list;
}

// 5 hangs on 3 and 4, 3 on 4 and 2, 4 on 0 and 1; 6 on 5 and 0.
const std::vector<Binding> chain = {{5, {{3, 0.5}, {4, 0.5}}},
                                    {3, {{4, 0.5}, {2, 0.5}}},
                                    {4, {{0, 0.25}, {1, 0.75}}},
                                    {6, {{5, 2}, {0, -1}}}};

TEST(Bindings, ChainsEndAtFreeParents) {
  const Bindings bindings(chain, 8);
  const auto expect = [&](size_t k, const std::vector<WeightedNode>& by_hand) {
    ASSERT_EQ(bindings.parents(k).size(), by_hand.size());
    for (size_t j = 0; j < by_hand.size(); ++j) {
      EXPECT_EQ(bindings.parents(k)[j].node, by_hand[j].node);
      EXPECT_DOUBLE_EQ(bindings.parents(k)[j].weight, by_hand[j].weight);
    }
  };
  EXPECT_EQ(std::vector<int32_t>(bindings.nodes().begin(), bindings.nodes().end()),
            (std::vector<int32_t>{5, 3, 4, 6}));
  expect(2, {{0, 0.25}, {1, 0.75}});
  expect(1, {{0, 0.125}, {1, 0.375}, {2, 0.5}});
  expect(0, {{0, 0.1875}, {1, 0.5625}, {2, 0.25}});
  expect(3, {{0, -0.625}, {1, 1.125}, {2, 0.5}});
}

// Pushing is the same as eliminating link by link.
TEST(Bindings, PushFollowsTheChain) {
  const Bindings bindings(chain, 8);
  std::vector<Vec3d> x = vectors(1, 8), by_hand = x;
  bindings.push(x);
  by_hand[4] = by_hand[0] * 0.25 + by_hand[1] * 0.75;
  by_hand[3] = (by_hand[4] + by_hand[2]) * 0.5;
  by_hand[5] = (by_hand[3] + by_hand[4]) * 0.5;
  by_hand[6] = by_hand[5] * 2.0 - by_hand[0];
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(norm(x[i] - by_hand[i]), 1e-15) << i;
}

TEST(Bindings, PullIsTheTransposeOfPush) {
  const Bindings bindings(chain, 8);
  const std::vector<Vec3d> v = vectors(2, 8), g = vectors(3, 8);
  std::vector<Vec3d> pushed = v, pulled = g;
  bindings.push(pushed);
  bindings.pull(pulled);
  double left = 0, right = 0;
  for (size_t i = 0; i < v.size(); ++i) left += dot(g[i], pushed[i]);
  for (int i : {0, 1, 2, 7}) right += dot(pulled[i], v[i]);
  EXPECT_NEAR(left, right, 1e-14);
}

TEST(Bindings, ParentsTakeTheLeastShareOfTheirChildren) {
  const Bindings bindings(chain, 8);
  std::vector<double> share = {1, 1, 0.75, 1, 0.5, 1, 1, 1};
  bindings.limit(share);
  EXPECT_EQ(share, (std::vector<double>{0.5, 0.5, 0.75, 1, 0.5, 1, 1, 1}));
}

TEST(Bindings, WithoutAnyDoNothing) {
  const Bindings bindings;
  std::vector<Vec3d> v = vectors(2, 4);
  const std::vector<Vec3d> before = v;
  bindings.push(v);
  bindings.pull(v);
  EXPECT_TRUE(bindings.empty());
  for (size_t i = 0; i < v.size(); ++i) EXPECT_EQ(norm(v[i] - before[i]), 0);
}

}  // namespace
}  // namespace sinew::model
