#include "solve/contact_constraints.h"

#include <algorithm>
#include <cmath>

#include "contact/friction.h"
#include "math/frame.h"

namespace sinew::solve {

using contact::Pair;

namespace {

Vec3d difference(const model::Model& model, const Pair& pair, const Vec3d& offset,
                 std::span<const MobileNode> nodes) {
  Vec3d d = offset;
  contact::for_each_node(model, pair, [&](int32_t node, double weight) { d += nodes[node].x * weight; });
  return d;
}

}  // namespace

void ContactConstraints::start() {
  rows_.clear();
  for (const Pair& pair : system_->contacts()) {
    Rows rows{.direction = {pair.normal, {}, {}}, .multiplier = {}, .offset = {0, 0, 0}};
    math::complete_frame(pair.normal, rows.direction[1], rows.direction[2]);
    if (pair.collider >= 0)
      rows.offset -=
          model::pose_at(system_->inputs(), system_->model().colliders[pair.collider].pose)(pair.point);
    rows_.push_back(rows);
  }
}

double ContactConstraints::wanted(const Pair& pair, const Rows& rows, int k, double C, double compliance,
                                  std::span<const MobileNode> nodes) const {
  // A node may carry several corners of the pair.
  std::array<std::pair<int32_t, double>, contact::max_pair_nodes> carriers;
  size_t count = 0;
  contact::for_each_node(system_->model(), pair, [&](int32_t node, double weight) {
    size_t i = 0;
    while (i < count && carriers[i].first != node) ++i;
    if (i == count) carriers[count++] = {node, 0.0};
    carriers[i].second += weight;
  });
  double resistance = compliance;
  for (const auto& [node, weight] : std::span(carriers).first(count))
    resistance += nodes[node].mobility * norm2(system_->dofs().free_part(node, rows.direction[k] * weight));
  const double l = rows.multiplier[k];
  return resistance > 0 ? l - (C + compliance * l) / resistance : 0;
}

void ContactConstraints::move(const Pair& pair, const Vec3d& force, std::span<MobileNode> nodes) const {
  contact::for_each_node(system_->model(), pair, [&](int32_t node, double weight) {
    nodes[node].x += system_->dofs().free_part(node, force * weight) * nodes[node].mobility;
  });
}

void ContactConstraints::rub(const Pair& pair, Rows& rows, std::span<MobileNode> nodes) const {
  const Vec3d d = difference(system_->model(), pair, rows.offset, nodes),
              u = hard_ ? d - pair.start : elastic_slip(pair, d);
  double force[2];
  for (int k : {1, 2})
    force[k - 1] = wanted(pair, rows, k, dot(rows.direction[k], u),
                          hard_ ? 0 : 1 / contact::tangent_stiffness(pair), nodes);
  const double share = contact::coulomb_share(std::hypot(force[0], force[1]),
                                              pair.friction * std::max(rows.multiplier[0], 0.0));
  Vec3d change = {0, 0, 0};
  for (int k : {1, 2}) {
    force[k - 1] *= share;
    change += rows.direction[k] * (force[k - 1] - rows.multiplier[k]);
    rows.multiplier[k] = force[k - 1];
  }
  move(pair, change, nodes);
}

void ContactConstraints::sweep(std::span<MobileNode> nodes) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Pair& pair = system_->contacts()[i];
    Rows& rows = rows_[i];
    const double C =
        dot(pair.normal, difference(system_->model(), pair, rows.offset, nodes)) - pair.thickness;
    double l = wanted(pair, rows, 0, C, hard_ ? 0 : 1 / pair.stiffness, nodes);
    if (!pair.two_sided) l = std::max(l, 0.0);
    move(pair, pair.normal * (l - rows.multiplier[0]), nodes);
    rows.multiplier[0] = l;
    if (pair.friction > 0) rub(pair, rows, nodes);
  }
}

}  // namespace sinew::solve
