#pragma once
// The stepper of methods that work to a budget: one solve per step, quasistatic or in time, and what it reached is taken,
// converged or not. Quasistatic contacts may take more (step/nonlinear.h). Refused is a point that is not finite, and one
// where held surfaces pass through each other.
#include "step/implicit.h"
#include "step/time_step.h"

namespace sinew::step {

class BudgetStepper final : public ImplicitStepper {
 public:
  BudgetStepper(const model::Model& model, const Settings& settings, const MakeSolver& make_solver);

  void declare(model::StateLayout& layout) const override;

 private:
  StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     StepReport& report) override;
  bool budgeted() const override { return true; }

  const bool dynamic_;
  TimeStep time_step_;
  std::vector<double> inputs_before_;
  Positions x_;
};

// The elements that a method lacks which needs an ability of theirs; and the lack of stiffness damping.
std::vector<std::string> lacks_elements(const model::Model& model, bool element::Kind::*ability);
std::vector<std::string> lacks_damping(const model::Model& model);
// The same for a method that does not move nodes back out of colliders.
std::vector<std::string> lacks_projection(const model::Model& model);

}  // namespace sinew::step
