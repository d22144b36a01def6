#pragma once
// Contacts act on points: the nodes of a model and, numbered on from these, the points of ContactPlan::carried, which move
// with the elements that carry them. A force on such a point acts on its carriers, each by its weight.
//
//     const std::span<const Vec3d> y = contact_points(model, x, memory);       // y[point]
//     for_each_carrier(model, point, [&](int32_t node, double weight) { gradient[node] += force * weight; });
#include <span>
#include <vector>

#include "model/model.h"

namespace sinew::model {

// Calls f(node, weight) for the nodes that move a point.
template <class F>
void for_each_carrier(const Model& model, int32_t point, F&& f) {
  const auto nodes = static_cast<int32_t>(model.X.size());
  if (point < nodes) {
    f(point, 1.0);
    return;
  }
  const geometry::EmbeddedPoint& carried = model.contact.carried[point - nodes];
  for (int k = 0; k < carried.count; ++k)
    if (carried.weight[k] != 0) f(carried.node[k], carried.weight[k]);
}

inline Vec3d contact_point(const Model& model, int32_t point, std::span<const Vec3d> x) {
  const auto nodes = static_cast<int32_t>(model.X.size());
  return point < nodes ? x[point] : geometry::position(model.contact.carried[point - nodes], x);
}

// The node that has most of the weight of a point.
int32_t main_carrier(const Model& model, int32_t point);

// How many nodes carry a point at most.
int max_carriers(const Model& model);

// The positions of all points, given those of the nodes; x itself where nothing is carried.
std::span<const Vec3d> contact_points(const Model& model, std::span<const Vec3d> x,
                                      std::vector<Vec3d>& memory);

}  // namespace sinew::model
