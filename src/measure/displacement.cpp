#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const auto x = snapshot.state().x();
  for (int32_t i = nodes.begin; i < nodes.end; ++i)
    put_vector(x[i] - snapshot.model().X[i], &out[3 * (i - nodes.begin)]);
}

}  // namespace

const Quantity& quantity_displacement() {
  static const Quantity quantity = {"displacement", "m", "Way from the rest position.",
                                    Target::node,   3,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
