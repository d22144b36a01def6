#include "mesh/disjoint_sets.h"

#include <algorithm>
#include <array>
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

// Two meshes of quads become one (Chen, PhD thesis, UCLA 2024, figure 3.6).
TEST(DisjointSets, MergeTheQuadsOfAWorkedExample) {
  const std::vector<int> both = {0, 2, 3, 1, 2, 4, 5, 3, 4, 6, 7, 5, 8, 11, 12, 9, 9, 12, 13, 10};
  DisjointSets<> same(14);
  for (const auto& [a, b] : {std::pair(2, 9), {3, 10}, {4, 12}, {5, 13}}) same.join(a, b);
  std::vector<std::array<int, 4>> quads;
  for (size_t i = 0; i < both.size(); i += 4) {
    std::array<int, 4> quad;
    for (int k = 0; k < 4; ++k) quad[k] = same.find(both[i + k]);
    if (std::find(quads.begin(), quads.end(), quad) == quads.end()) quads.push_back(quad);
  }
  const std::vector<std::array<int, 4>> expected = {{0, 2, 3, 1}, {2, 4, 5, 3}, {4, 6, 7, 5}, {8, 11, 4, 2}};
  EXPECT_EQ(quads, expected);
}

}  // namespace
}  // namespace sinew::mesh
