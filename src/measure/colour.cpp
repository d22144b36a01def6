#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const std::span<const int32_t> colours = snapshot.node_colours();
  const model::Range nodes = snapshot.model().bodies[body].visible();
  for (int32_t i = nodes.begin; i < nodes.end; ++i) out[i - nodes.begin] = colours[i];
}

}  // namespace

const Quantity& quantity_colour() {
  static const Quantity quantity = {
      "colour",     "1", "Colour of the node in the sweeps of pbng: nodes of one colour share no element.",
      Target::node, 1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
