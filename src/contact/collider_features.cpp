#include "contact/collider_features.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew::contact {

namespace {

using Shape = model::Collider::Shape;
using model::Triangle;

constexpr int around = 64;  // edges of a rim: they lie inside the circle by up to 0.12 % of its radius
constexpr double pi = 3.14159265358979323846;
// Edges of a mesh that bend less than about 3 degrees are flat; directions may be off the range of a feature by as much.
constexpr double flat = 0.9986, slack = 0.05;
constexpr double rounding = 1e-6;  // of a depth, and of a unit direction

Vec3d in_plane(const Vec3d& direction, const Vec3d& edge) {  // across an edge, unit
  return normalized(direction - edge * (dot(direction, edge) / norm2(edge)));
}

// Whether the closest point of the sheet lies within it, and, of two edges, that of the collider's within that.
bool within_sheet(bool edges, const Separation& at, int32_t borders) {
  const int count = edges ? 2 : 3;
  int corners = 0, zero = 0, last = 0;
  for (int k = 0; k < count; ++k) {
    if (at.weight[k] == 0) {
      zero = k;
    } else {
      ++corners;
      last = k;
    }
  }
  if (edges && (at.weight[2] == 0 || at.weight[3] == 0)) return false;
  if (corners == count) return at.parameters == 2;
  if (corners == 1) return !(borders & 8 << last);
  return !(borders & 1 << zero);
}

}  // namespace

ColliderFeatures::ColliderFeatures(const model::Collider& collider, const ColliderShapes& shapes,
                                   int32_t number)
    : shapes_(shapes), number_(number) {
  const Vec3d& s = collider.size;
  if (collider.shape == Shape::mesh) add_mesh(collider);
  if (!collider.hollow) {
    if (collider.shape == Shape::box) add_box(s);
    if (collider.shape == Shape::cylinder) add_rims(s[0], s[1]);
    if (collider.shape == Shape::sphere || collider.shape == Shape::capsule) radius_ = s[0];
    if (collider.shape == Shape::sphere) add_corner({0, 0, 0}, {});
    if (collider.shape == Shape::capsule) {
      add_corner({0, 0, -s[1]}, {});
      add_corner({0, 0, s[1]}, {});
      add_edge({0, 0, -s[1]}, {0, 0, s[1]}, {0, 0, 0}, {0, 0, 0});
    }
  }
  build();
}

int32_t ColliderFeatures::add_corner(const Vec3d& point, const std::vector<Vec3d>& along) {
  points_.push_back(point);
  along_.push_back(along);
  return static_cast<int32_t>(points_.size()) - 1;
}

void ColliderFeatures::add_edge(const Vec3d& a, const Vec3d& b, const Vec3d& into_first,
                                const Vec3d& into_second) {
  ends_.push_back({a, b});
  into_.push_back({into_first, into_second});
}

void ColliderFeatures::add_box(const Vec3d& half) {
  const auto corner = [&](int bits) {
    Vec3d p;
    for (int i = 0; i < 3; ++i) p[i] = bits & 1 << i ? half[i] : -half[i];
    return p;
  };
  const auto inwards = [](int bits, int axis) { return Vec3d::unit(axis) * (bits & 1 << axis ? -1.0 : 1.0); };
  for (int bits = 0; bits < 8; ++bits) {
    add_corner(corner(bits), {inwards(bits, 0), inwards(bits, 1), inwards(bits, 2)});
    for (int axis = 0; axis < 3; ++axis)
      if (!(bits & 1 << axis))
        add_edge(corner(bits), corner(bits | 1 << axis), inwards(bits, (axis + 1) % 3),
                 inwards(bits, (axis + 2) % 3));
  }
}

void ColliderFeatures::add_rims(double radius, double half) {
  for (const double side : {-1.0, 1.0})
    for (int k = 0; k < around; ++k) {
      const auto at = [&](double step) {
        const double angle = 2 * pi * (k + step) / around;
        return Vec3d{std::cos(angle), std::sin(angle), 0};
      };
      const Vec3d axial = {0, 0, -side}, top = axial * -half;
      const auto point = [&](double step) { return at(step) * radius + top; };
      add_corner(point(0),
                 {normalized(point(1) - point(0)), normalized(point(-1) - point(0)), axial, -at(0)});
      add_edge(point(0), point(1), axial, -at(0.5));
    }
}

