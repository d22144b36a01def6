#include "solve/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::solve {

Floors make_floors(const model::Model& model, const model::Params& params) {
  Floors floors;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const auto [stiffness, modulus, edge, volume] = model.scales(params, static_cast<int32_t>(b));
    floors.body.push_back({1e-12 * stiffness * edge * edge, modulus * edge});
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
  const double noise =
      std::max(floor.force, 4 * std::numeric_limits<double>::epsilon() * std::sqrt(forces.rounding2));
  if (residual <= noise) return 0;
  return residual / std::max(forces.scale, floor.force);
}

double energy_noise(double energy, const Floors& floors) { return 1e-13 * std::abs(energy) + floors.energy; }

}  // namespace sinew::solve
