#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  out[0] = 0;
  for (int32_t t = tets.begin; t < tets.end; ++t) out[0] += TetPoints(snapshot.model(), x, t).volume();
}

}  // namespace

const Quantity& quantity_volume() {
  static const Quantity quantity = {
      "volume",     "m^3", "Current volume of the material, inverted tets counted negative.",
      Target::body, 1,     evaluate};
  return quantity;
}

}  // namespace sinew::measure
