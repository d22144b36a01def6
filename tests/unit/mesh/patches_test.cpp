#include "mesh/patches.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

std::map<int32_t, std::vector<int32_t>> tets_of(const TetMesh& mesh) {
  const auto patch = tet_patches(mesh.elements, mesh.vertices);
  EXPECT_EQ(patch.size(), mesh.elements.size());
  std::map<int32_t, std::vector<int32_t>> list;
  for (size_t t = 0; t < patch.size(); ++t) list[patch[t]].push_back(static_cast<int32_t>(t));
  return list;
}

TEST(Patches, OfAGridOfSixAreItsCells) {
  const auto mesh = make_box({.size = {1, 1, 1}, .cells = {3, 4, 2}, .split = Split::six});
  ASSERT_TRUE(mesh);
  const auto patches = tets_of(*mesh);
  EXPECT_EQ(patches.size(), 24u);
  for (const auto& [id, tets] : patches) {
    EXPECT_EQ(tets.size(), 6u);
    std::set<int32_t> nodes;
    for (int32_t t : tets) nodes.insert(mesh->elements[t].begin(), mesh->elements[t].end());
    EXPECT_EQ(nodes.size(), 8u);
  }
}

TEST(Patches, AreConnectedSmallAndFew) {
  for (Split split : {Split::five, Split::crossed, Split::bcc}) {
    const auto mesh = make_ball({.radius = 1, .cells = 6, .split = split});
    ASSERT_TRUE(mesh);
    const auto patches = tets_of(*mesh);
    for (const auto& [id, tets] : patches) {
      std::set<int32_t> nodes;
      for (int32_t t : tets) nodes.insert(mesh->elements[t].begin(), mesh->elements[t].end());
      EXPECT_LE(nodes.size(), static_cast<size_t>(max_patch_nodes));
      // Grown face by face from the first tet, all are reached.
      std::set<int32_t> reached = {tets[0]};
      for (bool grown = true; grown;) {
        grown = false;
        for (int32_t t : tets)
          for (int32_t r : std::set<int32_t>(reached)) {
            int shared = 0;
            for (int32_t node : mesh->elements[t])
              shared += std::count(mesh->elements[r].begin(), mesh->elements[r].end(), node) > 0;
            if (shared == 3 && reached.insert(t).second) grown = true;
          }
      }
      EXPECT_EQ(reached.size(), tets.size());
    }
    // Fewer constraints than half the unknowns.
    EXPECT_LT(patches.size(), mesh->vertices.size() * 3 / 2);
  }
}

}  // namespace
}  // namespace sinew::mesh
