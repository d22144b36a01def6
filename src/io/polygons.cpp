#include "io/polygons.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "mesh/coincident.h"

namespace sinew::io {
namespace {

using mesh::Vec3d;
using Triangle = std::array<int32_t, 3>;
using Edge = uint64_t;

constexpr int32_t most_corners = 128;  // the table takes corners^3 / 6 steps
constexpr double thin = 1e-6;          // area over the sum of squared edges; 0.144 where all are equal
constexpr double backwards = 1e6, forbidden = 1e9;  // costs beyond those of any shapes

class Cutter {
 public:
  // Edges go by place: seams of a file part vertices that its surface does not.
  explicit Cutter(const std::vector<Vec3d>& vertices)
      : vertices_(vertices), place_(mesh::first_at_place(vertices)) {}

  void add_sides(std::span<const int32_t> corners) {
    for (size_t k = 0; k < corners.size(); ++k)
      sides_.push_back(edge(corners[k], corners[(k + 1) % corners.size()]));
  }
  void sort_sides() { std::sort(sides_.begin(), sides_.end()); }

  // `fan` is where the triangles are and stay. `beside`: what belongs to their corners; empty or as long.
  void cut(std::span<const int32_t> corners, std::span<Triangle> fan, std::span<const int32_t> corners_beside,
           std::span<Triangle> beside) {
    corners_ = corners;
    corners_beside_ = corners_beside;
    n_ = static_cast<int32_t>(corners.size());
    normal_ = Vec3d::zero();
    for (int32_t k = 1; k + 1 < n_; ++k) normal_ += cross(at(k) - at(0), at(k + 1) - at(0));
    if (const double length = norm(normal_); length > 0) normal_ = normal_ / length;
    own_ = hash_of_corners();
    repeated_ = !seen_.insert(own_).second;
    if (n_ <= most_corners && !good_fan()) fill(fan, beside);
    for (const Triangle& t : fan)
      for (int k = 0; k < 3; ++k)
        if (const Edge e = edge(t[k], t[(k + 1) % 3]); !is_side(e)) diagonals_.emplace(e, own_);
  }

 private:
  Edge edge(int32_t a, int32_t b) const {
    const auto [low, high] = std::minmax(place_[a], place_[b]);
    return static_cast<Edge>(low) << 32 | static_cast<Edge>(high);
  }
  const Vec3d& at(int32_t k) const { return vertices_[corners_[k]]; }

  // Whether the diagonal is an edge elsewhere, or, where the polygon is given twice, none of those that it had before.
  bool taken(int32_t i, int32_t k) const {
    const Edge e = edge(corners_[i], corners_[k]);
    if (place_[corners_[i]] == place_[corners_[k]] || is_side(e)) return true;
    const auto found = diagonals_.find(e);
    return found == diagonals_.end() ? repeated_ : found->second != own_;
  }
  bool is_side(Edge e) const { return std::binary_search(sides_.begin(), sides_.end(), e); }

  uint64_t hash_of_corners() const {
    std::vector<int32_t> places;
    for (const int32_t c : corners_) places.push_back(place_[c]);
    std::sort(places.begin(), places.end());
    Hash hash;
    hash.add(std::span<const int32_t>(places));
    return hash.value();
  }

  // Area against the normal over the sum of squared edges.
  double shape(int32_t i, int32_t j, int32_t k) const {
    const Vec3d a = at(j) - at(i), b = at(k) - at(j), c = at(i) - at(k);
    const double size = norm2(a) + norm2(b) + norm2(c);
    return size > 0 ? dot(cross(a, b), normal_) / (2 * size) : 0;
  }

  bool good_fan() const {
    for (int32_t k = 2; k < n_; ++k)
      if (shape(0, k - 1, k) <= thin || (k + 1 < n_ && taken(0, k))) return false;
    return true;
  }

