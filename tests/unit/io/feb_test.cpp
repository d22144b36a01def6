#include "io/feb.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"

namespace sinew::io {
namespace {

using Ids = std::vector<int32_t>;

const std::string nodes =
    "<node id=\"11\">0,0,0</node>\n<node id=\"12\"> 1, 0, 0 </node>\n<node id=\"13\">0 1 0</node>\n"
    "<node id=\"14\">0,0,1</node>\n<node id=\"15\">1,1,1</node>\n";
const std::string tets = "<elem id=\"1\">11,12,13,14</elem>\n<elem id=\"2\">12,13,14,15</elem>\n";

TEST(Feb, ReadsVersion25) {
  Notes notes;
  const auto mesh = parse_feb_tets(
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<febio_spec version=\"2.5\"><Geometry>\n<Nodes>" +
          nodes + "</Nodes><Elements type=\"tet4\" mat=\"1\" name=\"block\">" + tets +
          "</Elements><NodeSet name=\"fix\"><node id=\"15\"/><node id=\"11\"/></NodeSet>"
          "<ElementSet name=\"one\"><elem id=\"2\"/></ElementSet>"
          "<Surface name=\"top\"><tri3 id=\"1\">12,13,14</tri3></Surface></Geometry></febio_spec>",
      "a.feb", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_TRUE(notes.empty());
  EXPECT_NEAR(mesh::total_volume(*mesh), 0.5, 1e-15);
  EXPECT_EQ(mesh->vertex_groups.at("fix"), (Ids{0, 4}));
  EXPECT_EQ(mesh->vertex_groups.at("top"), (Ids{1, 2, 3}));
  EXPECT_EQ(mesh->element_groups.at("block"), (Ids{0, 1}));
  EXPECT_EQ(mesh->element_groups.at("material_1"), (Ids{0, 1}));
  EXPECT_EQ(mesh->element_groups.at("one"), Ids{1});
}

TEST(Feb, ReadsListsOfVersion4AndDomains) {
  Notes notes;
  const auto mesh = parse_feb_tets(
      "<febio_spec version=\"4.0\"><Mesh><Nodes name=\"all\">" + nodes +
          "</Nodes><Elements type=\"tet4\" name=\"Part1\">" + tets +
          "</Elements><Elements type=\"tri3\" name=\"skin\"><elem id=\"9\">11,12,13</elem></Elements>"
          "<Elements type=\"quad4\" name=\"q\"><elem id=\"8\">11,12,13,15</elem></Elements>"
          "<NodeSet name=\"fix\">15,<!-- and -->11</NodeSet><ElementSet name=\"one\">2,8</ElementSet></Mesh>"
          "<MeshDomains><SolidDomain name=\"Part1\" mat=\"steel\"/></MeshDomains></febio_spec>",
      "a.feb", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_groups.at("all").size(), 5u);
  EXPECT_EQ(mesh->vertex_groups.at("fix"), (Ids{0, 4}));
  EXPECT_EQ(mesh->vertex_groups.at("skin"), (Ids{0, 1, 2}));
  EXPECT_EQ(mesh->element_groups.at("material_steel"), (Ids{0, 1}));
  EXPECT_EQ(mesh->element_groups.at("one"), Ids{1});
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "left out elements of type 'quad4'");
  EXPECT_EQ(notes[1], "left out 1 triangles");
}

TEST(Feb, ReadsSecondOrderAndTriangles) {
  const char* text =
      "<febio_spec version=\"3.0\"><Mesh><Nodes><node id=\"1\">0,0,0</node><node id=\"2\">2,0,0</node>"
      "<node id=\"3\">0,2,0</node><node id=\"4\">0,0,2</node><node id=\"5\">1,0,0</node><node "
      "id=\"6\">1,1,0</node>"
      "<node id=\"7\">0,1,0</node><node id=\"8\">0,0,1</node><node id=\"9\">1,0,1</node><node "
      "id=\"10\">0,1,1</node>"
      "</Nodes><Elements type=\"tet10\" name=\"a\"><elem id=\"1\">1,2,3,4,5,6,7,8,9,10</elem></Elements>"
      "<Elements type=\"tri3\" name=\"b\"><elem id=\"2\">1,2,3</elem></Elements></Mesh></febio_spec>";
  const auto mesh = parse_feb_tets(text, "a.feb");
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->edge_nodes.size(), 1u);
  for (int e = 0; e < 6; ++e)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(2 * mesh->vertices[mesh->edge_nodes[0][e]][k],
                mesh->vertices[mesh->elements[0][mesh::tet_edges[e][0]]][k] +
                    mesh->vertices[mesh->elements[0][mesh::tet_edges[e][1]]][k]);
  const auto surface = parse_feb_triangles(text, "a.feb");
  ASSERT_TRUE(surface) << surface.error().text();
  EXPECT_EQ(surface->elements, (std::vector<mesh::TriMesh::Element>{{0, 1, 2}}));
  EXPECT_EQ(surface->element_groups.at("b"), Ids{0});
}

}  // namespace
}  // namespace sinew::io
