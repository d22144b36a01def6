#include "element/connectivity.h"

#include <gtest/gtest.h>

#include "mesh/second_order.h"
#include "mesh/shapes.h"

namespace sinew::element {
namespace {

using Lists = std::vector<std::vector<int32_t>>;

Lists lists_of(const Connectivity& elements) {
  Lists lists;
  for (size_t e = 0; e < elements.size(); ++e) lists.emplace_back(elements[e].begin(), elements[e].end());
  return lists;
}

TEST(Connectivity, ElementsOfDifferentWidthsFollowOneAnother) {
  Connectivity elements;
  EXPECT_TRUE(elements.empty());
  EXPECT_EQ(elements.width(), 0);
  elements.append(std::vector<std::array<int32_t, 3>>{{0, 1, 2}, {2, 1, 3}}, 0);
  EXPECT_EQ(elements.width(), 3);
  elements.append(std::vector<std::array<int32_t, 2>>{{0, 1}}, 4);
  elements.append(std::vector<std::array<int32_t, 2>>{}, 4);
  elements.append(std::vector<std::array<int32_t, 3>>{{1, 0, 2}}, 6);
  EXPECT_EQ(lists_of(elements), (Lists{{0, 1, 2}, {2, 1, 3}, {4, 5}, {7, 6, 8}}));
  EXPECT_EQ(elements.width(), 0);
  EXPECT_EQ(elements.flat().size(), 11u);
  EXPECT_EQ(elements.nodes<2>(3), (std::array<int32_t, 2>{7, 6}));
}

TEST(Connectivity, EdgeNodesOfAMeshComeAfterTheCorners) {
  mesh::TetMesh mesh = *mesh::make_box({.cells = {2, 1, 1}});
  const Connectivity corners(mesh.elements);
  mesh::add_edge_nodes(mesh);
  Connectivity elements;
  elements.append(mesh, 100);
  ASSERT_EQ(elements.size(), mesh.elements.size());
  EXPECT_EQ(elements.width(), 10);
  const auto rows = elements.rows<10>();
  for (size_t t = 0; t < rows.size(); ++t)
    for (int a = 0; a < 10; ++a)
      EXPECT_EQ(rows[t][a], 100 + (a < 4 ? corners[t][a] : mesh.edge_nodes[t][a - 4]));
  EXPECT_FALSE(elements == corners);
  EXPECT_TRUE(corners == Connectivity(mesh.elements));
}

}  // namespace
}  // namespace sinew::element
