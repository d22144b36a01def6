#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  out[0] = 0;
  for (int32_t t = tets.begin; t < tets.end; ++t)
    out[0] += ElementPoints(snapshot.model(), x, t).min_det_F() <= 0;
}

}  // namespace

const Quantity& quantity_inverted() {
  static const Quantity quantity = {"inverted",   "1", "Number of tets with det F <= 0.",
                                    Target::body, 1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
