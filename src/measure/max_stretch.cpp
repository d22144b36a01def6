#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range elements = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  for (int32_t e = elements.begin; e < elements.end; ++e)
    out[e - elements.begin] = extreme_stretches(snapshot.model(), x, e)[0];
}

}  // namespace

const Quantity& quantity_max_stretch() {
  static const Quantity quantity = {
      "max_stretch",   "1", "Largest principal stretch; of a triangle in its plane.",
      Target::element, 1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
