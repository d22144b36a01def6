#include "io/checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <type_traits>
#include <utility>

#include "mesh/properties.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

// Relative to the cube of the longest edge. Real slivers are above 1e-9; round-off is below 1e-15.
constexpr double flat = 1e-14;

double longest_edge(const TetMesh& mesh, const TetMesh::Element& tet) {
  double longest = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      longest = std::max(longest, norm2(mesh.vertices[tet[a]] - mesh.vertices[tet[b]]));
  return std::sqrt(longest);
}

// The first node that a tet uses twice; -1: none.
int32_t repeated_node(const TetMesh& mesh, size_t t) {
  int32_t nodes[10];
  const bool second = !mesh.edge_nodes.empty();
  std::copy_n(mesh.elements[t].begin(), 4, nodes);
  if (second) std::copy_n(mesh.edge_nodes[t].begin(), 6, nodes + 4);
  for (int a = 0; a < (second ? 10 : 4); ++a)
    for (int b = 0; b < a; ++b)
      if (nodes[a] == nodes[b]) return nodes[a];
  return -1;
}

template <class Mesh>
void note_unused(const Mesh& mesh, const char* what, Notes* notes) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const auto& element : mesh.elements)
    for (int32_t node : element) used[node] = 1;
  if constexpr (std::is_same_v<Mesh, TetMesh>)
    for (const auto& nodes : mesh.edge_nodes)
      for (int32_t node : nodes) used[node] = 1;
  const auto unused = std::count(used.begin(), used.end(), 0);
  if (unused) note(notes, fmt::format("{} vertices belong to no {}", unused, what));
}

}  // namespace

void note(Notes* notes, std::string text) {
  if (notes) notes->push_back(std::move(text));
}

Result<void> check_tets(TetMesh& mesh, const std::string& name, std::span<const int64_t> line, Notes* notes) {
  const auto where = [&](size_t t) {
    return line.empty() ? name : fmt::format("{}: line {}", name, line[t]);
  };
  return check_tets_at(mesh, name, where, notes);
}

Result<void> check_tets_at(TetMesh& mesh, const std::string& name,
                           const std::function<std::string(size_t)>& where, Notes* notes) {
  if (mesh.elements.empty()) return input_error(name, "there are no tetrahedra in this file");
  const bool keep = notes && notes->keep_degenerate;
  int64_t degenerate = 0;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& tet = mesh.elements[t];
    const int32_t node = repeated_node(mesh, t);
    if (node >= 0 && !keep)
      return input_error(where(t),
                         fmt::format("tetrahedron {} uses vertex {} twice (both counted from 0)", t, node));
    const double longest = longest_edge(mesh, tet);
    const double volume = mesh::tet_volume(mesh.vertices, tet);
    const bool is_flat = !std::isfinite(volume) || std::abs(6 * volume) <= flat * longest * longest * longest;
    degenerate += is_flat || node >= 0;
    if (is_flat && !keep)
      return input_error(where(t),
                         fmt::format("tetrahedron {} has no volume: vertices {} {} {} {} lie in a plane "
                                     "(all counted from 0){}",
                                     t, tet[0], tet[1], tet[2], tet[3],
                                     name.empty() ? "" : "; `sinew convert --clean` removes such tets"));
  }
  if (degenerate > 0)
    note(notes,
         fmt::format(
             "{} of {} tetrahedra have no volume or use a vertex twice; `sinew convert --clean` removes them",
             degenerate, mesh.elements.size()));
  if (const int64_t swapped = orient(mesh))
    note(notes,
         fmt::format("turned over {} of {} tetrahedra that were inverted", swapped, mesh.elements.size()));
  note_unused(mesh, "tetrahedron", notes);
  return {};
}

Result<void> check_triangles(TriMesh& mesh, const std::string& name, Notes* notes) {
  std::vector<int32_t> place(mesh.elements.size(), -1);
  int32_t kept = 0;
  for (size_t t = 0; t < place.size(); ++t) {
    const auto [a, b, c] = mesh.elements[t];
    if (a == b || b == c || c == a) continue;
    mesh.elements[kept] = mesh.elements[t];
    place[t] = kept++;
  }
  if (const size_t dropped = place.size() - kept) {
    mesh.elements.resize(kept);
    for (auto& [label, data] : mesh.element_data) {
      for (size_t t = 0; t < place.size(); ++t)
        if (place[t] >= 0)
          std::copy_n(data.values.begin() + t * data.width, data.width,
                      data.values.begin() + size_t(place[t]) * data.width);
      data.values.resize(size_t(kept) * data.width);
    }
    for (auto& [label, ids] : mesh.element_groups) {
      for (int32_t& id : ids) id = place[id];
      std::erase(ids, -1);
    }
    note(notes, fmt::format("left out {} triangles that use a vertex twice", dropped));
  }
  if (mesh.elements.empty()) return input_error(name, "there are no triangles in this file");
  note_unused(mesh, "triangle", notes);
  return {};
}

void add_refs(std::span<const int64_t> refs, mesh::Attributes& data, mesh::Groups& groups, Notes* notes) {
  if (std::all_of(refs.begin(), refs.end(), [](int64_t ref) { return ref == 0; })) return;
  mesh::Attribute& ref = data["ref"];
  ref.values.assign(refs.begin(), refs.end());
  std::map<int64_t, std::vector<int32_t>> sets;
  for (size_t i = 0; i < refs.size(); ++i) {
    if (refs[i]) sets[refs[i]].push_back(static_cast<int32_t>(i));
    if (sets.size() > 1000) {
      note(notes, "more than 1000 different references: kept as the attribute 'ref' without groups");
      return;
    }
  }
  for (auto& [value, ids] : sets) groups[fmt::format("ref_{}", value)] = std::move(ids);
}

}  // namespace sinew::io
