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
  EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}}));
  EXPECT_EQ(mesh->element_groups.at("front"), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(mesh->element_groups.size(), 2u);
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_EQ(parse_obj(format_obj(*mesh), "b.obj")->element_groups, mesh->element_groups);
}

TEST(Obj, NamesOfGroupsAreWrittenAsOneWord) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.elements = {{0, 1, 2}, {2, 1, 0}};
  mesh.element_groups = {{"left half #1", {0}}, {"b\tc", {0, 1}}, {"", {1}}};
  const auto back = parse_obj(format_obj(mesh), "a.obj");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->element_groups, (mesh::Groups{{"left_half__1", {0}}, {"b_c", {0, 1}}, {"_", {1}}}));
}

// A long name and many faces: time and memory stay those of the file.
TEST(Obj, LongNamesOfGroupsCostNothingPerFace) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng " + std::string(1 << 20, 'n') + "\n";
  for (int i = 0; i < 50000; ++i) text += "f 1 2 3\n";
  const auto mesh = parse_obj(text, "a.obj");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_LT(format_obj(*mesh).size(), text.size() + 100);
}

TEST(Obj, ObjectsAreGroupsWhereThereAreNoOthers) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const auto groups = [&](const std::string& text) {
    return parse_obj(points + text, "test", nullptr)->element_groups;
  };
  EXPECT_EQ(groups("o eye\nf 1 2 3\no head\nf 1 2 4\nf 1 3 4\n"),
            (mesh::Groups{{"eye", {0}}, {"head", {1, 2}}}));
  EXPECT_EQ(groups("o eye\nf 1 2 3\nf 1 2 4\n"), mesh::Groups{});
  EXPECT_EQ(groups("o eye\nf 1 2 3\no head\ng lips\nf 1 2 4\n"), (mesh::Groups{{"lips", {1}}}));
}

}  // namespace
}  // namespace sinew::io
