#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const std::vector<Mat3d> stress = cauchy_stress(snapshot, body);
  for (size_t t = 0; t < stress.size(); ++t) put_symmetric(stress[t], &out[6 * t]);
}

}  // namespace

const Quantity& quantity_stress() {
  static const Quantity quantity = {"stress", "Pa", "Cauchy stress.", Target::element, 6, evaluate};
  return quantity;
}

}  // namespace sinew::measure
