#include "step/backward_euler.h"

namespace sinew::step {

void BackwardEuler::differences(const model::State& state, double dt, bool /*restart*/,
                                TimeDifferences& to) const {
  to.h = dt;
  to.x_star.assign(state.x().begin(), state.x().end());
  to.v_star.assign(state.v().begin(), state.v().end());
}

}  // namespace sinew::step
