#pragma once
// Contacts of a step: found at its start, found again between its solves, remembered by State where they press.
//
// A solve sees contacts as linear pairs with the friction of a known load. Rounds make of it the real thing: after a solve
// they are found anew where it ended, with the loads that it gave, and the next solve starts there, until the forces stand
// (quasistatic) or a few rounds are done (in time). With ContactPlan::continuous the motion of each solve is followed; pairs
// that cross enter the set, stiffer each time, and what crosses in the end is held back on its way.
//
//     contacts.load(state);
//     contacts.begin(x_before, inputs_before, inputs, dt);
//     contacts.solve(system, solver, x, budgeted, tolerance, control, report);    // x: where the search starts
//     contacts.accept(x, report);  contacts.store(state);
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/detect.h"
#include "solve/solver.h"
#include "step/step_report.h"
#include "step/stepper.h"

namespace sinew::step {

// Adds what a solve tells to the report of its step.
void add_solve(StepReport& report, const solve::SolveReport& solve);

class StepContacts {
 public:
  explicit StepContacts(const model::Model& model);

  bool active() const { return detector_ != nullptr; }
  void declare(model::StateLayout& layout) const { declare(model_, layout); }
  static void declare(const model::Model& model, model::StateLayout& layout);

  void load(const model::State& state);
  // Of each body: something presses it; after load(). Empty: nothing presses anything.
  std::span<const char> pressed() const { return pressed_; }
  // An increment from x_before, where inputs_before were the inputs. dt: 0 in quasistatics.
  void begin(std::span<const math::Vec3d> x_before, std::span<const double> inputs_before,
             std::span<const double> inputs, double dt);
  // Solves, and again while surfaces cross on the way, or while the residual with the contacts of x itself is above the
  // tolerance and fewer rounds are done than the settings allow. Without contacts, once. `budgeted`: a solve counts also
  // where it did not converge.
  solve::SolveReport solve(solve::System& system, solve::Solver& solver, std::span<math::Vec3d> x,
                           bool budgeted, double tolerance, const Control& control, StepReport& report);
  bool crossing() const { return crossing_; }  // surfaces still cross on the way to x
  bool settled() const { return settled_; }    // the residual with the contacts of x itself met the tolerance
  std::string unsettled() const;               // the note of an increment that did not settle
  // Moves what crosses back towards the start of the step until nothing does, with a note. False: held nodes cross.
  bool hold_back(const model::DofMap& dofs, std::span<math::Vec3d> x, StepReport& report);
  // Takes x over as the end of the increment.
  void accept(std::span<const math::Vec3d> x, StepReport& report);
  void store(model::State& state) const;

 private:
  // What is kept of a pair that presses.
  struct Memory {
    std::array<int32_t, 6> key = {};
    math::Vec3d slip = {0, 0, 0};   // [m]
    double load = 0;                // [N]
    double gap = 0;                 // [m]
    math::Vec3d force = {0, 0, 0};  // on side a [N]
  };
  void find(solve::System& system, std::span<const math::Vec3d> x);
  bool again(solve::System& system, std::span<const math::Vec3d> x, double tolerance, int rounds);
  bool patch(solve::System& system, solve::Solver& solver, std::span<math::Vec3d> x, double& seconds);
  bool sank(const contact::Pair& pair, std::span<const math::Vec3d> x) const;
  void look(std::span<const math::Vec3d> x);
  void add_forced(contact::ContactSet& set) const;
  contact::Motion motion(std::span<const math::Vec3d> x) const;
  math::Vec3d difference(const contact::Pair& pair, std::span<const math::Vec3d> x) const;
  double depth(const contact::Pair& pair, std::span<const math::Vec3d> x) const;
  struct Below {
    double depth;
    const contact::Pair* pair;
  };
  void measure_depth(std::vector<Below> below, std::span<const math::Vec3d> x, StepReport& report) const;
  const Memory* remembered(std::span<const Memory> list, const contact::Pair& pair) const;
  void remember(contact::ContactSet& set, std::span<const math::Vec3d> x) const;

  const model::Model& model_;
  std::unique_ptr<contact::Detector> detector_;
  std::vector<math::Vec3d> x0_;
  std::vector<double> inputs0_, inputs_;
  double dt_ = 0;
  std::vector<Memory> memory_;  // at the start of the increment, by key
  std::vector<char> pressed_;
  std::vector<math::Vec3d> on_node_;  // forces [N]
  contact::ContactSet set_;           // that the system has
  contact::ContactSet next_;
  std::vector<contact::Pair> forced_;  // that crossed in this step, by key
  std::vector<contact::Pair> crossed_;
  std::vector<contact::Pair> near_colliders_;  // of the last look
  int round_ = 0, repairs_ = 0;
  bool crossing_ = false, settled_ = false;
  std::vector<math::Vec3d> gradient_;
  double seconds_ = 0;  // of detection, in a solve; for reports only
};

}  // namespace sinew::step
