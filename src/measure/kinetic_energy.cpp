#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const auto mass = snapshot.mass();
  const auto v = snapshot.state().v();
  out[0] = 0;
  for (int32_t i = nodes.begin; i < nodes.end; ++i) out[0] += 0.5 * mass[i] * norm2(v[i]);
}

}  // namespace

const Quantity& quantity_kinetic_energy() {
  static const Quantity quantity = {"kinetic_energy", "J", "Half of mass times velocity squared.",
                                    Target::body,     1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
