#include "mesh/split.h"

#include <gtest/gtest.h>

#include "closed_surface.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

TEST(Split, NamesAndNumbersAgree) {
  for (Split split : all_splits) EXPECT_EQ(split_named(split_names()[static_cast<int>(split)]), split);
  EXPECT_FALSE(split_named("seven"));
}

TEST(Split, HexesThatCannotFitAreRefused) {
  HexMesh hexes;  // two side by side in x
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 3; ++i) hexes.vertices.push_back({i / 2.0, double(j), double(k)});
  hexes.elements = {{0, 1, 4, 3, 6, 7, 10, 9}, {1, 2, 5, 4, 7, 8, 11, 10}};
  auto& hex = hexes.elements[1];
  hex = {hex[3], hex[0], hex[1], hex[2], hex[7], hex[4], hex[5], hex[6]};  // turned a quarter about z
  const auto six = tets_from_hexes(hexes, Split::six);
  ASSERT_FALSE(six);
  EXPECT_NE(six.error().what.find("disagree"), std::string::npos);
  for (Split split : {Split::five, Split::crossed, Split::bcc}) {
    const auto mesh = tets_from_hexes(hexes, split);
    ASSERT_TRUE(mesh);
    EXPECT_NEAR(total_volume(*mesh), 1, 1e-14);
    expect_closed(*mesh, 2);
  }
  hexes.elements[0][3] = 99;
  EXPECT_FALSE(tets_from_hexes(hexes, Split::crossed));
}

}  // namespace
}  // namespace sinew::mesh
