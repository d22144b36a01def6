#pragma once
// What the implicit steppers around a Solver share. Those that insist on convergence are step/quasistatic.h and
// step/dynamic.h; the one that works to a budget is step/budget.h.
#include <memory>
#include <optional>
#include <vector>

#include "step/nonlinear.h"
#include "step/stepper.h"

namespace sinew::step {

class ImplicitStepper : public Stepper {
 public:
  StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                  const Control& control) final;
  std::span<const contact::Pair> contacts() const final { return system_.contacts(); }
  const model::State* reached() const final { return reached_ ? &*reached_ : nullptr; }

 protected:
  ImplicitStepper(const model::Model& model, double tolerance, const MakeSolver& make_solver);

  // Takes the state to t1; where the status says that the step was not taken, leaves it as it is.
  virtual StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state,
                             const Control& control, StepReport& report) = 0;

  solve::SolveReport solve(std::span<math::Vec3d> x, const NonlinearOptions& options, const Control& control,
                           StepReport& report) {
    return nonlinear_.solve(system_, *solver_, x, options, control, report);
  }
  // The solve that ended so gave an equilibrium.
  bool acceptable(const solve::SolveReport& last) const;
  // The reason of a solve that did not, which ended at x; the first one of a step counts.
  void explain(const solve::SolveReport& last, std::span<const math::Vec3d> x, StepReport& report) const;
  // Of a StepEnd.
  virtual double done() const { return 0; }
  virtual bool budgeted() const { return false; }
  // Whether the end of a solve may be taken, be it an equilibrium or not: where it is finite and, once what would pass through
  // something else is held back, nothing does.
  bool keep(const solve::SolveReport& last, std::span<math::Vec3d> x, StepReport& report);
  // Residual, energy and inversions where the last solve of a step ended; and the linear solver that it used.
  static void set_end(StepReport& report, const solve::Evaluation& end);
  void finish(StepReport& report, const solve::SolveReport& last) const;
  int64_t inverted(std::span<const math::Vec3d> x);

  const double tolerance_;
  solve::System system_;
  std::unique_ptr<solve::Solver> solver_;
  NonlinearLoop nonlinear_;
  std::vector<math::Vec3d> gradient_;
  std::optional<model::State> reached_;  // by a step that failed

 private:
  void limit_by_rounding(std::span<const math::Vec3d> x, StepReport& report) const;
};

// The stepper of the settings' mode that insists on convergence.
std::unique_ptr<Stepper> make_implicit_stepper(const model::Model& model, const Settings& settings,
                                               const MakeSolver& make_solver);

}  // namespace sinew::step
