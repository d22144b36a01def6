#pragma once
#include <cstdint>
#include <numeric>

#include "mesh/mesh.h"

namespace sinew::mesh {

// The same mesh with vertices and elements in a scattered order (a fixed linear congruence).
inline TetMesh scattered(const TetMesh& mesh) {
  TetMesh out = mesh;
  const auto n = static_cast<int64_t>(mesh.vertices.size()), m = static_cast<int64_t>(mesh.elements.size());
  const auto move = [](int64_t i, int64_t count) {
    int64_t step = 7919;
    while (std::gcd(step, count) != 1) ++step;
    return (i * step + 3) % count;
  };
  for (int64_t i = 0; i < n; ++i) out.vertices[move(i, n)] = mesh.vertices[i];
  for (int64_t t = 0; t < m; ++t) {
    auto tet = mesh.elements[t];
    for (int32_t& node : tet) node = static_cast<int32_t>(move(node, n));
    out.elements[move(t, m)] = tet;
  }
  return out;
}

}  // namespace sinew::mesh
