#include "compare/compare.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "base/memory.h"
#include "compare/metric.h"

namespace sinew::compare {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double reference_tolerance = 1e-10, min_tolerance = 1e-12, last_tolerance = 1e-6;
constexpr double unlimited_iterations = 1e9;
constexpr double diverged_residual = 1e3, diverged_distance = 10;
constexpr double stagnated_fall = 0.9;
constexpr int64_t told_per_doubling = 256;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool told(int64_t iteration) {
  const auto step =
      static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(iteration))) / told_per_doubling;
  return step <= 1 || iteration % step == 0;
}

struct Mark {
  int64_t iteration;
  double seconds;
};

// One run of a method through the step.
struct Trial {
  std::vector<Mark> marks;  // iterations within the budget that are told
  double setup_seconds = 0;
  step::StepReport report;
  bool cut = false;     // by the budget in seconds
  std::string failure;  // empty: none

  // By itself. A method may end in the iteration that is over the budget: that iteration is not told.
  bool ended() const { return !cut && report.status != step::StepStatus::cancelled; }
};

// Called with the positions after each iteration; returns false to stop the method.
using Listener = std::function<bool(std::span<const double>)>;

// Upper median of the times of each told iteration. A run that was cut off before counts as infinitely slow there, so
// that the result is as long as the median run.
std::vector<Mark> median_marks(std::span<const Trial> trials) {
  std::vector<Mark> marks;
  std::vector<double> times(trials.size());
  for (size_t i = 0;; ++i) {
    int64_t iteration = 0;
    for (size_t r = 0; r < trials.size(); ++r) {
      const bool there = i < trials[r].marks.size();
      times[r] = there ? trials[r].marks[i].seconds : std::numeric_limits<double>::infinity();
      if (there) iteration = trials[r].marks[i].iteration;
    }
    std::nth_element(times.begin(), times.begin() + static_cast<int64_t>(times.size() / 2), times.end());
    const double median = times[times.size() / 2];
    if (!std::isfinite(median)) return marks;
    marks.push_back({iteration, median});
  }
}

// The run that tells how the method ended: one that ended by itself only where the median run did, as the points are
// those of the median.
const Trial& median_trial(std::span<const Trial> trials) {
  const auto ended = [](const Trial& trial) { return trial.ended(); };
  const auto count = std::count_if(trials.begin(), trials.end(), ended);
  const bool most = count > static_cast<int64_t>(trials.size() / 2);
  return *std::find_if(trials.begin(), trials.end(),
                       [&](const Trial& trial) { return trial.ended() == most; });
}

double lowest_residual(std::span<const Point> points) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Point& point : points) lowest = std::min(lowest, point.residual);
  return lowest;
}

double tolerance_of(const Entry& entry, const Options& options) {
  return entry.own_tolerance ? entry.settings.tolerance : options.tolerance;
}

Status status_of(const Curve& curve, const Trial& trial, const Options& options) {
  const Point& last = curve.last();
  if (!std::isfinite(last.residual) || !std::isfinite(trial.report.residual)) return Status::diverged;
  if (last.relative <= tolerance_of(curve.entry, options)) return Status::converged;
  if (last.residual > diverged_residual * curve.points[0].residual || last.error_max > diverged_distance)
    return Status::diverged;
  if (trial.ended() && !curve.entry.own_iterations) return Status::stagnated;
  size_t half = 0;  // points of the first half
  while (half < curve.points.size() && 2 * curve.points[half].iteration <= last.iteration) ++half;
  const double before = lowest_residual(std::span(curve.points).first(half));
  const bool flat = lowest_residual(curve.points) > stagnated_fall * before;
  return flat && last.iteration >= 4 ? Status::stagnated : Status::running;
}

class Runner {
 public:
  Runner(const scene::Built& built, std::span<const Entry> entries, const Options& options,
         const Progress& progress, const Cancel* cancel)
      : model_(built.model), entries_(entries), progress_(progress), cancel_(cancel) {
    result_.options = options;
    runs_ = static_cast<double>(options.step) +
            static_cast<double>(entries.size()) * static_cast<double>(options.repeats + 1);
  }

  Result<Comparison> run(const scene::Built& built, step::Settings newton);

 private:
  bool cancelled() {
    result_.interrupted |= cancel_ && cancel_->requested();
    return result_.interrupted;
  }
  void tell(const std::string& what, double part = 0) const {
    if (progress_) progress_(what, (done_ + part) / runs_);
  }

  void declare(const Entry& entry, model::StateLayout& layout) const;
  Result<void> approach(const scene::Built& built, const step::Method& method, step::Settings newton);
  step::StepReport converge(const step::Method& method, step::Settings newton, model::State& state,
                            Metric& metric);
  void find_reference(const step::Method& method, const step::Settings& newton, Metric& metric);
  step::Settings settings_of(const Entry& entry) const;
  // Runs the method through the step; memory that runs out, and anything thrown, becomes the trial's failure.
  template <class Prepare>
  void attempt(const Entry& entry, Trial& trial, const Prepare& prepare) const;
  Trial timed(const Entry& entry) const;
  Curve traced(const Entry& entry, std::span<const Trial> trials, Metric& metric);

