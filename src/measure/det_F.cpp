#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  for (int32_t t = tets.begin; t < tets.end; ++t)
    out[t - tets.begin] = det(deformation_gradient(snapshot.model(), x, t));
}

}  // namespace

const Quantity& quantity_det_F() {
  static const Quantity quantity = {
      "det_F",         "1", "Ratio of current to rest volume; negative where a tet is inverted.",
      Target::element, 1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
