#include "mesh/subset.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"

namespace sinew::mesh {
namespace {

// Two tets that share a face, and one away from them that is larger; vertex 4 belongs to none.
TetMesh three_tets() {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {9, 9, 9},
                   {1, 1, 1}, {5, 0, 0}, {8, 0, 0}, {5, 3, 0}, {5, 0, 3}};
  mesh.elements = {{0, 1, 2, 3}, {6, 7, 8, 9}, {1, 2, 3, 5}};
  mesh.vertex_data["id"] = {1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  mesh.element_data["pair"] = {2, {0, 0.5, 1, 1.5, 2, 2.5}};
  mesh.vertex_groups["some"] = {1, 4, 7};
  mesh.element_groups["ends"] = {0, 2};
  return mesh;
}

TEST(Subset, ElementsTakeTheirDataWithThem) {
  TetMesh mesh = three_tets();
  EXPECT_EQ(keep_elements(mesh, {1, 0, 1}), (std::vector<int32_t>{0, -1, 1}));
  EXPECT_EQ(mesh.elements.size(), 2u);
  EXPECT_EQ(mesh.element_data["pair"].values, (std::vector<double>{0, 0.5, 2, 2.5}));
  EXPECT_EQ(mesh.element_groups["ends"], (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(drop_unused_vertices(mesh), 5);
  EXPECT_EQ(mesh.vertex_data["id"].values, (std::vector<double>{0, 1, 2, 3, 5}));
  EXPECT_EQ(mesh.elements[1], (std::array<int32_t, 4>{1, 2, 3, 4}));
  EXPECT_EQ(mesh.vertex_groups["some"], (std::vector<int32_t>{1}));
  EXPECT_EQ(drop_unused_vertices(mesh), 0);
}

TEST(Subset, TheLargestPartIsTheOneWithMostVolume) {
  const LargestPart largest = largest_part(three_tets());
  EXPECT_EQ(largest.parts, 2);
  EXPECT_EQ(largest.keep, (std::vector<char>{0, 1, 0}));
}

TEST(Subset, TheSkinLosesWhatLiesOnElementsThatAreGone) {
  Skin skin;
  skin.tet = {0, 1, 2, 2, 1};
  skin.weights.resize(5);
  for (int i = 0; i < 5; ++i) skin.weights[i] = {0.1 * i, 0, 0, 1 - 0.1 * i};
  skin.triangles = {{0, 2, 3}, {0, 1, 2}, {1, 4, 0}};
  follow_elements(skin, {0, -1, 1});
  EXPECT_EQ(skin.tet, (std::vector<int32_t>{0, 1, 1}));
  EXPECT_EQ(skin.weights[1][0], 0.2);
  EXPECT_EQ(skin.triangles, (std::vector<std::array<int32_t, 3>>{{0, 1, 2}}));
}

}  // namespace
}  // namespace sinew::mesh
