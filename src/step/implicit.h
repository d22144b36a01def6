#pragma once
// The implicit stepper: quasistatic increments, backward Euler and BDF2 around any Solver.
//
// Quasistatic: from the last equilibrium, or from the straight continuation of the last two while the inputs go on as
// they did, the inputs go to t1 in one increment; an increment that does not converge,
// or inverts an element, is halved, and grows back after. If even the smallest fails, or the start has inverted elements,
// the body is first untangled as a softer one ("soft start").
// Dynamic, with h = dt (backward Euler) or 2 dt / 3 (BDF2):
//     v = (x - x*) / h,   a = (x - x* - h v*) / h^2,   M a + alpha M v + beta K_n v = f(x)
//     x* = x_n, v* = v_n   or   x* = (4 x_n - x_(n-1)) / 3, v* = (4 v_n - v_(n-1)) / 3
// A time step that does not converge is split into two backward Euler steps.
#include <functional>
#include <memory>

#include "solve/solver.h"
#include "step/stepper.h"

namespace sinew::step {

using MakeSolver = std::function<std::unique_ptr<solve::Solver>(solve::System&)>;

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(const model::Model& model, const Settings& settings, MakeSolver make_solver);

  void declare(model::StateLayout& layout) const override;
  StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                  const Control& control) override;

 private:
  using Positions = std::vector<math::Vec3d>;

  StepStatus quasistatic(const model::InputCurve& inputs, double t1, model::State& state,
                         const Control& control, StepReport& report);
  StepStatus dynamic(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     int splits, StepReport& report);
  static solve::SolveReport solve(solve::Solver& solver, Positions& x, double tolerance,
                                  const Control& control, StepReport& report);
  bool soft_start(Positions& x, const Control& control, StepReport& report);
  bool extrapolate(const model::InputCurve& curve, std::span<const math::Vec3d> before, double t_before,
                   double t, double t_new, Positions& x);
  int64_t inverted(const Positions& x);
  void set_inputs(const model::InputCurve& inputs, double time);
  void finish(StepReport& report, const solve::SolveReport& last) const;

  const model::Model& model_;
  Settings settings_;
  MakeSolver make_solver_;
  solve::System system_;
  std::unique_ptr<solve::Solver> solver_;
  std::vector<double> mass_, load_mass_, inputs_;
  // Kept between steps for their memory alone.
  std::vector<double> weight_, earlier_, now_;
  Positions gradient_, x_, trial_, before_, ahead_;
};

}  // namespace sinew::step
