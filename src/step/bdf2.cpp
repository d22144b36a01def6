#include "step/bdf2.h"

#include <algorithm>
#include <cmath>

namespace sinew::step {

void Bdf2::declare(model::StateLayout& layout) const {
  layout.declare({"x_old", model::ColumnType::f64, 3, model::On::node});
  layout.declare({"v_old", model::ColumnType::f64, 3, model::On::node});
  layout.declare({"dt_old", model::ColumnType::f64, 1, model::On::global});
}

void Bdf2::differences(const model::State& state, double dt, bool restart, TimeDifferences& to) const {
  if (restart || !(std::abs(state.numbers("dt_old")[0] - dt) <= 1e-9 * dt)) {
    first_.differences(state, dt, restart, to);
    return;
  }
  const auto x = state.x(), v = state.v(), x_old = state.vectors("x_old"), v_old = state.vectors("v_old");
  to.h = 2 * dt / 3;
  to.x_star.resize(x.size());
  to.v_star.resize(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    to.x_star[i] = (x[i] * 4.0 - x_old[i]) * (1.0 / 3);
    to.v_star[i] = (v[i] * 4.0 - v_old[i]) * (1.0 / 3);
  }
}

void Bdf2::remember(double dt, model::State& state) const {
  std::copy(state.x().begin(), state.x().end(), state.vectors("x_old").begin());
  std::copy(state.v().begin(), state.v().end(), state.vectors("v_old").begin());
  state.numbers("dt_old")[0] = dt;
}

void Bdf2::forget(model::State& state) const { state.numbers("dt_old")[0] = 0; }

}  // namespace sinew::step
