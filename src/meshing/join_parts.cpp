#include "meshing/join_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <set>

#include "geometry/mesh_distance.h"
#include "mesh/disjoint_sets.h"
#include "meshing/topology.h"

namespace sinew::meshing {
namespace {

using Components = std::set<int32_t>;

// The elements that each triangle passes through.
std::span<const GridMesh<3>::Piece> pieces_of(const GridMesh<3>& grid, int32_t triangle) {
  const auto [begin, end] =
      std::equal_range(grid.pieces.begin(), grid.pieces.end(), GridMesh<3>::Piece{triangle, 0},
                       [](const auto& a, const auto& b) { return a.facet < b.facet; });
  return {begin, end};
}

class Joiner {
 public:
  Joiner(GridMesh<3>& grid, const mesh::TriMesh& surface)
      : grid_(grid), surface_(surface), of_element_(topology<3>(grid).component_of_element) {
    of_vertex_.resize(grid.nodes.size());
    for (size_t e = 0; e < grid.elements.size(); ++e)
      for (const int32_t v : grid.elements[e]) of_vertex_[v] = of_element_[e];
  }

  Result<void> find_pairs(const JoinedParts& joined) {
    all_ = joined.all;
    for (const auto& names : joined.pairs) {
      std::array<Components, 2> parts;
      for (int k = 0; k < 2; ++k) {
        if (!surface_.element_groups.contains(names[k])) return unknown(names[k]);
        for (const int32_t t : surface_.element_groups.at(names[k]))
          for (const auto& piece : pieces_of(grid_, t)) parts[k].insert(of_element_[piece.element]);
      }
      for (const int32_t a : parts[0])
        for (const int32_t b : parts[1]) {
          asked_.insert({a, b});
          asked_.insert({b, a});
        }
      wanted_.push_back({names, parts});
    }
    return {};
  }

  Result<void> join() {
    mesh::DisjointSets<> one(static_cast<int64_t>(grid_.nodes.size()));
    std::vector<int32_t> order(grid_.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return std::pair(grid_.nodes[a], a) < std::pair(grid_.nodes[b], b);
    });
    for (size_t first = 0, last; first < order.size(); first = last) {
      for (last = first + 1; last < order.size() && grid_.nodes[order[last]] == grid_.nodes[order[first]];)
        ++last;
      for (size_t i = first; i < last; ++i)
        for (size_t j = i + 1; j < last; ++j)
          if (const std::pair pair(of_vertex_[order[i]], of_vertex_[order[j]]);
              pair.first != pair.second && (all_ || asked_.contains(pair))) {
            one.join(order[i], order[j]);
            met_.insert(pair);
            met_.insert({pair.second, pair.first});
          }
    }
    for (const Wanted& wanted : wanted_)
      if (!meet(wanted)) return apart(wanted);
    renumber(one);
    return {};
  }

 private:
  struct Wanted {
    std::array<std::string, 2> names;
    std::array<Components, 2> parts;
  };

  Error unknown(const std::string& name) const {
    std::string known;
    for (const auto& [group, triangles] : surface_.element_groups)
      known += (known.empty() ? "" : ", ") + group;
    return input_error("", fmt::format("found the part '{}' to join, expected a group of the surface: {}",
                                       name, known.empty() ? "it has none" : known));
  }

  bool meet(const Wanted& wanted) const {
    for (const int32_t a : wanted.parts[0])
      for (const int32_t b : wanted.parts[1])
        if (a == b || met_.contains({a, b})) return true;
    return false;
  }

  Error apart(const Wanted& wanted) const {
    std::array<std::vector<std::array<int32_t, 3>>, 2> triangles;
    for (int k = 0; k < 2; ++k)
      for (const int32_t t : surface_.element_groups.at(wanted.names[k]))
        triangles[k].push_back(surface_.elements[t]);
    double distance = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2; ++k) {
      if (triangles[1 - k].empty()) continue;
      const geometry::MeshDistance other(surface_.vertices, triangles[1 - k]);
      for (const auto& t : triangles[k])
        for (const int32_t v : t)
          if (const auto found = other.closest(surface_.vertices[v], distance); found.triangle >= 0)
            distance = std::min(distance, std::abs(found.distance));
    }
    return input_error(
        "",
        fmt::format("the parts '{}' and '{}' are to be joined, but do not meet: they are {:.3g} m apart, and "
                    "have no cell of {:.6g} m in common; move them together, or take larger cells",
                    wanted.names[0], wanted.names[1], distance, grid_.lattice.spacing()));
  }

