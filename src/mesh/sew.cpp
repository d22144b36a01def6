#include "mesh/sew.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/memory.h"
#include "mesh/check_sheet.h"
#include "mesh/disjoint_sets.h"
#include "mesh/faces.h"
#include "mesh/place_text.h"

namespace sinew::mesh {
namespace {

// Which vertex of the finer side each of the coarser one meets: in order, both ends at the ends, with the least sum of squared
// differences of their shares.
std::vector<int32_t> match(const std::vector<double>& coarse, const std::vector<double>& fine) {
  const size_t m = coarse.size(), n = fine.size();
  std::vector<int32_t> before(m * n, -1);
  std::vector<double> cost(n, std::numeric_limits<double>::infinity()), next(n);
  cost[0] = 0;
  for (size_t i = 1; i < m; ++i) {
    double best = std::numeric_limits<double>::infinity();
    int32_t from = -1;
    for (size_t j = 0; j < n; ++j) {
      const double d = coarse[i] - fine[j];
      next[j] = best + d * d;
      before[i * n + j] = from;
      if (cost[j] < best) {
        best = cost[j];
        from = static_cast<int32_t>(j);
      }
    }
    cost.swap(next);
  }
  std::vector<int32_t> met(m);
  met[m - 1] = static_cast<int32_t>(n) - 1;
  for (size_t i = m - 1; i > 0; --i) met[i - 1] = before[i * n + met[i]];
  return met;
}

class Sewing {
 public:
  Sewing(const TriMesh& mesh, std::span<const FlatEdges> flat, const std::string& name)
      : given_(mesh), name_(name), borders_(find_border_edges(mesh)), place_(mesh.vertices) {
    sewn_.mesh.elements = mesh.elements;
    sewn_.flat.assign(flat.begin(), flat.end());
    sewn_.triangle_in.resize(mesh.elements.size());
    std::iota(sewn_.triangle_in.begin(), sewn_.triangle_in.end(), 0);
    if (const Attribute* texture = find_texture(mesh)) texture_ = *texture;
  }

  Result<void> add(const Seam& seam) {
    if (auto sound = check(seam); !sound) return sound;
    SeamReport report;
    const std::vector<int32_t> paths[2] = {unrolled(seam.first, seam.closed),
                                           unrolled(seam.second, seam.closed)};
    std::vector<double> at[2];
    for (int side = 0; side < 2; ++side)
      at[side] = shares_along(paths[side], report.length[side],
                              [&](int32_t a, int32_t b) { return rest_length(a, b); });
    const auto [shorter, longer] = std::minmax(report.length[0], report.length[1]);
    if (!(longer - shorter <= seam.ease * longer))
      return input_error(
          name_,
          fmt::format("a seam joins borders of {:.6g} m and {:.6g} m, from vertex {} and from vertex {}; "
                      "expected lengths that differ by at most {:.4g} of the longer one, the ease",
                      report.length[0], report.length[1], vertex_text(given_, seam.first[0]),
                      vertex_text(given_, seam.second[0]), seam.ease));
    const int fine = paths[1].size() > paths[0].size() ? 1 : 0;
    join_in_order(paths[1 - fine], paths[fine], match(at[1 - fine], at[fine]), at[fine], report);
    if (seam.place != SeamPlace::middle)
      for (const int32_t v : seam.place == SeamPlace::first ? seam.first : seam.second) stays_.insert(v);
    sewn_.seams.push_back(report);
    return {};
  }

  Result<Sewn> finish();

