#include "io/gmsh.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

// Writes a mesh and reads it again.
template <class Mesh>
Result<Mesh> there_and_back(const Mesh& mesh, Notes* notes = nullptr) {
  Scratch scratch;
  const std::string path = scratch.path("a.msh");
  if (auto ok = write_gmsh(path, mesh); !ok) return ok.error();
  const auto source = Source::open(path);
  if (!source) return source.error();
  if constexpr (std::is_same_v<Mesh, TetMesh>)
    return parse_gmsh_tets(*source, "a.msh", notes);
  else
    return parse_gmsh_triangles(*source, "a.msh", notes);
}

template <int corners>
void expect_same(const mesh::Mesh<corners>& a, const mesh::Mesh<corners>& b) {
  expect_same_geometry(a, b);
  expect_same_data(a.vertex_data, b.vertex_data);
  expect_same_data(a.element_data, b.element_data);
  EXPECT_EQ(a.vertex_groups, b.vertex_groups);
  EXPECT_EQ(a.element_groups, b.element_groups);
}

TEST(Gmsh, GroupsAndAttributesComeBack) {
  TetMesh mesh = sample_tets();
  mesh.element_groups["with \"quotes\", a \\ and # signs"] = {1, 4};
  mesh.vertex_groups["two words"] = {0, 3, 7};
  mesh.vertex_data["a \"name\""] = {2, std::vector<double>(2 * mesh.vertices.size(), 0.1)};
  Notes notes;
  const auto back = there_and_back(mesh, &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty()) << notes[0];
  expect_same(mesh, *back);
  const TriMesh triangles = sample_triangles();
  const auto surface = there_and_back(triangles);
  ASSERT_TRUE(surface) << surface.error().text();
  expect_same(triangles, *surface);
}

TEST(Gmsh, EmptyNamesComeBack) {
  TetMesh mesh = sample_tets();
  mesh.element_groups[""] = {1, 4};
  mesh.vertex_groups[""] = {0};
  mesh.vertex_data[""] = {1, std::vector<double>(mesh.vertices.size(), 0.1)};
  const auto back = there_and_back(mesh);
  ASSERT_TRUE(back) << back.error().text();
  expect_same(mesh, *back);
}

TEST(Gmsh, MoreGroupsThanAreReadAreNotWritten) {
  TetMesh mesh = sample_tets();
  mesh.element_groups.clear();
  for (int i = 0; i < 64; ++i) mesh.element_groups[std::to_string(i)] = {7};
  const auto back = there_and_back(mesh);
  ASSERT_TRUE(back) << back.error().text();
  expect_same(mesh, *back);
  mesh.element_groups["one more"] = {7};
  const auto refused = there_and_back(mesh);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "an element in 65 groups, a .msh file holds at most 64");
}

TEST(Gmsh, SecondOrderComesBack) {
  const TetMesh mesh = second_order(sample_tets());
  Notes notes;
  const auto back = there_and_back(mesh, &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty()) << notes[0];
  expect_same(mesh, *back);
  EXPECT_EQ(mesh.edge_nodes, back->edge_nodes);
}

// Gmsh's reference manual, "Node ordering": 8 lies between 2 and 3, 9 between 1 and 3. The inverted one is
// turned over together with its edges.
TEST(Gmsh, SecondOrderTetsHaveTheirNodesOnTheirEdges) {
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 "
      "0\n"
      "7 0 1 0\n8 0 0 1\n9 0 1 1\n10 1 0 1\n$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 "
      "10\n$EndElements\n";
  const auto expect_on_edges = [](const TetMesh& mesh) {
    ASSERT_EQ(mesh.edge_nodes.size(), 1u);
    for (int k = 0; k < 6; ++k) {
      const auto& x = mesh.vertices;
      const math::Vec3d middle =
          0.5 * (x[mesh.elements[0][mesh::tet_edges[k][0]]] + x[mesh.elements[0][mesh::tet_edges[k][1]]]);
      EXPECT_EQ(norm(x[mesh.edge_nodes[0][k]] - middle), 0) << k;
    }
  };
  const auto mesh = parse_gmsh_tets(text, "a.msh");
  ASSERT_TRUE(mesh) << mesh.error().text();
  expect_on_edges(*mesh);
  // 1 and 2 change places, and the nodes on 1-3 and 2-3, 1-4 and 2-4 with them.
  text.replace(text.find("1 2 3 4 5 6 7 8 9 10"), 20, "2 1 3 4 5 7 6 10 9 8");
  Notes notes;
  const auto turned = parse_gmsh_tets(text, "a.msh", &notes);
  ASSERT_TRUE(turned) << turned.error().text();
  EXPECT_EQ(notes[0], "turned over 1 of 1 tetrahedra that were inverted");
  expect_on_edges(*turned);
  EXPECT_GT(mesh::total_volume(*turned), 0);
}

