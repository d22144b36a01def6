#pragma once
// What a step from a State to t1 asks of a System: the inputs at t1 and, in time, inertia and damping about the motion so
// far. With h = dt (backward Euler) or 2 dt / 3 (BDF2):
//     v = (x - x*) / h,   a = (x - x* - h v*) / h^2,   M a + alpha M v + beta K_n v = f(x)
//     x* = x_n, v* = v_n   or   x* = (4 x_n - x_(n-1)) / 3, v* = (4 v_n - v_(n-1)) / 3
//
//     problem.begin(system, inputs, t1, state, true, x);   // x: where the search starts
//     solver.solve(x, ...);
//     problem.end(x, t1, state);
#include <vector>

#include "solve/system.h"
#include "step/stepper.h"

namespace sinew::step {

using Positions = std::vector<math::Vec3d>;

class StepProblem {
 public:
  StepProblem(const model::Model& model, const Settings& settings);

  void declare(model::StateLayout& layout) const;
  // `second_order`: BDF2 may be used, where the settings ask for it and the last step had the same length.
  // `held_up`: of each body, whether something holds it up, so that the search does not start from its free fall; empty: none.
  void begin(solve::System& system, const model::InputCurve& inputs, double t1, const model::State& state,
             bool second_order, Positions& x, std::span<const char> held_up = {});
  // Takes x over as the state at t1.
  void end(std::span<const math::Vec3d> x, double t1, model::State& state) const;

  void set_inputs(solve::System& system, const model::InputCurve& inputs, double time);
  std::span<const double> inputs() const { return inputs_; }

 private:
  bool dynamic() const { return settings_.mode == Mode::dynamic; }
  bool bdf2() const { return dynamic() && settings_.integrator == Integrator::bdf2; }

  const model::Model& model_;
  Settings settings_;
  bool damped_;
  std::vector<double> mass_, load_mass_, inputs_, weight_;
  double h_ = 0;
  Positions x_star_, v_star_, target_;
};

}  // namespace sinew::step
