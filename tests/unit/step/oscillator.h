#pragma once
// The harmonic oscillator u'' = -omega^2 u of one node, stepped by a time integrator alone: its differences make a linear
// equation of each step.
#include <numbers>

#include "step/time_integrator.h"

namespace sinew::sample {

struct Oscillator {
  const step::TimeIntegrator& integrator;
  model::State state;
  double omega = 2 * std::numbers::pi;  // a period of 1 s

  explicit Oscillator(const step::TimeIntegrator& with) : integrator(with) {
    model::StateLayout layout;
    integrator.declare(layout);
    state = model::State(layout, {.nodes = 1});
    state.x()[0] = {1, 0, 0};
    state.v()[0] = {0, omega, 0};
  }

  // a = (v - v*) / h = -omega^2 x with v = (x - x*) / h.
  void step(double dt) {
    step::TimeDifferences to;
    integrator.differences(state, dt, false, to);
    const math::Vec3d x = (to.x_star[0] + to.v_star[0] * to.h) * (1 / (1 + to.h * to.h * omega * omega));
    integrator.remember(dt, state);
    state.v()[0] = (x - to.x_star[0]) * (1 / to.h);
    state.x()[0] = x;
  }

  // The node goes around a circle once a second.
  static double error_after(const step::TimeIntegrator& integrator, int steps, double time) {
    Oscillator run(integrator);
    for (int k = 0; k < steps; ++k) run.step(time / steps);
    const double angle = run.omega * time;
    return norm(run.state.x()[0] - math::Vec3d{std::cos(angle), std::sin(angle), 0});
  }
};

}  // namespace sinew::sample
