#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const auto mass = snapshot.mass();
  const auto v = snapshot.state().v();
  const auto x = snapshot.state().x();
  Vec3d L = {0, 0, 0};
  for (int32_t i = nodes.begin; i < nodes.end; ++i) L += cross(x[i], v[i]) * mass[i];
  put_vector(L, out.data());
}

}  // namespace

const Quantity& quantity_angular_momentum() {
  static const Quantity quantity = {"angular_momentum", "kg m^2/s", "Angular momentum about the origin.",
                                    Target::body,       3,          evaluate};
  return quantity;
}

}  // namespace sinew::measure
