#pragma once
// Meshes are plain data: positions [m] in file order, elements as vertex ids, named attributes and
// named groups. Tets are positive: det(x1-x0, x2-x0, x3-x0) > 0. Triangles face outwards.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "math/mat.h"
#include "math/vec.h"

namespace sinew::mesh {

using math::Vec3d;

// A named array over the vertices or the elements, `width` numbers each.
struct Attribute {
  int width = 1;
  std::vector<double> values;
};

// Named sets of element or vertex ids, in ascending order.
using Groups = std::map<std::string, std::vector<int32_t>>;
using Attributes = std::map<std::string, Attribute>;

template <int corners>
struct Mesh {
  using Element = std::array<int32_t, corners>;

  std::vector<Vec3d> vertices;  // [m]
  std::vector<Element> elements;
  Attributes vertex_data;
  Attributes element_data;
  Groups vertex_groups;
  Groups element_groups;
};

// A tet mesh of second order has a node on every edge of every tet as well, listed in the order of tet_edges
// (VTK's). These nodes are vertices like the others: positions, vertex data and groups cover them.
struct TetMesh : Mesh<4> {
  std::vector<std::array<int32_t, 6>> edge_nodes;  // one list per element; empty: first order
};
inline constexpr int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

using TriMesh = Mesh<3>;
// Corners in VTK's order: 0-3 the bottom counter-clockwise seen from above, 4-7 the top above them.
using HexMesh = Mesh<8>;

}  // namespace sinew::mesh