void ColliderFeatures::add_mesh(const model::Collider& collider) {
  const double out = collider.hollow ? -1 : 1;  // the free side is that of the normals, or the other
  const std::vector<Vec3d>& X = collider.points;
  std::map<std::array<int32_t, 2>, std::vector<int32_t>> triangles;  // at each edge
  std::vector<Vec3d> normal;
  for (size_t t = 0; t < collider.triangles.size(); ++t) {
    const Triangle& c = collider.triangles[t];
    const Vec3d across = cross(X[c[1]] - X[c[0]], X[c[2]] - X[c[0]]) * out;
    const double area = norm(across);
    normal.push_back(area > 0 ? across / area : Vec3d::zero());
    for (int k = 0; k < 3; ++k) {
      const int32_t i = c[k], j = c[(k + 1) % 3];
      triangles[{std::min(i, j), std::max(i, j)}].push_back(static_cast<int32_t>(t));
    }
  }
  std::vector<std::vector<Vec3d>> leaving(X.size());  // along the edges at each point
  std::vector<Vec3d> outwards(X.size(), Vec3d::zero());
  for (const auto& [edge, at] : triangles) {
    const int32_t i = edge[0], j = edge[1];
    const Vec3d along = X[j] - X[i];
    if (norm2(along) == 0) continue;
    leaving[i].push_back(normalized(along));
    leaving[j].push_back(-normalized(along));
    if (at.size() != 2) continue;
    const Vec3d &n0 = normal[at[0]], &n1 = normal[at[1]];
    const auto opposite = [&](int32_t t) {
      const Triangle& c = collider.triangles[t];
      return X[c[0] + c[1] + c[2] - i - j] - X[i];
    };
    if (dot(n0, n1) > flat || dot(n0, opposite(at[1])) >= 0 || dot(n1, opposite(at[0])) >= 0) continue;
    add_edge(X[i], X[j], in_plane(opposite(at[0]), along), in_plane(opposite(at[1]), along));
    for (const int32_t end : {i, j}) outwards[end] += n0 + n1;
  }
  for (size_t i = 0; i < X.size(); ++i) {
    if (norm2(outwards[i]) == 0) continue;  // no sharp edge ends here
    const Vec3d n = normalized(outwards[i]);
    if (std::all_of(leaving[i].begin(), leaving[i].end(),
                    [&](const Vec3d& along) { return dot(n, along) <= slack; }))
      add_corner(X[i], leaving[i]);
  }
}

void ColliderFeatures::build() {
  std::vector<Box> boxes(points_.size());
  for (size_t i = 0; i < points_.size(); ++i) boxes[i].add(points_[i]);
  corners_.build(boxes);
  for (const Box& box : boxes) bounds_.add(box);
  boxes.assign(ends_.size(), Box{});
  for (size_t i = 0; i < ends_.size(); ++i)
    for (const Vec3d& end : ends_[i]) boxes[i].add(end);
  edges_.build(boxes);
  for (const Box& box : boxes) bounds_.add(box);
  bounds_ = bounds_.grown(radius_);
}

Corners ColliderFeatures::corners(bool edges, int32_t feature, std::span<const double> inputs,
                                  std::span<const Vec3d> sheet) const {
  const model::Pose pose = shapes_.pose(number_, inputs);
  if (edges) return {sheet[0], sheet[1], pose(ends_[feature][0]), pose(ends_[feature][1])};
  return {sheet[0], sheet[1], sheet[2], pose(points_[feature])};
}

Separation ColliderFeatures::separation(bool edges, int32_t feature, const Corners& x, int32_t borders,
                                        std::span<const double> inputs) const {
  Separation at;
  if (edges) {
    at = between_edges(x);
  } else {
    // From the corner to the triangle, whose corners come first.
    const Separation back = point_triangle({x[3], x[0], x[1], x[2]});
    at = back;
    at.normal = -back.normal;
    for (int p = 0; p < back.parameters; ++p) at.along[p] = -back.along[p];
    for (int k = 0; k < 4; ++k) {
      at.weight[k] = -back.weight[(k + 1) % 4];
      for (int p = 0; p < back.parameters; ++p) at.change[p][k] = -back.change[p][(k + 1) % 4];
    }
  }
  if (radius_ == 0 && within_sheet(edges, at, borders) &&
      leads_inside(edges, feature, transpose(shapes_.pose(number_, inputs).A) * at.normal)) {
    Vec3d twice = Vec3d::zero();  // from the feature to the sheet, and as far again
    for (int k = 0; k < 4; ++k) twice += x[k] * (at.weight[k] * (at.weight[k] > 0 ? 2 : 1));
    if (shapes_.nearest(number_, twice, inputs).distance <= rounding * at.apart) {
      at.distance = at.apart = -at.distance;
      at.normal = -at.normal;
    }
  }
  at.distance -= radius_;
  return at;
}

bool ColliderFeatures::leads_inside(bool edges, int32_t feature, const Vec3d& direction) const {
  const auto leads = [&](const Vec3d& along) { return dot(direction, along) >= -rounding; };
  if (norm2(direction) == 0) return false;
  if (edges) return std::all_of(into_[feature].begin(), into_[feature].end(), leads);
  return std::all_of(along_[feature].begin(), along_[feature].end(), leads);
}

bool ColliderFeatures::stands_out(bool edges, int32_t feature, const Vec3d& n,
                                  std::span<const double> inputs) const {
  const Vec3d local = transpose(shapes_.pose(number_, inputs).A) * n;
  const auto behind = [&](const Vec3d& along) { return dot(local, along) <= slack; };
  if (edges) return std::all_of(into_[feature].begin(), into_[feature].end(), behind);
  return std::all_of(along_[feature].begin(), along_[feature].end(), behind);
}

}  // namespace sinew::contact
