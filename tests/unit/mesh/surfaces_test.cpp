#include "mesh/surfaces.h"

#include <gtest/gtest.h>
#include <map>
#include <numbers>

namespace sinew::mesh {
namespace {

// Every edge has two triangles that run along it in opposite directions. Returns V - E + F.
int64_t closed_euler(const TriMesh& surface) {
  std::map<std::pair<int32_t, int32_t>, int> count;
  for (const auto& t : surface.elements)
    for (int k = 0; k < 3; ++k) ++count[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, n] : count) {
    EXPECT_EQ(n, 1);
    EXPECT_TRUE(count.contains({edge.second, edge.first}));
  }
  return static_cast<int64_t>(surface.vertices.size()) - static_cast<int64_t>(count.size() / 2) +
         static_cast<int64_t>(surface.elements.size());
}

TEST(Surfaces, AreClosedAndFaceOutwards) {
  EXPECT_EQ(closed_euler(box_surface({3, 4, 5})), 2);
  EXPECT_NEAR(signed_volume(box_surface({3, 4, 5})), 1, 1e-14);
  EXPECT_EQ(closed_euler(sphere_surface(5)), 2);
  EXPECT_NEAR(signed_volume(sphere_surface(40)), 4 * std::numbers::pi / 3, 0.01);
  EXPECT_EQ(closed_euler(torus_surface(1, 0.35, 48, 20)), 0);
  EXPECT_NEAR(signed_volume(torus_surface(1, 0.35, 200, 100)), 2 * std::pow(std::numbers::pi * 0.35, 2),
              0.01);
}

TEST(Surfaces, ARingClosesAfterAHalfTurnOfItsSection) {
  EXPECT_EQ(closed_euler(ring_surface(7, 8, 4)), 0);
  EXPECT_EQ(closed_euler(ring_surface(7, 8, -4)), 0);
}

TEST(Surfaces, JoinedOnesKeepTheirVolumes) {
  const TriMesh both = joined(box_surface({2, 2, 2}), sphere_surface(20));
  EXPECT_NEAR(signed_volume(both), 1 + signed_volume(sphere_surface(20)), 1e-12);
  EXPECT_EQ(closed_euler(both), 4);
}

}  // namespace
}  // namespace sinew::mesh
