#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range elements = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  for (int32_t e = elements.begin; e < elements.end; ++e)
    out[e - elements.begin] = extreme_stretches(snapshot.model(), x, e)[1];
}

}  // namespace

const Quantity& quantity_min_stretch() {
  static const Quantity quantity = {
      "min_stretch",   "1", "Smallest principal stretch; of a triangle in its plane. 0: collapsed.",
      Target::element, 1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
