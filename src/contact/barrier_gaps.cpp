// The pairs of contact/barrier_pairs.h at a point of the way: their gaps, and what they are made linear.
#include <algorithm>

#include "contact/barrier.h"
#include "contact/barrier_pairs.h"

namespace sinew::contact {

namespace {

constexpr double kept_of_thickness = 0.5;  // that a way leaves of the thickness at colliders
constexpr double over_scale = 1;           // of friction that sticks: about b'' halfway into the thickness

}  // namespace

double BarrierPairs::clear_of_colliders(std::span<const Vec3d> x, std::span<const Vec3d> end) const {
  double share = 1;
  for (const BarrierPair& pair : pairs_) {
    if (pair.collider < 0) continue;
    const Separation at = separation(pair, x, inputs_);
    Vec3d step =
        model::contact_point(model_, pair.node[0], end) - model::contact_point(model_, pair.node[0], x);
    if (pair.has_feature()) {
      step = step * at.weight[0];
      for (int k = 1; k < pair.count(); ++k)
        step += (model::contact_point(model_, pair.node[k], end) -
                 model::contact_point(model_, pair.node[k], x)) *
                at.weight[k];
    }
    const double approach = -dot(at.normal, step),
                 room = std::max(at.distance - kept_of_thickness * pair.thickness, 0.0);
    if (approach > room) share = std::min(share, room / approach);
  }
  return share;
}

bool BarrierPairs::leave_colliders(std::span<const Vec3d> x, std::span<Vec3d> end) const {
  bool moved = false;
  for (const BarrierPair& pair : pairs_) {
    if (pair.collider < 0 || pair.has_feature() || surface_.solid[pair.body[0]]) continue;
    const double least = kept_of_thickness * std::min(pair.thickness, separation(pair, x, inputs_).distance);
    const Separation at = separation(pair, end, inputs_);
    if (least <= 0 || at.distance >= least) continue;
    end[pair.node[0]] += at.normal * (least - at.distance);
    moved = true;
  }
  return moved;
}

Separation BarrierPairs::separation(const BarrierPair& pair, std::span<const Vec3d> x,
                                    std::span<const double> inputs) const {
  if (pair.has_feature()) {
    Separation at = features_[pair.collider].separation(pair.edges, pair.feature(), corners(pair, x, inputs),
                                                        pair.borders, inputs);
    at.distance += pair.inset;
    return at;
  }
  if (pair.collider >= 0) {
    const Vec3d v = model::contact_point(model_, pair.node[0], x);
    Nearest wall;
    if (colliders_.has_walls(pair.collider)) {
      std::vector<Nearest> walls;
      colliders_.walls(pair.collider, v, inputs, walls);
      wall = walls[pair.wall];
    } else {
      wall = colliders_.nearest(pair.collider, v, inputs);
    }
    Separation at;
    at.distance = wall.distance + pair.inset;
    at.normal = wall.normal;
    at.curvature = wall.curvature;
    at.weight[0] = 1;
    return at;
  }
  return pair.edges ? between_edges(corners(pair, x, inputs)) : point_triangle(corners(pair, x, inputs));
}

Corners BarrierPairs::corners(const BarrierPair& pair, std::span<const Vec3d> x,
                              std::span<const double> inputs) const {
  if (pair.collider >= 0) {
    std::array<Vec3d, 3> sheet;
    for (int k = 0; k < pair.count(); ++k) sheet[k] = model::contact_point(model_, pair.node[k], x);
    return features_[pair.collider].corners(pair.edges, pair.feature(), inputs, sheet);
  }
  return {model::contact_point(model_, pair.node[0], x), model::contact_point(model_, pair.node[1], x),
          model::contact_point(model_, pair.node[2], x), model::contact_point(model_, pair.node[3], x)};
}

void BarrierPairs::linear(std::span<const Vec3d> x, std::span<const double> inputs,
                          std::vector<Pair>& out) const {
  out.clear();
  for (const BarrierPair& each : pairs_) {
    const Separation at = separation(each, x, inputs);
    if (!(at.distance < each.thickness)) continue;
    const BarrierValue b = each.collider >= 0 ? signed_barrier(at.distance / each.thickness)
                                              : barrier(at.distance / each.thickness);
    double fade = 1;
    if (each.edges) fade = fading(spanned_area(corners(each, x, inputs)).squared / each.parallel).value;
    Pair pair;
    pair.node = each.node;
    for (int k = 0; k < each.count(); ++k) pair.weight[k] = at.weight[k];
    pair.collider = each.collider;
    pair.wall = each.wall;
    pair.edges = each.edges;
    pair.barrier = true;
    pair.body = each.body;
    pair.normal = at.normal;
    pair.gap = at.distance - each.inset;
    const double force = -fade * each.scale * b.first / each.thickness;
    pair.stiffness = fade * each.scale * b.second / (each.thickness * each.thickness);
    if (!(pair.stiffness > 0)) continue;
    pair.thickness = pair.gap + force / pair.stiffness;
    pair.tangent = over_scale * each.scale / (each.thickness * each.thickness);
    pair.friction = model_.contact_rule(each.body[0], each.body[1]).friction;
    pair.sheet = !surface_.solid[each.body[0]] || (each.collider < 0 && !surface_.solid[each.body[1]]);
    if (each.collider >= 0) {
      const model::Pose pose = model::pose_at(inputs, model_.colliders[each.collider].pose);
      if (each.has_feature()) {
        Vec3d where = Vec3d::zero();
        for (int k = 0; k < each.count(); ++k)
          where += model::contact_point(model_, each.node[k], x) * at.weight[k];
        pair.point = math::inverse(pose.A) * (where - at.normal * pair.gap - pose.b);
      } else {
        pair.point = math::inverse(pose.A) *
                     (model::contact_point(model_, each.node[0], x) - at.normal * pair.gap - pose.b);
      }
    }
    out.push_back(pair);
  }
  std::sort(out.begin(), out.end(), [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
}

}  // namespace sinew::contact
