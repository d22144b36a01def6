#include "mesh/flip_tets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "mesh/faces.h"
#include "mesh/properties.h"

namespace sinew::mesh {
namespace {

constexpr int max_ring = 7;
constexpr int max_passes = 5;
constexpr double worthwhile = 1.01;   // of the least radius ratio, for tets to be replaced
constexpr double same_volume = 1e-9;  // relative: the new tets fill the place of the old ones

using Tet = TetMesh::Element;

bool has(const Tet& tet, int32_t node) { return std::find(tet.begin(), tet.end(), node) != tet.end(); }

// Elements of one label have the same groups and the same data.
std::vector<int32_t> labels_of(const TetMesh& mesh) {
  std::vector<std::vector<double>> traits(mesh.elements.size());
  for (const auto& [name, ids] : mesh.element_groups) {
    for (auto& trait : traits) trait.push_back(0);
    for (const int32_t id : ids) traits[id].back() = 1;
  }
  for (const auto& [name, data] : mesh.element_data)
    for (size_t t = 0; t < traits.size(); ++t)
      traits[t].insert(traits[t].end(), data.values.begin() + static_cast<int64_t>(t) * data.width,
                       data.values.begin() + static_cast<int64_t>(t + 1) * data.width);
  std::map<std::vector<double>, int32_t> number;
  std::vector<int32_t> labels;
  for (const auto& trait : traits)
    labels.push_back(number.emplace(trait, static_cast<int32_t>(number.size())).first->second);
  return labels;
}

class Flipper {
 public:
  explicit Flipper(TetMesh& mesh) : mesh_(mesh), label_(labels_of(mesh)), around_(mesh.vertices.size()) {
    for (size_t t = 0; t < mesh.elements.size(); ++t) {
      ratio_.push_back(radius_ratio(mesh.vertices, mesh.elements[t]));
      parent_.push_back(static_cast<int32_t>(t));
      for (const int32_t node : mesh.elements[t]) around_[node].push_back(static_cast<int32_t>(t));
    }
  }

  int64_t run(double below) {
    int64_t flips = 0;
    for (int pass = 0; pass < max_passes; ++pass) {
      const int64_t before = flips;
      const auto count = static_cast<int32_t>(mesh_.elements.size());
      for (int32_t t = 0; t < count; ++t)
        if (alive(t) && ratio_[t] < below) flips += flip(t);
      if (flips == before) break;
    }
    if (flips > 0) renumber();
    return flips;
  }

 private:
  bool alive(int32_t t) const { return parent_[t] >= 0; }

  bool flip(int32_t t) {
    const Tet tet = mesh_.elements[t];
    for (const auto& [a, b] : tet_edges)
      if (remove_edge(tet[a], tet[b])) return true;
    for (int f = 0; f < 4; ++f)
      if (remove_face(t, f)) return true;
    return false;
  }

  bool joined(int32_t a, int32_t b) const {
    return std::any_of(around_[a].begin(), around_[a].end(),
                       [&](int32_t t) { return has(mesh_.elements[t], b); });
  }

  // The vertices around the edge, counter-clockwise about a -> b; none: it is on the boundary or has too many.
  std::optional<std::vector<int32_t>> ring_of(int32_t a, int32_t b, const std::vector<int32_t>& tets) const {
    if (tets.size() < 3 || tets.size() > max_ring) return std::nullopt;
    std::map<int32_t, int32_t> next;
    for (const int32_t t : tets) {
      int32_t other[2], found = 0;
      for (const int32_t node : mesh_.elements[t])
        if (node != a && node != b) other[found++] = node;
      const bool turned = tet_volume(mesh_.vertices, Tet{a, b, other[0], other[1]}) < 0;
      if (!next.emplace(other[turned], other[!turned]).second) return std::nullopt;
    }
    std::vector<int32_t> ring = {next.begin()->first};
    while (ring.size() <= tets.size()) {
      const auto step = next.find(ring.back());
      if (step == next.end()) return std::nullopt;
      if (step->second == ring[0]) break;
      ring.push_back(step->second);
    }
    if (ring.size() != tets.size()) return std::nullopt;
    return ring;
  }

  bool remove_edge(int32_t a, int32_t b) {
    std::vector<int32_t> old;
    for (const int32_t t : around_[a])
      if (has(mesh_.elements[t], b)) old.push_back(t);
    const auto ring = ring_of(a, b, old);
    if (!ring) return false;
    std::vector<Tet> fresh;
    if (best_triangulation(a, b, *ring, least_of(old), fresh)) return replace(old, fresh);
    return false;
  }

  double least_of(const std::vector<int32_t>& tets) const {
    double least = 1;
    for (const int32_t t : tets) least = std::min(least, ratio_[t]);
    return least;
  }

  // The tets on both sides of the triangle i < k < j of a ring.
  static std::array<Tet, 2> sides(int32_t a, int32_t b, int32_t i, int32_t k, int32_t j) {
    return {Tet{i, k, j, b}, Tet{k, i, j, a}};
  }