// The same small mesh, as text and in binary of both byte orders, in versions 2.2 and 4.1.
class Encoder {
 public:
  bool binary = false, swapped = false;
  std::string text;
  template <class T>
  Encoder& number(T value) {
    if (!binary) {
      text += std::to_string(value) + " ";
      return *this;
    }
    std::string raw(reinterpret_cast<const char*>(&value), sizeof(T));
    if (swapped) std::reverse(raw.begin(), raw.end());
    text += raw;
    return *this;
  }
  Encoder& whole(int32_t value) { return number(value); }
  Encoder& size(uint64_t value) { return number(value); }
  Encoder& real(double value) { return number(value); }
  Encoder& line(const std::string& words) {
    text += words + "\n";
    return *this;
  }
};

void begin(Encoder& e, const std::string& version) {
  e.line("$MeshFormat").line(version + (e.binary ? " 1 8" : " 0 8"));
  if (e.binary) e.whole(1).line("");
  e.line("$EndMeshFormat")
      .line("$PhysicalNames")
      .line("2")
      .line("2 7 \"side\"")
      .line("3 9 \"body\"")
      .line("$EndPhysicalNames");
}

constexpr double positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void data(Encoder& e) {
  e.line("$NodeData").line("1").line("\"t\"").line("1").line("0.0").line("3").line("0").line("1").line("4");
  for (int i = 0; i < 4; ++i) e.whole(11 + i).real(0.25 * i);
  e.line("").line("$EndNodeData");
  e.line("$ElementData")
      .line("1")
      .line("\"E\"")
      .line("1")
      .line("0.0")
      .line("3")
      .line("0")
      .line("3")
      .line("2");
  for (int i = 0; i < 2; ++i) e.whole(1 + i).real(i + 0.5).real(2).real(3);
  e.line("").line("$EndElementData");
}

std::string version_4(bool binary, bool swapped) {
  Encoder e{binary, swapped, {}};
  begin(e, "4.1");
  e.line("$Entities").size(0).size(0).size(1).size(1);
  e.whole(5);
  for (int k = 0; k < 6; ++k) e.real(k / 3);
  e.size(1).whole(7).size(0).whole(6);
  for (int k = 0; k < 6; ++k) e.real(k / 3);
  e.size(1).whole(9).size(1).whole(5).line("").line("$EndEntities");
  e.line("$Nodes").size(1).size(4).size(11).size(14).whole(3).whole(6).whole(0).size(4);
  for (int i = 0; i < 4; ++i) e.size(11 + i);
  for (const auto& x : positions) e.real(x[0]).real(x[1]).real(x[2]);
  e.line("").line("$EndNodes").line("$Elements").size(2).size(2).size(1).size(2);
  e.whole(2).whole(5).whole(2).size(1).size(1).size(11).size(13).size(12);
  e.whole(3).whole(6).whole(4).size(1).size(2).size(11).size(12).size(13).size(14).line("").line(
      "$EndElements");
  data(e);
  return e.text;
}

std::string version_2(bool binary, bool swapped) {
  Encoder e{binary, swapped, {}};
  begin(e, "2.2");
  e.line("$Nodes").line("4");
  for (int i = 0; i < 4; ++i)
    e.whole(11 + i).real(positions[i][0]).real(positions[i][1]).real(positions[i][2]);
  e.line("").line("$EndNodes").line("$Elements").line("2");
  if (binary)
    e.whole(2).whole(1).whole(2).whole(1).whole(7).whole(5);
  else
    e.whole(1).whole(2).whole(2).whole(7).whole(5);
  e.whole(11).whole(13).whole(12);
  if (binary)
    e.whole(4).whole(1).whole(2).whole(2).whole(9).whole(6);
  else
    e.whole(2).whole(4).whole(2).whole(9).whole(6);
  e.whole(11).whole(12).whole(13).whole(14).line("").line("$EndElements");
  data(e);
  return e.text;
}

