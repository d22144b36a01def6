#pragma once
// Backward Euler, of first order and L-stable:
//     v = (x - x_n) / dt,   a = (v - v_n) / dt
#include "step/time_integrator.h"

namespace sinew::step {

class BackwardEuler final : public TimeIntegrator {
 public:
  void differences(const model::State& state, double dt, bool restart, TimeDifferences& to) const override;
};

}  // namespace sinew::step
