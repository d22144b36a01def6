#include "mesh/subset.h"

#include <algorithm>

#include "mesh/properties.h"

namespace sinew::mesh {
namespace {

// The new numbers of the items that are kept, in their order; -1: gone.
std::vector<int32_t> numbers_of(const std::vector<char>& keep) {
  std::vector<int32_t> number(keep.size(), -1);
  int32_t next = 0;
  for (size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) number[i] = next++;
  return number;
}

// Moves the items that are kept to their new places, `width` values each.
template <class T>
void compact(std::vector<T>& items, const std::vector<int32_t>& number, size_t width = 1) {
  size_t count = 0;
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    std::copy_n(items.begin() + i * width, width, items.begin() + count * width);
    ++count;
  }
  items.resize(count * width);
}

void compact(Attributes& data, Groups& groups, const std::vector<int32_t>& number) {
  for (auto& [name, attribute] : data) compact(attribute.values, number, attribute.width);
  for (auto& [name, ids] : groups) {
    for (int32_t& id : ids) id = number[id];
    std::erase(ids, -1);
  }
}

}  // namespace

std::vector<int32_t> keep_elements(TetMesh& mesh, const std::vector<char>& keep) {
  std::vector<int32_t> number = numbers_of(keep);
  compact(mesh.elements, number);
  if (!mesh.edge_nodes.empty()) compact(mesh.edge_nodes, number);
  compact(mesh.element_data, mesh.element_groups, number);
  return number;
}

std::vector<int32_t> keep_elements(TriMesh& mesh, const std::vector<char>& keep) {
  std::vector<int32_t> number = numbers_of(keep);
  compact(mesh.elements, number);
  compact(mesh.element_data, mesh.element_groups, number);
  return number;
}

std::vector<int32_t> keep_used_vertices(TriMesh& mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const auto& triangle : mesh.elements)
    for (int32_t v : triangle) used[v] = 1;
  std::vector<int32_t> number = numbers_of(used);
  compact(mesh.vertices, number);
  compact(mesh.vertex_data, mesh.vertex_groups, number);
  for (auto& triangle : mesh.elements)
    for (int32_t& v : triangle) v = number[v];
  return number;
}

int64_t drop_unused_vertices(TetMesh& mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const auto& tet : mesh.elements)
    for (int32_t node : tet) used[node] = 1;
  for (const auto& edges : mesh.edge_nodes)
    for (int32_t node : edges) used[node] = 1;
  const auto unused = std::count(used.begin(), used.end(), 0);
  if (unused == 0) return 0;
  const std::vector<int32_t> number = numbers_of(used);
  compact(mesh.vertices, number);
  compact(mesh.vertex_data, mesh.vertex_groups, number);
  for (auto& tet : mesh.elements)
    for (int32_t& node : tet) node = number[node];
  for (auto& edges : mesh.edge_nodes)
    for (int32_t& node : edges) node = number[node];
  return unused;
}

void follow_elements(Skin& skin, const std::vector<int32_t>& number) {
  std::vector<char> keep(skin.tet.size());
  for (size_t i = 0; i < keep.size(); ++i) keep[i] = number[skin.tet[i]] >= 0;
  const std::vector<int32_t> vertex = numbers_of(keep);
  compact(skin.tet, vertex);
  compact(skin.weights, vertex);
  for (int32_t& tet : skin.tet) tet = number[tet];
  std::erase_if(skin.triangles, [&](const std::array<int32_t, 3>& triangle) {
    return std::any_of(triangle.begin(), triangle.end(), [&](int32_t i) { return vertex[i] < 0; });
  });
  for (auto& triangle : skin.triangles)
    for (int32_t& i : triangle) i = vertex[i];
}

LargestPart largest_part(const TetMesh& mesh) {
  const Components components = connected_components(mesh);
  std::vector<double> volume(components.count, 0.0);
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    volume[components.of_element[t]] += tet_volume(mesh.vertices, mesh.elements[t]);
  const auto largest = static_cast<int32_t>(std::max_element(volume.begin(), volume.end()) - volume.begin());
  LargestPart result{components.count, std::vector<char>(mesh.elements.size())};
  for (size_t t = 0; t < mesh.elements.size(); ++t) result.keep[t] = components.of_element[t] == largest;
  return result;
}

}  // namespace sinew::mesh
