#include "io/tetgen.h"

#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;

TEST(Tetgen, AttributesMarkersAndBothBases) {
  for (int base : {0, 1}) {
    const auto id = [&](int i) { return std::to_string(i + base); };
    const std::string node = "# a comment\n4 3 2 1\n" + id(0) + " 0 0 0 1 2 5\n" + id(1) + " 1 0 0 3 4 0\n" +
                             id(2) + " 0 1 0 5 6 0\n" + id(3) + " 0 0 1 7 8 -1\n# end\n";
    const std::string ele =
        "1 4 1\n" + id(0) + " " + id(0) + " " + id(1) + " " + id(2) + " " + id(3) + " 42\n";
    const auto mesh = parse_tetgen(node, "a.node", ele, "a.ele");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->elements[0], (TetMesh::Element{0, 1, 2, 3}));
    EXPECT_EQ(mesh->vertex_data.at("attribute").width, 2);
    EXPECT_EQ(mesh->vertex_data.at("marker").values, (std::vector<double>{5, 0, 0, -1}));
    EXPECT_EQ(mesh->element_data.at("attribute").values, (std::vector<double>{42}));
    const auto again = parse_tetgen(format_tetgen_node(*mesh), "a", format_tetgen_ele(*mesh), "b");
    ASSERT_TRUE(again);
    expect_same_data(mesh->vertex_data, again->vertex_data);
    expect_same_data(mesh->element_data, again->element_data);
  }
}

}  // namespace
}  // namespace sinew::io
