#pragma once
// The contacts of a state, found again from its positions and from what it remembers of friction.
#include <memory>
#include <string>
#include <vector>

#include "contact/barrier_pairs.h"
#include "contact/contact_set.h"
#include "model/model.h"

namespace sinew::sensitivity {

struct StateContacts {
  std::unique_ptr<contact::BarrierPairs> barrier;  // null: contacts are by penalty
  contact::ContactSet set;                         // with a barrier: of friction alone
  int64_t pressing = 0;                            // with a force
  int64_t near = 0;                                // without one, within a hundredth of an edge
};

StateContacts contacts_of(const model::Model& model, std::span<const double> inputs,
                          const model::State& state);

}  // namespace sinew::sensitivity