  const model::Model& model_;
  std::span<const Entry> entries_;
  const Progress& progress_;
  const Cancel* cancel_;
  double done_ = 0, runs_ = 1;
  model::State start_;
  Comparison result_;
};

// A method that cannot be made says so again when its turn comes.
void Runner::declare(const Entry& entry, model::StateLayout& layout) const {
  try {
    if (auto stepper = entry.method->make(model_, settings_of(entry))) (*stepper)->declare(layout);
  } catch (const std::exception&) {
  }
}

// Takes the steps before the compared one.
Result<void> Runner::approach(const scene::Built& built, const step::Method& method, step::Settings newton) {
  model::StateLayout layout;
  auto stepper = method.make(model_, newton);
  if (!stepper) return stepper.error();
  (*stepper)->declare(layout);
  for (const Entry& entry : entries_) declare(entry, layout);
  start_ = scene::initial_state(built, layout);
  const int64_t substeps = built.time.substeps;
  const auto time_of = [&](int64_t k) {
    return built.time.time_of((k - 1) / substeps + 1, static_cast<int32_t>((k - 1) % substeps) + 1);
  };
  const int64_t last = result_.options.step;
  for (int64_t k = 1; k < last && !cancelled(); ++k) {
    tell("newton takes step " + std::to_string(k) + " of " + std::to_string(last - 1) + " before");
    const step::StepReport report =
        (*stepper)->step(model_.inputs, time_of(k), start_, {.cancel = cancel_, .on_residual = {}});
    if (report.status == step::StepStatus::cancelled) continue;
    if (!report.taken())
      return input_error("step " + std::to_string(k),
                         "newton found no solution, so that the compared step has no start");
    if (report.status == step::StepStatus::stalled)
      result_.notes.push_back("newton did not reach the scene's tolerance in step " + std::to_string(k));
    ++done_;
  }
  result_.time = time_of(last);
  return {};
}

// Takes the step as exactly as newton can. What is far from an equilibrium is no reference.
step::StepReport Runner::converge(const step::Method& method, step::Settings newton, model::State& state,
                                  Metric& metric) {
  newton.tolerance = std::clamp(0.01 * result_.options.tolerance, min_tolerance, reference_tolerance);
  const double loosest = std::max(0.1 * result_.options.tolerance, last_tolerance);
  tell(fmt::format("newton finds the reference to {:.0e}", newton.tolerance));
  const auto stepper = method.make(model_, newton);
  state = start_;
  step::StepReport report =
      (*stepper)->step(model_.inputs, result_.time, state, {.cancel = cancel_, .on_residual = {}});
  metric.set_contacts((*stepper)->contacts());
  result_.reference.relaxed = report.relative_residual > newton.tolerance;
  if (report.taken() && !(report.relative_residual <= loosest)) report.status = step::StepStatus::failed;
  return report;
}

