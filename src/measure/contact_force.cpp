#include "measure/points.h"
#include "measure/stored_contacts.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range nodes = snapshot.model().bodies[body].visible();
  const std::span<const Vec3d> forces = contact_node_forces(snapshot);
  for (int32_t i = nodes.begin; i < nodes.end; ++i)
    put_vector(forces.empty() ? Vec3d::zero() : forces[i], &out[3 * (i - nodes.begin)]);
}

}  // namespace

const Quantity& quantity_contact_force() {
  static const Quantity quantity = {
      "contact_force", "N", "Force of all contacts on the node, normal and friction.",
      Target::node,    3,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
