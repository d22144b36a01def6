#include "mesh/disjoint_sets.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew::mesh {
namespace {

// By spreading the least number over every pair until nothing changes.
TEST(DisjointSets, AreNamedByTheirLeastMemberInAnyOrder) {
  const math::Random random(11);
  for (int round = 0; round < 50; ++round) {
    constexpr int n = 60;
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < 45; ++i)
      pairs.emplace_back(int(random.uniform(1000 * round + 2 * i) * n),
                         int(random.uniform(1000 * round + 2 * i + 1) * n));
    std::vector<int> least(n);
    std::iota(least.begin(), least.end(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : pairs) {
        const int both = std::min(least[a], least[b]);
        changed |= least[a] != both || least[b] != both;
        least[a] = least[b] = both;
      }
    }
    DisjointSets<> forwards(n);
    DisjointSets<int64_t> backwards(n);
    for (const auto& [a, b] : pairs) forwards.join(a, b);
    for (auto p = pairs.rbegin(); p != pairs.rend(); ++p) backwards.join(p->second, p->first);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(forwards.find(i), least[i]);
      EXPECT_EQ(backwards.find(i), least[i]);
    }
  }
}

}  // namespace
}  // namespace sinew::mesh