void Runner::find_reference(const step::Method& method, const step::Settings& newton, Metric& metric) {
  model::State state;
  const step::StepReport report = converge(method, newton, state, metric);
  ++done_;
  Reference& reference = result_.reference;
  reference.status = report.status;
  reference.iterations = report.iterations;
  if (!reference.found()) {
    reference.residual = report.residual;
    reference.relative = report.relative_residual;
    reference.energy = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  metric.set_reference(state.x());
  const Point at = metric.measure({state.x().data()->v, 3 * state.x().size()});
  reference.residual = at.residual;
  reference.relative = at.relative;
  reference.energy = metric.energy();
  if (std::isnan(at.energy_gap))
    result_.notes.emplace_back("a load of this scene has no energy, so that energy gaps are not known");
}

step::Settings Runner::settings_of(const Entry& entry) const {
  step::Settings settings = entry.settings;
  // Half, so that rounding does not decide who has converged.
  settings.tolerance = 0.5 * tolerance_of(entry, result_.options);
  if (entry.method->budgeted && !entry.own_iterations)
    settings.options.set("iterations", unlimited_iterations);
  return settings;
}

template <class Prepare>
void Runner::attempt(const Entry& entry, Trial& trial, const Prepare& prepare) const {
  try {
    model::State state = start_;
    const Clock::time_point begin = Clock::now();
    auto stepper = entry.method->make(model_, settings_of(entry));
    trial.setup_seconds = seconds_since(begin);
    if (!stepper) {
      trial.failure = stepper.error().what;
      return;
    }
    Cancel stop;
    Control control{.cancel = &stop, .on_residual = {}};
    const Listener listener = prepare();
    control.on_iterate = [&](std::span<const double> coordinates) {
      if (stop.requested()) return;
      if (!listener(coordinates) || (cancel_ && cancel_->requested())) stop.request();
    };
    trial.report = (*stepper)->step(model_.inputs, result_.time, state, control);
  } catch (const std::bad_alloc&) {
    trial.failure = "out of memory";
  } catch (const std::exception& error) {
    trial.failure = error.what();
  }
}

Trial Runner::timed(const Entry& entry) const {
  Trial trial;
  Mark last{0, 0};
  const Options& options = result_.options;
  attempt(entry, trial, [&]() -> Listener {
    return [&, begin = Clock::now()](std::span<const double>) {
      const double seconds = seconds_since(begin);
      trial.cut = seconds > options.budget;
      if (trial.cut) return false;
      last = {last.iteration + 1, seconds};
      if (told(last.iteration) || last.iteration == options.iterations) trial.marks.push_back(last);
      return last.iteration < options.iterations;
    };
  });
  const bool open = trial.marks.empty() || trial.marks.back().iteration < last.iteration;
  if (trial.ended() && open && last.iteration > 0) trial.marks.push_back(last);
  return trial;
}

Curve Runner::traced(const Entry& entry, std::span<const Trial> trials, Metric& metric) {
  Curve curve{entry, Status::failed, {}, 0, {metric.start()}};
  for (const Trial& trial : trials)
    if (!trial.failure.empty()) {
      curve.notes = {trial.failure};
      return curve;
    }
  const std::vector<Mark> marks = median_marks(trials);
  std::vector<double> setups;
  for (const Trial& trial : trials) setups.push_back(trial.setup_seconds);
  std::nth_element(setups.begin(), setups.begin() + static_cast<int64_t>(setups.size() / 2), setups.end());
  curve.setup_seconds = setups[setups.size() / 2];
  Trial trial;
  if (!marks.empty())
    attempt(entry, trial, [&]() -> Listener {
      return [&, iteration = int64_t{0}, next = size_t{0}](std::span<const double> coordinates) mutable {
        if (++iteration < marks[next].iteration) return true;
        Point point = metric.measure(coordinates);
        point.iteration = iteration;
        point.seconds = marks[next].seconds;
        curve.points.push_back(point);
        ++next;
        tell("evaluating " + entry.label, static_cast<double>(next) / static_cast<double>(marks.size()));
        return next < marks.size();
      };
    });
  if (!trial.failure.empty()) {
    curve.notes = {trial.failure};
    return curve;
  }
  // A timed run knows how the method ended; the traced one is stopped at its last point.
  const Trial& whole = median_trial(trials);
  curve.ended = whole.ended();
  curve.status = status_of(curve, whole, result_.options);
  if (marks.empty() && !whole.ended()) curve.notes.emplace_back("no iteration ended within the budget");
  if (whole.ended())
    curve.notes.insert(curve.notes.end(), whole.report.notes.begin(), whole.report.notes.end());
  if (whole.ended() && whole.report.reason) curve.notes.push_back(whole.report.reason->text());
  return curve;
}

Result<Comparison> Runner::run(const scene::Built& built, step::Settings newton) {
  const step::Method* method = step::find_method("newton");
  // The metric's energy continues past inversion; the reference must be a point of the same energy.
  newton.options.set("inversion", "extend");
  if (auto ok = approach(built, *method, newton); !ok) return ok.error();
  if (cancelled()) return std::move(result_);
  Metric metric(model_, newton, result_.time, start_);
  result_.size = metric.size();
  find_reference(*method, newton, metric);
  std::vector<std::vector<Trial>> trials(entries_.size());
  for (int r = 0; r < result_.options.repeats; ++r)
    for (size_t e = 0; e < entries_.size() && !cancelled(); ++e) {
      tell("timing " + entries_[e].label);
      if (r == 0 || trials[e][0].failure.empty()) trials[e].push_back(timed(entries_[e]));
      ++done_;
    }
  for (size_t e = 0; e < entries_.size() && !cancelled(); ++e) {
    tell("evaluating " + entries_[e].label);
    result_.curves.push_back(traced(entries_[e], trials[e], metric));
    ++done_;
  }
  cancelled();
  return std::move(result_);
}

}  // namespace

std::string_view name_of(Status status) {
  constexpr std::string_view names[] = {"converged", "out of budget", "stagnated", "diverged", "failed"};
  return names[static_cast<int>(status)];
}

Result<Comparison> run(const scene::Built& built, const step::Settings& newton,
                       std::span<const Entry> entries, const Options& options, const Progress& progress,
                       const Cancel* cancel) {
  const int64_t steps = int64_t{built.time.frames} * built.time.substeps;
  if (options.step < 1 || options.step > steps)
    return usage_error("found step " + std::to_string(options.step) + ", expected 1 to " +
                       std::to_string(steps) + ", the last step of the scene");
  return unless_out_of_memory("compare", [&]() -> Result<Comparison> {
    if (!built.model.contact.barrier)
      return Runner(built, entries, options, progress, cancel).run(built, newton);
    // All methods are compared on the same energy, that of the penalty.
    scene::Built penalty = built;
    penalty.model.contact.barrier = false;
    Result<Comparison> result = Runner(penalty, entries, options, progress, cancel).run(penalty, newton);
    if (result)
      result->notes.emplace_back(
          "contact acts by the penalty, for all methods alike; a run of this scene keeps bodies apart by a "
          "barrier (\"response\": \"auto\")");
    return result;
  });
}

}  // namespace sinew::compare
