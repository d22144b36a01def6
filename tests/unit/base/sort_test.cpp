#include "base/sort.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

TEST(SortBlocks, SortsAsTheStandardLibraryDoes) {
  const math::Random random(5);
  for (const size_t n : {0, 1, 2, 1000, 32768, 32769, 200'001}) {
    std::vector<uint64_t> values(n);
    for (size_t i = 0; i < n; ++i) values[i] = static_cast<uint64_t>(random.uniform(i) * 5e4);
    std::vector<uint64_t> expected = values;
    std::sort(expected.begin(), expected.end());
    sort_blocks(values);
    EXPECT_EQ(values, expected) << n;
    std::sort(expected.rbegin(), expected.rend());
    sort_blocks(values, std::greater<uint64_t>());
    EXPECT_EQ(values, expected) << n;
  }
}

}  // namespace
}  // namespace sinew
