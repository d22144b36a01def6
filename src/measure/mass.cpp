#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  out[0] = 0;
  for (int32_t i = nodes.begin; i < nodes.end; ++i) out[0] += snapshot.mass()[i];
}

}  // namespace

const Quantity& quantity_mass() {
  static const Quantity quantity = {"mass", "kg", "Mass.", Target::body, 1, evaluate};
  return quantity;
}

}  // namespace sinew::measure
