#include <algorithm>

#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const std::vector<double> psi = point_values(snapshot, body).psi;
  std::copy(psi.begin(), psi.end(), out.begin());
}

}  // namespace

const Quantity& quantity_energy_density() {
  static const Quantity quantity = {"energy_density", "J/m^3", "Elastic energy per rest volume.",
                                    Target::element,  1,       evaluate};
  return quantity;
}

}  // namespace sinew::measure
