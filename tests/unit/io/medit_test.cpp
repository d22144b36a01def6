#include "io/medit.h"

#include <cmath>
#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;

TEST(Medit, ReferencesBecomeGroups) {
  const TetMesh mesh = sample_tets();
  const auto back = parse_medit_tets(format_medit(mesh), "a.mesh");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->vertex_data.at("ref").values, mesh.vertex_data.at("ref").values);
  EXPECT_EQ(back->element_data.at("ref").values, mesh.element_data.at("ref").values);
  EXPECT_EQ(back->element_groups.at("ref_5").size(), 40u);
  EXPECT_EQ(back->element_groups.at("ref_2").size(), mesh.elements.size() - 40);
  EXPECT_EQ(back->vertex_groups.count("ref_0"), 0u);
}

TEST(Medit, ReferencesThatAreNoWholeNumbersOf32BitsAreLeftOut) {
  TetMesh mesh = *mesh::make_box({.size = {1, 1, 1}, .cells = {1, 1, 1}});
  for (double value : {0.5, 1e300, -1e300, 2147483648.0, -2147483649.0, double(NAN), double(INFINITY)}) {
    mesh.vertex_data["ref"].values.assign(mesh.vertices.size(), value);
    const auto back = parse_medit_tets(format_medit(mesh), "a.mesh");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_FALSE(back->vertex_data.count("ref")) << value;
  }
  for (double value : {2147483647.0, -2147483648.0}) {
    mesh.vertex_data["ref"].values.assign(mesh.vertices.size(), value);
    EXPECT_EQ(parse_medit_tets(format_medit(mesh), "a.mesh")->vertex_data.at("ref").values[0], value);
  }
}

TEST(Medit, TriangleReferencesInATetMeshBecomeVertexGroups) {
  Notes notes;
  const auto mesh = parse_medit_tets(
      "MeshVersionFormatted 2 Dimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
      "Triangles 2\n1 2 3 7\n1 2 4 0\nCorners 1\n1\nTetrahedra 1\n1 3 2 4 0\nEnd\n",
      "a.mesh", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_groups.at("triangle_ref_7"), (std::vector<int32_t>{0, 1, 2}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "turned over 1 of 1 tetrahedra that were inverted");
  EXPECT_GT(mesh::total_volume(*mesh), 0);
}

}  // namespace
}  // namespace sinew::io
