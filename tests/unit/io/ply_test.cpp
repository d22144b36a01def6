#include "io/ply.h"

#include <bit>
#include <gtest/gtest.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

TEST(Ply, TextWithPropertiesInAnyOrder) {
  Notes notes;
  const auto mesh = parse_ply(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\nobj_info nothing\nelement vertex 4\nproperty uchar "
      "red\n"
      "property float z\nproperty double x\nproperty list uchar int friends\nproperty float32 y\n"
      "element face 2\nproperty short part\nproperty list uint8 int32 vertex_index\nelement edge 1\nproperty "
      "int a\n"
      "end_header\n255 3 1 0 2\n0 3 2 2 0 1 2\n7 3 2 1 3 3\n1 3 1 0 3\n-5 4 0 1 2 3\n\n8 3 0 1 2\n42\n",
      "a.ply", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->vertices.size(), 4u);
  const double expected[4][3] = {{1, 2, 3}, {2, 2, 3}, {2, 3, 3}, {1, 3, 3}};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(mesh->vertices[i][k], expected[i][k]);
  EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}}));
  EXPECT_EQ(mesh->vertex_data.at("red").values, (std::vector<double>{255, 0, 7, 1}));
  EXPECT_EQ(mesh->element_data.at("part").values, (std::vector<double>{-5, -5, 8}));
  EXPECT_EQ(mesh->vertex_data.size() + mesh->element_data.size(), 2u);
  EXPECT_EQ(notes, (Notes{"left out the list 'friends' of element 'vertex'",
                          "left out 1 rows of element 'edge'", "cut 1 polygons into triangles"}));
}

// A row of every type, by hand: bytes as the format's description gives them.
template <class T>
void put(std::string& out, T value, bool big) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof(T));
  if (big) std::reverse(bytes.begin(), bytes.end());
  out += bytes;
}

TEST(Ply, BytesInBothOrdersAndEveryType) {
  for (const bool big : {false, true}) {
    std::string bytes =
        std::string("ply\nformat binary_") + (big ? "big" : "little") +
        "_endian 1.0\nelement face 1\nproperty list ushort uint vertex_indices\n"
        "element vertex 3\nproperty float x\nproperty double y\nproperty short z\n"
        "property char a\nproperty uchar b\nproperty ushort c\nproperty int d\nproperty uint e\n"
        "end_header\n";
    put<uint16_t>(bytes, 3, big);
    for (uint32_t i : {2u, 0u, 1u}) put(bytes, i, big);
    for (int i = 0; i < 3; ++i) {
      put(bytes, 0.1f * static_cast<float>(i), big);
      put(bytes, 1.0 / 3 * i * i, big);
      put<int16_t>(bytes, static_cast<int16_t>(-300 * i), big);
      put<int8_t>(bytes, -100, big);
      put<uint8_t>(bytes, 200, big);
      put<uint16_t>(bytes, 60000, big);
      put<int32_t>(bytes, -2000000000, big);
      put<uint32_t>(bytes, 4000000000u, big);
    }
    Notes notes;
    const auto mesh = parse_ply(bytes, "a.ply", &notes);
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{2, 0, 1}}));
    EXPECT_EQ(mesh->vertices[2][0], static_cast<double>(0.2f));
    EXPECT_EQ(mesh->vertices[2][1], 4.0 / 3);
    EXPECT_EQ(mesh->vertices[2][2], -600);
    EXPECT_EQ(mesh->vertex_data.at("a").values[1], -100);
    EXPECT_EQ(mesh->vertex_data.at("b").values[1], 200);
    EXPECT_EQ(mesh->vertex_data.at("c").values[1], 60000);
    EXPECT_EQ(mesh->vertex_data.at("d").values[1], -2e9);
    EXPECT_EQ(mesh->vertex_data.at("e").values[1], 4e9);
  }
}

TEST(Ply, AttributesComeBack) {
  TriMesh mesh = sample_triangles();
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 2; ++k) mesh.vertex_data["uv"].values.push_back(1.0 / static_cast<double>(3 + i + k));
  mesh.vertex_data["uv"].width = 2;
  mesh.vertex_data["h"].values.assign(mesh.vertices.size(), -0.1);
  mesh.element_data["pressure"].values.assign(mesh.elements.size(), 1e300);
  const auto back = parse_ply(format_ply(mesh), "a.ply");
  ASSERT_TRUE(back) << back.error().text();
  expect_same_geometry(mesh, *back);
  expect_same_data(mesh.vertex_data, back->vertex_data);
  expect_same_data(mesh.element_data, back->element_data);
}

TEST(Ply, NamesThatTheHeaderCannotHoldAreChanged) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.elements = {{0, 1, 2}};
  for (const char* name : {"x", "", "a b", "a_b", "#1"}) mesh.vertex_data[name].values = {1, 2, 3};
  const auto back = parse_ply(format_ply(mesh), "a.ply");
  ASSERT_TRUE(back) << back.error().text();
  std::vector<std::string> names;
  for (const auto& [name, data] : back->vertex_data) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"_1", "a_b", "a_b_", "attribute", "x_"}));
}

TEST(Ply, NumberedPropertiesBesideTheirStemStayApart) {
  const auto mesh = parse_ply(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty int a_0\nproperty int a_1\nproperty int a\nproperty "
      "int x\n"
      "property int y\nproperty int z\nelement face 1\nproperty list int int vertex_indices\nend_header\n"
      "1 2 3 0 0 0\n1 2 3 1 0 0\n1 2 3 0 1 0\n3 0 1 2\n",
      "a.ply");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_data.size(), 3u);
  EXPECT_EQ(mesh->vertex_data.at("a").values, (std::vector<double>{3, 3, 3}));
}

TEST(Ply, AttributesOfLargePolygonsStayInBounds) {
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nelement face "
      "1\n";
  for (int i = 0; i < 100; ++i) text += "property uchar p" + std::to_string(i) + "\n";
  text += "property list int int vertex_indices\nend_header\n0 0 0\n";
  for (int i = 0; i < 100; ++i) text += "1 ";
  text += "100000";
  for (int i = 0; i < 100000; ++i) text += " 0";
  const auto mesh = parse_ply(text + "\n", "a.ply");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().text().find("too many corners"), std::string::npos) << mesh.error().text();
}

}  // namespace
}  // namespace sinew::io
