#include "step/dynamic.h"

#include <algorithm>
#include <cmath>

namespace sinew::step {

using solve::SolveReport;
using solve::SolveStatus;

namespace {

constexpr int max_splits = 6;
// Where steps are chosen: the iterations after which one that can be split is, and how much a step may strain or turn a body, in the
// mean, at the speed it begins with.
constexpr int patience = 50;
constexpr double max_gradient = 0.5;
constexpr int most_parts = 16;

// The velocity gradient of a body, root mean square over its elements [1/s].
double velocity_gradient(const model::Model& model, const model::Body& body, const model::State& state) {
  const auto x = state.x(), v = state.v();
  double moved = 0, length = 0;
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e) {
    const auto nodes = model.elements[e];
    for (int k = 1; k < body.kind->corners; ++k) {
      moved += norm2(v[nodes[k]] - v[nodes[0]]);
      length += norm2(x[nodes[k]] - x[nodes[0]]);
    }
  }
  return length > 0 ? std::sqrt(moved / length) : 0;
}

}  // namespace

DynamicStepper::DynamicStepper(const model::Model& model, const Settings& settings,
                               const MakeSolver& make_solver)
    : ImplicitStepper(model, settings.tolerance, make_solver),
      model_(model),
      auto_steps_(settings.auto_steps),
      time_step_(model, settings),
      inputs_before_(model.inputs.size()) {}

void DynamicStepper::declare(model::StateLayout& layout) const {
  time_step_.declare(layout);
  nonlinear_.declare(layout);
}

StepStatus DynamicStepper::advance(const model::InputCurve& inputs, double t1, model::State& state,
                                   const Control& control, StepReport& report) {
  const int count = auto_steps_ ? parts(state, t1 - state.time()) : 1;
  return count > 1 ? split(inputs, t1, count, state, control, 0, report)
                   : substep(inputs, t1, state, control, 0, report);
}

// A motion whose velocity gradient has the norm w takes a body to a gradient of about 1 + w dt.
int DynamicStepper::parts(const model::State& state, double dt) const {
  double most = 0;
  for (const model::Body& body : model_.bodies)
    most = std::max(most, velocity_gradient(model_, body, state) * dt);
  return static_cast<int>(std::clamp(std::ceil(most / max_gradient), 1.0, double{most_parts}));
}

StepStatus DynamicStepper::substep(const model::InputCurve& inputs, double t1, model::State& state,
                                   const Control& control, int splits, StepReport& report) {
  nonlinear_.load(state);
  time_step_.begin(system_, inputs, t1, state, x_, nonlinear_.loaded_bodies(), splits > 0);
  if (inverted(x_) > 0) std::copy(state.x().begin(), state.x().end(), x_.begin());
  inputs.evaluate(state.time(), inputs_before_);
  nonlinear_.begin(state.x(), inputs_before_, time_step_.inputs(), t1 - state.time());
  NonlinearOptions options{.tolerance = tolerance_};
  if (auto_steps_ && splits < max_splits) options.max_iterations = patience;
  const SolveReport last = solve(x_, options, control, report);
  if (last.status == SolveStatus::cancelled) return StepStatus::cancelled;
  const bool good = acceptable(last);
  if (!good && splits < max_splits) return split(inputs, t1, 2, state, control, splits + 1, report);
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

StepStatus DynamicStepper::split(const model::InputCurve& inputs, double t1, int parts, model::State& state,
                                 const Control& control, int splits, StepReport& report) {
  if (!auto_steps_) report.notes.emplace_back("a time step was split in two");
  const double t0 = state.time();
  model::State part = state;
  StepStatus worst = StepStatus::converged;
  for (int k = 1; k <= parts; ++k) {
    const double t = k == parts ? t1 : t0 + (t1 - t0) * k / parts;
    const StepStatus status = substep(inputs, t, part, control, splits, report);
    if (status == StepStatus::cancelled || status == StepStatus::failed) return status;
    worst = std::max(worst, status);
  }
  time_step_.forget_history(part);
  state = std::move(part);
  return worst;
}

}  // namespace sinew::step
