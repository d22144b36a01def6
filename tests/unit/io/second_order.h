#pragma once
// A small second-order mesh for tests.
#include "sample_meshes.h"

namespace sinew::io {

// Its groups hold nodes of both kinds.
inline mesh::TetMesh second_order_box() {
  mesh::TetMesh mesh = second_order(*mesh::make_box({.size = {2, 1, 1}, .cells = {2, 1, 1}}));
  mesh.vertex_groups.clear();
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i][0] == 0) mesh.vertex_groups["left side"].push_back(static_cast<int32_t>(i));
  mesh.element_groups["first"] = {0, 1};
  return mesh;
}

}  // namespace sinew::io
