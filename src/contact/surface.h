#pragma once
// The surfaces of all bodies as one: the vertices, edges and triangles that may touch, as node ids, body after body.
#include <array>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace sinew::contact {

struct Surface {
  explicit Surface(const model::Model& model);

  std::vector<int32_t> vertices;              // ascending
  std::vector<std::array<int32_t, 2>> edges;  // each once, lower node first, ascending
  std::vector<model::Triangle> triangles;     // outward
  std::vector<int32_t> vertex_body, edge_body, triangle_body;
  // At rest, of each vertex: a third of the area around it [m^2], the mean length of its edges [m].
  std::vector<double> area, edge_length;
  std::vector<int32_t> vertex_of_node;  // place of each node in `vertices`; -1: not on a surface
};

}  // namespace sinew::contact
