#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  double now = 0, rest = 0;
  for (int32_t t = tets.begin; t < tets.end; ++t) {
    const TetPoints points(snapshot.model(), x, t);
    now += points.volume();
    rest += points.rest_volume();
  }
  out[0] = now / rest - 1;
}

}  // namespace

const Quantity& quantity_volume_change() {
  static const Quantity quantity = {"volume_change", "1", "Current volume over rest volume, minus one.",
                                    Target::body,    1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
