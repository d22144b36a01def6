#pragma once
// The fallback chain of methods for equilibria that one of them may miss. Its rungs begin at the same State and follow the same
// inputs; the first that converges gives the answer:
//
//     path         the method newton, step by step
//     increments   the same in eight times as many steps
//     hybrid       the method hybrid, step by step
//
// `batch` goes down the chain from rest, sample by sample (batch/fallback_chain.h), `run` where the method of the scene did not
// bring a step to an equilibrium:
//
//     auto stepper = make_with_fallbacks(*built.method, built.model, settings_for);
//     StepReport report = (*stepper)->step(inputs, t1, state, control);  // report.notes name the rung
#include <functional>

#include "step/stepper.h"

namespace sinew::step {

struct Rung {
  std::string_view name;
  std::string_view method;
  int finer = 1;  // times as many steps as were asked for

  // The ends of its steps from t0 on in place of the ends `asked`; the last one is the same.
  std::vector<double> times(double t0, std::span<const double> asked) const;
};

std::span<const Rung> fallback_chain();

// Takes State along `times` until a step does not converge. Returns the sum of the reports.
StepReport follow(Stepper& stepper, const model::InputCurve& inputs, std::span<const double> times,
                  model::State& state, const Control& control);

// The settings that a method has in the scene.
using SettingsFor = std::function<Settings(const Method&)>;

// The stepper of the method. One that is quasistatic and has no budget goes down the chain where a step stalls or fails, except
// for what rounding limits. Where no rung converges the step is what the method made of it. The model must outlive the stepper.
Result<std::unique_ptr<Stepper>> make_with_fallbacks(const Method& method, const model::Model& model,
                                                     const SettingsFor& settings_for);

}  // namespace sinew::step
