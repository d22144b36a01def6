#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const auto v = snapshot.state().v();
  for (int32_t i = nodes.begin; i < nodes.end; ++i) put_vector(v[i], &out[3 * (i - nodes.begin)]);
}

}  // namespace

const Quantity& quantity_velocity() {
  static const Quantity quantity = {"velocity", "m/s", "Velocity of the nodes.", Target::node, 3, evaluate};
  return quantity;
}

}  // namespace sinew::measure
