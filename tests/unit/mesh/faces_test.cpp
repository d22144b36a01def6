#include "mesh/faces.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::mesh {
namespace {

TEST(Faces, FacePartnersAreMutual) {
  const TetMesh mesh = *make_box({.cells = {3, 3, 3}, .split = Split::bcc});
  const auto partner = face_partners<4>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  for (size_t i = 0; i < partner.size(); ++i) {
    ASSERT_NE(partner[i], many_partners);
    if (partner[i] == no_partner) continue;
    EXPECT_EQ(partner[partner[i]], static_cast<int64_t>(i));
    EXPECT_NE(partner[i] / 4, static_cast<int64_t>(i / 4));
  }
}

TEST(Faces, ThreeTetsOnOneFaceAreReported) {
  std::vector<std::array<int32_t, 4>> tets = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}};
  const auto partner = face_partners<4>(tets, 6);
  EXPECT_EQ(std::count(partner.begin(), partner.end(), many_partners), 3);
}

TEST(Faces, EdgesOfTriangles) {
  // Two triangles on one edge, one that has it the other way round beside a third.
  const std::vector<std::array<int32_t, 3>> two = {{0, 1, 2}, {2, 1, 3}};
  EXPECT_EQ(face_partners<3>(two, 4), (std::vector<int64_t>{-1, 3, -1, 1, -1, -1}));
  const std::vector<std::array<int32_t, 3>> three = {{0, 1, 2}, {2, 1, 3}, {1, 2, 4}};
  const auto partner = face_partners<3>(three, 5);
  EXPECT_EQ(std::count(partner.begin(), partner.end(), many_partners), 3);
  EXPECT_EQ(face_of<3>(three[1], 2), (std::array<int32_t, 2>{3, 2}));
}

TEST(Faces, TetFacesPointOutwards) {
  TetMesh mesh;
  mesh.vertices = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
  mesh.elements = {{0, 1, 2, 3}};
  orient(mesh);
  for (int f = 0; f < 4; ++f) {
    const auto face = face_of<4>(mesh.elements[0], f);
    const Vec3d a = mesh.vertices[face[0]], b = mesh.vertices[face[1]], c = mesh.vertices[face[2]];
    EXPECT_GT(dot(cross(b - a, c - a), a), 0) << f;  // the centroid is the origin
  }
}

}  // namespace
}  // namespace sinew::mesh
