#include "contact/stiffness.h"

#include <algorithm>
#include <cmath>

#include "model/rest_hessian.h"

namespace sinew::contact {

namespace {

// As stiff as the mesh itself: more would lock methods that move one node at a time, which see both sides of a stiff pair
// as one (eight sweeps of pbng change the momentum of a collision by 3 % of it with this, by more than all of it with ten
// times as much). What presses harder than the thickness can bear is made stiffer when it would cross (step/increment_contacts.h).
// Nothing gives way behind a collider: there the pair of a node may be stiffer at no cost.
constexpr double over_elastic = 1, over_elastic_collider = 100;
// Pressure that takes all of the thickness, over Young's modulus.
constexpr double at_full_thickness = 0.1;
constexpr double barrier_share = 0.3, barrier_share_collider = 1;  // of E A, that a barrier is measured in
// Times the inertia of a vertex that arrives alone.
constexpr double over_inertia = 1, over_inertia_collider = 10;

double young(const material::Lame& lame) {
  const double sum = lame.lambda + lame.mu;
  return sum > 0 ? lame.mu * (3 * lame.lambda + 2 * lame.mu) / sum : 0;
}

}  // namespace

ContactStiffness::ContactStiffness(const model::Model& model, const Surface& surface)
    : elastic_(model.X.size(), 0.0), size_(model.point_count(), 0.0), mass_(model.X.size(), 0.0) {
  if (model.params.density.size() == model.bodies.size()) mass_ = model.lumped_mass(model.params);
  std::vector<double> volume(model.X.size(), 0.0);
  for (size_t e = 0; e < model.elements.size(); ++e) {
    const double value = model.rest_volume(static_cast<int32_t>(e));
    for (int32_t node : model.elements[e]) volume[node] += value;
  }
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const model::ElasticSet& set = model.sets[s];
    const std::vector<material::Lame> lame = model::rest_lame(*set.law, model.params.material[s]);
    for (size_t i = 0; i < set.elements.size(); ++i) {
      const int32_t element = set.elements[i];
      const double value =
          young(lame[lame.size() == 1 ? 0 : i]) * model.rest_volume(element) * model.covered(element);
      for (int32_t node : model.elements[set.elements[i]]) elastic_[node] += value;
    }
  }
  for (size_t node = 0; node < elastic_.size(); ++node)
    elastic_[node] = volume[node] > 0 ? elastic_[node] / volume[node] : 0;
  add_carried(model);
  for (size_t point = 0; point < elastic_.size(); ++point) {
    const int32_t vertex = surface.vertex_of_point[point];
    size_[point] = vertex >= 0 ? std::sqrt(surface.area[vertex]) : 0;
    const int32_t body = vertex >= 0 ? surface.vertex_body[vertex] : -1;
    elastic_[point] *= body < 0 || surface.solid[body] ? size_[point] : model.bodies[body].thickness;
  }
  set_forces(model, surface);
}

void ContactStiffness::set_forces(const model::Model& model, const Surface& surface) {
  std::vector<double> area(model.bodies.size(), 0.0);  // the mean of each body
  for (size_t b = 0; b < surface.parts.size(); ++b) {
    const model::Range part = surface.parts[b].vertices;
    for (int32_t v = part.begin; v < part.end; ++v) area[b] += surface.area[v] / part.size();
  }
  force_.resize(elastic_.size(), 0.0);
  tension_.resize(elastic_.size(), 0.0);
  for (size_t v = 0; v < surface.vertices.size(); ++v) {
    const int32_t point = surface.vertices[v], body = surface.vertex_body[v];
    if (!surface.solid[body])
      tension_[point] = elastic_[point];
    else if (size_[point] > 0)
      force_[point] = elastic_[point] / size_[point] * std::max(surface.area[v], area[body]);
  }
}

void ContactStiffness::add_carried(const model::Model& model) {
  elastic_.resize(model.point_count(), 0.0);
  mass_.resize(model.point_count(), 0.0);
  std::vector<double> carries(model.X.size(), 0.0);  // sums of weights
  for (auto point = static_cast<int32_t>(model.X.size()); point < model.point_count(); ++point)
    model::for_each_carrier(model, point,
                            [&](int32_t node, double weight) { carries[node] += std::abs(weight); });
  for (auto point = static_cast<int32_t>(model.X.size()); point < model.point_count(); ++point) {
    double sum = 0;  // of weights that may be negative, outside of the element and in those of second order
    model::for_each_carrier(model, point, [&](int32_t node, double weight) {
      sum += std::abs(weight);
      elastic_[point] += std::abs(weight) * elastic_[node];
      mass_[point] += std::abs(weight) * mass_[node] / std::max(carries[node], 1.0);
    });
    elastic_[point] /= sum;
  }
}

double ContactStiffness::operator()(const Pair& pair, double dt) const {
  double elastic[2] = {0, 0}, mass[2] = {0, 0};
  for (int k = 0; k < 4; ++k) {
    if (pair.node[k] < 0) continue;
    const bool b = pair.collider < 0 && (pair.edges ? k >= 2 : k >= 1);
    // Edges: the mean of their ends, so that the stiffness does not change as the contact slides along.
    const double weight = pair.edges ? 0.5 : std::abs(pair.weight[k]);
    elastic[b] += weight * elastic_[pair.node[k]];
    mass[b] += weight * mass_[pair.node[k]];
  }
  const double inertia = dt > 0 ? 1 / (dt * dt) : 0;
  const double thin = pair.thickness > 0 ? at_full_thickness * size_[pair.node[0]] / pair.thickness : 0;
  if (pair.collider >= 0 &&
      pair.node[1] >= 0)  // several nodes, which hinder each other as those of two bodies do
    return over_elastic * std::max(1.0, thin) * elastic[0] + over_inertia * inertia * mass[0];
  if (pair.collider >= 0)
    return over_elastic_collider * elastic[0] + over_inertia_collider * inertia * mass[0];
  const double total = mass[0] + mass[1];
  return over_elastic * std::max(1.0, thin) * std::min(elastic[0], elastic[1]) +
         (total > 0 ? over_inertia * inertia * mass[0] * mass[1] / total : 0);
}

double ContactStiffness::barrier_force(const std::array<int32_t, 4>& node, bool edges, double thickness,
                                       double dt) const {
  const bool collider = node[3] < 0;
  int count = 0;
  while (count < 4 && node[count] >= 0) ++count;
  const int side = collider ? count : edges ? 2 : 1;
  double elastic[2] = {0, 0}, mass[2] = {0, 0};
  for (int k = 0; k < count; ++k) {
    const bool b = k >= side;
    const double weight = 1.0 / (b ? 4 - side : side);
    elastic[b] += weight * (force_[node[k]] + tension_[node[k]] * std::min(thickness, size_[node[k]]));
    mass[b] += weight * mass_[node[k]];
  }
  const double inertia = dt > 0 ? thickness / (dt * dt) : 0;
  if (collider) return barrier_share_collider * elastic[0] + inertia * mass[0];
  const double total = mass[0] + mass[1];
  return barrier_share * std::min(elastic[0], elastic[1]) +
         (total > 0 ? inertia * mass[0] * mass[1] / total : 0);
}

}  // namespace sinew::contact
