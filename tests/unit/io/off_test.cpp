#include "io/off.h"

#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

TEST(Off, PolygonsCommentsAndColours) {
  Notes notes;
  const auto mesh = parse_off(
      "COFF # colours\n# counts\n4 2 0\n\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n1 1 0 0 0 255 0\n0 1 0 1 2 3 "
      "4\n"
      "4 0 1 2 3 0.5 0.25 1\n3 0 1 2  1 0 0 # red\n",
      "a.off", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}}));
  EXPECT_EQ(mesh->vertex_data.at("color").width, 4);
  EXPECT_EQ(mesh->vertex_data.at("color").values[6], 0);
  EXPECT_EQ(mesh->vertex_data.at("color").values[5], 255);
  EXPECT_EQ(mesh->element_data.at("color").width, 3);
  EXPECT_EQ(mesh->element_data.at("color").values,
            (std::vector<double>{0.5, 0.25, 1, 0.5, 0.25, 1, 1, 0, 0}));
  EXPECT_EQ(notes, (Notes{"cut 1 polygons into triangles"}));
  const auto back = parse_off(format_off(*mesh), "b.off");
  ASSERT_TRUE(back) << back.error().text();
  expect_same_geometry(*mesh, *back);
  expect_same_data(mesh->vertex_data, back->vertex_data);
  expect_same_data(mesh->element_data, back->element_data);
}

TEST(Off, CountsMayFollowTheWordAndLackTheEdges) {
  for (const char* head : {"OFF 3 1 0\n", "OFF 3 1\n", "OFF\n3 1\n"}) {
    const auto mesh = parse_off(std::string(head) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2", "a.off");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->vertices.size(), 3u);
    EXPECT_TRUE(mesh->vertex_data.empty() && mesh->element_data.empty());
  }
}

TEST(Off, NormalsAndMixedColoursAreLeftOutAloud) {
  Notes notes;
  const auto mesh =
      parse_off("NCOFF\n3 2 0\n0 0 0 0 0 1 9 9 9\n1 0 0 0 0 1 8 8 8\n0 1 0 0 0 1 7 7 7\n3 0 1 2 5\n3 0 2 1\n",
                "a.off", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_data.at("color").values, (std::vector<double>{9, 9, 9, 8, 8, 8, 7, 7, 7}));
  EXPECT_TRUE(mesh->element_data.empty());
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("normals"), std::string::npos);
  EXPECT_NE(notes[1].find("colours of the faces"), std::string::npos);
}

}  // namespace
}  // namespace sinew::io
