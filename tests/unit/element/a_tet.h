#pragma once
// One element of each kind, and a row of elements that share nodes.
#include "element/shape.h"

namespace sinew::element {

inline constexpr Vec3d a_corner[4] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.2, 0.1}, {0.1, 0.3, 0.9}};

template <class Kind>
std::array<Vec3d, Kind::nodes> a_tet() {
  std::array<Vec3d, Kind::nodes> X;
  for (int a = 0; a < 4; ++a) X[a] = a_corner[a];
  for (int e = 0; e + 4 < Kind::nodes; ++e)
    X[4 + e] = (a_corner[mesh::tet_edges[e][0]] + a_corner[mesh::tet_edges[e][1]]) * 0.5;
  return X;
}

}  // namespace sinew::element
