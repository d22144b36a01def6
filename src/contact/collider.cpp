#include "contact/collider.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/separation.h"

namespace sinew::contact {

namespace {

using Shape = model::Collider::Shape;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double shortest = 1e-150;  // length whose square is a normal number [m]

// (P - n n^T) / length, of the distance to a point (P = 1) or, across it, to a line.
math::Mat3d round(const math::Mat3d& P, const Vec3d& n, double length) {
  return length > shortest ? (P - outer(n, n)) * (1 / length) : math::Mat3d::zero();
}

Vec3d axis(int i, double sign) { return Vec3d::unit(i) * std::copysign(1.0, sign); }

math::Mat3d across_axis() { return math::Mat3d::identity() - outer(Vec3d::unit(2), Vec3d::unit(2)); }

Nearest at_plane(const Vec3d& x) { return {x[2], {x[0], x[1], 0}, {0, 0, 1}}; }

// The nearest point of a ball around `centre`; `otherwise` is the normal where x is the centre itself.
Nearest at_ball(const Vec3d& x, const Vec3d& centre, double radius, const Vec3d& otherwise) {
  const double length = norm(x - centre);
  const Vec3d normal = length > shortest ? (x - centre) / length : otherwise;
  return {length - radius, centre + radius * normal, normal, round(math::Mat3d::identity(), normal, length)};
}

Nearest at_capsule(const Vec3d& x, double radius, double half) {
  Nearest at = at_ball(x, {0, 0, std::clamp(x[2], -half, half)}, radius, {1, 0, 0});
  if (std::abs(x[2]) < half) at.curvature = round(across_axis(), at.normal, at.distance + radius);
  return at;
}

Nearest at_box(const Vec3d& x, const Vec3d& half) {
  Vec3d inside;
  for (int i = 0; i < 3; ++i) inside[i] = std::clamp(x[i], -half[i], half[i]);
  if (const double distance = norm(x - inside); distance > shortest) {
    math::Mat3d P = math::Mat3d::zero();  // onto the directions in which x is outside
    for (int i = 0; i < 3; ++i) P(i, i) = x[i] != inside[i] ? 1 : 0;
    const Vec3d normal = (x - inside) / distance;
    return {distance, inside, normal, round(P, normal, distance)};
  }
  int face = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(x[i]) - half[i] > std::abs(x[face]) - half[face]) face = i;
  inside[face] = std::copysign(half[face], x[face]);
  return {std::abs(x[face]) - half[face], inside, axis(face, x[face])};
}

Nearest at_cylinder(const Vec3d& x, double radius, double half) {
  const double rho = std::hypot(x[0], x[1]);
  const Vec3d radial = rho > shortest ? Vec3d{x[0], x[1], 0} / rho : Vec3d{1, 0, 0}, axial = axis(2, x[2]);
  const double out = rho - radius, above = std::abs(x[2]) - half;
  const Vec3d side = radius * radial, top = half * axial;
  if (out > 0 && above > 0) {  // the rim is closest
    const double distance = std::hypot(out, above);
    const Vec3d normal = (out / distance) * radial + (above / distance) * axial, along = cross(axial, radial);
    const math::Mat3d T = outer(along, along);
    return {distance, side + top, normal,
            round(math::Mat3d::identity() - T, normal, distance) + T * (dot(normal, radial) / rho)};
  }
  if (out >= above) return {out, side + Vec3d{0, 0, x[2]}, radial, round(across_axis(), radial, rho)};
  return {above, Vec3d{x[0], x[1], 0} + top, axial};
}

// If x is too close for its direction to be known, the pseudonormal is taken instead.
Nearest at_mesh(const Vec3d& x, const MeshDistance& mesh, const model::Collider& collider) {
  const MeshDistance::Found found = mesh.closest(x, infinity);
  if (found.triangle < 0) return {infinity, x, {0, 0, 1}};
  const Box box = mesh.tree().bounds();
  const bool known = std::abs(found.distance) > 1e-9 * norm(box.high - box.low);
  const Vec3d out = found.distance < 0 ? found.point - x : x - found.point;
  if (!known) return {found.distance, found.point, found.normal};
  const auto& [a, b, c] = collider.triangles[found.triangle];
  CornerBlocks blocks;
  second_derivatives(point_triangle({x, collider.points[a], collider.points[b], collider.points[c]}), blocks);
  return {found.distance, found.point, normalized(out), blocks[0][0] * (found.distance < 0 ? -1.0 : 1.0)};
}

// Half extents of the shape in its own frame, which are symmetric; infinite for a plane.
Vec3d half_extents(const model::Collider& collider) {
  const Vec3d& s = collider.size;
  switch (collider.shape) {
    case Shape::sphere:
      return Vec3d::filled(s[0]);
    case Shape::capsule:
      return {s[0], s[0], s[0] + s[1]};
    case Shape::cylinder:
      return {s[0], s[0], s[1]};
    case Shape::box:
      return s;
    default:
      return Vec3d::filled(infinity);
  }
}

}  // namespace

