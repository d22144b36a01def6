#include "io/stl.h"

#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>

#include "io/file.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

std::string facet(const std::string& a, const std::string& b, const std::string& c) {
  return "facet normal nan 0 -1\n outer loop\n  vertex " + a + "\n  vertex " + b + "\n  vertex " + c +
         "\n endloop\nendfacet\n";
}

TEST(Stl, SolidsOfATextFileBecomeGroups) {
  Notes notes;
  const auto mesh = parse_stl("solid left half # 1\n" + facet("0 0 0", "1 0 0", "0 1 0") +
                                  "endsolid left half\n" + "SOLID\n" + facet("1 0 0", "1 1 0", "-0 1 0") +
                                  facet("0 0 0", "0 1 0", "0 0 1") + "ENDSOLID\nsolid empty\nendsolid\n",
                              "a.stl", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 5u);
  EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{0, 1, 2}, {1, 3, 2}, {0, 2, 4}}));
  EXPECT_EQ(mesh->element_groups, (mesh::Groups{{"left half # 1", {0}}, {"solid_2", {1, 2}}}));
  EXPECT_EQ(notes, (Notes{"merged 9 corners into 5 vertices"}));
}

TEST(Stl, OneSolidIsNoGroup) {
  const auto mesh = parse_stl("solid a\n" + facet("0 0 0", "1 0 0", "0 1 0") + "endsolid a", "a.stl");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_TRUE(mesh->element_groups.empty());
  EXPECT_TRUE(mesh->element_data.empty());
}

TEST(Stl, CornersThatDifferInTheLastBitStayApart) {
  const auto mesh = parse_stl("solid a\n" + facet("0 0 0", "1 0 0", "0 1 0") +
                                  facet("0 0 0", "0 1 0", "1.0000000000000002 0 0") + "endsolid a",
                              "a.stl");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 4u);
}

TEST(Stl, BinaryFilesMayBeginWithSolid) {
  TriMesh mesh = sample_triangles();
  mesh.element_data["attribute"].values.assign(mesh.elements.size(), 0);
  mesh.element_data["attribute"].values[1] = 65535;
  auto bytes = format_stl(mesh);
  ASSERT_TRUE(bytes);
  ASSERT_EQ(bytes->size(), 84 + 50 * mesh.elements.size());
  bytes->replace(0, 6, "solid ");
  const auto back = parse_stl(*bytes, "a.stl");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->elements.size(), mesh.elements.size());
  expect_same_data(back->element_data, {{"attribute", mesh.element_data["attribute"]}});
  bytes->pop_back();
  EXPECT_NE(parse_stl(*bytes, "a.stl").error().text().find("a.stl: byte 80"), std::string::npos);
}

TEST(Stl, NormalsPointOutwards) {
  const TriMesh mesh = sample_triangles();  // a ball around the origin
  const auto bytes = format_stl(mesh);
  ASSERT_TRUE(bytes);
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    float numbers[12];
    std::memcpy(numbers, bytes->data() + 84 + 50 * t, sizeof numbers);
    double length = 0, outwards = 0;
    for (int k = 0; k < 3; ++k) {
      length += numbers[k] * numbers[k];
      outwards += numbers[k] * numbers[3 + k];
    }
    EXPECT_NEAR(length, 1, 1e-6);
    EXPECT_GT(outwards, 0);
  }
}

TEST(Stl, PositionsThatFloatCannotHoldAreRefused) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1e39, 0, 0}, {0, 1, 0}};
  mesh.elements = {{0, 1, 2}};
  const auto bytes = format_stl(mesh);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().kind, ErrorKind::usage);
  EXPECT_NE(bytes.error().text().find("vertex 1"), std::string::npos);
}

// The humerus is one closed surface without handles: V - E + F = 2, with three half edges a triangle.
TEST(Stl, MergedCornersCloseARealSurface) {
  const std::string path = std::string(SINEW_SHARED_DATA) + "/anatomy/FMA23130.stl";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no file " << path;
  const auto mesh = parse_stl(*read_text(path), path);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(2 * mesh->vertices.size(), mesh->elements.size() + 4);
  std::map<std::pair<int32_t, int32_t>, int> edges;
  for (const auto& t : mesh->elements)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.count({edge.second, edge.first}));
  }
}

}  // namespace
}  // namespace sinew::io
