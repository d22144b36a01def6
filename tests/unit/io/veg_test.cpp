#include "io/veg.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "io/mesh_file.h"
#include "mesh/properties.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

const std::string two_tets =
    "# a comment\n*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
    "*ELEMENTS\nTETS\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n";

TEST(Veg, ReadsVerticesAndTetsCountedFromOne) {
  Notes notes;
  const auto mesh = parse_veg(two_tets, "a.veg", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 5u);
  EXPECT_NEAR(mesh::total_volume(*mesh), 1.0 / 6 + 1.0 / 3, 1e-15);
  EXPECT_TRUE(mesh->element_groups.empty());
  EXPECT_TRUE(mesh->element_data.empty());
  EXPECT_TRUE(notes.empty());
}

TEST(Veg, CountsFromZeroWhereTheFileDoes) {
  const auto mesh = parse_veg(
      "*VERTICES\n4,3,0,0\n0,0,0,0\n1,2,0,0\n2,0,2,0\n3,0,0,2\n*ELEMENTS\nTET\n1,4,0\n0,0,1,2,3\n*SET s\n0\n",
      "a.veg");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->elements[0], (mesh::TetMesh::Element{0, 1, 2, 3}));
  EXPECT_EQ(mesh->element_groups.at("s"), std::vector<int32_t>{0});
}

TEST(Veg, RegionsSpreadMaterialsOverTheirSets) {
  Notes notes;
  const auto mesh = parse_veg(two_tets +
                                  "*SET second\n2, \n*MATERIAL soft\nENU, 1000, 2e5, 0.45\n"
                                  "*MATERIAL hard\nENU, 2000, 1e7, 0.3\n"
                                  "*REGION\nallElements, soft\n*REGION\nsecond, hard\n",
                              "a.veg", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->element_data.at("density").values, (std::vector<double>{1000, 2000}));
  EXPECT_EQ(mesh->element_data.at("young").values, (std::vector<double>{2e5, 1e7}));
  EXPECT_EQ(mesh->element_data.at("poisson").values, (std::vector<double>{0.45, 0.3}));
  EXPECT_EQ(mesh->element_groups.at("second"), std::vector<int32_t>{1});
  EXPECT_EQ(mesh->element_groups.at("material_soft"), std::vector<int32_t>{0});
  EXPECT_EQ(mesh->element_groups.at("material_hard"), std::vector<int32_t>{1});
  EXPECT_TRUE(notes.empty());
}

TEST(Veg, OtherMaterialsAndBareTetsAreNoted) {
  Notes notes;
  const auto mesh = parse_veg(two_tets +
                                  "*SET a\n1\n*MATERIAL rubber\nMOONEYRIVLIN, 900, 1, 2, 3\n"
                                  "*MATERIAL odd\nGLUE, 1, 2\n*REGION\na, rubber\n",
                              "a.veg", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->element_data.at("mu10").values, (std::vector<double>{2, 0}));
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("GLUE"), std::string::npos);
  EXPECT_NE(notes[1].find("1 tetrahedra are in no region"), std::string::npos);
}

TEST(Veg, RealMesh) {
  const std::string path = std::string(SINEW_SHARED_DATA) + "/tets/turtle.veg";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
  Notes notes;
  const auto mesh = read_tet_mesh(path, &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 347u);
  EXPECT_EQ(mesh->elements.size(), 1185u);
  EXPECT_EQ(mesh::quality(*mesh).inverted, 0);
  EXPECT_NEAR(mesh::enclosed_volume(mesh::boundary_surface(*mesh).mesh), mesh::total_volume(*mesh),
              1e-9 * mesh::total_volume(*mesh));
  EXPECT_EQ(mesh->element_data.at("young").values, std::vector<double>(1185, 250000));
  EXPECT_EQ(mesh->element_data.at("poisson").values, std::vector<double>(1185, 0.45));
  EXPECT_EQ(mesh->element_data.at("density").values, std::vector<double>(1185, 1000));
}

}  // namespace
}  // namespace sinew::io
