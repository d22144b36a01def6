#include "batch/fallback_chain.h"

#include <algorithm>
#include <cmath>

#include "batch/input_path.h"
#include "scene/check_parts.h"

namespace sinew::batch {

namespace {

using math::Vec3d;
using solve::SolveStatus;
using step::StepStatus;

// The method with the scene's own options where it is the scene's own method, else with the defaults.
step::Settings settings_of(const scene::Built& built, const step::Method& method, double tolerance) {
  step::Settings settings;
  settings.tolerance = tolerance;
  settings.options = built.method == &method ? built.settings.options : FieldValues(method.fields);
  return settings;
}

// The ends of the steps of a run that ends at `time`.
std::vector<double> frame_times(const scene::TimePlan& plan, double time) {
  std::vector<double> times;
  for (int32_t frame = 1; frame <= plan.frames; ++frame)
    for (int32_t k = 1; k <= plan.substeps; ++k)
      if (const double t = plan.time_of(frame, k); t < time * (1 - 1e-12)) times.push_back(t);
  times.push_back(time);
  return times;
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ", ") + item;
  return text;
}

// The columns that both have; time, step and increment stay those of `to`.
void take_columns(const model::State& from, model::State& to) {
  for (model::Column& column : to.mutable_columns()) {
    if (column.spec.on == model::On::global) continue;
    for (const model::Column& other : from.columns())
      if (other.spec.name == column.spec.name) column = other;
  }
}

}  // namespace

std::string fault_of(const Sample& sample) {
  const model::Model& model = sample.built->model;
  const auto of = [](size_t found, size_t expected, const char* what) {
    return "found " + std::to_string(found) + " " + what + ", expected " + std::to_string(expected);
  };
  const auto inputs = static_cast<size_t>(model.inputs.size());
  if (!sample.inputs.empty() && sample.inputs.size() != inputs)
    return of(sample.inputs.size(), inputs, "inputs");
  if (!std::all_of(sample.inputs.begin(), sample.inputs.end(), [](double v) { return std::isfinite(v); }))
    return "found an input that is not finite";
  if (!sample.start.empty() && sample.start.size() != model.X.size())
    return of(sample.start.size(), model.X.size(), "positions to start from");
  if (!std::all_of(sample.start.begin(), sample.start.end(),
                   [](const Vec3d& x) { return std::isfinite(norm2(x)); }))
    return "found a position to start from that is not finite";
  if (!(sample.time >= 0) || !std::isfinite(sample.time))
    return "found the time " + std::to_string(sample.time) + ", expected a number of seconds from 0 on";
  return {};
}

std::vector<double> inputs_of(const Sample& sample) {
  if (!sample.inputs.empty()) return {sample.inputs.begin(), sample.inputs.end()};
  std::vector<double> inputs(sample.built->model.inputs.size());
  sample.built->model.inputs.evaluate(sample.time, inputs);
  return inputs;
}

model::State rest_state(const scene::Built& built, double time) {
  model::StateLayout layout;
  step::ContactHistory::declare(built.model, layout);
  model::State state = scene::initial_state(built, layout);
  std::fill(state.v().begin(), state.v().end(), Vec3d{0, 0, 0});
  state.set_time(time);
  return state;
}

struct FallbackChain::Warm {
  const scene::Built* built;
  std::vector<std::string> lacks;
  solve::System system;
  solve::Newton newton;
  step::NonlinearLoop nonlinear;

  Warm(const scene::Built& from, const step::Method& method, const step::Settings& settings)
      : built(&from),
        lacks(method.lacks(from.model, settings)),
        system(from.model),
        newton(system,
               {.max_iterations = static_cast<int>(settings.options.number("iterations")),
                .max_linear_iterations = static_cast<int>(settings.options.number("linear_iterations")),
                .linear = settings.options.text("linear")}),
        nonlinear(from.model) {
    system.set_inversion(settings.options.text("inversion") == "clamp" ? material::Inversion::clamp
                                                                       : material::Inversion::extend,
                         settings.options.number("clamp_threshold"));
  }
};

FallbackChain::FallbackChain(double tolerance) : tolerance_(tolerance) {}
FallbackChain::~FallbackChain() = default;

