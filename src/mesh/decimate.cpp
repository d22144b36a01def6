#include "mesh/decimate.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace sinew::mesh {

namespace {

using Triangle = TriMesh::Element;

constexpr double least_cosine = 0.5;  // between the normals of a triangle before and after

// The mean of squared distances to planes, n.x + d = 0 with |n| = 1.
struct Quadric {
  math::Mat3d A = math::Mat3d::zero();
  Vec3d b = Vec3d::zero();
  double c = 0, planes = 0;

  static Quadric plane(const Vec3d& n, double d) { return {outer(n, n), n * d, d * d, 1}; }
  Quadric& operator+=(const Quadric& other) {
    A += other.A;
    b += other.b;
    c += other.c;
    planes += other.planes;
    return *this;
  }
  double operator()(const Vec3d& x) const {
    return std::max(dot(x, A * x) + 2 * dot(b, x) + c, 0.0) / std::max(planes, 1.0);
  }
};

struct Collapse {
  double error;  // mean of squared distances [m^2]
  int32_t from, to;
  int32_t version_from, version_to;  // when it was found

  bool operator>(const Collapse& other) const {
    return std::tie(error, from, to) > std::tie(other.error, other.from, other.to);
  }
};

class Decimation {
 public:
  Decimation(std::span<const Vec3d> points, std::vector<Triangle> triangles, const DecimateOptions& options)
      : points_(points),
        triangles_(std::move(triangles)),
        options_(options),
        around_(points.size()),
        quadric_(points.size()),
        version_(points.size(), 0) {
    // About a point of the surface, so that the constants of far planes do not cancel.
    if (!triangles_.empty()) origin_ = points_[triangles_[0][0]];
    for (size_t t = 0; t < triangles_.size(); ++t) {
      const Vec3d area = normal(triangles_[t]);
      const double size = norm(area);
      for (const int32_t v : triangles_[t]) {
        around_[v].push_back(static_cast<int32_t>(t));
        if (size > 0) quadric_[v] += Quadric::plane(area / size, -dot(area / size, at(triangles_[t][0])));
      }
    }
  }

  std::vector<Triangle> run() {
    for (size_t v = 0; v < points_.size(); ++v) find_collapses(static_cast<int32_t>(v));
    while (!queue_.empty()) {
      const Collapse next = queue_.top();
      queue_.pop();
      if (version_[next.from] != next.version_from || version_[next.to] != next.version_to) continue;
      if (allowed(next.from, next.to)) collapse(next.from, next.to);
    }
    std::erase_if(triangles_, [](const Triangle& t) { return t[0] < 0; });
    return std::move(triangles_);
  }

 private:
  Vec3d at(int32_t v) const { return points_[v] - origin_; }
  Vec3d normal(const Triangle& t) const {
    return cross(points_[t[1]] - points_[t[0]], points_[t[2]] - points_[t[0]]);
  }
  static bool has(const Triangle& t, int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }
  static Triangle replaced(Triangle t, int32_t from, int32_t to) {
    for (int32_t& v : t)
      if (v == from) v = to;
    return t;
  }
  static Triangle sorted(Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
  }

  void find_collapses(int32_t v) {
    for (const int32_t t : around_[v])
      for (const int32_t w : triangles_[t])
        if (w != v && norm(points_[w] - points_[v]) < options_.shortest) {
          queue(v, w);
          queue(w, v);
        }
  }
  void queue(int32_t from, int32_t to) {
    Quadric sum = quadric_[from];
    sum += quadric_[to];
    const double error = sum(at(to));
    if (error <= options_.tolerance * options_.tolerance)
      queue_.push({error, from, to, version_[from], version_[to]});
  }

  bool allowed(int32_t from, int32_t to) const {
    int shared = 0;
    for (const int32_t t : around_[from]) shared += has(triangles_[t], to);
    if (shared != 2) return false;
    for (const int32_t t : around_[from]) {
      if (has(triangles_[t], to)) continue;
      const Triangle after = replaced(triangles_[t], from, to);
      const Vec3d before = normal(triangles_[t]), turned = normal(after);
      if (!(dot(before, turned) > least_cosine * norm(before) * norm(turned))) return false;
      for (const int32_t w : after)
        if (norm(points_[w] - points_[to]) > options_.longest) return false;
    }
    return keeps_topology(from, to);
  }

  // The ends of an edge have no neighbours in common but those across its two triangles (the link condition).
  bool keeps_topology(int32_t from, int32_t to) const {
    std::vector<int32_t> neighbours, across, common;
    for (const int32_t t : around_[from])
      for (const int32_t v : triangles_[t])
        if (v != from && v != to) neighbours.push_back(v);
    for (const int32_t t : around_[to])
      for (const int32_t v : triangles_[t])
        if (v != from && v != to) across.push_back(v);
    for (auto* list : {&neighbours, &across}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    std::set_intersection(neighbours.begin(), neighbours.end(), across.begin(), across.end(),
                          std::back_inserter(common));
    if (common.size() != 2) return false;
    for (const int32_t t : around_[from])
      for (const int32_t other : around_[to])
        if (!has(triangles_[t], to) && !has(triangles_[other], from) &&
            sorted(replaced(triangles_[t], from, to)) == sorted(triangles_[other]))
          return false;
    return true;
  }

  void collapse(int32_t from, int32_t to) {
    quadric_[to] += quadric_[from];
    for (const int32_t t : around_[from]) {
      if (has(triangles_[t], to)) {
        for (const int32_t v : triangles_[t])
          if (v != from) std::erase(around_[v], t);
        triangles_[t] = {-1, -1, -1};
      } else {
        triangles_[t] = replaced(triangles_[t], from, to);
        around_[to].push_back(t);
      }
    }
    around_[from].clear();
    ++version_[from];
    ++version_[to];
    find_collapses(to);
  }

  std::span<const Vec3d> points_;
  std::vector<Triangle> triangles_;  // {-1, -1, -1}: gone
  DecimateOptions options_;
  Vec3d origin_ = Vec3d::zero();
  std::vector<std::vector<int32_t>> around_;  // of each vertex: its triangles
  std::vector<Quadric> quadric_;
  std::vector<int32_t> version_;  // of each vertex: its collapses so far
  std::priority_queue<Collapse, std::vector<Collapse>, std::greater<>> queue_;
};

}  // namespace

std::vector<Triangle> decimate(std::span<const Vec3d> points, std::vector<Triangle> triangles,
                               const DecimateOptions& options) {
  return Decimation(points, std::move(triangles), options).run();
}

}  // namespace sinew::mesh
