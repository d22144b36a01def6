#include "element/kind.h"

#include "mesh/faces.h"

namespace sinew::element {

const Kind* find_kind(std::string_view name) {
  for (const Kind* kind : kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

const Kind& default_kind() {
  static const Kind& kind = *find_kind("linear");
  return kind;
}

const Kind& plain_kind(const mesh::TetMesh& mesh) {
  return mesh.edge_nodes.empty() ? default_kind() : *find_kind("quadratic");
}

std::string alternatives(const Kind& kind, bool Kind::*property) {
  std::string text;
  for (const Kind* other : kinds())
    if (other->dimension == kind.dimension && other->corners == kind.corners &&
        other->*property != kind.*property)
      text.append(text.empty() ? "\"" : " or \"").append(other->name).append("\"");
  return text;
}

namespace {

template <int corners>
std::vector<int64_t> partners_of(const Connectivity& elements, int32_t begin, int32_t end, int32_t first_node,
                                 int64_t node_count) {
  std::vector<std::array<int32_t, corners>> list;
  list.reserve(end - begin);
  for (int32_t e = begin; e < end; ++e) {
    list.push_back(elements.nodes<corners>(e));
    for (int32_t& node : list.back()) node -= first_node;
  }
  return mesh::face_partners<corners>(std::span<const std::array<int32_t, corners>>(list), node_count);
}

}  // namespace

std::vector<int64_t> face_partners(const Kind& kind, const Connectivity& elements, int32_t begin, int32_t end,
                                   int32_t first_node, int64_t node_count) {
  if (kind.dimension < 3) {
    const size_t faces = kind.face_nodes > 0 ? kind.faces.size() / kind.face_nodes : 0;
    return std::vector<int64_t>(faces * (end - begin), mesh::no_partner);
  }
  return kind.corners == 8 ? partners_of<8>(elements, begin, end, first_node, node_count)
                           : partners_of<4>(elements, begin, end, first_node, node_count);
}

}  // namespace sinew::element
