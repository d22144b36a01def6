#include "measure/quantity.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  out[0] = snapshot.bending_energy()[body];
}

}  // namespace

const Quantity& quantity_bending_energy() {
  static const Quantity quantity = {
      "bending_energy", "J", "Energy stored in the bending of a shell; 0 of a solid.",
      Target::body,     1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
