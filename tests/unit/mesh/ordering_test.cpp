#include "mesh/ordering.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "mesh/shapes.h"
#include "scattered.h"

namespace sinew::mesh {
namespace {

TEST(Ordering, ReverseCuthillMckeeNarrowsAScatteredMesh) {
  const TetMesh mesh = scattered(*make_box({.cells = {20, 4, 4}, .split = Split::six}));
  const auto n = static_cast<int64_t>(mesh.vertices.size());
  const Csr graph = node_nodes(mesh.elements, n);
  const auto order = reverse_cuthill_mckee(graph);
  std::vector<int32_t> sorted = order, identity(n);
  std::sort(sorted.begin(), sorted.end());
  std::iota(identity.begin(), identity.end(), 0);
  EXPECT_EQ(sorted, identity);
  EXPECT_GT(bandwidth(graph, identity), n / 2);
  EXPECT_LT(bandwidth(graph, order), 3 * 25);  // a layer across the bar has 25 nodes
  EXPECT_EQ(reverse_cuthill_mckee(graph), order);
  const auto place = inverse_order(order);
  for (int64_t i = 0; i < n; ++i) EXPECT_EQ(place[order[i]], i);
}

TEST(Ordering, HandlesSeveralPartsAndLonelyNodes) {
  const std::vector<std::array<int32_t, 4>> tets = {{0, 2, 4, 6}, {1, 3, 5, 7}};
  const auto order = reverse_cuthill_mckee(node_nodes(tets, 9));
  EXPECT_EQ(std::set<int32_t>(order.begin(), order.end()).size(), 9u);
  EXPECT_TRUE(reverse_cuthill_mckee(Csr{}).empty());
}

TEST(Ordering, ElementsByLowestNode) {
  const std::vector<std::array<int32_t, 3>> triangles = {{5, 4, 3}, {0, 9, 8}, {3, 1, 7}, {8, 0, 2}};
  EXPECT_EQ(element_order<3>(triangles), (std::vector<int32_t>{3, 1, 2, 0}));
  const std::vector<int32_t> place = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  EXPECT_EQ(element_order<3>(triangles, place), (std::vector<int32_t>{1, 3, 2, 0}));
}

}  // namespace
}  // namespace sinew::mesh
