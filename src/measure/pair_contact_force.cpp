#include "measure/points.h"
#include "measure/stored_contacts.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int target, std::span<double> out) {
  const auto [first, second] = pair_of(snapshot.model(), target);
  Vec3d sum = {0, 0, 0};
  for (const PairForce& pair : pair_forces(snapshot)) {
    if (pair.pair.first == first && pair.pair.second == second) sum += pair.force;
    if (pair.pair.first == second && pair.pair.second == first) sum -= pair.force;
  }
  put_vector(sum, out.data());
}

}  // namespace

const Quantity& quantity_pair_contact_force() {
  static const Quantity quantity = {
      "contact_force", "N", "Contact force on the first of a pair from the second, normal and friction.",
      Target::pair,    3,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
