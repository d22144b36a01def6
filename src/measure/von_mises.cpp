#include <cmath>

#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const std::vector<Mat3d> stress = cauchy_stress(snapshot, body);
  for (size_t t = 0; t < stress.size(); ++t) {
    const Mat3d deviator = stress[t] - Mat3d::identity() * (trace(stress[t]) / 3);
    out[t] = std::sqrt(1.5 * contract(deviator, deviator));
  }
}

}  // namespace

const Quantity& quantity_von_mises() {
  static const Quantity quantity = {
      "von_mises",
      "Pa",
      "Von Mises stress: sqrt(3/2) times the norm of the deviator of the Cauchy stress.",
      Target::element,
      1,
      evaluate};
  return quantity;
}

}  // namespace sinew::measure
