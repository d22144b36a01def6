#include "solve/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/flat_triangle.h"
#include "model/plate_stiffness.h"

namespace sinew::solve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double negligible = 1e-10;  // rounding over the edge

double rounding_of(const BodyForces& forces) { return 4 * epsilon * std::sqrt(forces.rounding2); }

}  // namespace

Floors make_floors(const model::Model& model, const model::Params& params) {
  Floors floors;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const auto [stiffness, modulus, edge, volume] = model.scales(params, static_cast<int32_t>(b));
    floors.body.push_back({1e-12 * stiffness * edge * edge, modulus * edge, edge});
    floors.energy += 1e-15 * modulus * volume;  // psi is a difference of numbers of the size of the modulus
  }
  return floors;
}

std::vector<double> link_stiffness(const model::Model& model, const model::Params& params) {
  std::vector<double> stiffness(model.links.empty() ? 0 : model.X.size(), 0.0);
  for (size_t i = 0; i < model.links.size(); ++i)
    for (const model::Site* site : {&model.links[i].a, &model.links[i].b})
      for (int k = 0; k < site->count; ++k)
        stiffness[site->node[k]] += site->weight[k] * std::max(params.link_normal[i], params.link_tangent[i]);
  return stiffness;
}

// A node that moves by d turns an edge by d / h, h the height of the triangle over it, and changes the curvature across it by
// s l d / (2 A h), s = 1 / cos^2(angle / 2), and with it the moments at all edges of the triangle. A moment m at an edge is a force
// s m / (2 h) on nodes on its two sides, and m / l on the turn. All signs are taken to be one.
std::vector<double> bending_stiffness(const model::Model& model, const model::Params& params) {
  struct Edge {
    double slope, root, height;  // s, sqrt(M_ii) of energy/mid_edge.h, h
  };
  std::vector<double> stiffness;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    if (body.bending != model::Bending::shell) continue;
    stiffness.resize(model.X.size(), 0.0);
    const std::vector<math::Mat3d> D = model::plate_stiffness(model, params, static_cast<int32_t>(b));
    std::vector<std::array<Edge, 3>> edges(body.flat.size());
    for (size_t t = 0; t < edges.size(); ++t) {
      const model::FlatTriangle flat(body.flat[t]);
      for (int i = 0; i < 3; ++i)
        edges[t][i] = {
            1, flat.length[i] * std::sqrt(model::cylinder_stiffness(D[t], flat.outward[i]) / flat.area),
            2 * flat.area / flat.length[i]};
    }
    const auto edge_of = [&](const model::Hinge& hinge, int side) -> Edge& {
      const auto corners = model.elements.nodes<3>(hinge.triangles[side]);
      const auto corner = std::find(corners.begin(), corners.end(), hinge.nodes[2 + side]);
      return edges[hinge.triangles[side] - body.elements.begin][corner - corners.begin()];
    };
    const std::span hinges(model.hinges.data() + body.hinges.begin, body.hinges.size());
    for (const model::Hinge& hinge : hinges)
      for (int side = 0; side < 2 && hinge.triangles[side] >= 0; ++side)
        edge_of(hinge, side).slope = 1 / std::pow(std::cos(hinge.rest_angle / 2), 2);
    std::vector<double> changed(edges.size(), 0.0);  // sum of sqrt(M_ii) times the changes of curvature
    for (size_t t = 0; t < edges.size(); ++t)
      for (const Edge& e : edges[t]) changed[t] += e.root * e.slope / (2 * e.height);
    for (const model::Hinge& hinge : hinges) {
      double moment = 0, inverse = 0;
      for (int side = 0; side < 2 && hinge.triangles[side] >= 0; ++side) {
        const Edge& e = edge_of(hinge, side);
        moment += e.root * changed[hinge.triangles[side] - body.elements.begin];
        inverse += e.slope / (2 * e.height);
      }
      stiffness[hinge.turn] += moment / hinge.length;
      for (const int32_t node : hinge.nodes)
        if (hinge.nodes[3] >= 0) stiffness[node] += moment * inverse;  // no angle counts at a border
    }
  }
  return stiffness;
}

double beyond_rounding(double force2, double stiffness, const math::Vec3d& x) {
  const double beyond = std::sqrt(force2) - epsilon * stiffness * norm(x);
  return beyond > 0 ? beyond * beyond : 0;
}

double relative_residual(const BodyForces& forces, const Floors::Body& floor) {
  const double residual = std::sqrt(forces.unbalanced2);
  if (residual <= std::max(floor.force, rounding_of(forces))) return 0;
  return residual / std::max(forces.scale, floor.force);
}

double rounding_share(const BodyForces& forces, const Floors::Body& floor) {
  const double rounding = rounding_of(forces);
  if (rounding <= negligible * floor.edge * std::sqrt(forces.stiffness2)) return 0;
  if (std::sqrt(forces.unbalanced2) <= floor.force) return 0;
  return rounding / std::max(forces.scale, floor.force);
}

double energy_noise(double energy, const Floors& floors) { return 1e-13 * std::abs(energy) + floors.energy; }

}  // namespace sinew::solve
