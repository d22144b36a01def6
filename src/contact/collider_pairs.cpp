#include "contact/collider_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "contact/ccd.h"

namespace sinew::contact {

namespace {

using model::Collider;
using model::Pose;

constexpr int32_t block = 256;
constexpr double min_reach = 0.1, max_reach = 0.5;  // as between bodies (contact/narrow.cpp)
// Normals at both ends of a path that differ less than this tell that it stayed on one side of a convex shape.
constexpr double same_side = 0.5;
// A path that comes this near, as a fraction of an edge, enters. Marches of more steps graze, and enter too.
constexpr double enters = 1e-3;
constexpr int max_steps = 256;

Pose inverse(const Pose& pose) {
  const math::Mat3d A = math::inverse(pose.A);
  return {A, -(A * pose.b)};
}

Pose operator*(const Pose& outer, const Pose& inner) { return {outer.A * inner.A, outer(inner.b)}; }

}  // namespace

ColliderPairs::ColliderPairs(const model::Model& model, const Surface& surface, const ColliderShapes& shapes,
                             const ContactStiffness& stiffness, const std::vector<char>& held)
    : model_(model),
      surface_(surface),
      shapes_(shapes),
      stiffness_(stiffness),
      held_(held),
      features_(model, surface, shapes, stiffness, held),
      longest_edge_(model.bodies.size(), 0.0),
      mesh_(model.colliders.size()) {
  for (size_t v = 0; v < surface.vertices.size(); ++v) {
    double& longest = longest_edge_[surface.vertex_body[v]];
    longest = std::max(longest, surface.edge_length[v]);
  }
  std::vector<Box> boxes;
  for (size_t c = 0; c < model.colliders.size(); ++c) {
    const Collider& collider = model.colliders[c];
    if (collider.shape != Collider::Shape::mesh) continue;
    boxes.assign(collider.triangles.size(), Box{});
    for (size_t t = 0; t < boxes.size(); ++t)
      for (int32_t point : collider.triangles[t]) boxes[t].add(collider.points[point]);
    mesh_[c].build(boxes);
  }
}

ColliderPairs::Moving ColliderPairs::follow(int32_t collider, const Motion& motion) const {
  const Collider& shape = model_.colliders[collider];
  const Pose pose0 = model::pose_at(motion.inputs0, shape.pose),
             pose1 = model::pose_at(motion.inputs1, shape.pose), to_rest = inverse(pose1);
  const Pose from_local = pose1 * shape.transform;
  return {collider, motion, pose1 * inverse(pose0), from_local, inverse(from_local), to_rest};
}

void ColliderPairs::find(const Motion& motion, const MovingSurface& moving, std::vector<Pair>& pairs) {
  if (model_.contact.rules.empty()) return;
  std::vector<Moving> colliders;
  tasks_.clear();
  const auto bodies = static_cast<int32_t>(model_.bodies.size());
  for (int32_t c = 0; c < static_cast<int32_t>(model_.colliders.size()); ++c) {
    colliders.push_back(follow(c, motion));
    for (int32_t b = 0; b < bodies; ++b) {
      const model::ContactRule& rule = model_.contact_rule(b, bodies + c);
      if (!rule.on) continue;
      const double reach = rule.thickness + max_reach * longest_edge_[b];
      Box around = shapes_.bounds(c, reach, motion.inputs1);
      around.add(shapes_.bounds(c, reach, motion.inputs0));
      Box body = moving.end(b);
      body.add(moving.swept(b));
      if (model_.contact.continuous ? !around.meets(body) : !around.grown(moving.displacement(b)).meets(body))
        continue;
      const model::Range range = surface_.parts[b].vertices;
      for (int32_t begin = range.begin; begin < range.end; begin += block)
        tasks_.push_back({c, b, {begin, std::min(begin + block, range.end)}, around});
    }
  }
  if (found_.size() < tasks_.size()) found_.resize(tasks_.size());
  for_each_index(static_cast<int64_t>(tasks_.size()), [&](int64_t i) {
    const Task& task = tasks_[i];
    found_[i].clear();
    for (int32_t v = task.range.begin; v < task.range.end; ++v) {
      const int32_t node = surface_.vertices[v];
      Box path;
      path.add(motion.x0[node]);
      path.add(motion.x1[node]);
      if (!held_[node] && path.meets(task.around)) vertex(colliders[task.moving], v, found_[i]);
    }
  });
  for (size_t i = 0; i < tasks_.size(); ++i) pairs.insert(pairs.end(), found_[i].begin(), found_[i].end());
  features_.find(motion, moving, pairs);
}

void ColliderPairs::vertex(const Moving& moving, int32_t vertex, std::vector<Pair>& pairs) const {
  const Collider& collider = model_.colliders[moving.collider];
  const int32_t node = surface_.vertices[vertex], body = surface_.vertex_body[vertex];
  const auto other = static_cast<int32_t>(model_.bodies.size()) + moving.collider;
  const model::ContactRule& rule = model_.contact_rule(body, other);
  const Vec3d &x0 = moving.motion.x0[node], &x1 = moving.motion.x1[node];
  const Vec3d from = moving.from_start(x0);
  const double edge = surface_.edge_length[vertex], path = norm(x1 - from);
  const double limit = rule.thickness + std::clamp(path, min_reach * edge, max_reach * edge);

  std::vector<Nearest> list;
  bool passed = false;
  shapes_.walls(moving.collider, x1, moving.motion.inputs1, list);
  if (!shapes_.has_walls(moving.collider)) {
    const Nearest nearest = list[0];
    Nearest at;
    if (nearest.distance < path && entry(moving, from, x1, edge, at) &&
        (nearest.distance > 0 || dot(at.normal, nearest.normal) <= 0)) {
      list[0] = at;
      passed = true;
    }
  }
  for (size_t i = 0; i < list.size(); ++i) {
    const Nearest& nearest = list[i];
    if (!passed && nearest.distance >= limit) continue;
    Pair pair;
    pair.node[0] = node;
    pair.weight[0] = 1;
    pair.collider = moving.collider;
    pair.wall = static_cast<int32_t>(i);
    pair.body = {body, other};
    pair.point = moving.to_rest(nearest.point);
    pair.normal = nearest.normal;
    pair.gap = dot(nearest.normal, x1 - nearest.point);
    pair.thickness = rule.thickness;
    pair.friction = rule.friction;
    pair.start = x0 - model::pose_at(moving.motion.inputs0, collider.pose)(pair.point);
    pair.stiffness = rule.stiffness > 0 ? rule.stiffness : stiffness_(pair, moving.motion.dt);
    pairs.push_back(pair);
  }
}

// Finds where a path enters a shape, unless it stays on one side of it. A point that is inside already keeps to its side.
bool ColliderPairs::entry(const Moving& moving, const Vec3d& from, const Vec3d& to, double edge,
                          Nearest& nearest) const {
  const Collider& collider = model_.colliders[moving.collider];
  const auto inputs = moving.motion.inputs1;
  nearest = shapes_.nearest(moving.collider, from, inputs);
  if (nearest.distance <= 0)
    return dot(nearest.normal, shapes_.nearest(moving.collider, to, inputs).normal) <= same_side;
  if (collider.shape == Collider::Shape::mesh) return mesh_entry(moving, from, to, nearest);
  if (collider.hollow) return false;  // what is free is convex
  if (dot(nearest.normal, shapes_.nearest(moving.collider, to, inputs).normal) > same_side) return false;
  const double length = norm(to - from);
  double time = 0;
  for (int step = 0; step < max_steps && nearest.distance > enters * edge; ++step) {
    time += nearest.distance / length;
    if (time >= 1) return false;
    nearest = shapes_.nearest(moving.collider, from + (to - from) * time, inputs);
  }
  return true;
}

bool ColliderPairs::mesh_entry(const Moving& moving, const Vec3d& from, const Vec3d& to,
                               Nearest& nearest) const {
  const Collider& collider = model_.colliders[moving.collider];
  const Vec3d p = moving.to_local(from), q = moving.to_local(to);
  Box box;
  box.add(p);
  box.add(q);
  double first = 2;
  int32_t hit = -1;
  mesh_[moving.collider].query(box, [&](int32_t t) {
    const auto& [a, b, c] = collider.triangles[t];
    const Corners x0 = {p, collider.points[a], collider.points[b], collider.points[c]};
    const Corners x1 = {q, x0[1], x0[2], x0[3]};
    const auto time = first_touch_point_triangle(x0, x1);
    if (!time || *time > first || (*time == first && t > hit)) return;
    first = *time;
    hit = t;
  });
  if (hit < 0) return false;
  const auto& [a, b, c] = collider.triangles[hit];
  const Vec3d across =
      cross(collider.points[b] - collider.points[a], collider.points[c] - collider.points[a]);
  if (norm2(across) == 0) return false;
  Vec3d normal = normalized(moving.from_local.A * across);
  nearest.point = from + (to - from) * first;
  if (dot(normal, to - from) > 0) normal = -normal;
  nearest.normal = normal;
  nearest.distance = 0;
  return true;
}

}  // namespace sinew::contact
