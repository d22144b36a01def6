#include "io/polygons.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "io/obj.h"
#include "io/off.h"
#include "io/ply.h"
#include "io/vtk.h"

namespace sinew::io {
namespace {

using Faces = std::vector<std::vector<int32_t>>;
using math::Vec3d;

mesh::TriMesh cut(const std::vector<Vec3d>& vertices, const Faces& faces) {
  mesh::TriMesh mesh;
  mesh.vertices = vertices;
  Polygons polygons;
  for (const auto& face : faces) polygons.add(face, mesh.elements);
  polygons.cut(mesh);
  return mesh;
}

// How many edges have how many triangles.
std::map<int, int> edge_counts(const mesh::TriMesh& mesh) {
  std::map<std::pair<int32_t, int32_t>, int> edges;
  for (const auto& t : mesh.elements)
    for (int k = 0; k < 3; ++k) ++edges[std::minmax(t[k], t[(k + 1) % 3])];
  std::map<int, int> counts;
  for (const auto& [edge, count] : edges) ++counts[count];
  return counts;
}

// Poles 0 and 1, and `n` points around: each edge of the file has two faces, and every fan has the diagonal between the poles.
std::vector<Vec3d> lantern_points(int n) {
  std::vector<Vec3d> x = {{0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < n; ++i) x.push_back({std::cos(2 * M_PI * i / n), std::sin(2 * M_PI * i / n), 0});
  return x;
}
Faces lantern_faces(int n) {
  Faces faces;
  for (int i = 0; i < n; ++i) faces.push_back({0, 2 + i, 1, 2 + (i + 1) % n});
  return faces;
}

TEST(Polygons, NeverShareADiagonal) {
  for (const int n : {3, 4, 7}) {
    const mesh::TriMesh mesh = cut(lantern_points(n), lantern_faces(n));
    ASSERT_EQ(mesh.elements.size(), 2 * static_cast<size_t>(n));
    EXPECT_EQ(edge_counts(mesh), (std::map<int, int>{{2, 3 * n}})) << n;
  }
}

TEST(Polygons, AreNotCutAlongAnEdgeOfTheFile) {
  // A pyramid whose base is a quad, and a fin over the diagonal 0-2 of the base.
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, -1}};
  const mesh::TriMesh mesh = cut(x, {{0, 1, 2, 3}, {0, 2, 4}});
  EXPECT_EQ(mesh.elements[2], (std::array<int32_t, 3>{0, 2, 4}));
  EXPECT_EQ(edge_counts(mesh), (std::map<int, int>{{1, 7}, {2, 1}}));  // the one is 1-3
}

TEST(Polygons, GoByPlaceWhereVerticesAreDoubled) {
  // Every quad of the lantern has vertices of its own, as files with seams have.
  const auto points = lantern_points(4);
  std::vector<Vec3d> x;
  Faces faces;
  for (auto face : lantern_faces(4)) {
    for (int32_t& v : face) {
      x.push_back(points[v]);
      v = static_cast<int32_t>(x.size()) - 1;
    }
    faces.push_back(face);
  }
  mesh::TriMesh mesh = cut(x, faces);
  for (auto& t : mesh.elements)
    for (int32_t& v : t)
      v = static_cast<int32_t>(
          std::find_if(points.begin(), points.end(), [&](const Vec3d& p) { return norm(p - x[v]) == 0; }) -
          points.begin());
  EXPECT_EQ(edge_counts(mesh), (std::map<int, int>{{2, 12}}));
}

TEST(Polygons, GivenTwiceAreCutAlike) {
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const mesh::TriMesh mesh = cut(x, {{0, 1, 2, 3}, {1, 2, 3, 0}, {3, 2, 1, 0}});
  EXPECT_EQ(edge_counts(mesh), (std::map<int, int>{{3, 4}, {6, 1}}));
}

TEST(Polygons, StayFansWhereTheseAreGood) {
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {1.5, 1, 0}, {0.5, 2, 0}, {-0.5, 1, 0.1}};
  EXPECT_EQ(cut(x, {{0, 1, 2, 3, 4}}).elements,
            (std::vector<std::array<int32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(Polygons, OfAnyShapeAreCovered) {
  // Stars: every second corner is far inside, the first as well. The shoelace formula says their area.
  for (const int n : {4, 6, 9, 40, 128}) {
    std::vector<Vec3d> x;
    std::vector<int32_t> face(n);
    std::iota(face.begin(), face.end(), 0);
    for (int i = 0; i < n; ++i) {
      const double r = i % 2 ? 1 : 0.2, a = 2 * M_PI * i / n;
      x.push_back({r * std::cos(a), r * std::sin(a), 0});
    }
    double shoelace = 0, covered = 0;
    for (int i = 0; i < n; ++i) {
      const Vec3d &p = x[i], &q = x[(i + 1) % n];
      shoelace += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    std::rotate(face.begin(), face.begin() + 1, face.end());
    for (const auto& t : cut(x, {face}).elements)
      covered += norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]])) / 2;
    EXPECT_NEAR(covered, shoelace, 1e-12) << n;
  }
}

TEST(Polygons, OfManyCornersTakeNoTime) {
  std::vector<Vec3d> x;
  for (int i = 0; i < 200000; ++i) x.push_back({std::cos(3e-5 * i), std::sin(3e-5 * i), 1e-3 * (i % 3)});
  std::vector<int32_t> face(x.size());
  std::iota(face.begin(), face.end(), 0);
  EXPECT_EQ(cut(x, {face, face}).elements.size(), 2 * (x.size() - 2));
}

TEST(Polygons, AreCutTheSameByAllReaders) {
  const auto x = lantern_points(5);
  const Faces faces = lantern_faces(5);
  std::string points, obj, list;
  for (const Vec3d& p : x) {
    points += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
    obj += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  }
  for (const auto& f : faces) {
    list += fmt::format("4 {} {} {} {}\n", f[0], f[1], f[2], f[3]);
    obj += fmt::format("f {} {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1, f[3] + 1);
  }
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 7\nproperty double x\nproperty double y\nproperty double z\n"
      "element face 5\nproperty list uchar int vertex_indices\nend_header\n" +
      points + list;
  const std::string vtk = "# vtk DataFile Version 3.0\nlantern\nASCII\nDATASET POLYDATA\nPOINTS 7 double\n" +
                          points + "POLYGONS 5 25\n" + list;
  const auto expected = cut(x, faces).elements;
  EXPECT_EQ(parse_obj(obj, "obj", nullptr)->elements, expected);
  EXPECT_EQ(parse_off("OFF\n7 5 0\n" + points + list, "off", nullptr)->elements, expected);
  EXPECT_EQ(parse_ply(ply, "ply", nullptr)->elements, expected);
  EXPECT_EQ(parse_vtk_triangles(vtk, "vtk", nullptr)->elements, expected);
}

}  // namespace
}  // namespace sinew::io
