#include "io/inp.h"

#include <gtest/gtest.h>
#include <sstream>

#include "second_order.h"

namespace sinew::io {
namespace {

using Ids = std::vector<int32_t>;

const std::string nodes =
    "*Node\n 10, 0., 0., 0.\n 20, 1., 0., 0.\n 30, 0., 1.0D+0, 0.\n 40, 0., 0., 1.\n 50, 1., 1., 1.\n";
const std::string tets = "*Element, type=C3D4\n 1, 10, 20, 30, 40\n 7, 20, 30, 40, 50\n";

TEST(Inp, ReadsNodesOfAnyNumberAndSets) {
  Notes notes;
  const auto mesh = parse_inp_tets(
      "*Heading\n any text, even 1, 2\n** a comment\n" + nodes + tets +
          "*Nset, nset=Base\n 10, 20,\n 30\n*Nset, nset=base, unsorted\n40\n"
          "*NSET, NSET=Range, GENERATE\n 10, 50, 20\n*Nset, nset=Both\n base, Range\n"
          "*Elset,\n elset=\"Last one\"\n 7\n*Boundary\n Base, 1, 3\n*Step\n*Static\n*End Step\n",
      "a.inp", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_NEAR(mesh::total_volume(*mesh), 0.5, 1e-15);
  EXPECT_EQ(mesh->vertex_groups.at("Base"), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(mesh->vertex_groups.at("Range"), (Ids{0, 2, 4}));
  EXPECT_EQ(mesh->vertex_groups.at("Both"), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(mesh->element_groups.at("Last one"), Ids{1});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "passed over *BOUNDARY, *STATIC, *STEP");
}

TEST(Inp, SetsMayComeBeforeWhatTheyHold) {
  const auto mesh =
      parse_inp_tets("*NSET, NSET=A\n50\n*ELSET, ELSET=E, GENERATE\n1, 9\n" + tets + nodes, "a.inp");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_groups.at("A"), Ids{4});
  EXPECT_EQ(mesh->element_groups.at("E"), (Ids{0, 1}));
}

TEST(Inp, APartWithAnInstanceIsMoved) {
  Notes notes;
  const auto mesh = parse_inp_tets(
      "*Part, name=P\n" + nodes + tets +
          "*End Part\n*Assembly, name=A\n*Instance, name=P-1, part=P\n 0., 0., 5.\n*End Instance\n"
          "*Node\n 10, 7., 7., 7.\n*Nset, nset=_ref\n 10\n*Nset, nset=Fix, instance=P-1\n 40,\n"
          "*Elset, elset=E, instance=P-1\n P-1.7\n*End Assembly\n",
      "a.inp", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 5u);
  EXPECT_EQ(mesh->vertices[3][2], 6);
  EXPECT_EQ(mesh->vertex_groups.size(), 1u);
  EXPECT_EQ(mesh->vertex_groups.at("Fix"), Ids{3});
  EXPECT_EQ(mesh->element_groups.at("E"), Ids{1});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("2 lists"), std::string::npos);
}

TEST(Inp, ShellsAreTrianglesOrGroupsOfVertices) {
  const std::string text =
      nodes + tets + "*ELEMENT, TYPE=S3, ELSET=skin\n100, 10, 20, 30\n" +
      "*ELEMENT, TYPE=S4, ELSET=quads\n200, 10, 20, 50, 30\n*ELSET, ELSET=all\n1, 7, 100, 200\n";
  Notes notes;
  const auto mesh = parse_inp_tets(text, "a.inp", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_groups.at("skin"), (Ids{0, 1, 2}));
  EXPECT_EQ(mesh->element_groups.at("all"), (Ids{0, 1}));
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "left out elements of type S4");
  EXPECT_EQ(notes[1], "left out 1 triangles");
  const auto triangles = parse_inp_triangles(text, "a.inp");
  ASSERT_TRUE(triangles) << triangles.error().text();
  EXPECT_EQ(triangles->elements, (std::vector<mesh::TriMesh::Element>{{0, 1, 2}}));
  EXPECT_EQ(triangles->element_groups.at("skin"), Ids{0});
}

TEST(Inp, ElementsGoOnAfterAComma) {
  std::string text = "*NODE\n";
  const double x[10][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                           {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  for (int i = 0; i < 10; ++i)
    text += std::to_string(i + 1) + "," + std::to_string(x[i][0]) + "," + std::to_string(x[i][1]) + "," +
            std::to_string(x[i][2]) + "\n";
  const auto mesh =
      parse_inp_tets(text + "*ELEMENT, TYPE=C3D10\n1, 1, 2, 3, 4, 5, 6,\n7, 8, 9, 10\n", "a.inp");
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->edge_nodes.size(), 1u);
  // Abaqus numbers the edges as VTK does: every such node is in the middle of its edge.
  for (int e = 0; e < 6; ++e)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(2 * mesh->vertices[mesh->edge_nodes[0][e]][k],
                x[mesh::tet_edges[e][0]][k] + x[mesh::tet_edges[e][1]][k]);
}

TEST(Inp, GroupsComeBackUnderTheirOwnNames) {
  mesh::TetMesh mesh = second_order_box();
  mesh.vertex_groups["LEFT SIDE"] = {1, 2};
  mesh.vertex_groups["2. Stück"] = {3};
  mesh.vertex_groups["NALL"] = {4, 5};
  mesh.element_groups[std::string(100, 'x') + "1"] = {2};
  mesh.element_groups[std::string(100, 'x') + "2"] = {3};
  const std::string text = format_inp(mesh);
  Notes notes;
  const auto back = parse_inp_tets(text, "a.inp", &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty()) << notes[0];
  expect_same_geometry(mesh, *back);
  EXPECT_EQ(mesh.edge_nodes, back->edge_nodes);
  EXPECT_EQ(mesh.vertex_groups, back->vertex_groups);
  EXPECT_EQ(mesh.element_groups, back->element_groups);
  EXPECT_EQ(format_inp(*back), text);
}

// Widths that CalculiX reads: 80 characters of a name, 20 of a number, 16 numbers on a line.
TEST(Inp, StaysWithinTheLimitsOfCalculix) {
  mesh::TetMesh mesh = *mesh::make_ball({.radius = 1e-3 / 7, .cells = 4});
  for (auto& x : mesh.vertices) x[1] += 1e-17;
  mesh.element_groups[std::string(200, 'y')] = {0};
  for (int32_t i = 0; i < 40; ++i) mesh.element_groups["many"].push_back(i);
  const std::string text = format_inp(mesh);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("**")) continue;
    int fields = 0;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) {
      ++fields;
      const size_t equals = field.find('='), begin = field.find_first_not_of(' ');
      const size_t most = equals != std::string::npos ? equals + 1 + 80 : line[0] == '*' ? 80 : begin + 20;
      EXPECT_LE(field.size(), most) << line;
    }
    EXPECT_LE(fields, 16) << line;
  }
  const auto back = parse_inp_tets(text, "a.inp");
  ASSERT_TRUE(back) << back.error().text();
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(back->vertices[i][k], mesh.vertices[i][k], 1e-14 * std::abs(mesh.vertices[i][k]));
  EXPECT_EQ(format_inp(*back), text);
}

// Sets of sets could double with every line.
TEST(Inp, SetsThatDoubleAreRefused) {
  std::string text = nodes + tets + "*NSET, NSET=S0\n10, 20\n";
  for (int i = 1; i < 60; ++i)
    text += "*NSET, NSET=S" + std::to_string(i) + "\nS" + std::to_string(i - 1) + ", S" +
            std::to_string(i - 1) + "\n";
  const auto mesh = parse_inp_tets(text, "a.inp");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().text().find("more than is read"), std::string::npos) << mesh.error().text();
}

}  // namespace
}  // namespace sinew::io
