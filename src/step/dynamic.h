#pragma once
// Implicit steps in time. A step that does not converge is split into two of backward Euler, and each of these again. With
// Settings::auto_steps a step is also split where it converges slowly, and begins as several where its bodies strain or turn fast.
#include "step/implicit.h"
#include "step/time_step.h"

namespace sinew::step {

class DynamicStepper final : public ImplicitStepper {
 public:
  DynamicStepper(const model::Model& model, const Settings& settings, const MakeSolver& make_solver);

  void declare(model::StateLayout& layout) const override;

 private:
  StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     StepReport& report) override;
  // `splits`: of the step so far.
  StepStatus substep(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     int splits, StepReport& report);
  // `parts` steps of equal length in place of one.
  StepStatus split(const model::InputCurve& inputs, double t1, int parts, model::State& state,
                   const Control& control, int splits, StepReport& report);
  int parts(const model::State& state, double dt) const;

  const model::Model& model_;
  const bool auto_steps_;
  TimeStep time_step_;
  std::vector<double> inputs_before_;
  Positions x_;
};

}  // namespace sinew::step
