#include "io/obj.h"

#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

TEST(Obj, PolygonsNegativeIndicesGroupsAndContinuedLines) {
  Notes notes;
  const auto mesh = parse_obj(
      "# quad\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
      "g front all\nf 1/1/1 2//1 3/1 4\ng default\nf -4 -3 \\\n -2\nf 1 1 2\nusemtl x\ns off\n",
      "a.obj", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
  EXPECT_EQ(mesh->element_groups.at("front"), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(mesh->element_groups.size(), 2u);
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_EQ(parse_obj(format_obj(*mesh), "b.obj")->element_groups, mesh->element_groups);
}

}  // namespace
}  // namespace sinew::io
