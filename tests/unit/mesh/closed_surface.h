#pragma once
#include <gtest/gtest.h>
#include <map>
#include <utility>

#include "mesh/properties.h"
#include "mesh/split.h"

namespace sinew::mesh {

constexpr Split all_splits[] = {Split::five, Split::six, Split::crossed, Split::bcc};

// Every edge of the surface has two triangles, in opposite directions, and V - E + F is as expected.
inline void expect_closed(const TetMesh& mesh, int euler) {
  const Surface surface = boundary_surface(mesh);
  std::map<std::pair<int32_t, int32_t>, int> edges;
  for (const auto& t : surface.mesh.elements)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    ASSERT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  const auto v = static_cast<int>(surface.mesh.vertices.size()), e = static_cast<int>(edges.size() / 2),
             f = static_cast<int>(surface.mesh.elements.size());
  EXPECT_EQ(v - e + f, euler);
  EXPECT_NEAR(enclosed_volume(surface.mesh), total_volume(mesh), 1e-12 * total_volume(mesh));
}

}  // namespace sinew::mesh
