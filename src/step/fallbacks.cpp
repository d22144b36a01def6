#include "step/fallbacks.h"

#include <algorithm>
#include <fmt/format.h>

#include "step/report_sum.h"

namespace sinew::step {

namespace {

class FallbackStepper final : public Stepper {
 public:
  FallbackStepper(const Method& method, const model::Model& model, const SettingsFor& settings_for,
                  std::unique_ptr<Stepper> own)
      : method_(method), model_(model), settings_for_(settings_for), own_(std::move(own)) {}

  void declare(model::StateLayout& layout) const override { own_->declare(layout); }
  StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                  const Control& control) override;
  std::span<const contact::Pair> contacts() const override { return (other_ ? other_ : own_)->contacts(); }
  const model::State* reached() const override { return own_->reached(); }

 private:
  bool finds_none(const StepReport& report) const;
  std::unique_ptr<Stepper> make(const Rung& rung) const;

  const Method& method_;
  const model::Model& model_;
  const SettingsFor settings_for_;
  std::unique_ptr<Stepper> own_;
  std::unique_ptr<Stepper> other_;  // that took the last step in place of the own one
};

// The step has no equilibrium, and another method may find one.
bool FallbackStepper::finds_none(const StepReport& report) const {
  return report.status == StepStatus::failed ||
         (report.status == StepStatus::stalled && report.rounding <= settings_for_(method_).tolerance);
}

// Null: the rung is the method itself, or cannot go on from its State.
std::unique_ptr<Stepper> FallbackStepper::make(const Rung& rung) const {
  if (rung.method == method_.name && rung.finer == 1) return nullptr;
  const Method& method = *find_method(rung.method);
  Result<std::unique_ptr<Stepper>> stepper = method.make(model_, settings_for_(method));
  if (!stepper) return nullptr;
  model::StateLayout own, other;
  own_->declare(own);
  (*stepper)->declare(other);
  return std::ranges::equal(own.columns(), other.columns()) ? std::move(*stepper) : nullptr;
}

StepReport FallbackStepper::step(const model::InputCurve& inputs, double t1, model::State& state,
                                 const Control& control) {
  other_.reset();
  model::State end = state;
  StepReport report = own_->step(inputs, t1, end, control);
  std::string tried;
  for (const Rung& rung : finds_none(report) ? fallback_chain() : std::span<const Rung>()) {
    std::unique_ptr<Stepper> stepper = make(rung);
    if (!stepper) continue;
    model::State trial = state;
    StepReport found = follow(*stepper, inputs, rung.times(state.time(), {&t1, 1}), trial, control);
    if (found.status == StepStatus::cancelled) return found;
    // Methods differ in what they make of inverted elements.
    if (found.status == StepStatus::converged && (found.inverted == 0 || rung.method == method_.name)) {
      add_work(report, found);
      found.notes.push_back(fmt::format("{} did not converge; the fallback \"{}\" did: {}{}", method_.name,
                                        rung.name, rung.method,
                                        rung.finer > 1 ? fmt::format(" in {} steps", rung.finer) : ""));
      trial.set_step(state.step() + 1);
      state = std::move(trial);
      other_ = std::move(stepper);
      return found;
    }
    add_work(found, report);
    tried += (tried.empty() ? "" : ", ") + std::string(rung.name);
  }
  if (!tried.empty()) report.notes.push_back("the fallbacks did not converge either: " + tried);
  if (report.taken()) state = std::move(end);
  return report;
}

}  // namespace

std::span<const Rung> fallback_chain() {
  static constexpr Rung rungs[] = {{"path", "newton"}, {"increments", "newton", 8}, {"hybrid", "hybrid"}};
  return rungs;
}

std::vector<double> Rung::times(double t0, std::span<const double> asked) const {
  if (finer == 1) return {asked.begin(), asked.end()};
  const size_t steps = finer * asked.size();
  std::vector<double> times;
  for (size_t k = 1; k < steps; ++k)
    times.push_back(t0 + (asked.back() - t0) * static_cast<double>(k) / static_cast<double>(steps));
  times.push_back(asked.back());
  return times;
}

StepReport follow(Stepper& stepper, const model::InputCurve& inputs, std::span<const double> times,
                  model::State& state, const Control& control) {
  StepReport sum;
  for (size_t k = 0; k < times.size() && (k == 0 || sum.status == StepStatus::converged); ++k) {
    const StepReport report = stepper.step(inputs, times[k], state, control);
    if (k == 0)
      sum = report;
    else
      append(report, sum);
  }
  return sum;
}

Result<std::unique_ptr<Stepper>> make_with_fallbacks(const Method& method, const model::Model& model,
                                                     const SettingsFor& settings_for) {
  const Settings settings = settings_for(method);
  Result<std::unique_ptr<Stepper>> own = method.make(model, settings);
  if (!own || settings.mode != Mode::quasistatic || method.budgeted) return own;
  return std::unique_ptr<Stepper>(
      std::make_unique<FallbackStepper>(method, model, settings_for, std::move(*own)));
}

}  // namespace sinew::step