  void renumber(mesh::DisjointSets<>& one) {
    std::vector<int32_t> vertex(grid_.nodes.size(), -1);
    std::vector<Index<3>> nodes;
    for (int32_t v = 0; v < static_cast<int32_t>(vertex.size()); ++v) {
      int32_t& number = vertex[one.find(v)];
      if (number < 0) {
        number = static_cast<int32_t>(nodes.size());
        nodes.push_back(grid_.nodes[v]);
      }
      vertex[v] = number;
    }
    grid_.nodes = std::move(nodes);
    for (auto& element : grid_.elements)
      for (int32_t& v : element) v = vertex[v];

    // Elements with the same vertices, the first of which stays.
    std::vector<int32_t> order(grid_.elements.size()), place(grid_.elements.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return std::pair(grid_.elements[a], a) < std::pair(grid_.elements[b], b);
    });
    for (size_t i = 0; i < order.size(); ++i) {
      const bool same = i > 0 && grid_.elements[order[i]] == grid_.elements[order[i - 1]];
      place[order[i]] = same ? place[order[i - 1]] : order[i];
    }
    int32_t kept = 0;
    for (int32_t e = 0; e < static_cast<int32_t>(place.size()); ++e) {
      if (place[e] == e) {
        grid_.elements[kept] = grid_.elements[e];
        grid_.coverage[kept] = grid_.coverage[e];
        place[e] = kept++;
      } else {
        place[e] = place[place[e]];
        grid_.coverage[place[e]] = std::min(1.f, grid_.coverage[place[e]] + grid_.coverage[e]);
      }
    }
    grid_.elements.resize(kept);
    grid_.coverage.resize(kept);
    for (auto& piece : grid_.pieces) piece.element = place[piece.element];
    std::sort(grid_.pieces.begin(), grid_.pieces.end());
    grid_.pieces.erase(std::unique(grid_.pieces.begin(), grid_.pieces.end()), grid_.pieces.end());
    for (int32_t& carrier : grid_.carriers)
      if (carrier >= 0) carrier = place[carrier];
  }

  GridMesh<3>& grid_;
  const mesh::TriMesh& surface_;
  std::vector<int32_t> of_element_, of_vertex_;  // components
  bool all_ = false;
  std::vector<Wanted> wanted_;
  std::set<std::pair<int32_t, int32_t>> asked_, met_;  // of components
};

}  // namespace

Result<void> join_parts(GridMesh<3>& grid, const mesh::TriMesh& surface, const JoinedParts& joined) {
  if (!joined.all && joined.pairs.empty()) return {};
  Joiner joiner(grid, surface);
  if (auto ok = joiner.find_pairs(joined); !ok) return ok;
  return joiner.join();
}

std::vector<std::string> part_names(const GridMesh<3>& grid, const mesh::TriMesh& surface) {
  const Topology parts = topology<3>(grid);
  std::vector<std::string> names(parts.components);
  std::vector<size_t> most(parts.components, 0), pieces(parts.components);
  for (const auto& [name, triangles] : surface.element_groups) {
    std::fill(pieces.begin(), pieces.end(), 0);
    for (const int32_t t : triangles)
      for (const auto& piece : pieces_of(grid, t)) ++pieces[parts.component_of_element[piece.element]];
    for (int32_t c = 0; c < parts.components; ++c)
      if (pieces[c] > most[c]) {
        most[c] = pieces[c];
        names[c] = name;
      }
  }
  for (const auto& piece : grid.pieces) {
    std::string& name = names[parts.component_of_element[piece.element]];
    const math::Vec3d& x = surface.vertices[surface.elements[piece.facet][0]];
    if (name.empty()) name = fmt::format("one at ({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
  }
  return names;
}

}  // namespace sinew::meshing