 private:
  Result<void> check(const Seam& seam);
  double rest_length(int32_t a, int32_t b) const {
    const int32_t edge = borders_.at(edge_key(a, b));
    if (sewn_.flat.empty()) return norm(place_[a] - place_[b]);
    const FlatTriangle corners = flat_corners(edge / 3);
    return norm(corners[(edge + 1) % 3] - corners[edge % 3]);
  }
  FlatTriangle flat_corners(int32_t triangle) const {
    return {Vec2d{0, 0}, sewn_.flat[triangle][0], sewn_.flat[triangle][1]};
  }
  void join_in_order(const std::vector<int32_t>& coarse, const std::vector<int32_t>& fine,
                     const std::vector<int32_t>& met, const std::vector<double>& fine_at, SeamReport& report);
  std::vector<int32_t> cut_border(int32_t a, int32_t b, const std::vector<double>& shares);
  void cut_triangle(int32_t edge, int32_t from, std::vector<int32_t> added, std::vector<double> shares);
  void follow_edge(int32_t a, int32_t b, int32_t triangle, int32_t edge);
  Result<std::vector<int32_t>> joined_numbers() const;
  void keep_edges_apart(std::vector<int32_t>& root);
  void number_vertices(const std::vector<int32_t>& root);
  void place_vertices();
  void carry_vertex_data(const std::vector<int32_t>& root);
  void carry_element_data();

