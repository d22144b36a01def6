#pragma once
// The stepper of methods that work to a budget: one solve per step, quasistatic or in time, and what it reached is taken,
// converged or not. Quasistatic contacts may take more (step/contacts.h). Refused is a point that is not finite, and one
// where held surfaces pass through each other.
#include "step/implicit.h"

namespace sinew::step {

class BudgetStepper final : public Stepper {
 public:
  BudgetStepper(const model::Model& model, const Settings& settings, const MakeSolver& make_solver);

  void declare(model::StateLayout& layout) const override {
    problem_.declare(layout);
    contacts_.declare(layout);
  }
  StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                  const Control& control) override;
  std::span<const contact::Pair> contacts() const override { return system_.contacts(); }

 private:
  StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     StepReport& report);

  double tolerance_;
  solve::System system_;
  std::unique_ptr<solve::Solver> solver_;
  StepProblem problem_;
  StepContacts contacts_;
  bool dynamic_;
  std::vector<double> inputs_before_;
  Positions x_;
};

// The elements that a method lacks which needs an ability of theirs; and the lack of stiffness damping.
std::vector<std::string> lacks_elements(const model::Model& model, bool element::Kind::*ability);
std::vector<std::string> lacks_damping(const model::Model& model);
// Of a method that does not move nodes back out of colliders.
std::vector<std::string> lacks_projection(const model::Model& model);

}  // namespace sinew::step