  // The cheapest way to fill the polygon from corner i to k, from those of shorter ways.
  void fill(std::span<Triangle> out, std::span<Triangle> out_beside) {
    const auto place = [&](int32_t i, int32_t k) { return static_cast<size_t>(i) * n_ + k; };
    std::vector<double> cost(static_cast<size_t>(n_) * n_, 0);
    std::vector<int32_t> middle(cost.size(), -1);
    for (int32_t length = 2; length < n_; ++length)
      for (int32_t i = 0; i + length < n_; ++i) {
        const int32_t k = i + length;
        double best = std::numeric_limits<double>::infinity();
        for (int32_t j = i + 1; j < k; ++j) {
          const double quality = shape(i, j, k);
          const double sum = cost[place(i, j)] + cost[place(j, k)] + 1 / std::max(quality, thin) +
                             (quality < 0 ? backwards : 0);
          if (!(sum < best)) continue;
          best = sum;
          middle[place(i, k)] = j;
        }
        cost[place(i, k)] = best + (length < n_ - 1 && taken(i, k) ? forbidden : 0);
      }
    std::vector<std::array<int32_t, 2>> open = {{0, n_ - 1}};
    for (size_t t = 0; !open.empty();) {
      const auto [i, k] = open.back();
      open.pop_back();
      if (k - i < 2) continue;
      const int32_t j = std::max(middle[place(i, k)], i + 1);  // none is cheapest where costs overflow
      out[t] = {corners_[i], corners_[j], corners_[k]};
      if (!out_beside.empty()) out_beside[t] = {corners_beside_[i], corners_beside_[j], corners_beside_[k]};
      ++t;
      open.push_back({i, j});
      open.push_back({j, k});
    }
  }

  const std::vector<Vec3d>& vertices_;
  std::vector<int32_t> place_;
  std::vector<Edge> sides_;
  std::unordered_map<Edge, uint64_t> diagonals_;  // with the hash of the polygon's corners
  std::unordered_set<uint64_t> seen_;             // such hashes
  std::span<const int32_t> corners_;              // of the polygon that is cut
  std::span<const int32_t> corners_beside_;
  int32_t n_ = 0;
  uint64_t own_ = 0;  // hash of the corners
  bool repeated_ = false;
  Vec3d normal_;
};

}  // namespace

void Polygons::add(std::span<const int32_t> corners, std::vector<Triangle>& triangles) {
  if (corners.size() > 3)
    fans_.push_back({static_cast<int32_t>(triangles.size()), static_cast<int32_t>(corners.size())});
  for (size_t k = 2; k < corners.size(); ++k) triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

void Polygons::cut(mesh::TriMesh& mesh, std::span<Triangle> beside) const {
  if (fans_.empty()) return;
  const auto corners_of = [](const Fan& fan, std::span<const Triangle> triangles) {
    std::vector<int32_t> corners = {triangles[fan.first][0], triangles[fan.first][1]};
    for (int32_t k = 2; k < fan.corners; ++k) corners.push_back(triangles[fan.first + k - 2][2]);
    return corners;
  };
  Cutter cutter(mesh.vertices);
  size_t next = 0;
  for (int32_t t = 0; t < static_cast<int32_t>(mesh.elements.size());) {
    if (next < fans_.size() && fans_[next].first == t) {
      cutter.add_sides(corners_of(fans_[next], mesh.elements));
      t += fans_[next++].corners - 2;
    } else {
      cutter.add_sides(mesh.elements[t++]);
    }
  }
  cutter.sort_sides();
  for (const Fan& fan : fans_) {
    const auto first = static_cast<size_t>(fan.first), count = static_cast<size_t>(fan.corners) - 2;
    if (beside.empty())
      cutter.cut(corners_of(fan, mesh.elements), std::span(mesh.elements).subspan(first, count), {}, {});
    else
      cutter.cut(corners_of(fan, mesh.elements), std::span(mesh.elements).subspan(first, count),
                 corners_of(fan, beside), beside.subspan(first, count));
  }
}

}  // namespace sinew::io
