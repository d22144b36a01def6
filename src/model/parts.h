#pragma once
// The connected parts of the meshes of a model: nodes that elements join, over all bodies, in the order of their first nodes.
#include <vector>

#include "model/model.h"

namespace sinew::model {

struct Part {
  int32_t body = 0;
  int32_t number = 0;  // within its body, from 0
  Vec3d centre = {0, 0, 0};
  double radius = 0;  // largest distance of a node to the centre [m]
  int64_t nodes = 0, elements = 0;
};

struct Parts {
  std::vector<int32_t> of_node;
  std::vector<Part> list;
  std::vector<int32_t> per_body;  // how many each body has
};

Parts find_parts(const Model& model);

// Parts that links join, as lists of their numbers.
std::vector<std::vector<int32_t>> linked_parts(const Model& model, const Parts& parts);

}  // namespace sinew::model
