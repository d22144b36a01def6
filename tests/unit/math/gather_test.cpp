#include "math/gather.h"

#include <gtest/gtest.h>
#include <vector>

#include "math/random.h"

namespace sinew::math {
namespace {

template <class P>
void expect_each_lane_its_node() {
  using S = ScalarOf<P>;
  constexpr int count = 1000;
  std::vector<S> x(4 * count + 1);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<S>(i);
  const Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    int32_t id[lanes_of<P>];
    for (int l = 0; l < lanes_of<P>; ++l)
      id[l] = static_cast<int32_t>(random.bits(trial * 16 + l) % (trial % 2 ? 3 : count));
    // From an address that is a multiple of the scalar's size and no more.
    const S* from = x.data() + trial % 2;
    const Vec3<P> v = gather3<P>(from, id);
    for (int l = 0; l < lanes_of<P>; ++l)
      for (int k = 0; k < 3; ++k) ASSERT_EQ(v[k][l], from[4 * id[l] + k]) << "lane " << l << ", number " << k;
  }
}

TEST(Gather, EachLaneGetsItsNode) {
  expect_each_lane_its_node<PackD>();
  expect_each_lane_its_node<PackF>();
}

}  // namespace
}  // namespace sinew::math
