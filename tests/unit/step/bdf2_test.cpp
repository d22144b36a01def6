#include "step/bdf2.h"

#include <gtest/gtest.h>

#include "unit/step/oscillator.h"

namespace sinew::step {
namespace {

using sample::Oscillator;

TEST(Bdf2Formula, IsOfSecondOrder) {
  double before = Oscillator::error_after(Bdf2(), 500, 0.8);
  for (int steps : {1000, 2000}) {
    const double error = Oscillator::error_after(Bdf2(), steps, 0.8);
    EXPECT_NEAR(std::log2(before / error), 2, 0.05);
    before = error;
  }
  EXPECT_LT(before, 1e-4);
}

// A state with the history of x = t^2, v = 2 t at t = 1, a step of 0.1 s behind it.
model::State parabola() {
  model::StateLayout layout;
  Bdf2().declare(layout);
  model::State state(layout, {.nodes = 1});
  state.x()[0] = {0.81, 0, 0};
  state.v()[0] = {1.8, 0, 0};
  Bdf2().remember(0.1, state);
  state.x()[0] = {1, 0, 0};
  state.v()[0] = {2, 0, 0};
  return state;
}

TEST(Bdf2Formula, DifferentiatesParabolasExactly) {
  TimeDifferences to;
  Bdf2().differences(parabola(), 0.1, false, to);
  EXPECT_NEAR((1.21 - to.x_star[0][0]) / to.h, 2.2, 1e-13);
  EXPECT_NEAR((2.2 - to.v_star[0][0]) / to.h, 2, 1e-13);
}

TEST(Bdf2Formula, IsBackwardEulerWithoutEqualSteps) {
  model::State forgotten = parabola();
  Bdf2().forget(forgotten);
  const auto expect_backward_euler = [](const model::State& state, double dt, bool restart) {
    TimeDifferences to, expected;
    Bdf2().differences(state, dt, restart, to);
    BackwardEuler().differences(state, dt, restart, expected);
    EXPECT_EQ(to.h, expected.h);
    EXPECT_EQ(norm(to.x_star[0] - expected.x_star[0]), 0);
    EXPECT_EQ(norm(to.v_star[0] - expected.v_star[0]), 0);
  };
  expect_backward_euler(parabola(), 0.1, true);
  expect_backward_euler(parabola(), 0.11, false);
  expect_backward_euler(forgotten, 0.1, false);
}

}  // namespace
}  // namespace sinew::step
