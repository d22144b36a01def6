#include "io/gmsh.h"

#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

TEST(Gmsh, GroupsComeBack) {
  const TetMesh mesh = sample_tets();
  const auto back = parse_gmsh_tets(format_gmsh(mesh), "a.msh");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->element_groups, mesh.element_groups);
  EXPECT_EQ(back->vertex_groups, mesh.vertex_groups);
  const TriMesh triangles = sample_triangles();
  EXPECT_EQ(parse_gmsh_triangles(format_gmsh(triangles), "a.msh")->vertex_groups, triangles.vertex_groups);
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
