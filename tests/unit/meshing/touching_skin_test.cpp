// Skins made fit to touch with: joined, closed, with edges no longer than asked, and carried by the tets of their own layer.
#include "meshing/touching_skin.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::meshing {
namespace {

using math::Vec3d;
using mesh::Skin;
using mesh::TetMesh;
using mesh::TriMesh;

constexpr double size = 1, inset = 0.07;

std::array<double, 4> weights_in(const TetMesh& mesh, int32_t t, const Vec3d& x) {
  const auto& tet = mesh.elements[t];
  const Vec3d &o = mesh.vertices[tet[0]], &a = mesh.vertices[tet[1]], &b = mesh.vertices[tet[2]],
              &c = mesh.vertices[tet[3]];
  const double volume = dot(cross(a - o, b - o), c - o);
  const double u = dot(cross(x - o, b - o), c - o) / volume, v = dot(cross(a - o, x - o), c - o) / volume,
               w = dot(cross(a - o, b - o), x - o) / volume;
  return {1 - u - v - w, u, v, w};
}

// The surface of a cube inside a box of tets, with vertices of its own for every triangle, as files of loose triangles have.
// `first`, `count`: of the tets that may carry it.
Skin loose_cube(const TetMesh& mesh, int32_t first, int32_t count) {
  constexpr int corner[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  Skin skin;
  for (const auto& triangle : corner) {
    for (const int c : triangle) {
      Vec3d x;
      for (int a = 0; a < 3; ++a) x[a] = c >> a & 1 ? size - inset : inset;
      int32_t t = first;
      while (t + 1 < first + count && std::ranges::min(weights_in(mesh, t, x)) < -1e-12) ++t;
      skin.tet.push_back(t);
      skin.weights.push_back(weights_in(mesh, t, x));
    }
    const auto last = static_cast<int32_t>(skin.tet.size());
    skin.triangles.push_back({last - 3, last - 2, last - 1});
  }
  return skin;
}

TriMesh at_rest(const Skin& skin, const TetMesh& mesh) {
  TriMesh surface;
  surface.elements = skin.triangles;
  for (size_t v = 0; v < skin.tet.size(); ++v) {
    Vec3d x = {0, 0, 0};
    for (int k = 0; k < 4; ++k) x += mesh.vertices[mesh.elements[skin.tet[v]][k]] * skin.weights[v][k];
    surface.vertices.push_back(x);
  }
  return surface;
}

TetMesh box() { return *mesh::make_box({.size = {size, size, size}, .cells = {4, 4, 4}}); }

TEST(TouchingSkin, KeepsTheShapeAndShortensEdges) {
  const TetMesh mesh = box();
  constexpr double longest = 0.3, side = size - 2 * inset;
  const Skin skin =
      touching_skin(loose_cube(mesh, 0, static_cast<int32_t>(mesh.elements.size())), mesh, longest / 1.5);
  const TriMesh surface = at_rest(skin, mesh);
  EXPECT_NEAR(mesh::total_area(surface), 6 * side * side, 1e-12);
  EXPECT_NEAR(mesh::enclosed_volume(surface), side * side * side, 1e-12);
  EXPECT_GT(skin.triangles.size(), 12u * 8);
  for (const auto& t : surface.elements)
    for (int k = 0; k < 3; ++k)
      EXPECT_LE(norm(surface.vertices[t[k]] - surface.vertices[t[(k + 1) % 3]]), longest);
  for (const auto& t : skin.triangles)
    for (const int32_t v : t)
      for (const double weight : skin.weights[v]) EXPECT_GT(weight, -1e-9);
}

TEST(TouchingSkin, StaysInItsLayer) {
  TetMesh mesh = box();
  const auto vertices = static_cast<int32_t>(mesh.vertices.size()),
             tets = static_cast<int32_t>(mesh.elements.size());
  for (int32_t v = 0; v < vertices; ++v) mesh.vertices.push_back(Vec3d(mesh.vertices[v]));
  for (int32_t t = 0; t < tets; ++t) {
    auto copy = mesh.elements[t];
    for (int32_t& v : copy) v += vertices;
    mesh.elements.push_back(copy);
  }
  for (const int32_t first : {0, tets}) {
    const Skin skin = touching_skin(loose_cube(mesh, first, tets), mesh, 0.2);
    ASSERT_FALSE(skin.triangles.empty());
    for (const auto& t : skin.triangles)
      for (const int32_t v : t) EXPECT_EQ(skin.tet[v] / tets, first / tets);
  }
}

TEST(TouchingSkin, IsClosedOrNotTaken) {
  const TetMesh mesh = box();
  const Skin whole = loose_cube(mesh, 0, static_cast<int32_t>(mesh.elements.size()));
  Skin skin = whole;
  skin.triangles.pop_back();
  constexpr double side = size - 2 * inset;
  EXPECT_NEAR(mesh::enclosed_volume(at_rest(touching_skin(skin, mesh, 0.2), mesh)), side * side * side,
              1e-12);
  skin.triangles.resize(2);
  EXPECT_TRUE(touching_skin(skin, mesh, 0.2).triangles.empty());
}

TEST(TouchingSkin, PartsFarFromTheTetsAreLeftOut) {
  const TetMesh mesh = box();
  Skin skin = loose_cube(mesh, 0, static_cast<int32_t>(mesh.elements.size()));
  const size_t triangles = touching_skin(skin, mesh, 0.2).triangles.size();
  for (const Vec3d& x : at_rest(skin, mesh).vertices) {
    skin.tet.push_back(0);
    skin.weights.push_back(weights_in(mesh, 0, x + Vec3d{3, 0, 0}));
  }
  const auto half = static_cast<int32_t>(skin.tet.size() / 2);
  for (size_t t = 0; t < 12; ++t)
    skin.triangles.push_back(
        {skin.triangles[t][0] + half, skin.triangles[t][1] + half, skin.triangles[t][2] + half});
  EXPECT_EQ(touching_skin(skin, mesh, 0.2).triangles.size(), triangles);
}

}  // namespace
}  // namespace sinew::meshing
