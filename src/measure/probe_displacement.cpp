#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int probe, std::span<double> out) {
  const model::Site& site = snapshot.model().probes[probe].site;
  const Vec3d now = model::position(site, snapshot.state().x(), snapshot.inputs());
  // A point of a frame rests where it was given.
  const Vec3d rest = site.count == 0 ? site.point : model::position(site, snapshot.model().X, {});
  put_vector(now - rest, out.data());
}

}  // namespace

const Quantity& quantity_probe_displacement() {
  static const Quantity quantity = {"displacement", "m", "Way of the probe from its rest position.",
                                    Target::probe,  3,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
