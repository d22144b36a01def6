#pragma once
// A second-order mesh for tests: nodes in the middle of the edges, moved a little so that each is its own.
#include <map>

#include "sample_meshes.h"

namespace sinew::io {

inline mesh::TetMesh second_order(mesh::TetMesh mesh) {
  std::map<std::pair<int32_t, int32_t>, int32_t> node;
  for (const auto& tet : mesh.elements) {
    auto& list = mesh.edge_nodes.emplace_back();
    for (int e = 0; e < 6; ++e) {
      const auto [a, b] = std::minmax(tet[mesh::tet_edges[e][0]], tet[mesh::tet_edges[e][1]]);
      const auto [place, added] = node.emplace(std::pair(a, b), static_cast<int32_t>(mesh.vertices.size()));
      if (added) mesh.vertices.push_back(0.51 * mesh.vertices[a] + 0.49 * mesh.vertices[b]);
      list[e] = place->second;
    }
  }
  return mesh;
}

// With groups that hold nodes of both kinds.
inline mesh::TetMesh second_order_box() {
  mesh::TetMesh mesh = second_order(*mesh::make_box({.size = {2, 1, 1}, .cells = {2, 1, 1}}));
  mesh.vertex_groups.clear();
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i][0] == 0) mesh.vertex_groups["left side"].push_back(static_cast<int32_t>(i));
  mesh.element_groups["first"] = {0, 1};
  return mesh;
}

}  // namespace sinew::io