TEST(Gmsh, VersionsAndEncodingsGiveTheSame) {
  for (const bool binary : {false, true})
    for (const bool swapped : {false, true})
      for (const auto& text : {version_2(binary, swapped), version_4(binary, swapped)}) {
        const auto mesh = parse_gmsh_tets(text, "a.msh");
        ASSERT_TRUE(mesh) << mesh.error().text() << "\n" << text;
        ASSERT_EQ(mesh->vertices.size(), 4u);
        for (int i = 0; i < 4; ++i)
          for (int k = 0; k < 3; ++k) EXPECT_EQ(mesh->vertices[i][k], positions[i][k]);
        EXPECT_EQ(mesh->elements[0], (TetMesh::Element{0, 1, 2, 3}));
        EXPECT_EQ(mesh->element_groups, (mesh::Groups{{"body", {0}}}));
        EXPECT_EQ(mesh->vertex_groups, (mesh::Groups{{"side", {0, 1, 2}}}));
        EXPECT_EQ(mesh->vertex_data.at("t").values, (std::vector<double>{0, 0.25, 0.5, 0.75}));
        EXPECT_EQ(mesh->element_data.at("E").values, (std::vector<double>{1.5, 2, 3}));
        const auto surface = parse_gmsh_triangles(text, "a.msh");
        ASSERT_TRUE(surface) << surface.error().text();
        EXPECT_EQ(surface->element_data.at("E").values, (std::vector<double>{0.5, 2, 3}));
        EXPECT_EQ(surface->element_groups, (mesh::Groups{{"side", {0}}}));
      }
}

// Cut anywhere and with any byte changed, the readers answer; a file cut before its last section is refused.
TEST(Gmsh, DamageNeverCrashes) {
  for (const bool binary : {false, true})
    for (const auto& good : {version_2(binary, false), version_4(binary, false)})
      for (size_t i = 0; i < good.size(); ++i) {
        const auto cut = parse_gmsh_tets(std::string_view(good).substr(0, i), "a");
        EXPECT_TRUE(!cut || i > good.find("$EndElements")) << i;
        for (const char c : {'\0', '\1', '\xff', '9', '\n', '-'}) {
          std::string bad = good;
          bad[i] = c;
          (void)parse_gmsh_tets(bad, "a");
        }
      }
}

// Sparse tags, several blocks, a parametric one, comments, a section to pass over, unnamed groups.
TEST(Gmsh, ReadsWhatGmshWrites) {
  const char* text = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Comments
$Nodes are not here
$EndComments
$PhysicalNames
2
2 7 "fixed # side"
3 9 "body"
$EndPhysicalNames
$Entities
1 0 1 1
1 0 0 0 0
5 0 0 0 1 1 0 1 7 0
6 0 0 0 1 1 1 2 9 -11 1 5
$EndEntities
$Nodes
3 5 10 90
0 1 0 1
10
0 0 0
2 5 1 2
30
20
1 0 0 0.5 0.5
0 1 0 0.1 0.2
3 6 0 2
90
80
0 0 1
1 1 1
$EndNodes
$Elements
2 3 1 3
2 5 2 1
1 10 30 20
3 6 4 2
2 10 30 20 90
3 30 20 90 80
$EndElements
)";
  Notes notes;
  const auto mesh = parse_gmsh_tets(text, "a.msh", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices[1][0], 1);
  EXPECT_EQ(mesh->elements[0], (TetMesh::Element{0, 1, 2, 3}));
  EXPECT_EQ(mesh->element_groups.at("body"), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(mesh->element_groups.at("physical_11"), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(mesh->vertex_groups.at("fixed # side"), (std::vector<int32_t>{0, 1, 2}));
  const auto surface = parse_gmsh_triangles(text, "a.msh");
  ASSERT_TRUE(surface);
  EXPECT_EQ(surface->element_groups.at("fixed # side"), (std::vector<int32_t>{0}));
}

}  // namespace
}  // namespace sinew::io
