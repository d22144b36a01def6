#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range tets = snapshot.model().bodies[body].elements;
  const auto x = snapshot.state().x();
  for (int32_t t = tets.begin; t < tets.end; ++t) {
    const Mat3d F = deformation_gradient(snapshot.model(), x, t);
    put_symmetric((transpose(F) * F - Mat3d::identity()) * 0.5, &out[6 * (t - tets.begin)]);
  }
}

}  // namespace

const Quantity& quantity_strain() {
  static const Quantity quantity = {"strain",        "1", "Green-Lagrange strain (F^T F - 1)/2.",
                                    Target::element, 6,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
