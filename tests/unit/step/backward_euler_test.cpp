#include "step/backward_euler.h"

#include <gtest/gtest.h>

#include "unit/step/oscillator.h"

namespace sinew::step {
namespace {

using sample::Oscillator;

TEST(BackwardEulerFormula, IsOfFirstOrder) {
  double before = Oscillator::error_after(BackwardEuler(), 2000, 0.8);
  for (int steps : {4000, 8000}) {
    const double error = Oscillator::error_after(BackwardEuler(), steps, 0.8);
    EXPECT_NEAR(std::log2(before / error), 1, 0.02);
    before = error;
  }
  EXPECT_LT(before, 5e-3);
}

// |u| shrinks by 1 / sqrt(1 + (omega dt)^2) a step, at any step length.
TEST(BackwardEulerFormula, DampsByTheKnownFactor) {
  for (const double dt : {1e-3, 0.1, 10.0}) {
    const BackwardEuler integrator;
    Oscillator run(integrator);
    const double factor = 1 / std::sqrt(1 + run.omega * dt * run.omega * dt);
    for (int k = 1; k <= 5; ++k) {
      run.step(dt);
      EXPECT_NEAR(norm(run.state.x()[0]) / std::pow(factor, k), 1, 1e-12) << dt << " " << k;
    }
  }
}

}  // namespace
}  // namespace sinew::step