bool FallbackChain::warm(const Sample& sample, std::span<const double> inputs, const Control& control,
                         Solution& solution) {
  const scene::Built& built = *sample.built;
  if (!warm_ || warm_->built != &built) {
    const step::Method& method = *step::find_method("newton");
    warm_.reset();
    warm_ = std::make_unique<Warm>(built, method, settings_of(built, method, tolerance_));
  }
  if (!warm_->lacks.empty()) {
    solution.reason = "newton lacks " + joined(warm_->lacks);
    return false;
  }
  model::State state = rest_state(built, sample.time);
  if (!sample.start.empty()) std::copy(sample.start.begin(), sample.start.end(), state.x().begin());
  std::vector<double> before(inputs.begin(), inputs.end());
  if (sample.start.empty()) built.model.inputs.evaluate(0, before);
  warm_->system.set_inputs(inputs);
  step::NonlinearLoop& nonlinear = warm_->nonlinear;
  nonlinear.load(state);
  nonlinear.begin(state.x(), before, inputs, 0);
  step::StepReport report;
  std::vector<Vec3d> x(state.x().begin(), state.x().end());
  const solve::SolveReport last =
      nonlinear.solve(warm_->system, warm_->newton, x, {.tolerance = tolerance_}, control, report);
  solution.iterations = report.iterations;
  solution.relative_residual = std::max(last.last.relative, last.last.rounding);
  if (last.status != SolveStatus::converged || last.last.inverted > 0 || last.last.rounding > tolerance_ ||
      nonlinear.intersecting() || !nonlinear.contacts_converged())
    return false;
  nonlinear.accept(x, report);
  nonlinear.store(state);
  std::copy(x.begin(), x.end(), state.x().begin());
  solution.state = std::move(state);
  return true;
}

bool FallbackChain::along(const Sample& sample, const step::Rung& rung, const Control& control,
                          Solution& solution) {
  const scene::Built& built = *sample.built;
  const step::Method& method = *step::find_method(rung.method);
  const auto stepper = method.make(built.model, settings_of(built, method, tolerance_));
  if (!stepper) {
    solution.reason = stepper.error().what;
    return false;
  }
  model::StateLayout layout;
  (*stepper)->declare(layout);
  model::State state = scene::initial_state(built, layout);
  const std::vector<double> times = rung.times(0, frame_times(built.time, sample.time));
  const model::InputCurve own =
      sample.inputs.empty() ? built.model.inputs : input_path(built.model.inputs, sample.inputs, times);
  const step::StepReport report = step::follow(**stepper, own, times, state, control);
  solution.iterations = report.iterations;
  solution.relative_residual = report.relative_residual;
  solution.reason = report.reason         ? report.reason->text()
                    : report.inverted > 0 ? std::to_string(report.inverted) + " elements are inverted"
                                          : "";
  if (report.status != StepStatus::converged || !solution.reason.empty()) return false;
  solution.state = rest_state(built, sample.time);
  take_columns(state, solution.state);
  return true;
}

Solution FallbackChain::solve(const Sample& sample, const Control& control) {
  Solution solution;
  if (!(solution.reason = fault_of(sample)).empty()) return solution;
  const std::vector<double> inputs = inputs_of(sample);
  const auto ends_with = [&](std::string_view name, bool solved) {
    solution.solved = solved;
    if (solved) solution.rung = name;
    return solved || control.cancelled();
  };
  const auto hopeless = [&] {
    if (!sample.inputs.empty()) return false;  // its loads are not those of the scene
    const std::optional<Error> error = scene::lacks_equilibrium(*sample.built);
    if (error) solution.reason = error->what;
    return error.has_value();
  };
  bool ended = ends_with("warm", warm(sample, inputs, control, solution)) || hopeless();
  for (const step::Rung& rung : step::fallback_chain())
    if (!ended) ended = ends_with(rung.name, along(sample, rung, control, solution));
  if (!solution.solved && control.cancelled()) solution.reason = "cancelled";
  if (!solution.solved) solution.state = rest_state(*sample.built, sample.time);
  return solution;
}

}  // namespace sinew::batch
