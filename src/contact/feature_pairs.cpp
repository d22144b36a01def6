#include "contact/feature_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geometry/closest.h"

namespace sinew::contact {

namespace {

using model::Collider;
using model::Pose;

constexpr int32_t block = 64;                       // triangles or edges of a task
constexpr double min_reach = 0.1, max_reach = 0.5;  // as between bodies (contact/narrow.cpp)
constexpr double no_direction = 1e-8;               // of an edge: a shorter distance has none

Pose inverse(const Pose& pose) {
  const math::Mat3d A = math::inverse(pose.A);
  return {A, -(A * pose.b)};
}

Pose operator*(const Pose& outer, const Pose& inner) { return {outer.A * inner.A, outer(inner.b)}; }

// Across the triangle, or both edges, of a pair of corners; zero where these have no direction.
Vec3d across(bool edges, const Corners& x) {
  const Vec3d n = edges ? cross(x[1] - x[0], x[3] - x[2]) : cross(x[1] - x[0], x[2] - x[0]);
  const double length = norm(n);
  return length > 0 ? n / length : Vec3d::zero();
}

}  // namespace

FeaturePairs::FeaturePairs(const model::Model& model, const Surface& surface, const ColliderShapes& shapes,
                           const ContactStiffness& stiffness, const std::vector<char>& held)
    : model_(model),
      surface_(surface),
      shapes_(shapes),
      stiffness_(stiffness),
      held_(held),
      longest_edge_(model.bodies.size(), 0.0) {
  if (std::all_of(surface.solid.begin(), surface.solid.end(), [](char solid) { return solid; })) return;
  for (size_t c = 0; c < model.colliders.size(); ++c)
    features_.emplace_back(model.colliders[c], shapes, static_cast<int32_t>(c));
  for (size_t v = 0; v < surface.vertices.size(); ++v) {
    double& longest = longest_edge_[surface.vertex_body[v]];
    longest = std::max(longest, surface.edge_length[v]);
  }
}

FeaturePairs::Moving FeaturePairs::follow(int32_t collider, const Motion& motion) const {
  const Collider& shape = model_.colliders[collider];
  const Pose pose0 = model::pose_at(motion.inputs0, shape.pose),
             pose1 = model::pose_at(motion.inputs1, shape.pose);
  return {collider, motion, pose1 * inverse(pose0), inverse(pose1 * shape.transform), inverse(pose1)};
}

void FeaturePairs::find(const Motion& motion, const MovingSurface& moving, std::vector<Pair>& pairs) {
  if (model_.contact.rules.empty()) return;
  std::vector<Moving> colliders;
  tasks_.clear();
  const auto bodies = static_cast<int32_t>(model_.bodies.size());
  for (int32_t c = 0; c < static_cast<int32_t>(features_.size()); ++c) {
    if (features_[c].empty() || model_.colliders[c].response != Collider::Response::penalty) continue;
    const auto place = static_cast<int32_t>(colliders.size());
    colliders.push_back(follow(c, motion));
    for (int32_t b = 0; b < bodies; ++b) {
      const model::ContactRule& rule = model_.contact_rule(b, bodies + c);
      if (!rule.on || surface_.solid[b]) continue;
      const double reach = rule.thickness + max_reach * longest_edge_[b];
      Box around = shapes_.bounds(c, reach, motion.inputs1);
      around.add(shapes_.bounds(c, reach, motion.inputs0));
      Box body = moving.end(b);
      body.add(moving.swept(b));
      if (!(model_.contact.continuous ? around : around.grown(moving.displacement(b))).meets(body)) continue;
      const Surface::Part& part = surface_.parts[b];
      for (const bool edges : {false, true}) {
        const model::Range range = edges ? part.edges : part.triangles;
        for (int32_t begin = range.begin; begin < range.end; begin += block)
          tasks_.push_back({place, b, edges, {begin, std::min(begin + block, range.end)}});
      }
    }
  }
  if (found_.size() < tasks_.size()) found_.resize(tasks_.size());
  for_each_index(static_cast<int64_t>(tasks_.size()), [&](int64_t i) {
    const Task& task = tasks_[i];
    found_[i].clear();
    for (int32_t p = task.range.begin; p < task.range.end; ++p)
      look_at(colliders[task.moving], task, p, found_[i]);
  });
  for (size_t i = 0; i < tasks_.size(); ++i) pairs.insert(pairs.end(), found_[i].begin(), found_[i].end());
}

void FeaturePairs::look_at(const Moving& moving, const Task& task, int32_t primitive,
                           std::vector<Pair>& pairs) const {
  const ColliderFeatures& features = features_[moving.collider];
  const bool continuous = model_.contact.continuous;
  const int count = task.edges ? 2 : 3;
  std::array<int32_t, 4> node = {-1, -1, -1, -1};
  std::array<Vec3d, 3> y0, y1;
  double moved2 = 0, edge = 0;
  bool held = true;
  for (int k = 0; k < count; ++k) {
    node[k] = task.edges ? surface_.edges[primitive][k] : surface_.triangles[primitive][k];
    y0[k] = moving.from_start(moving.motion.x0[node[k]]);
    y1[k] = moving.motion.x1[node[k]];
    moved2 = std::max(moved2, norm2(y1[k] - y0[k]));
    edge += surface_.edge_length[surface_.vertex_of_point[node[k]]] / count;
    held = held && held_[node[k]];
  }
  if (held) return;
  const double moved = std::sqrt(moved2);
  const model::ContactRule& rule =
      model_.contact_rule(task.body, static_cast<int32_t>(model_.bodies.size()) + moving.collider);
  Box box;
  for (int k = 0; k < count; ++k) box.add(moving.to_local(y1[k]));
  box = box.grown(rule.thickness + features.radius() + max_reach * edge);
  for (int k = 0; k < count && continuous; ++k) box.add(moving.to_local(y0[k]));
  if (!box.meets(features.bounds())) return;
  const int32_t borders =
      task.edges ? surface_.borders_of_edge(primitive) : surface_.borders_of_triangle(primitive);
  (task.edges ? features.edge_tree() : features.corner_tree()).query(box, [&](int32_t i) {
    const Near near = {moving,
                       task.body,
                       primitive,
                       i,
                       task.edges,
                       borders,
                       node,
                       moved,
                       edge,
                       features.corners(task.edges, i, moving.motion.inputs1, y0),
                       features.corners(task.edges, i, moving.motion.inputs1, y1)};
    if (!continuous || !passed(near, pairs)) within_reach(near, pairs);
  });
}

// The two have passed each other on the way: the sheet keeps to the side on which it was.
bool FeaturePairs::passed(const Near& near, std::vector<Pair>& pairs) const {
  const ColliderFeatures& features = features_[near.moving.collider];
  const Corners &x0 = near.x0, &x1 = near.x1;
  const Separation before =
      features.separation(near.edges, near.feature, x0, near.borders, near.moving.motion.inputs1);
  if (before.apart > near.moved * (1 + 1e-6) || before.apart <= no_direction * near.edge) return false;
  const auto time =
      near.edges ? first_touch_edges(x0, x1)
                 : first_touch_point_triangle({x0[3], x0[0], x0[1], x0[2]}, {x1[3], x1[0], x1[1], x1[2]});
  if (!time) return false;
  Corners x;
  for (int k = 0; k < 4; ++k) x[k] = x0[k] * (1 - *time) + x1[k] * *time;
  const Separation at =
      features.separation(near.edges, near.feature, x, near.borders, near.moving.motion.inputs1);
  const auto difference = [&](const Corners& y) {
    return y[0] * at.weight[0] + y[1] * at.weight[1] + y[2] * at.weight[2] + y[3] * at.weight[3];
  };
  Vec3d normal = across(near.edges, x);
  const Vec3d start = difference(x0);
  if (const double along = dot(normal, start); std::abs(along) <= no_direction * norm(start))
    normal = normalized(start);
  else if (along < 0)
    normal = -normal;
  if (dot(normal, difference(x1)) > 0) return false;  // it is back, or has gone around
  add(near, at.weight, normal, pairs);
  return true;
}

void FeaturePairs::within_reach(const Near& near, std::vector<Pair>& pairs) const {
  const ColliderFeatures& features = features_[near.moving.collider];
  const std::span<const double> inputs = near.moving.motion.inputs1;
  const Separation at = features.separation(near.edges, near.feature, near.x1, near.borders, inputs);
  const double thickness =
      model_.contact_rule(near.body, static_cast<int32_t>(model_.bodies.size()) + near.moving.collider)
          .thickness;
  const double limit = thickness + std::clamp(near.moved, min_reach * near.edge, max_reach * near.edge);
  // What has been pierced is pushed out also where that takes many steps.
  if (at.distance >= limit || -at.apart >= max_reach * near.edge) return;
  Vec3d normal = at.normal;
  if (std::abs(at.apart) <= no_direction * near.edge) {
    normal = across(near.edges, near.x1);
    if (!features.stands_out(near.edges, near.feature, normal, inputs)) normal = -normal;
  }
  if (norm2(normal) > 0 && features.stands_out(near.edges, near.feature, normal, inputs) &&
      closest_of_sheet(near, at) &&
      (!near.edges ||
       surface_.edge_towards(near.primitive, -normal, near.moving.motion.x1) != Surface::Towards::concave))
    add(near, at.weight, normal, pairs);
}

// No other part of the sheet is as close or closer: its vertices meet the whole collider, and its edges are looked at once.
bool FeaturePairs::closest_of_sheet(const Near& near, const Separation& at) const {
  if (near.edges) return std::none_of(at.weight.begin(), at.weight.end(), [](double w) { return w == 0; });
  int corners = 0, opposite = 0;
  for (int k = 0; k < 3; ++k) {
    if (at.weight[k] == 0)
      opposite = k;
    else
      ++corners;
  }
  if (corners != 2) return corners == 3;
  const auto& t = surface_.triangles[near.primitive];
  const int32_t edge = surface_.edge_between(t[(opposite + 1) % 3], t[(opposite + 2) % 3]);
  const auto [first, second] = surface_.edge_triangles[edge];
  const int32_t beside = first == near.primitive ? second : first;
  if (beside < 0) return true;
  const auto& c = surface_.triangles[beside];
  const auto& x = near.moving.motion.x1;
  const double there = geometry::closest_on_triangle(near.x1[3], x[c[0]], x[c[1]], x[c[2]]).distance2,
               here = at.apart * at.apart;
  return there >= here * (1 - 1e-9) && (there > here * (1 + 1e-9) || near.primitive < beside);
}

void FeaturePairs::add(const Near& near, const std::array<double, 4>& weight, const Vec3d& normal,
                       std::vector<Pair>& pairs) const {
  const Moving& moving = near.moving;
  const auto other = static_cast<int32_t>(model_.bodies.size()) + moving.collider;
  const model::ContactRule& rule = model_.contact_rule(near.body, other);
  Pair pair;
  pair.node = near.node;
  pair.node[near.edges ? 2 : 3] = -2 - near.feature;
  pair.collider = moving.collider;
  pair.edges = near.edges;
  pair.body = {near.body, other};
  Vec3d start = Vec3d::zero(), end = start, feature = start;
  for (int k = 0; k < 4; ++k) {
    if (near.node[k] < 0) {
      feature -= near.x1[k] * weight[k];
      continue;
    }
    pair.weight[k] = weight[k];
    start += moving.motion.x0[near.node[k]] * weight[k];
    end += near.x1[k] * weight[k];
  }
  const Vec3d point = feature + normal * features_[moving.collider].radius();
  pair.point = moving.to_rest(point);
  pair.normal = normal;
  pair.gap = dot(normal, end - point);
  pair.thickness = rule.thickness;
  pair.friction = rule.friction;
  pair.start =
      start - model::pose_at(moving.motion.inputs0, model_.colliders[moving.collider].pose)(pair.point);
  pair.stiffness = rule.stiffness > 0 ? rule.stiffness : stiffness_(pair, moving.motion.dt);
  pairs.push_back(pair);
}

}  // namespace sinew::contact
