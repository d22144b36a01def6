#include "measure/points.h"
#include "mesh/geometry.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].tets;
  const auto x = snapshot.state().x();
  double now = 0, rest = 0;
  for (int32_t t = tets.begin; t < tets.end; ++t) {
    now += mesh::tet_volume(x, snapshot.model().tets[t]);
    rest += snapshot.model().rest_volume(snapshot.model().tets[t]);
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
