#pragma once
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>

#include "mesh/mesh.h"

namespace sinew::mesh {

struct SheetTopology {
  int64_t euler = 0;    // V - E + F of the vertices that triangles use
  int64_t borders = 0;  // edges of one triangle
};

// Every edge has one triangle or two that run along it in opposite directions.
inline SheetTopology expect_sheet(const TriMesh& mesh) {
  std::map<std::pair<int32_t, int32_t>, int> directed;
  std::set<int32_t> vertices;
  for (const auto& t : mesh.elements)
    for (int k = 0; k < 3; ++k) {
      vertices.insert(t[k]);
      ++directed[{t[k], t[(k + 1) % 3]}];
    }
  SheetTopology topology;
  int64_t edges = 0;
  for (const auto& [edge, count] : directed) {
    EXPECT_EQ(count, 1) << edge.first << ' ' << edge.second;
    const bool inside = directed.contains({edge.second, edge.first});
    topology.borders += !inside;
    edges += !inside || edge.first < edge.second;
  }
  topology.euler = static_cast<int64_t>(vertices.size()) - edges + static_cast<int64_t>(mesh.elements.size());
  EXPECT_EQ(vertices.size(), mesh.vertices.size());
  return topology;
}

}  // namespace sinew::mesh
