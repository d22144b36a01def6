#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const auto x = snapshot.state().x();
  out[0] = 0;
  for (const auto& [a, b, c] : snapshot.model().bodies[body].surface)
    out[0] += 0.5 * norm(cross(x[b] - x[a], x[c] - x[a]));
}

}  // namespace

const Quantity& quantity_area() {
  static const Quantity quantity = {
      "area", "m^2", "Current area of the surface, of a shell on one side.", Target::body, 1, evaluate};
  return quantity;
}

}  // namespace sinew::measure
