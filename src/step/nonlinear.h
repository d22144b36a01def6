#pragma once
// The nonlinear solve of an increment. Without contacts it is one call of the solver. With contacts it is a fixed-point
// iteration around it: a solve sees contacts as linear pairs with the friction of a known, lagged load; after it they are
// found anew where it ended, with the loads that it gave, and the next solve starts there, until the residual with the
// contacts of x itself meets the tolerance (quasistatics) or a few iterations are done (dynamics). With
// ContactPlan::continuous the motion of each solve is followed, and pairs that intersect on the way enter the set.
//
//     nonlinear.load(state);
//     nonlinear.begin(x_before, inputs_before, inputs, dt);
//     nonlinear.solve(system, solver, x, {.tolerance = 1e-6}, control, report);    // x: where the search starts
//     nonlinear.accept(x, report);  nonlinear.store(state);
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "solve/solver.h"
#include "step/increment_contacts.h"

namespace sinew::step {

using MakeSolver = std::function<std::unique_ptr<solve::Solver>(solve::System&)>;

struct NonlinearOptions {
  double tolerance = 1e-6;                               // relative residual
  bool budgeted = false;                                 // a solve counts also where it did not converge
  int max_iterations = std::numeric_limits<int>::max();  // of all solves together
};

class NonlinearLoop {
 public:
  explicit NonlinearLoop(const model::Model& model);

  void declare(model::StateLayout& layout) const { ContactHistory::declare(model_, layout); }
  void load(const model::State& state) { history_.load(state); }
  std::span<const char> loaded_bodies() const { return history_.loaded_bodies(); }
  // An increment from x_before, where inputs_before were the inputs. dt: 0 in quasistatics.
  void begin(std::span<const math::Vec3d> x_before, std::span<const double> inputs_before,
             std::span<const double> inputs, double dt);
  solve::SolveReport solve(solve::System& system, solve::Solver& solver, std::span<math::Vec3d> x,
                           const NonlinearOptions& options, const Control& control, StepReport& report);
  // Gives the system the contacts of a State at x, whatever it had before.
  void find_at_start(solve::System& system, const solve::Solver& solver, std::span<const math::Vec3d> x,
                     std::span<const double> inputs);
  // Surfaces still intersect on the way to x.
  bool intersecting() const { return contacts_ && contacts_->intersecting(); }
  // The residual with the contacts of x itself met the tolerance.
  bool contacts_converged() const { return !contacts_ || converged_; }
  // Of the contacts that intersect or, where they came and went, did not settle: the first, and the one with the largest force
  // out of balance. Null: there is none.
  const contact::Pair* unsettled(const model::DofMap& dofs) const;
  // Of the contacts of a barrier at x the one that presses most. Null: none does.
  const contact::Pair* nearest(std::span<const math::Vec3d> x) const {
    return contacts_ ? contacts_->nearest(x) : nullptr;
  }
  // Moves what intersects back towards the start of the increment until nothing does, with a note. False: constrained nodes
  // intersect.
  bool limit_step(const model::DofMap& dofs, std::span<math::Vec3d> x, StepReport& report);
  // Takes x over as the end of the increment.
  void accept(std::span<const math::Vec3d> x, StepReport& report);
  void store(model::State& state) const { history_.store(state); }

 private:
  solve::SolveReport solve_once(solve::Solver& solver, std::span<math::Vec3d> x, double tolerance,
                                const Control& control, StepReport& report);
  solve::SolveReport iterate_contacts(solve::System& system, solve::Solver& solver, std::span<math::Vec3d> x,
                                      const NonlinearOptions& options, const Control& control,
                                      StepReport& report);
  solve::SolveReport iterate_friction(solve::System& system, solve::Solver& solver, std::span<math::Vec3d> x,
                                      const NonlinearOptions& options, const Control& control,
                                      StepReport& report);
  bool relax_intersections(solve::System& system, solve::Solver& solver, std::span<math::Vec3d> x,
                           double& seconds);
  bool continues(solve::System& system, std::span<const math::Vec3d> x, double tolerance, int max_iterations);

  const model::Model& model_;
  ContactHistory history_;
  std::unique_ptr<IncrementContacts> contacts_;  // null: the model has none
  int iteration_ = 0, repairs_ = 0;
  int iterations_left_ = 0;  // of all solves of the increment
  bool converged_ = false;
  std::vector<math::Vec3d> gradient_;
};

}  // namespace sinew::step
