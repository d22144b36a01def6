#include "io/tetgen.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

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

// Whatever the order in the file, and for an inverted tet too, nodes come to the edges they are in the middle of.
TEST(Tetgen, NodesOfSecondOrderAreFoundByTheirPlace) {
  const TetMesh corners = *mesh::make_ball({.radius = 1.0 / 3, .cells = 4});
  TetMesh mesh = corners;
  std::map<std::pair<int32_t, int32_t>, int32_t> known;
  for (const auto& tet : mesh.elements) {
    auto& nodes = mesh.edge_nodes.emplace_back();
    for (int e = 0; e < 6; ++e) {
      const int32_t a = tet[mesh::tet_edges[e][0]], b = tet[mesh::tet_edges[e][1]];
      const auto [place, added] =
          known.insert({std::minmax(a, b), static_cast<int32_t>(mesh.vertices.size())});
      if (added) mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      nodes[e] = place->second;
    }
  }
  const std::string node = format_tetgen_node(mesh);
  Notes notes;
  const auto back = parse_tetgen(node, "a.node", format_tetgen_ele(mesh), "a.ele", &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty());
  expect_same_geometry<4>(mesh, *back);
  EXPECT_EQ(back->edge_nodes, mesh.edge_nodes);

  std::ostringstream inverted;
  inverted << mesh.elements.size() << " 10 0\n";
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& [a, b, c, d] = mesh.elements[t];
    inverted << t;
    for (int32_t id : {a, b, d, c}) inverted << ' ' << id;
    for (int e = 0; e < 6; ++e) inverted << ' ' << mesh.edge_nodes[t][(e + t) % 6];
    inverted << '\n';
  }
  const auto turned = parse_tetgen(node, "a.node", inverted.str(), "a.ele");
  ASSERT_TRUE(turned) << turned.error().text();
  EXPECT_EQ(turned->elements, mesh.elements);
  EXPECT_EQ(turned->edge_nodes, mesh.edge_nodes);

  // One curved tet: its nodes are where TetGen 1.5 lists them, unless the others show another order.
  TetMesh curved = mesh;
  curved.vertices[curved.edge_nodes[0][3]][1] += 0.01;
  const std::string moved = format_tetgen_node(curved);
  notes.clear();
  const auto bent = parse_tetgen(moved, "a.node", format_tetgen_ele(curved), "a.ele", &notes);
  ASSERT_TRUE(bent) << bent.error().text();
  EXPECT_EQ(bent->edge_nodes, mesh.edge_nodes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("off the middle"), std::string::npos) << notes[0];
  const auto unknown = parse_tetgen(moved, "a.node", inverted.str(), "a.ele");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("a.ele: line 2: tetrahedron 0"), std::string::npos)
      << unknown.error().text();
}

// An inverted curved tet in the order of TetGen 1.5: 23 03 01 12 13 02.
TEST(Tetgen, CurvedTetsAreTurnedOverWithTheirEdges) {
  const auto mesh = parse_tetgen(
      "10 3 0 0\n0 0 0 0\n1 2 0 0\n2 0 0 2\n3 0 2 0\n4 0 1.1 1\n5 0 1 0\n6 1 0 0\n7 1 0 1\n8 1 1 0\n9 0 0 "
      "1\n",
      "a.node", "1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", "a.ele");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_GT(mesh::total_volume(*mesh), 0);
  for (int e = 0; e < 6; ++e) {
    const auto &a = mesh->vertices[mesh->elements[0][mesh::tet_edges[e][0]]],
               &b = mesh->vertices[mesh->elements[0][mesh::tet_edges[e][1]]];
    EXPECT_LT(norm(mesh->vertices[mesh->edge_nodes[0][e]] - 0.5 * (a + b)), 0.11) << e;
  }
}

}  // namespace
}  // namespace sinew::io
