#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  out[0] = rest_and_current_volume(snapshot, body)[1];
}

}  // namespace

const Quantity& quantity_volume() {
  static const Quantity quantity = {
      "volume",     "m^3", "Current volume of the material, inverted tets counted negative.",
      Target::body, 1,     evaluate};
  return quantity;
}

}  // namespace sinew::measure