  const TriMesh& given_;
  const std::string& name_;
  BorderEdges borders_;
  std::unordered_set<uint64_t> in_seams_;
  std::vector<Vec3d> place_;  // of the given vertices, then of those that were inserted
  std::vector<std::array<int32_t, 2>> inserted_between_;  // the ends of their edges
  // Edges of two triangles that are to be cut, by their ends: as in borders_.
  std::unordered_map<uint64_t, std::array<int32_t, 2>> meeting_;
  int64_t on_borders_ = 0;                 // inserted vertices; the others are inside
  std::vector<int32_t> number_of_, kept_;  // of each vertex its number; the first vertex of each number
  std::vector<std::array<int32_t, 2>> pairs_;
  std::unordered_set<int32_t> stays_;  // vertices of the sides at which seams lie
  Attribute texture_;
  Sewn sewn_;
};

Result<void> Sewing::check(const Seam& seam) {
  if (!(seam.ease >= 0))
    return usage_error(fmt::format("{}: the ease of a seam is {}, expected at least 0", name_, seam.ease));
  std::unordered_map<int32_t, int> side_of;
  for (const auto* side : {&seam.first, &seam.second}) {
    const int number = side == &seam.first ? 0 : 1;
    if (side->size() < (seam.closed ? 3 : 2))
      return input_error(name_, fmt::format("a side of a seam has {} vertices; expected at least {}",
                                            side->size(), seam.closed ? 3 : 2));
    for (size_t i = 0; i < side->size(); ++i) {
      const int32_t v = (*side)[i];
      if (v < 0 || v >= static_cast<int32_t>(given_.vertices.size()))
        return input_error(
            name_, fmt::format("a seam names vertex {}; expected 0 to {}", v, given_.vertices.size() - 1));
      const auto [known, added] = side_of.emplace(v, number);
      const bool common_end =
          number == 1 && known->second == 0 && !seam.closed &&
          ((i == 0 && v == seam.first.front()) || (i + 1 == side->size() && v == seam.first.back()));
      if (!added && !common_end)
        return input_error(name_,
                           fmt::format("a seam passes through vertex {} twice; expected sides that have "
                                       "at most an end in common",
                                       vertex_text(given_, v)));
    }
    const std::vector<int32_t> path = unrolled(*side, seam.closed);
    for (size_t i = 1; i < path.size(); ++i) {
      const uint64_t key = edge_key(path[i - 1], path[i]);
      if (!borders_.contains(key))
        return input_error(
            name_,
            fmt::format("a seam goes along {}, where there is no border; expected edges of one triangle",
                        edge_text(given_, path[i - 1], path[i])));
      if (!in_seams_.insert(key).second)
        return input_error(name_, fmt::format("two seams go along the border {}; expected one",
                                              edge_text(given_, path[i - 1], path[i])));
    }
  }
  return {};
}

void Sewing::join_in_order(const std::vector<int32_t>& coarse, const std::vector<int32_t>& fine,
                           const std::vector<int32_t>& met, const std::vector<double>& fine_at,
                           SeamReport& report) {
  const auto join = [&](int32_t a, int32_t b) {
    if (a == b) return;
    pairs_.push_back({a, b});
    ++report.joined;
  };
  for (size_t i = 0; i < coarse.size(); ++i) {
    const bool last = i + 1 == coarse.size();
    if (!last || coarse[i] != coarse[0]) join(coarse[i], fine[met[i]]);
    if (last) break;
    const int32_t begin = met[i], end = met[i + 1];
    std::vector<double> shares;
    for (int32_t j = begin + 1; j < end; ++j)
      shares.push_back((fine_at[j] - fine_at[begin]) / (fine_at[end] - fine_at[begin]));
    const std::vector<int32_t> added = cut_border(coarse[i], coarse[i + 1], shares);
    for (size_t k = 0; k < added.size(); ++k) join(added[k], fine[begin + 1 + static_cast<int32_t>(k)]);
    report.inserted += static_cast<int64_t>(added.size());
  }
}

// New vertices at shares of the way from a to b.
std::vector<int32_t> Sewing::cut_border(int32_t a, int32_t b, const std::vector<double>& shares) {
  std::vector<int32_t> added;
  for (const double s : shares) {
    added.push_back(static_cast<int32_t>(place_.size()));
    place_.push_back(place_[a] * (1 - s) + place_[b] * s);
    inserted_between_.push_back({a, b});
    ++on_borders_;
  }
  if (!added.empty()) cut_triangle(borders_.at(edge_key(a, b)), a, added, shares);
  return added;
}

// The triangle (u, v, c) at the edge becomes (u, m, c), (m, n, c), ..., (n, v, c); m, n, ... are given from the end `from` on.
void Sewing::cut_triangle(int32_t edge, int32_t from, std::vector<int32_t> added,
                          std::vector<double> shares) {
  const int32_t t = edge / 3, k = edge % 3;
  auto& elements = sewn_.mesh.elements;
  const int32_t u = elements[t][k], v = elements[t][(k + 1) % 3], c = elements[t][(k + 2) % 3];
  if (u != from) {
    std::reverse(added.begin(), added.end());
    std::reverse(shares.begin(), shares.end());
    for (double& s : shares) s = 1 - s;
  }
  added.insert(added.begin(), u);
  added.push_back(v);
  shares.insert(shares.begin(), 0);
  shares.push_back(1);

  const auto cut = [&](const FlatTriangle& corners, size_t i) -> FlatTriangle {
    const Vec2d& begin = corners[k];
    const Vec2d along = corners[(k + 1) % 3] - begin;
    return {begin + along * shares[i], begin + along * shares[i + 1], corners[(k + 2) % 3]};
  };
  const bool has_texture = !texture_.values.empty(), has_flat = !sewn_.flat.empty();
  const FlatTriangle texture = has_texture ? texture_corners(texture_, t) : FlatTriangle{};
  const FlatTriangle flat = has_flat ? flat_corners(t) : FlatTriangle{};
  int32_t part = t;
  for (size_t i = 0; i + 1 < added.size(); ++i) {
    if (i > 0) {
      part = static_cast<int32_t>(elements.size());
      elements.emplace_back();
      sewn_.triangle_in.push_back(int32_t{sewn_.triangle_in[t]});
      if (has_texture) texture_.values.resize(texture_.values.size() + 6);
      if (has_flat) sewn_.flat.emplace_back();
    }
    elements[part] = {added[i], added[i + 1], c};
    if (has_texture) {
      const FlatTriangle corners = cut(texture, i);
      for (int j = 0; j < 6; ++j) texture_.values[6 * static_cast<size_t>(part) + j] = corners[j / 2][j % 2];
    }
    if (has_flat) {
      const FlatTriangle corners = cut(flat, i);
      sewn_.flat[part] = {corners[1] - corners[0], corners[2] - corners[0]};
    }
  }
  follow_edge(c, u, t, 3 * t + 2);
  follow_edge(v, c, t, 3 * part + 1);
}

// An edge of a triangle that was cut, which may be cut later, is another one now.
void Sewing::follow_edge(int32_t a, int32_t b, int32_t triangle, int32_t edge) {
  const uint64_t key = edge_key(a, b);
  if (const auto found = borders_.find(key); found != borders_.end()) found->second = edge;
  if (const auto found = meeting_.find(key); found != meeting_.end())
    for (int32_t& known : found->second)
      if (known / 3 == triangle) known = edge;
}

// Seams bring more than two triangles to an edge where edges inside meet each other or a seam.
void Sewing::keep_edges_apart(std::vector<int32_t>& root) {
  struct Edge {
    uint64_t joined;      // its ends as they are joined
    bool inside;          // those at borders first
    int32_t edge, other;  // at both triangles
  };
  const auto& elements = sewn_.mesh.elements;
  const auto partner = face_partners<3>(elements, static_cast<int64_t>(place_.size()));
  std::vector<Edge> edges;
  for (int64_t e = 0; e < static_cast<int64_t>(partner.size()); ++e) {
    if (partner[e] >= 0 && partner[e] < e) continue;
    const auto [a, b] = face_of<3>(elements[e / 3], static_cast<int>(e % 3));
    edges.push_back({edge_key(root[a], root[b]), partner[e] >= 0, static_cast<int32_t>(e),
                     static_cast<int32_t>(partner[e])});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.joined, a.inside, a.edge) < std::tie(b.joined, b.inside, b.edge);
  });
  std::vector<std::array<int32_t, 2>> cuts;
  for (size_t i = 1; i < edges.size(); ++i) {
    if (edges[i].joined != edges[i - 1].joined || !edges[i].inside) continue;
    const auto [a, b] = face_of<3>(elements[edges[i].edge / 3], edges[i].edge % 3);
    meeting_[edge_key(a, b)] = {edges[i].edge, edges[i].other};
    cuts.push_back({a, b});
  }
  for (const auto& [a, b] : cuts) {
    const auto middle = static_cast<int32_t>(place_.size());
    place_.push_back((place_[a] + place_[b]) * 0.5);
    inserted_between_.push_back({a, b});
    root.push_back(middle);
    const std::array<int32_t, 2> halves = meeting_.at(edge_key(a, b));
    for (const int32_t edge : halves) cut_triangle(edge, a, {middle}, {0.5});
    ++sewn_.kept_apart;
  }
}

