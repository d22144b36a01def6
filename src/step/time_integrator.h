#pragma once
// A time integrator replaces derivatives in time by differences with what State remembers of the motion,
//     v = (x - x*) / h,   a = (v - v*) / h,
// which turns M a + alpha M v + beta K v = f(x) into an equilibrium with inertia (step/time_step.h).
#include <memory>

#include "step/stepper.h"

namespace sinew::step {

using Positions = std::vector<math::Vec3d>;

struct TimeDifferences {
  double h = 0;  // [s]
  Positions x_star, v_star;
};

class TimeIntegrator {
 public:
  virtual ~TimeIntegrator() = default;

  // The columns of State with the history that it needs.
  virtual void declare(model::StateLayout& /*layout*/) const {}
  // The differences at the end of a step of length dt. `restart`: by what is known at its start alone.
  virtual void differences(const model::State& state, double dt, bool restart, TimeDifferences& to) const = 0;
  // Keeps what the next step needs of the start of a step of length dt that is about to be taken.
  virtual void remember(double /*dt*/, model::State& /*state*/) const {}
  // Leaves the next step without a history.
  virtual void forget(model::State& /*state*/) const {}
};

std::unique_ptr<TimeIntegrator> make_time_integrator(Integrator integrator);

}  // namespace sinew::step
