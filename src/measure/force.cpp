#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int attachment, std::span<double> out) {
  Vec3d sum = {0, 0, 0};
  for (const Vec3d& force : reactions(snapshot, attachment)) sum += force;
  put_vector(sum, out.data());
}

}  // namespace

const Quantity& quantity_force() {
  static const Quantity quantity = {
      "force",
      "N",
      "Force that the attachment exerts on the body, without the inertia and damping of the held nodes.",
      Target::attachment,
      3,
      evaluate};
  return quantity;
}

}  // namespace sinew::measure