// For each vertex, those that were inserted included, the least given one that it was joined to.
Result<std::vector<int32_t>> Sewing::joined_numbers() const {
  DisjointSets<> sets(static_cast<int64_t>(place_.size()));
  for (const auto& [a, b] : pairs_) sets.join(a, b);
  std::vector<int32_t> root(place_.size());
  for (size_t v = 0; v < root.size(); ++v) root[v] = sets.find(static_cast<int32_t>(v));
  std::vector<int32_t> collapsed;
  for (size_t t = 0; t < sewn_.mesh.elements.size(); ++t) {
    const auto& [a, b, c] = sewn_.mesh.elements[t];
    if (root[a] == root[b] || root[b] == root[c] || root[c] == root[a])
      collapsed.push_back(sewn_.triangle_in[t]);
  }
  if (collapsed.empty()) return root;
  return input_error(
      name_, fmt::format("seams would join corners of {} triangles: {}; expected triangles between the sides",
                         collapsed.size(), first_triangles(given_, collapsed)));
}

void Sewing::number_vertices(const std::vector<int32_t>& root) {
  number_of_.resize(root.size());
  for (size_t v = 0; v < root.size(); ++v) {
    if (root[v] != static_cast<int32_t>(v)) {
      number_of_[v] = number_of_[root[v]];
      continue;
    }
    number_of_[v] = static_cast<int32_t>(kept_.size());
    kept_.push_back(static_cast<int32_t>(v));
  }
  sewn_.vertex_of.assign(number_of_.begin(),
                         number_of_.begin() + static_cast<int64_t>(given_.vertices.size()));
  for (auto& triangle : sewn_.mesh.elements)
    for (int32_t& v : triangle) v = number_of_[v];
}

