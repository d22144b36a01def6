#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int probe, std::span<double> out) {
  const model::Site& site = snapshot.model().probes[probe].site;
  put_vector(model::position(site, snapshot.state().x(), snapshot.inputs()), out.data());
}

}  // namespace

const Quantity& quantity_position() {
  static const Quantity quantity = {"position", "m", "Where the probe is.", Target::probe, 3, evaluate};
  return quantity;
}

}  // namespace sinew::measure
