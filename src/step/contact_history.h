#pragma once
// What State remembers of contacts from step to step: of each pair that presses its elastic slip, load, gap and force, and
// the force on every node.
//
//     history.load(state);
//     history.carry_over(set, nullptr);                               // slips and loads for the pairs of a new set
//     history.clear();  history.record(pair, d, report);              // where the increment ended
//     history.store(state);
#include <array>
#include <span>
#include <vector>

#include "contact/contact_set.h"
#include "model/model.h"
#include "step/step_report.h"

namespace sinew::step {

class ContactHistory {
 public:
  struct Entry {
    std::array<int32_t, 6> key = {};  // of the pair
    math::Vec3d slip = {0, 0, 0};     // elastic [m]
    double load = 0;                  // [N]
    double gap = 0;                   // [m]
    math::Vec3d force = {0, 0, 0};    // on side a [N]
  };

  explicit ContactHistory(const model::Model& model) : model_(model) {}

  static void declare(const model::Model& model, model::StateLayout& layout);
  // Without contacts in the model both do nothing. Rows that do not fit the model are passed over.
  void load(const model::State& state);
  void store(model::State& state) const;

  // Of each body, whether a contact loaded it when the state was loaded; empty: none is.
  std::span<const char> loaded_bodies() const { return loaded_bodies_; }

  // Gives the pairs of a set that have friction the slips of the history and lagged loads: those of `solved`, the entries of
  // the last solve by key, or of the history where it is null.
  void carry_over(contact::ContactSet& set, const std::vector<Entry>* solved) const;

  void clear();
  // Adds a pair, in the order of keys, at the difference d; counts it and adds the work of friction to the report. False: it
  // does not press.
  bool record(const contact::Pair& pair, const math::Vec3d& d, StepReport& report);

 private:
  const Entry* find(std::span<const Entry> entries, const contact::Pair& pair) const;

  const model::Model& model_;
  std::vector<Entry> entries_;  // by key
  std::vector<char> loaded_bodies_;
  std::vector<math::Vec3d> node_force_;  // [N]
};

}  // namespace sinew::step