double half_thickness(const model::Collider& collider) {
  if (collider.hollow || collider.shape == Shape::plane || collider.shape == Shape::mesh) return infinity;
  const Vec3d half = half_extents(collider);
  return std::min({half[0], half[1], half[2]});
}

ColliderShapes::ColliderShapes(const model::Model& model) : model_(model), mesh_(model.colliders.size()) {
  for (size_t i = 0; i < mesh_.size(); ++i)
    if (const model::Collider& collider = model.colliders[i]; collider.shape == Shape::mesh)
      mesh_[i] = std::make_unique<MeshDistance>(collider.points, collider.triangles);
}

model::Pose ColliderShapes::pose(int32_t collider, std::span<const double> inputs) const {
  const model::Collider& c = model_.colliders[collider];
  const model::Pose moved = model::pose_at(inputs, c.pose);
  return {moved.A * c.transform.A, moved(c.transform.b)};
}

Nearest ColliderShapes::nearest(int32_t collider, const Vec3d& x, std::span<const double> inputs) const {
  const model::Collider& c = model_.colliders[collider];
  const model::Pose pose = this->pose(collider, inputs);
  const Vec3d local = transpose(pose.A) * (x - pose.b);
  const Nearest at = [&] {
    switch (c.shape) {
      case Shape::plane:
        return at_plane(local);
      case Shape::sphere:
        return at_ball(local, {0, 0, 0}, c.size[0], {0, 0, 1});
      case Shape::capsule:
        return at_capsule(local, c.size[0], c.size[1]);
      case Shape::cylinder:
        return at_cylinder(local, c.size[0], c.size[1]);
      case Shape::box:
        return at_box(local, c.size);
      case Shape::mesh:
        return at_mesh(local, *mesh_[collider], c);
    }
    return Nearest{};
  }();
  const double sign = c.hollow ? -1 : 1;
  return {sign * at.distance, pose(at.point), pose.A * at.normal * sign,
          pose.A * at.curvature * transpose(pose.A) * sign};
}

bool ColliderShapes::has_walls(int32_t collider) const {
  const model::Collider& c = model_.colliders[collider];
  return c.hollow && (c.shape == Shape::box || c.shape == Shape::cylinder);
}

void ColliderShapes::walls(int32_t collider, const Vec3d& x, std::span<const double> inputs,
                           std::vector<Nearest>& list) const {
  if (!has_walls(collider)) {
    list.push_back(nearest(collider, x, inputs));
    return;
  }
  const model::Collider& c = model_.colliders[collider];
  const model::Pose pose = this->pose(collider, inputs);
  const Vec3d local = transpose(pose.A) * (x - pose.b);
  const auto add_flat = [&](int axis, double half) {
    for (const double side : {-1.0, 1.0}) {
      Vec3d point = local;
      point[axis] = side * half;
      list.push_back({half - side * local[axis], pose(point), pose.A * (Vec3d::unit(axis) * -side)});
    }
  };
  if (c.shape == Shape::box) {
    for (int axis = 0; axis < 3; ++axis) add_flat(axis, c.size[axis]);
    return;
  }
  add_flat(2, c.size[1]);
  const Vec3d out = {local[0], local[1], 0};
  const double r = norm(out);
  const Vec3d direction = r > 0 ? out / r : Vec3d::unit(0);
  Vec3d point = direction * c.size[0];
  point[2] = local[2];
  list.push_back({c.size[0] - r, pose(point), pose.A * -direction,
                  pose.A * round(across_axis(), direction, r) * transpose(pose.A) * -1.0});
}

Box ColliderShapes::bounds(int32_t collider, double reach, std::span<const double> inputs) const {
  const model::Collider& c = model_.colliders[collider];
  if (c.hollow || c.shape == Shape::plane) return {Vec3d::filled(-infinity), Vec3d::filled(infinity)};
  const model::Pose pose = this->pose(collider, inputs);
  Vec3d middle = {0, 0, 0}, half = half_extents(c);
  if (mesh_[collider]) {
    const Box box = mesh_[collider]->tree().bounds();
    middle = (box.low + box.high) * 0.5;
    half = (box.high - box.low) * 0.5;
  }
  const Vec3d centre = pose(middle);
  Box world;
  for (int i = 0; i < 3; ++i) {
    double extent = reach;
    for (int k = 0; k < 3; ++k) extent += std::abs(pose.A(i, k)) * half[k];
    extent += 1e-14 * (std::abs(centre[i]) + extent);  // rounding
    world.low[i] = centre[i] - extent;
    world.high[i] = centre[i] + extent;
  }
  return world;
}

}  // namespace sinew::contact
