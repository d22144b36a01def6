#include "mesh/clean.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

TetMesh box() { return *make_box({.size = {2, 1, 1}, .cells = {4, 2, 2}}); }

// Every tet with four vertices of its own.
TetMesh exploded(const TetMesh& mesh) {
  TetMesh out;
  for (const auto& tet : mesh.elements) {
    const auto first = static_cast<int32_t>(out.vertices.size());
    for (const int32_t node : tet) out.vertices.push_back(mesh.vertices[node]);
    out.elements.push_back({first, first + 1, first + 2, first + 3});
  }
  return out;
}

TEST(Clean, LeavesAGoodMeshAlone) {
  TetMesh mesh = box();
  const TetMesh before = mesh;
  EXPECT_TRUE(clean(mesh).sentences().empty());
  EXPECT_EQ(mesh.elements, before.elements);
  EXPECT_EQ(mesh.vertex_groups, before.vertex_groups);
}

TEST(Clean, JoinsTetsThatMeet) {
  TetMesh mesh = exploded(box());
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i][0] += 1e-10 * (static_cast<double>(i % 3) - 1);
  mesh.vertex_groups["first"] = {0, 1, 2, 3};
  EXPECT_GT(connected_components(mesh).count, 1);
  const CleanReport report = clean(mesh);
  EXPECT_EQ(mesh.vertices.size(), 45u);
  EXPECT_EQ(report.merged_vertices, static_cast<int64_t>(exploded(box()).vertices.size()) - 45);
  EXPECT_EQ(report.unused_vertices, 0);
  EXPECT_EQ(connected_components(mesh).count, 1);
  EXPECT_EQ(boundary(mesh).triangles.size(), boundary(box()).triangles.size());
  EXPECT_NEAR(total_volume(mesh), 2, 1e-8);
  EXPECT_EQ(mesh.vertex_groups["first"].size(), 4u);
}

TEST(Clean, RemovesWhatHasNoVolumeAndTurnsTheRest) {
  TetMesh mesh = box();
  const size_t tets = mesh.elements.size();
  std::swap(mesh.elements[3][0], mesh.elements[3][1]);
  mesh.elements.push_back(mesh.elements[5]);  // twice
  mesh.elements.push_back({0, 0, 1, 7});      // with one corner twice
  mesh.elements.push_back({0, 1, 2, 3});      // on the edge along x
  mesh.vertices.push_back({5, 5, 5});
  mesh.element_data["id"] = {1, std::vector<double>(mesh.elements.size(), 7.0)};
  const CleanReport report = clean(mesh);
  EXPECT_EQ(report.turned_tets, 1);
  EXPECT_EQ(report.repeated_tets, 1);
  EXPECT_EQ(report.collapsed_tets, 1);
  EXPECT_EQ(report.flat_tets, 1);
  EXPECT_EQ(report.unused_vertices, 1);
  EXPECT_EQ(report.sentences().size(), 5u);
  EXPECT_EQ(mesh.elements.size(), tets);
  EXPECT_EQ(mesh.element_data["id"].values.size(), tets);
  EXPECT_EQ(quality(mesh).inverted, 0);
  EXPECT_NEAR(total_volume(mesh), 2, 1e-14);
}

// A flat tet between two layers of tets whose faces have different diagonals.
TEST(Clean, SaysWhereFlatTetsLeaveFacesOpen) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}, {0.5, 0.5, -1}};
  mesh.elements = {{0, 1, 2, 4}, {0, 2, 3, 4}, {0, 3, 1, 5}, {1, 3, 2, 5}, {0, 1, 2, 3}};
  const CleanReport report = clean(mesh);
  EXPECT_EQ(report.flat_tets, 1);
  EXPECT_EQ(report.open_faces, 4);
  EXPECT_EQ(mesh.elements.size(), 4u);
}

}  // namespace
}  // namespace sinew::mesh
