#include "mesh/poor_tets.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

// Boxes from regular to nearly flat, in layers along z.
TetMesh layers() {
  TetMesh mesh = *make_box({.size = {1, 1, 1}, .cells = {2, 2, 12}});
  for (Vec3d& p : mesh.vertices) p[2] = std::pow(p[2], 8);
  return mesh;
}

TEST(PoorTets, AreCountedAndTheWorstListed) {
  const TetMesh mesh = layers();
  const PoorTets poor = poor_tets(mesh);
  std::vector<double> ratios;
  for (const auto& tet : mesh.elements) ratios.push_back(radius_ratio(mesh.vertices, tet));
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_GT(poor.below[k], 0) << k;
    EXPECT_EQ(poor.below[k],
              std::count_if(ratios.begin(), ratios.end(), [&](double r) { return r < PoorTets::bounds[k]; }));
  }
  ASSERT_EQ(poor.worst.size(), 5u);
  std::vector<double> sorted = ratios;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(poor.worst[i].radius_ratio, sorted[i]);
    EXPECT_EQ(poor.worst[i].radius_ratio, ratios[poor.worst[i].tet]);
    EXPECT_LT(poor.worst[i].centre[2], 1e-8);
  }
  const std::string text = text_of(poor);
  for (const char* word :
       {" below 0.1, ", " below 0.01 (slivers), ", " below 0.0001 (flat); the worst: tet "})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(PoorTets, OfAGoodMeshAreNone) {
  const PoorTets poor = poor_tets(*make_box({.cells = {2, 2, 2}}));
  EXPECT_EQ(poor.below[0], 0);
  EXPECT_TRUE(poor.worst.empty());
  EXPECT_EQ(text_of(poor), "");
}

}  // namespace
}  // namespace sinew::mesh
