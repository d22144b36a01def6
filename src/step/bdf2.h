#pragma once
// The backward differentiation formula of second order, A-stable, for steps of equal length:
//     v = (x - x*) / h,   x* = (4 x_n - x_(n-1)) / 3,   h = 2 dt / 3
//     a = (v - v*) / h,   v* = (4 v_n - v_(n-1)) / 3
// The first step, one whose length is not that of the last, and the parts of a step that was split are backward Euler.
#include "step/backward_euler.h"

namespace sinew::step {

class Bdf2 final : public TimeIntegrator {
 public:
  void declare(model::StateLayout& layout) const override;
  void differences(const model::State& state, double dt, bool restart, TimeDifferences& to) const override;
  void remember(double dt, model::State& state) const override;
  void forget(model::State& state) const override;

 private:
  BackwardEuler first_;
};

}  // namespace sinew::step
