#include "mesh/adjacency.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "mesh/shapes.h"
#include "scattered.h"

namespace sinew::mesh {
namespace {

TEST(Adjacency, MatchesSetsBuiltByHand) {
  const TetMesh mesh = scattered(*make_box({.cells = {4, 3, 2}, .split = Split::five}));
  const auto n = static_cast<int64_t>(mesh.vertices.size());
  std::vector<std::set<int32_t>> elements(n), nodes(n);
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    for (int32_t i : mesh.elements[t]) {
      elements[i].insert(static_cast<int32_t>(t));
      for (int32_t j : mesh.elements[t])
        if (i != j) nodes[i].insert(j);
    }
  const Csr around = node_elements(mesh.elements, n), graph = node_nodes(mesh.elements, n);
  ASSERT_EQ(around.rows(), n);
  for (int64_t i = 0; i < n; ++i) {
    EXPECT_TRUE(
        std::equal(elements[i].begin(), elements[i].end(), around.row(i).begin(), around.row(i).end()));
    EXPECT_TRUE(std::equal(nodes[i].begin(), nodes[i].end(), graph.row(i).begin(), graph.row(i).end()));
  }
}

TEST(Adjacency, NodesWithoutElementsHaveEmptyRows) {
  const std::vector<std::array<int32_t, 3>> triangles = {{0, 4, 2}};
  const Csr graph = node_nodes(triangles, 6);
  EXPECT_EQ(graph.rows(), 6);
  EXPECT_TRUE(graph.row(5).empty());
  EXPECT_EQ(graph.row(4).size(), 2u);
  EXPECT_EQ(Csr{}.rows(), 0);
}

}  // namespace
}  // namespace sinew::mesh
