#include "mesh/clean.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

#include "mesh/properties.h"
#include "mesh/subset.h"

namespace sinew::mesh {
namespace {

constexpr double same_place = 1e-9;  // of the extent
constexpr double no_volume = 1e-12;  // of the cube of the longest edge

using Cell = std::array<int64_t, 3>;
struct CellHash {
  size_t operator()(const Cell& c) const {
    uint64_t h = 0;
    for (const int64_t k : c) h = (h ^ static_cast<uint64_t>(k)) * 0x9E3779B97F4A7C15u + (h >> 29);
    return h;
  }
};

// For each vertex the first one at its place. Cells are twice as wide as what counts as one place, so that neighbours of a
// cell hold all candidates.
std::vector<int32_t> first_at_place(const std::vector<Vec3d>& x) {
  const Bounds box = bounding_box(x);
  const double distance = same_place * norm(box.high - box.low), width = 2 * distance;
  std::vector<int32_t> first(x.size());
  std::unordered_map<Cell, std::vector<int32_t>, CellHash> cells;
  cells.reserve(x.size());
  const auto find = [&](int32_t i, const Cell& at) {
    for (int64_t neighbour = 0; neighbour < 27; ++neighbour) {
      const Cell c = {at[0] + neighbour % 3 - 1, at[1] + neighbour / 3 % 3 - 1, at[2] + neighbour / 9 - 1};
      const auto found = cells.find(c);
      if (found == cells.end()) continue;
      for (const int32_t other : found->second)
        if (norm(x[other] - x[i]) <= distance) return other;
    }
    return i;
  };
  for (size_t v = 0; v < x.size(); ++v) {
    const auto i = static_cast<int32_t>(v);
    Cell at = {};
    for (int k = 0; width > 0 && k < 3; ++k)
      at[k] = static_cast<int64_t>(std::floor((x[v][k] - box.low[k]) / width));
    first[v] = find(i, at);
    if (first[v] == i) cells[at].push_back(i);
  }
  return first;
}

void merge_vertices(TetMesh& mesh, CleanReport& report) {
  const std::vector<int32_t> first = first_at_place(mesh.vertices);
  for (size_t i = 0; i < first.size(); ++i) report.merged_vertices += first[i] != static_cast<int32_t>(i);
  if (report.merged_vertices == 0) return;
  for (auto& tet : mesh.elements)
    for (int32_t& node : tet) node = first[node];
  for (auto& edges : mesh.edge_nodes)
    for (int32_t& node : edges) node = first[node];
  for (auto& [name, ids] : mesh.vertex_groups) {
    for (int32_t& id : ids) id = first[id];
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
}

bool is_flat(const TetMesh& mesh, const TetMesh::Element& tet) {
  double longest = 0;
  for (const auto& [a, b] : tet_edges)
    longest = std::max(longest, norm2(mesh.vertices[tet[a]] - mesh.vertices[tet[b]]));
  return !(std::abs(6 * tet_volume(mesh.vertices, tet)) > no_volume * longest * std::sqrt(longest));
}

bool repeats_a_corner(TetMesh::Element tet) {
  std::sort(tet.begin(), tet.end());
  return std::adjacent_find(tet.begin(), tet.end()) != tet.end();
}

// Faces that two tets share, one of which is flat and goes: they become boundary.
int64_t faces_left_open(const TetMesh& mesh, const std::vector<char>& flat) {
  const auto boundary_faces = [](const TetMesh& of) {
    std::set<std::array<int32_t, 3>> faces;
    for (auto triangle : boundary(of).triangles) {
      std::sort(triangle.begin(), triangle.end());
      faces.insert(triangle);
    }
    return faces;
  };
  TetMesh before, after;
  before.vertices = after.vertices = mesh.vertices;
  before.elements = mesh.elements;
  for (size_t t = 0; t < flat.size(); ++t)
    if (!flat[t]) after.elements.push_back(mesh.elements[t]);
  const auto old = boundary_faces(before);
  int64_t open = 0;
  for (const auto& face : boundary_faces(after)) open += !old.contains(face);
  return open;
}

void remove_degenerate(TetMesh& mesh, CleanReport& report) {
  std::vector<char> keep(mesh.elements.size(), 1);
  std::set<TetMesh::Element> seen;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    TetMesh::Element sorted = mesh.elements[t];
    std::sort(sorted.begin(), sorted.end());
    if (repeats_a_corner(sorted))
      ++report.collapsed_tets;
    else if (!seen.insert(sorted).second)
      ++report.repeated_tets;
    else
      continue;
    keep[t] = 0;
  }
  if (report.collapsed_tets + report.repeated_tets > 0) keep_elements(mesh, keep);
  std::vector<char> flat(mesh.elements.size());
  for (size_t t = 0; t < flat.size(); ++t) report.flat_tets += flat[t] = is_flat(mesh, mesh.elements[t]);
  if (report.flat_tets == 0) return;
  report.open_faces = faces_left_open(mesh, flat);
  for (char& f : flat) f = !f;
  keep_elements(mesh, flat);
}

}  // namespace

CleanReport clean(TetMesh& mesh) {
  CleanReport report;
  merge_vertices(mesh, report);
  remove_degenerate(mesh, report);
  report.turned_tets = orient(mesh);
  report.unused_vertices = drop_unused_vertices(mesh) - report.merged_vertices;
  return report;
}

std::vector<std::string> CleanReport::sentences() const {
  std::vector<std::string> list;
  const auto add = [&](int64_t count, const char* one, const char* many, const std::string& what) {
    if (count > 0) list.push_back(fmt::format("{} {} {}", count, count == 1 ? one : many, what));
  };
  add(merged_vertices, "vertex", "vertices", "merged with others at the same place");
  add(collapsed_tets, "tet", "tets", "removed whose corners were one vertex");
  add(repeated_tets, "tet", "tets", "removed that repeated others");
  add(flat_tets, "tet", "tets",
      open_faces > 0 ? fmt::format("removed that had no volume, which left {} faces open inside", open_faces)
                     : "removed that had no volume");
  add(turned_tets, "tet", "tets", "turned over");
  add(unused_vertices, "vertex", "vertices", "left out that belonged to no tet");
  return list;
}

}  // namespace sinew::mesh
