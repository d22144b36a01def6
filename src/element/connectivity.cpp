#include "element/connectivity.h"

namespace sinew::element {

int32_t* Connectivity::add_run(size_t count, size_t width) {
  if (count > 0 && (runs_.empty() || runs_.back().width != width))
    runs_.push_back({size_, width, nodes_.size()});
  size_ += count;
  nodes_.resize(nodes_.size() + count * width);
  return nodes_.data() + nodes_.size() - count * width;
}

void Connectivity::append(const mesh::TetMesh& mesh, int32_t first_node) {
  if (mesh.edge_nodes.empty()) return append(mesh.elements, first_node);
  int32_t* out = add_run(mesh.elements.size(), 10);
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    for (int32_t node : mesh.elements[t]) *out++ = first_node + node;
    for (int32_t node : mesh.edge_nodes[t]) *out++ = first_node + node;
  }
}

}  // namespace sinew::element
