#pragma once
// Carried: the nodes that do not move on their own.
//
// A bound node is the weighted sum of its parents, x = sum_k w_k x_k: a hanging node of a mesh with T-junctions, a point
// of an embedded surface. A parent may be any other node, one that is bound or part of a rigid body too, as long as no
// node depends on itself. The nodes of a rigid part move as one body.
//
// Each node is carried at most once, and no attachment holds a carried node.
#include <cstdint>
#include <vector>

namespace sinew::model {

struct WeightedNode {
  int32_t node;
  double weight;
};

struct Binding {
  int32_t node;
  std::vector<WeightedNode> parents;
};

struct RigidPart {
  std::vector<int32_t> nodes;
  // Weights of the nodes in the centre and the radius of gyration, for example their masses; empty: all are equal. The
  // nodes with a weight above zero must not lie on one line.
  std::vector<double> weights;
};

struct Carried {
  std::vector<Binding> bindings;
  std::vector<RigidPart> rigid_parts;
};

}  // namespace sinew::model
