#pragma once
// What a step from a State to t1 asks of a System: the inputs at t1 and, in dynamics, inertia and damping about the motion
// so far, by the differences of a time integrator.
//
//     step.begin(system, inputs, t1, state, x);   // x: where the search starts
//     solver.solve(x, ...);
//     step.end(x, t1, state);
#include <memory>
#include <vector>

#include "solve/system.h"
#include "step/time_integrator.h"

namespace sinew::step {

class TimeStep {
 public:
  TimeStep(const model::Model& model, const Settings& settings);

  void declare(model::StateLayout& layout) const;
  // `supported`: of each body, whether something carries it, so that the search does not start from its free fall; empty:
  // none. `restart`: the integrator goes by the state alone, without a history.
  void begin(solve::System& system, const model::InputCurve& inputs, double t1, const model::State& state,
             Positions& x, std::span<const char> supported = {}, bool restart = false);
  // Takes x over as the state at t1.
  void end(std::span<const math::Vec3d> x, double t1, model::State& state) const;
  // After steps of other lengths than asked for: the next one restarts.
  void forget_history(model::State& state) const;

  std::span<const double> inputs() const { return inputs_; }  // at t1

 private:
  void set_inertia(solve::System& system, Positions& x, std::span<const char> supported);

  const model::Model& model_;
  std::unique_ptr<TimeIntegrator> integrator_;  // null: quasistatic
  bool damped_;
  std::vector<double> mass_, load_mass_, inputs_, weight_;
  TimeDifferences now_;
  Positions target_;
};

}  // namespace sinew::step
