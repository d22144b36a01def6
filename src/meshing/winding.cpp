#include "meshing/winding.h"

#include <cmath>

#include "base/parallel.h"
#include "geometry/bvh.h"

namespace sinew::meshing {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double far = 2;  // radii from the centre of a group beyond which its moments stand for it
constexpr int one[6] = {0, 1, 2, 0, 1, 2}, other[6] = {0, 1, 2, 1, 2, 0};  // axes of the second moments

// The sum over a group of n . g(r + d), g(r) = r / |r|^3, to second order in d.
double far_angle(const Vec3d& r, const Vec3d& normal, const std::array<Vec3d, 3>& first,
                 const std::array<Vec3d, 6>& second) {
  const double r2 = norm2(r), r3 = r2 * std::sqrt(r2);
  double sum = dot(r, normal);
  for (int k = 0; k < 3; ++k) sum += first[k][k] - 3 * r[k] * dot(r, first[k]) / r2;
  for (int m = 0; m < 6; ++m) {
    const int j = one[m], k = other[m];
    const double across = second[m][j] * r[k] + second[m][k] * r[j], along = dot(r, second[m]);
    const double term = (7.5 * along * r[j] * r[k] / r2 - 1.5 * across) / r2;
    sum += j == k ? term - 1.5 * along / r2 : 2 * term;
  }
  return sum / r3;
}

}  // namespace

// Van Oosterom, Strackee, The Solid Angle of a Plane Triangle, 1983.
double solid_angle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d u = a - p, v = b - p, w = c - p;
  const double lu = norm(u), lv = norm(v), lw = norm(w);
  return 2 * std::atan2(dot(u, cross(v, w)), lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
}

WindingTree::WindingTree(std::span<const Vec3d> points, std::span<const std::array<int32_t, 3>> triangles)
    : frame_(unit_frame(points, triangles)), points_(points), triangles_(triangles) {
  const auto n = static_cast<int64_t>(triangles.size());
  {
    geometry::Bvh tree;
    tree.build(triangle_boxes(frame_, points, triangles));
    order_.assign(tree.order().begin(), tree.order().end());
  }
  level_ = {0};
  for (int64_t count = n; count > 0; count = count > 1 ? count : 0) {
    count = (count + width - 1) / width;
    level_.push_back(level_.back() + count);
  }
  nodes_.resize(level_.back());
  const auto levels = static_cast<int>(level_.size()) - 1;
  for (int level = 0; level < levels; ++level)
    for_each_block(level_[level + 1] - level_[level], 256, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (level == 0) {
          nodes_[i] = leaf(i);
          continue;
        }
        const int64_t first = level_[level - 1] + i * width;
        const int64_t last = std::min(first + width, level_[level]);
        nodes_[level_[level] + i] = parent({&nodes_[first], static_cast<size_t>(last - first)});
      }
    });
}

std::array<Vec3d, 3> WindingTree::corners(int64_t place) const {
  const auto& [a, b, c] = triangles_[order_[place]];
  return {frame_(points_[a]), frame_(points_[b]), frame_(points_[c])};
}

WindingTree::Node WindingTree::leaf(int64_t i) const {
  const int64_t begin = i * width, end = std::min<int64_t>(begin + width, triangles_.size());
  Node node;
  for (int64_t t = begin; t < end; ++t) {
    const auto [a, b, c] = corners(t);
    const double area = norm(cross(b - a, c - a)) / 2;
    node.centre += (a + b + c) * (area / 3);
    node.area += area;
  }
  node.centre = node.area > 0 ? node.centre / node.area : corners(begin)[0];
  for (int64_t t = begin; t < end; ++t) {
    const auto [a, b, c] = corners(t);
    const Vec3d n = cross(b - a, c - a) / 2.0;
    const Vec3d u = a - node.centre, v = b - node.centre, w = c - node.centre, s = u + v + w;
    node.normal += n;
    for (int k = 0; k < 3; ++k) node.first[k] += n * (s[k] / 3);
    for (int m = 0; m < 6; ++m) {
      const int j = one[m], k = other[m];
      node.second[m] += n * ((u[j] * u[k] + v[j] * v[k] + w[j] * w[k] + s[j] * s[k]) / 12);
    }
    for (const Vec3d& x : {a, b, c}) node.radius = std::max(node.radius, norm(x - node.centre));
  }
  return node;
}

WindingTree::Node WindingTree::parent(std::span<const Node> children) const {
  Node node;
  for (const Node& child : children) {
    node.centre += child.centre * child.area;
    node.area += child.area;
  }
  node.centre = node.area > 0 ? node.centre / node.area : children[0].centre;
  for (const Node& child : children) {
    const Vec3d d = child.centre - node.centre;
    node.normal += child.normal;
    for (int k = 0; k < 3; ++k) node.first[k] += child.first[k] + child.normal * d[k];
    for (int m = 0; m < 6; ++m) {
      const int j = one[m], k = other[m];
      node.second[m] +=
          child.second[m] + child.first[j] * d[k] + child.first[k] * d[j] + child.normal * (d[j] * d[k]);
    }
    node.radius = std::max(node.radius, norm(d) + child.radius);
  }
  return node;
}

double WindingTree::at(const Vec3d& at) const {
  const Vec3d p = frame_(at);
  struct Open {
    int level;
    int64_t node;
  };
  // Seven siblings wait at each level: 2^31 triangles have 11.
  std::array<Open, 11 * (width - 1) + 1> open;
  int count = 0;
  double angle = 0;
  if (!nodes_.empty()) open[count++] = {static_cast<int>(level_.size()) - 2, 0};
  while (count > 0) {
    const auto [level, i] = open[--count];
    const Node& node = nodes_[level_[level] + i];
    const Vec3d r = node.centre - p;
    if (norm2(r) > far * far * node.radius * node.radius) {
      angle += far_angle(r, node.normal, node.first, node.second);
    } else if (level == 0) {
      const int64_t end = std::min<int64_t>((i + 1) * width, triangles_.size());
      for (int64_t t = i * width; t < end; ++t) {
        const auto [a, b, c] = corners(t);
        angle += solid_angle(p, a, b, c);
      }
    } else {
      const int64_t end = std::min((i + 1) * width, level_[level] - level_[level - 1]);
      for (int64_t child = i * width; child < end; ++child) open[count++] = {level - 1, child};
    }
  }
  return angle / (4 * pi);
}

std::vector<double> WindingTree::at(std::span<const Vec3d> p) const {
  std::vector<double> winding(p.size());
  for_each_block(static_cast<int64_t>(p.size()), 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) winding[i] = at(p[i]);
  });
  return winding;
}

}  // namespace sinew::meshing
