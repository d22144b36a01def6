#include "meshing/winding.h"

#include <cmath>

#include "base/parallel.h"
#include "contact/bvh.h"

namespace sinew::meshing {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double far = 2.5;  // radii from the centre of a group beyond which its dipole stands for it

}  // namespace

// Van Oosterom, Strackee, The Solid Angle of a Plane Triangle, 1983.
double solid_angle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d u = a - p, v = b - p, w = c - p;
  const double lu = norm(u), lv = norm(v), lw = norm(w);
  return 2 * std::atan2(dot(u, cross(v, w)), lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
}

WindingTree::WindingTree(std::span<const Vec3d> points, std::span<const std::array<int32_t, 3>> triangles) {
  const auto n = static_cast<int64_t>(triangles.size());
  constexpr int64_t block = 1 << 12;
  triangles_.resize(n);
  {
    std::vector<contact::Box> boxes(n);
    for_each_block(n, block, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t)
        for (const int32_t v : triangles[t]) boxes[t].add(points[v]);
    });
    contact::Bvh order;
    order.build(boxes);
    for_each_block(n, block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (int k = 0; k < 3; ++k) triangles_[i][k] = points[triangles[order.order()[i]][k]];
    });
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

WindingTree::Node WindingTree::leaf(int64_t i) const {
  const int64_t begin = i * width, end = std::min<int64_t>(begin + width, triangles_.size());
  Node node;
  for (int64_t t = begin; t < end; ++t) {
    const auto& [a, b, c] = triangles_[t];
    const double area = norm(cross(b - a, c - a)) / 2;
    node.centre += (a + b + c) * (area / 3);
    node.area += area;
  }
  node.centre = node.area > 0 ? node.centre / node.area : triangles_[begin][0];
  for (int64_t t = begin; t < end; ++t) {
    const auto& [a, b, c] = triangles_[t];
    const Vec3d n = cross(b - a, c - a) / 2.0, d = (a + b + c) / 3.0 - node.centre;
    node.normal += n;
    for (int k = 0; k < 3; ++k) node.moment.col(k) += n * d[k];
    for (const Vec3d& x : triangles_[t]) node.radius = std::max(node.radius, norm(x - node.centre));
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
    for (int k = 0; k < 3; ++k) node.moment.col(k) += child.moment.col(k) + child.normal * d[k];
    node.radius = std::max(node.radius, norm(d) + child.radius);
  }
  return node;
}

double WindingTree::at(const Vec3d& p) const {
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
    const double distance2 = norm2(r);
    if (distance2 > far * far * node.radius * node.radius) {
      const double distance = std::sqrt(distance2), cubed = distance2 * distance;
      const Vec3d mr = node.moment * r;
      const double trace = node.moment(0, 0) + node.moment(1, 1) + node.moment(2, 2);
      angle += (dot(r, node.normal) + trace - 3 * dot(r, mr) / distance2) / cubed;
    } else if (level == 0) {
      const int64_t end = std::min<int64_t>((i + 1) * width, triangles_.size());
      for (int64_t t = i * width; t < end; ++t)
        angle += solid_angle(p, triangles_[t][0], triangles_[t][1], triangles_[t][2]);
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
