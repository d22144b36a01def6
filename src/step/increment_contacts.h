#pragma once
// The contacts of one increment: pairs found by detection, and pairs that intersected on the way of a solve. The latter stay
// in the set for the rest of the increment, ten times as stiff where the set had them already.
//
//     contacts.begin(x_before, inputs_before, inputs, dt);
//     contacts.find(system, x, history, false);
//     if (contacts.detect_intersections(x)) ...
//     contacts.accept(x, history, report);
#include <memory>
#include <span>
#include <vector>

#include "contact/barrier_pairs.h"
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
  // The same with a barrier. start_barrier() gives it to the system and takes x, a guess, as far from the start of the increment as
  // nothing touches; what remains for the set are friction and tissue.
  void start_barrier(solve::System& system, std::span<math::Vec3d> x, const ContactHistory& history);
  void find_friction(solve::System& system, std::span<const math::Vec3d> x, const ContactHistory& history,
                     bool lagged);
  bool may_rub() const;       // there is friction or sliding tissue in the model
  bool has_friction() const;  // some of it acts
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
  // With a barrier: the pair at x that presses most. Null: none does.
  const contact::Pair* nearest(std::span<const math::Vec3d> x);
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
  void record_barrier(std::span<const math::Vec3d> x, ContactHistory& history, StepReport& report) const;

  const model::Model& model_;
  contact::Detector detector_;
  std::unique_ptr<contact::BarrierPairs> barrier_;  // made when it is first needed
  std::vector<math::Vec3d> x0_;
  std::vector<double> inputs0_, inputs_;
  double dt_ = 0;
  contact::ContactSet set_;                    // that the system has
  contact::ContactSet next_;                   // or, after find(), had before
  std::vector<contact::Pair> intersected_;     // in this increment, by key
  std::vector<contact::Pair> intersecting_;    // on the way to the last x
  std::vector<contact::Pair> near_colliders_;  // there
  contact::Pair nearest_;
  double seconds_ = 0;
};

}  // namespace sinew::step
