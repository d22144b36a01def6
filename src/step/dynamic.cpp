#include "step/dynamic.h"

#include <algorithm>

namespace sinew::step {

using solve::SolveReport;
using solve::SolveStatus;

namespace {

constexpr int max_splits = 6;

}  // namespace

DynamicStepper::DynamicStepper(const model::Model& model, const Settings& settings,
                               const MakeSolver& make_solver)
    : ImplicitStepper(model, settings.tolerance, make_solver),
      time_step_(model, settings),
      inputs_before_(model.inputs.size()) {}

void DynamicStepper::declare(model::StateLayout& layout) const {
  time_step_.declare(layout);
  nonlinear_.declare(layout);
}

StepStatus DynamicStepper::substep(const model::InputCurve& inputs, double t1, model::State& state,
                                   const Control& control, int splits, StepReport& report) {
  nonlinear_.load(state);
  time_step_.begin(system_, inputs, t1, state, x_, nonlinear_.loaded_bodies(), splits > 0);
  if (inverted(x_) > 0) std::copy(state.x().begin(), state.x().end(), x_.begin());
  inputs.evaluate(state.time(), inputs_before_);
  nonlinear_.begin(state.x(), inputs_before_, time_step_.inputs(), t1 - state.time());
  const SolveReport last = solve(x_, tolerance_, control, report);
  if (last.status == SolveStatus::cancelled) return StepStatus::cancelled;
  const bool good = acceptable(last);
  if (!good && splits < max_splits) return split(inputs, t1, state, control, splits + 1, report);
  if (!good) explain(last, x_, report);
  if (!keep(last, x_, report)) {
    if (splits > 0) reached_ = state;
    return StepStatus::failed;
  }
  ++report.increments;
  finish(report, last);
  nonlinear_.accept(x_, report);
  nonlinear_.store(state);
  time_step_.end(x_, t1, state);
  return good ? StepStatus::converged : StepStatus::stalled;
}

StepStatus DynamicStepper::split(const model::InputCurve& inputs, double t1, model::State& state,
                                 const Control& control, int splits, StepReport& report) {
  report.notes.emplace_back("a time step was split in two");
  model::State half = state;
  StepStatus worst = StepStatus::converged;
  for (const double t : {0.5 * (state.time() + t1), t1}) {
    const StepStatus status = substep(inputs, t, half, control, splits, report);
    if (status == StepStatus::cancelled || status == StepStatus::failed) return status;
    worst = std::max(worst, status);
  }
  time_step_.forget_history(half);
  state = std::move(half);
  return worst;
}

}  // namespace sinew::step
