#pragma once
// Implicit steps in time. A step that does not converge is split into two of backward Euler, and each of these again.
#include "step/implicit.h"
#include "step/time_step.h"

namespace sinew::step {

class DynamicStepper final : public ImplicitStepper {
 public:
  DynamicStepper(const model::Model& model, const Settings& settings, const MakeSolver& make_solver);

  void declare(model::StateLayout& layout) const override;

 private:
  StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     StepReport& report) override {
    return substep(inputs, t1, state, control, 0, report);
  }
  // `splits`: of the step so far.
  StepStatus substep(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     int splits, StepReport& report);
  StepStatus split(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                   int splits, StepReport& report);

  TimeStep time_step_;
  std::vector<double> inputs_before_;
  Positions x_;
};

}  // namespace sinew::step
