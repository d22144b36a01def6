#include <algorithm>

#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Body& of = snapshot.model().bodies[body];
  if (!of.kind->is_triangle()) return std::fill(out.begin(), out.end(), 0.0);
  const PointValues values = point_values(snapshot, body);
  for (size_t t = 0; t < values.cauchy.size(); ++t)
    put_symmetric(values.cauchy[t] * (of.thickness * values.thickness[t]), &out[6 * t]);
}

}  // namespace

const Quantity& quantity_membrane_stress() {
  static const Quantity quantity = {
      "membrane_stress", "N/m", "Cauchy stress of a shell times its thickness; 0 in a solid.",
      Target::element,   6,     evaluate};
  return quantity;
}

}  // namespace sinew::measure
