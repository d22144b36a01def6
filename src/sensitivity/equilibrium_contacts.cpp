#include "sensitivity/equilibrium_contacts.h"

#include <algorithm>
#include <map>

#include "contact/detect.h"

namespace sinew::sensitivity {

namespace {

using contact::Pair;

// Slip and load of what pressed at the end of the last step, by key.
void recall_friction(const model::State& state, contact::ContactSet& set) {
  if (!state.has("contact_key")) return;
  const auto keys = state.integers("contact_key");
  const auto slip = state.vectors("contact_slip");
  const auto load = state.numbers("contact_load");
  std::map<std::array<int64_t, 6>, size_t> known;
  for (size_t i = 0; i < slip.size(); ++i) {
    std::array<int64_t, 6> key;
    std::copy_n(keys.begin() + 6 * i, 6, key.begin());
    known[key] = i;
  }
  for (Pair& pair : set.pairs) {
    const auto now = pair.key();
    std::array<int64_t, 6> key;
    std::copy(now.begin(), now.end(), key.begin());
    if (const auto found = known.find(key); found != known.end()) {
      pair.slip = slip[found->second];
      pair.load = std::max(load[found->second], 0.0);
    }
  }
}

}  // namespace

StateContacts contacts_of(const model::Model& model, std::span<const double> inputs,
                          const model::State& state) {
  StateContacts result;
  // A motion that stands still: `start` is then the difference itself, and the slip that of the state.
  if (model.contact.barrier) {
    result.barrier = std::make_unique<contact::BarrierPairs>(model);
    result.barrier->begin(inputs, 0);
    result.barrier->clear_way(state.x(), state.x());
    result.barrier->linear(state.x(), inputs, result.set.pairs);
    for (Pair& pair : result.set.pairs) pair.start = contact::difference(model, pair, state.x(), inputs);
  } else {
    contact::Detector detector(model);
    detector.find({state.x(), inputs, state.x(), inputs, 0}, result.set);
  }
  recall_friction(state, result.set);
  std::vector<double> edge;
  for (size_t b = 0; b < model.bodies.size(); ++b)
    edge.push_back(model.scales(model.params, static_cast<int32_t>(b)).edge);
  for (const Pair& pair : result.set.pairs) {
    const double apart = pair.gap - pair.thickness;
    result.pressing += apart < 0 || pair.two_sided;
    result.near += apart >= 0 && !pair.two_sided && apart < 0.01 * edge[pair.body[0]];
  }
  return result;
}

}  // namespace sinew::sensitivity
