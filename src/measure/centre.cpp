#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const auto mass = snapshot.mass();
  const auto x = snapshot.state().x();
  Vec3d sum = {0, 0, 0};
  double total = 0;
  for (int32_t i = nodes.begin; i < nodes.end; ++i) {
    sum += x[i] * mass[i];
    total += mass[i];
  }
  put_vector(sum * (1 / total), out.data());
}

}  // namespace

const Quantity& quantity_centre() {
  static const Quantity quantity = {"centre", "m", "Centre of mass.", Target::body, 3, evaluate};
  return quantity;
}

}  // namespace sinew::measure
