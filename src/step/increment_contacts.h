#pragma once
// The contacts of one increment: pairs found by detection, and pairs that intersected on the way of a solve. The latter stay
// in the set for the rest of the increment, ten times as stiff where the set had them already.
//
//     contacts.begin(x_before, inputs_before, inputs, dt);
//     contacts.find(system, x, history, false);
//     if (contacts.detect_intersections(x)) ...
//     contacts.accept(x, history, report);
#include <span>
#include <vector>

#include "contact/detect.h"
#include "solve/system.h"
#include "step/contact_history.h"

namespace sinew::step {

class IncrementContacts {
 public:
  explicit IncrementContacts(const model::Model& model) : model_(model), detector_(model) {}

  // An increment from x_before, where inputs_before were the inputs. dt: 0 in quasistatics.
  void begin(std::span<const math::Vec3d> x_before, std::span<const double> inputs_before,
             std::span<const double> inputs, double dt);
  double dt() const { return dt_; }

  // Gives the system the contacts at x, with the slips of the history. `lagged`: with the loads that the contacts before
  // have at x, else with those of the history.
  void find(solve::System& system, std::span<const math::Vec3d> x, const ContactHistory& history,
            bool lagged);
  // Takes the last find() back.
  void undo_find(solve::System& system);
  // Gives the system the contacts of before and the pairs that intersect.
  void add_intersecting(solve::System& system);

  // Looks for pairs that intersect on the straight way to x, tunnelled vertices included.
  bool detect_intersections(std::span<const math::Vec3d> x);
  void reset_intersections() { intersecting_.clear(); }
  bool intersecting() const { return !intersecting_.empty(); }
  std::vector<int32_t> intersecting_nodes() const;
  // The first pair that intersects; where none does, of the pairs before and after the last find() the one with the largest
  // force out of balance, which the gradient has. Null: there is none.
  const contact::Pair* unsettled(const model::DofMap& dofs, std::span<const math::Vec3d> gradient) const;
  // Halves the motion of the nodes that intersect until nothing does, with a note. False: constrained nodes intersect.
  bool limit_step(const model::DofMap& dofs, std::span<math::Vec3d> x, StepReport& report);

  // Records x as the end of the increment.
  void accept(std::span<const math::Vec3d> x, ContactHistory& history, StepReport& report) const;

  double take_seconds();  // of detection since the last call; for reports only

 private:
  contact::Motion motion(std::span<const math::Vec3d> x) const { return {x0_, inputs0_, x, inputs_, dt_}; }
  math::Vec3d difference(const contact::Pair& pair, std::span<const math::Vec3d> x) const;
  bool tunnelled(const contact::Pair& pair, std::span<const math::Vec3d> x) const;
  void add_intersected(contact::ContactSet& set) const;

  const model::Model& model_;
  contact::Detector detector_;
  std::vector<math::Vec3d> x0_;
  std::vector<double> inputs0_, inputs_;
  double dt_ = 0;
  contact::ContactSet set_;                    // that the system has
  contact::ContactSet next_;                   // or, after find(), had before
  std::vector<contact::Pair> intersected_;     // in this increment, by key
  std::vector<contact::Pair> intersecting_;    // on the way to the last x
  std::vector<contact::Pair> near_colliders_;  // there
  double seconds_ = 0;
};

}  // namespace sinew::step
