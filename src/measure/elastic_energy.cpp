#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  const std::vector<double> psi = point_values(snapshot, body).psi;
  out[0] = snapshot.bending_energy()[body];
  for (int32_t t = tets.begin; t < tets.end; ++t)
    out[0] += ElementPoints(snapshot.model(), x, t).rest_volume() * psi[t - tets.begin];
}

}  // namespace

const Quantity& quantity_elastic_energy() {
  static const Quantity quantity = {"elastic_energy", "J", "Energy stored in the deformation.",
                                    Target::body,     1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
