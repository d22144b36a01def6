#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.h"

namespace sinew::geometry {

namespace {

constexpr int64_t block = 1024;

Vec3d unit_or(const Vec3d& v, const Vec3d& otherwise) {
  const double length = norm(v);
  return length > 0 && std::isfinite(length) ? v / length : otherwise;
}

// Zero where the triangle has no area. Its size is taken out first: the product of tiny edges must not vanish.
Vec3d face_normal(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d zero = {0, 0, 0};
  return unit_or(cross(unit_or(b - a, zero), unit_or(c - a, zero)), zero);
}

double angle_between(const Vec3d& a, const Vec3d& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

// A feature with opposite normals takes one of them, and one without any takes the z axis.
template <class F>
Vec3d weighted_normal(std::span<const int32_t> slots, std::span<const Vec3d> face, F&& weight) {
  Vec3d sum = {0, 0, 0}, one = {0, 0, 0};
  double total = 0;
  for (int32_t slot : slots) {
    const Vec3d& normal = face[slot / 3];
    if (norm2(normal) == 0) continue;
    if (norm2(one) == 0) one = normal;
    const double w = weight(slot);
    total += w;
    sum += w * normal;
  }
  if (norm2(one) == 0) one = {0, 0, 1};
  return norm(sum) > 1e-12 * total ? unit_or(sum, one) : one;
}

}  // namespace

Pseudonormals::Pseudonormals(std::span<const Triangle> triangles)
    : triangles_(triangles.begin(), triangles.end()), edges_(triangles.size()) {
  int32_t nodes = 0;
  for (const Triangle& t : triangles) nodes = std::max({nodes, t[0] + 1, t[1] + 1, t[2] + 1});
  corners_.offset.assign(nodes + 1, 0);
  for (const Triangle& t : triangles)
    for (int32_t node : t) ++corners_.offset[node + 1];
  for (int32_t i = 0; i < nodes; ++i) corners_.offset[i + 1] += corners_.offset[i];
  corners_.index.resize(3 * triangles.size());
  std::vector<int64_t> next(corners_.offset.begin(), corners_.offset.end() - 1);

  struct Side {
    uint64_t ends;  // lower node, higher node
    int32_t slot;   // 3 triangle + edge
    bool turned;    // runs from the higher to the lower node
  };
  std::vector<Side> sides(3 * triangles.size());
  for (size_t slot = 0; slot < sides.size(); ++slot) {
    const Triangle& t = triangles[slot / 3];
    const uint64_t a = t[slot % 3], b = t[(slot + 1) % 3];
    sides[slot] = {std::min(a, b) << 32 | std::max(a, b), static_cast<int32_t>(slot), a > b};
    corners_.index[next[a]++] = static_cast<int32_t>(slot);
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::pair(a.ends, a.slot) < std::pair(b.ends, b.slot);
  });
  for (size_t begin = 0, end; begin < sides.size(); begin = end) {
    for (end = begin; end < sides.size() && sides[end].ends == sides[begin].ends; ++end) {
      const int32_t slot = sides[end].slot;
      edges_[slot / 3][slot % 3] = static_cast<int32_t>(sides_.rows());
      sides_.index.push_back(slot);
    }
    sides_.offset.push_back(static_cast<int64_t>(end));
    closed_ = closed_ && end - begin == 2 && sides[begin].turned != sides[begin + 1].turned;
  }
  face_.resize(triangles.size());
  edge_.resize(sides_.rows());
  vertex_.resize(nodes);
}

void Pseudonormals::update(std::span<const Vec3d> x) {
  for_each_block(static_cast<int64_t>(face_.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles_[t];
      face_[t] = face_normal(x[a], x[b], x[c]);
    }
  });
  for_each_block(static_cast<int64_t>(edge_.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t e = begin; e < end; ++e)
      edge_[e] = weighted_normal(sides_.row(e), face_, [](int32_t) { return 1.0; });
  });
  for_each_block(static_cast<int64_t>(vertex_.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v)
      vertex_[v] = weighted_normal(corners_.row(v), face_, [&](int32_t slot) {
        const Triangle& t = triangles_[slot / 3];
        return angle_between(x[t[(slot + 1) % 3]] - x[v], x[t[(slot + 2) % 3]] - x[v]);
      });
  });
  for_each_block(static_cast<int64_t>(face_.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t)
      if (norm2(face_[t]) == 0) face_[t] = {0, 0, 1};
  });
}

const Vec3d& Pseudonormals::normal(int32_t triangle, int32_t feature) const {
  switch (feature) {
    case 1:
      return vertex_[triangles_[triangle][0]];
    case 2:
      return vertex_[triangles_[triangle][1]];
    case 4:
      return vertex_[triangles_[triangle][2]];
    case 3:
      return edge_[edges_[triangle][0]];
    case 6:
      return edge_[edges_[triangle][1]];
    case 5:
      return edge_[edges_[triangle][2]];
    default:
      return face_[triangle];
  }
}

MeshDistance::MeshDistance(std::span<const Vec3d> points, std::span<const Triangle> triangles)
    : points_(points), triangles_(triangles), normals_(triangles) {
  normals_.update(points);
  std::vector<Box> boxes(triangles.size());
  for_each_block(static_cast<int64_t>(boxes.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t)
      for (int32_t node : triangles[t]) boxes[t].add(points[node]);
  });
  tree_.build(boxes);
}

MeshDistance::Found MeshDistance::closest(const Vec3d& p, double limit) const {
  Found found;
  const auto on = [&](int32_t t) {
    const auto& [a, b, c] = triangles_[t];
    return closest_on_triangle(p, points_[a], points_[b], points_[c]);
  };
  // A little more than the limit, which is included: the root decides.
  const double limit2 = std::nextafter(limit * limit * (1 + 1e-15), std::numeric_limits<double>::infinity());
  const int32_t t = tree_.nearest(p, limit2, [&](int32_t i) { return on(i).distance2; });
  if (t < 0) return found;
  found.on = on(t);
  const double distance = std::sqrt(found.on.distance2);
  if (!(distance <= limit)) return found;
  const auto& [a, b, c] = triangles_[t];
  found.triangle = t;
  found.point =
      found.on.weight[0] * points_[a] + found.on.weight[1] * points_[b] + found.on.weight[2] * points_[c];
  found.normal = normals_.normal(t, found.on.feature);
  const bool inside = normals_.closed() ? dot(p - found.point, found.normal) < 0 : winding_number(p) > 0.5;
  found.distance = inside ? -distance : distance;
  return found;
}

// Solid angles: van Oosterom, Strackee: The Solid Angle of a Plane Triangle, 1983.
double MeshDistance::winding_number(const Vec3d& p) const {
  double sum = 0;
  for (const auto& [i, j, k] : triangles_) {
    const Vec3d a = points_[i] - p, b = points_[j] - p, c = points_[k] - p;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    sum += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

}  // namespace sinew::geometry
