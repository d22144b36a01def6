#include "mesh/coincident.h"

#include <gtest/gtest.h>

namespace sinew::mesh {
namespace {

TEST(Coincident, TheFirstPointAtAPlaceStandsForAll) {
  const std::vector<math::Vec3d> x = {{1, 2, 3}, {0, 0, 0}, {1, 2, 3}, {1, 2, 4}, {-0.0, 0, 0}, {1, 2, 3}};
  EXPECT_EQ(first_at_place(x), (std::vector<int32_t>{0, 1, 0, 3, 1, 0}));
  EXPECT_TRUE(first_at_place({}).empty());
}

}  // namespace
}  // namespace sinew::mesh
