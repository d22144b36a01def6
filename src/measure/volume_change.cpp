#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const auto [rest, now] = rest_and_current_volume(snapshot, body);
  out[0] = now / rest - 1;
}

}  // namespace

const Quantity& quantity_volume_change() {
  static const Quantity quantity = {"volume_change", "1", "Current volume over rest volume, minus one.",
                                    Target::body,    1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
