#include <algorithm>

#include "measure/stored_contacts.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int target, std::span<double> out) {
  const BodyPair wanted = pair_of(snapshot.model(), target);
  const auto [low, high] = std::minmax(wanted.first, wanted.second);
  out[0] = 0;
  for (const PairForce& pair : pair_forces(snapshot))
    if (pair.pair.first == low && pair.pair.second == high) out[0] = static_cast<double>(pair.contacts);
}

}  // namespace

const Quantity& quantity_pair_contacts() {
  static const Quantity quantity = {"contacts",   "1", "Contacts of a pair that press.",
                                    Target::pair, 1,   evaluate};
  return quantity;
}

}  // namespace sinew::measure