// At the mean of what was joined, or of those of it at which a seam lies.
void Sewing::place_vertices() {
  std::vector<Vec3d> sum(kept_.size(), Vec3d::zero()), sum_staying(kept_.size(), Vec3d::zero());
  std::vector<int32_t> count(kept_.size(), 0), staying(kept_.size(), 0);
  for (size_t v = 0; v < place_.size(); ++v) {
    const int32_t n = number_of_[v];
    sum[n] += place_[v];
    ++count[n];
    if (!stays_.contains(static_cast<int32_t>(v))) continue;
    sum_staying[n] += place_[v];
    ++staying[n];
  }
  for (size_t i = 0; i < kept_.size(); ++i) {
    const bool at_side = staying[i] > 0;
    const int32_t n = at_side ? staying[i] : count[i];
    const Vec3d& total = at_side ? sum_staying[i] : sum[i];
    sewn_.mesh.vertices.push_back(n == 1 ? total : total / static_cast<double>(n));
  }
}

void Sewing::carry_vertex_data(const std::vector<int32_t>& root) {
  const auto given = static_cast<int32_t>(given_.vertices.size());
  for (const auto& [key, data] : given_.vertex_data) {
    Attribute& out = sewn_.mesh.vertex_data[key];
    out.width = data.width;
    for (const int32_t v : kept_) {
      // Vertices on borders were joined to given ones, so that the ends of an edge inside were given too.
      const int32_t a = v < given ? v : root[inserted_between_[v - given][0]];
      const int32_t b = v < given ? v : root[inserted_between_[v - given][1]];
      for (int k = 0; k < data.width; ++k) {
        const double of_a = data.values[int64_t{a} * data.width + k],
                     of_b = data.values[int64_t{b} * data.width + k];
        out.values.push_back(a == b ? of_a : (of_a + of_b) / 2);
      }
    }
  }
  for (const auto& [key, ids] : given_.vertex_groups) {
    std::vector<char> member(place_.size(), 0);
    for (const int32_t id : ids) member[id] = 1;
    for (int64_t i = 0; i < on_borders_; ++i)
      member[given + i] = member[inserted_between_[i][0]] && member[inserted_between_[i][1]];
    auto& group = sewn_.mesh.vertex_groups[key];
    for (size_t v = 0; v < member.size(); ++v)
      if (member[v]) group.push_back(number_of_[v]);
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
  }
}

void Sewing::carry_element_data() {
  for (const auto& [key, data] : given_.element_data) {
    Attribute& out = sewn_.mesh.element_data[key];
    if (key == texture_data && !texture_.values.empty()) {
      out = std::move(texture_);
      continue;
    }
    out.width = data.width;
    for (const int32_t t : sewn_.triangle_in) {
      const auto from = data.values.begin() + int64_t{t} * data.width;
      out.values.insert(out.values.end(), from, from + data.width);
    }
  }
  for (const auto& [key, ids] : given_.element_groups) {
    std::vector<char> member(given_.elements.size(), 0);
    for (const int32_t id : ids) member[id] = 1;
    auto& group = sewn_.mesh.element_groups[key];
    for (size_t t = 0; t < sewn_.triangle_in.size(); ++t)
      if (member[sewn_.triangle_in[t]]) group.push_back(static_cast<int32_t>(t));
  }
}

Result<Sewn> Sewing::finish() {
  auto root = joined_numbers();
  if (!root) return root.error();
  keep_edges_apart(*root);
  number_vertices(*root);
  place_vertices();
  carry_vertex_data(*root);
  carry_element_data();
  return std::move(sewn_);
}

}  // namespace

Result<Sewn> sew(const TriMesh& mesh, std::span<const FlatEdges> flat, std::span<const Seam> seams,
                 const std::string& name) {
  return unless_out_of_memory(name, [&]() -> Result<Sewn> {
    if (!flat.empty() && flat.size() != mesh.elements.size())
      return usage_error(
          fmt::format("{}: {} shapes at rest for {} triangles", name, flat.size(), mesh.elements.size()));
    if (const auto sound = check_references(mesh, name); !sound) return sound.error();
    Sewing sewing(mesh, flat, name);
    for (const Seam& seam : seams)
      if (const auto added = sewing.add(seam); !added) return added.error();
    return sewing.finish();
  });
}

}  // namespace sinew::mesh
