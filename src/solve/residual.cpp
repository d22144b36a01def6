#include "solve/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
