#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const auto mass = snapshot.mass();
  const auto v = snapshot.state().v();
  Vec3d p = {0, 0, 0};
  for (int32_t i = nodes.begin; i < nodes.end; ++i) p += v[i] * mass[i];
  put_vector(p, out.data());
}

}  // namespace

const Quantity& quantity_momentum() {
  static const Quantity quantity = {"momentum", "kg m/s", "Linear momentum.", Target::body, 3, evaluate};
  return quantity;
}

}  // namespace sinew::measure
