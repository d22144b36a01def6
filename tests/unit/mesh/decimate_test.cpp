// Surfaces with fewer triangles: closed as before, of the same topology, close to where they were.
#include "mesh/decimate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numbers>

#include "mesh/surfaces.h"
#include "unit/mesh/closed_surface.h"

namespace sinew::mesh {
namespace {

using Triangle = TriMesh::Element;

double longest_edge(const TriMesh& mesh) {
  double longest = 0;
  for (const Triangle& t : mesh.elements)
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, norm(mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]));
  return longest;
}

TEST(Decimate, KeepsTopologyAndVolume) {
  constexpr DecimateOptions options{.shortest = 0.3, .longest = 0.6, .tolerance = 0.02};
  TriMesh ball = sphere_surface(24), ring = torus_surface(1, 0.4, 80, 40);
  const double pi = std::numbers::pi;
  struct Case {
    TriMesh* mesh;
    int euler;
    double volume;
  };
  for (const Case& each : {Case{&ball, 2, 4 * pi / 3}, Case{&ring, 0, 2 * pi * pi * 0.4 * 0.4}}) {
    const size_t before = each.mesh->elements.size();
    each.mesh->elements = decimate(each.mesh->vertices, each.mesh->elements, options);
    EXPECT_LT(each.mesh->elements.size(), before / 4);
    expect_closed(each.mesh->elements, each.euler);
    EXPECT_NEAR(signed_volume(*each.mesh), each.volume, 0.05 * each.volume);
    EXPECT_LE(longest_edge(*each.mesh), options.longest);
  }
}

TEST(Decimate, APlaneCollapsesAndItsBordersStay) {
  TriMesh box = box_surface({20, 20, 20});
  box.elements = decimate(box.vertices, box.elements, {.shortest = 0.3, .longest = 0.5, .tolerance = 1e-9});
  EXPECT_LT(box.elements.size(), 600u);
  EXPECT_NEAR(signed_volume(box), 1, 1e-12);  // no corner and no edge of the box was cut
  expect_closed(box.elements, 2);
}

// Edges of a coarse surface are no shorter than asked: it stays as it is. So does a single tet, which cannot lose a vertex.
TEST(Decimate, LeavesWhatIsCoarse) {
  const TriMesh ball = sphere_surface(4);
  EXPECT_EQ(decimate(ball.vertices, ball.elements, {.shortest = 0.05, .longest = 1, .tolerance = 1}),
            ball.elements);
  const std::vector<Vec3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Triangle> tet = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  EXPECT_EQ(decimate(points, tet, {.shortest = 10, .longest = 10, .tolerance = 10}), tet);
  EXPECT_TRUE(decimate({}, {}, {}).empty());
}

}  // namespace
}  // namespace sinew::mesh
