#pragma once
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>

#include "mesh/properties.h"
#include "mesh/split.h"

namespace sinew::mesh {

constexpr Split all_splits[] = {Split::five, Split::six, Split::crossed, Split::bcc};

// Every edge has two triangles, in opposite directions, and V - E + F is as expected.
inline void expect_closed(const std::vector<TriMesh::Element>& triangles, int euler) {
  std::map<std::pair<int32_t, int32_t>, int> edges;
  std::set<int32_t> vertices;
  for (const auto& t : triangles)
    for (int k = 0; k < 3; ++k) {
      vertices.insert(t[k]);
      ++edges[{t[k], t[(k + 1) % 3]}];
    }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    ASSERT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  const auto v = static_cast<int>(vertices.size()), e = static_cast<int>(edges.size() / 2),
             f = static_cast<int>(triangles.size());
  EXPECT_EQ(v - e + f, euler);
}

inline void expect_closed(const TetMesh& mesh, int euler) {
  const Surface surface = boundary_surface(mesh);
  expect_closed(surface.mesh.elements, euler);
  EXPECT_NEAR(enclosed_volume(surface.mesh), total_volume(mesh), 1e-12 * total_volume(mesh));
}

}  // namespace sinew::mesh
