#pragma once
// What the implicit steppers around a Solver share. Those that insist on convergence are step/quasistatic.h and
// step/dynamic.h; the one that works to a budget is step/budget.h.
#include <memory>
#include <string>
#include <vector>

#include "step/nonlinear.h"
#include "step/stepper.h"

namespace sinew::step {

class ImplicitStepper : public Stepper {
 public:
  StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                  const Control& control) final;
  std::span<const contact::Pair> contacts() const final { return system_.contacts(); }

 protected:
  ImplicitStepper(const model::Model& model, double tolerance, const MakeSolver& make_solver);

  // Takes the state to t1; where the status says that the step was not taken, leaves it as it is.
  virtual StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state,
                             const Control& control, StepReport& report) = 0;

  solve::SolveReport solve(std::span<math::Vec3d> x, double tolerance, const Control& control,
                           StepReport& report);
  // The solve that ended so gave a point that may be kept.
  bool acceptable(const solve::SolveReport& last) const;
  std::string shortcoming(const solve::SolveReport& last) const;  // the note where it did not
  // Residual, energy and inversions where the last solve of a step ended; and the linear solver that it used.
  static void set_end(StepReport& report, const solve::Evaluation& end);
  void finish(StepReport& report, const solve::SolveReport& last) const;
  int64_t inverted(std::span<const math::Vec3d> x);

  const double tolerance_;
  solve::System system_;
  std::unique_ptr<solve::Solver> solver_;
  NonlinearLoop nonlinear_;
  std::vector<math::Vec3d> gradient_;

 private:
  void limit_by_rounding(std::span<const math::Vec3d> x, StepReport& report) const;
};

// The stepper of the settings' mode that insists on convergence.
std::unique_ptr<Stepper> make_implicit_stepper(const model::Model& model, const Settings& settings,
                                               const MakeSolver& make_solver);

}  // namespace sinew::step
