#pragma once
// The implicit stepper: quasistatic increments, backward Euler and BDF2 around any Solver.
//
// Quasistatic: from the last equilibrium, or from the straight continuation of the last two while the inputs go on as
// they did, the inputs go to t1 in one increment; an increment that does not converge,
// or inverts an element, is halved, and grows back after. If even the smallest fails, or the start has inverted elements,
// the body is first untangled as a softer one ("soft start").
// In time (step/problem.h), a step that does not converge is split into two backward Euler steps.
#include <functional>
#include <memory>

#include "solve/solver.h"
#include "step/contacts.h"
#include "step/problem.h"

namespace sinew::step {

using MakeSolver = std::function<std::unique_ptr<solve::Solver>(solve::System&)>;

// Where the last solve of a step ended.
void add_end(StepReport& report, const solve::Evaluation& end);

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(const model::Model& model, const Settings& settings, MakeSolver make_solver);

  void declare(model::StateLayout& layout) const override;
  StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                  const Control& control) override;
  std::span<const contact::Pair> contacts() const override { return system_.contacts(); }

 private:
  StepStatus quasistatic(const model::InputCurve& inputs, double t1, model::State& state,
                         const Control& control, StepReport& report);
  StepStatus dynamic(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     int splits, StepReport& report);
  solve::SolveReport solve(solve::System& system, solve::Solver& solver, Positions& x, double tolerance,
                           const Control& control, StepReport& report);
  bool good(const solve::SolveReport& last) const;
  std::string shortcoming(const solve::SolveReport& report) const;
  bool soft_start(Positions& x, const Control& control, StepReport& report);
  bool extrapolate(const model::InputCurve& curve, std::span<const math::Vec3d> before, double t_before,
                   double t, double t_new, Positions& x);
  int64_t inverted(const Positions& x);
  void finish(StepReport& report, const solve::SolveReport& last) const;

  const model::Model& model_;
  Settings settings_;
  MakeSolver make_solver_;
  solve::System system_;
  std::unique_ptr<solve::Solver> solver_;
  StepProblem problem_;
  StepContacts contacts_;
  // Kept between steps for their memory alone.
  std::vector<double> earlier_, now_;
  Positions gradient_, x_, trial_, before_, ahead_;
};

}  // namespace sinew::step