  // Triangulates the ring so that the least ratio is largest; false: it is not worth it. best[i][j]: of the part of the ring
  // from i to j and the chord between them.
  bool best_triangulation(int32_t a, int32_t b, const std::vector<int32_t>& p, double old,
                          std::vector<Tet>& fresh) const {
    const int n = static_cast<int>(p.size());
    double best[max_ring][max_ring];
    int middle[max_ring][max_ring] = {};
    for (int i = n - 2; i >= 0; --i) {
      best[i][i + 1] = 1;
      for (int j = i + 2; j < n; ++j) {
        best[i][j] = 0;
        if ((i > 0 || j < n - 1) && joined(p[i], p[j])) continue;
        for (int k = i + 1; k < j; ++k) {
          double least = std::min(best[i][k], best[k][j]);
          for (const Tet& tet : sides(a, b, p[i], p[k], p[j]))
            if (least > best[i][j]) least = std::min(least, radius_ratio(mesh_.vertices, tet));
          if (least <= best[i][j]) continue;
          best[i][j] = least;
          middle[i][j] = k;
        }
      }
    }
    if (!(best[0][n - 1] > worthwhile * old)) return false;
    std::vector<std::array<int, 2>> chords = {{0, n - 1}};
    while (!chords.empty()) {
      const auto [i, j] = chords.back();
      chords.pop_back();
      if (j - i < 2) continue;
      const int k = middle[i][j];
      for (const Tet& tet : sides(a, b, p[i], p[k], p[j])) fresh.push_back(tet);
      chords.push_back({i, k});
      chords.push_back({k, j});
    }
    return true;
  }

  // The 2-3 flip of a face of t.
  bool remove_face(int32_t t, int f) {
    const auto [c, d, e] = face_of<4>(mesh_.elements[t], f);
    int32_t a = -1, b = -1, other = -1;
    for (const int32_t node : mesh_.elements[t])
      if (node != c && node != d && node != e) a = node;
    for (const int32_t u : around_[c])
      if (u != t && has(mesh_.elements[u], d) && has(mesh_.elements[u], e)) other = u;
    if (other < 0) return false;
    for (const int32_t node : mesh_.elements[other])
      if (node != c && node != d && node != e) b = node;
    if (joined(a, b)) return false;
    const std::vector<Tet> fresh = {{a, b, c, d}, {a, b, d, e}, {a, b, e, c}};
    const double bound = worthwhile * std::min(ratio_[t], ratio_[other]);
    for (const Tet& tet : fresh)
      if (!(radius_ratio(mesh_.vertices, tet) > bound)) return false;
    return replace({t, other}, fresh);
  }

  // Puts tets in the place of others; false: they are not of one label, or do not fill the same place.
  bool replace(const std::vector<int32_t>& old, const std::vector<Tet>& fresh) {
    double volume = 0, filled = 0;
    for (const int32_t t : old) {
      if (label_[t] != label_[old[0]]) return false;
      volume += tet_volume(mesh_.vertices, mesh_.elements[t]);
    }
    for (const Tet& tet : fresh) filled += tet_volume(mesh_.vertices, tet);
    if (!(std::abs(filled - volume) <= same_volume * volume)) return false;
    const int32_t parent = parent_[old[0]];
    for (const int32_t t : old) {
      for (const int32_t node : mesh_.elements[t]) std::erase(around_[node], t);
      parent_[t] = -1;
    }
    for (const Tet& tet : fresh) {
      const auto t = static_cast<int32_t>(mesh_.elements.size());
      mesh_.elements.push_back(tet);
      ratio_.push_back(radius_ratio(mesh_.vertices, tet));
      label_.push_back(label_[old[0]]);
      parent_.push_back(parent);
      for (const int32_t node : tet) around_[node].push_back(t);
    }
    return true;
  }

  // Takes those that are gone out; data and groups go by the parents.
  void renumber() {
    std::vector<Tet> elements;
    std::vector<int32_t> parent;
    for (size_t t = 0; t < parent_.size(); ++t) {
      if (parent_[t] < 0) continue;
      elements.push_back(mesh_.elements[t]);
      parent.push_back(parent_[t]);
    }
    for (auto& [name, data] : mesh_.element_data) {
      std::vector<double> values;
      for (const int32_t p : parent)
        values.insert(values.end(), data.values.begin() + int64_t{p} * data.width,
                      data.values.begin() + int64_t{p + 1} * data.width);
      data.values = std::move(values);
    }
    for (auto& [name, ids] : mesh_.element_groups) {
      const std::vector<int32_t> before = std::move(ids);
      ids.clear();
      for (size_t t = 0; t < parent.size(); ++t)
        if (std::binary_search(before.begin(), before.end(), parent[t]))
          ids.push_back(static_cast<int32_t>(t));
    }
    mesh_.elements = std::move(elements);
  }

  TetMesh& mesh_;
  std::vector<double> ratio_;
  std::vector<int32_t> label_, parent_;  // parent: the element of the mesh that it comes from, -1: it is gone
  std::vector<std::vector<int32_t>> around_;  // tets at each vertex
};

}  // namespace

int64_t flip_tets(TetMesh& mesh, double below) { return Flipper(mesh).run(below); }

}  // namespace sinew::mesh
