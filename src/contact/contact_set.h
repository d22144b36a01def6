#pragma once
// A ContactSet is what detection finds and responses read: pairs of points that may touch, each made linear about the
// configuration it was found in. With the positions of points (model/contact_points.h)
//     d(x) = sum_k weight[k] x[node[k]] - p,     p: the pair's point of a collider, where there is one
// the gap is n.d. Weights of side a are positive and sum to 1, those of side b negative and sum to -1 (0 with a collider).
//
// Friction of a pair: contact/friction.h. Pairs are sorted by key.
#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "model/contact_points.h"

namespace sinew::contact {

using math::Vec3d;

struct Pair {
  // Points: a vertex and a triangle {v, a, b, c}, two edges {a0, a1, b0, b1}, or a vertex and a collider {v, -1, -1, -1}. Of a sheet
  // also a triangle and the corner i of a collider {a, b, c, -2 - i}, and an edge and the edge i of one {a, b, -2 - i, -1}
  // (contact/collider_features.h).
  // Corners of weight 0 stay: the key tells the primitives apart.
  std::array<int32_t, 4> node = {-1, -1, -1, -1};
  std::array<double, 4> weight = {};
  int32_t collider = -1;
  int32_t wall = 0;  // which wall of a collider that has several: a vertex in a corner meets them all
  bool edges = false;
  bool two_sided = false;                  // it also pulls: tissue that slides
  bool barrier = false;                    // a barrier has its normal force: it adds friction alone
  bool sheet = false;                      // of a barrier: a side is a sheet
  std::array<int32_t, 2> body = {-1, -1};  // of a and b; a collider counts from the number of bodies on
  Vec3d point = {0, 0, 0};                 // of the collider, in its frame at rest [m]
  Vec3d normal = {0, 0, 1};                // from b to a, unit
  double gap = 0;                          // n.d where it was found [m]
  double thickness = 0;                    // gap at which the force begins [m]
  double stiffness = 0;                    // [N/m]
  double friction = 0;                     // Coulomb's coefficient
  double tangent = 0;                      // of a barrier: stiffness while it sticks [N/m]
  // The history that friction needs.
  Vec3d slip = {0, 0, 0};   // elastic slip at the start of the step [m]
  Vec3d start = {0, 0, 0};  // d at the start of the step [m]
  double load = 0;          // normal force that friction reckons with [N]

  // Unlike for any two pairs of a set.
  std::array<int32_t, 6> key() const {
    return {edges + 2 * two_sided, node[0], node[1] - wall, node[2], node[3], collider};
  }
};

struct ContactSet {
  std::vector<Pair> pairs;
};

// That move the four points of a pair, at most.
constexpr int max_pair_nodes = 4 * geometry::EmbeddedPoint::max_nodes;

// Calls f(node, weight) for the nodes that carry the corners of a pair, with their shares of its weights.
template <class F>
void for_each_node(const model::Model& model, const Pair& pair, F&& f) {
  for (int k = 0; k < 4; ++k)
    if (pair.node[k] >= 0 && pair.weight[k] != 0)
      model::for_each_carrier(model, pair.node[k],
                              [&](int32_t node, double weight) { f(node, weight * pair.weight[k]); });
}

// d(x) of a pair, with the collider where `inputs` put it [m].
inline Vec3d difference(const model::Model& model, const Pair& pair, std::span<const Vec3d> x,
                        std::span<const double> inputs) {
  Vec3d d = {0, 0, 0};
  for_each_node(model, pair, [&](int32_t node, double weight) { d += x[node] * weight; });
  if (pair.collider >= 0) d -= model::pose_at(inputs, model.colliders[pair.collider].pose)(pair.point);
  return d;
}

// Force along n at the difference d [N]; negative only where a two-sided pair pulls.
inline double normal_force(const Pair& pair, const Vec3d& d) {
  const double s = pair.thickness - dot(pair.normal, d);
  return s > 0 || pair.two_sided ? pair.stiffness * s : 0;
}

}  // namespace sinew::contact
