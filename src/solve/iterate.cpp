#include "solve/iterate.h"

#include <algorithm>

#include "base/stopwatch.h"

namespace sinew::solve {

Iterate::Iterate(const System& system) : system_(system) {
  for (auto* v : {&gradient, &trial, &trial_gradient}) v->resize(system.model().X.size());
}

void Iterate::start(std::span<Vec3d> positions, SolveReport& report) {
  x = positions;
  system_.clear_way(x, x);
  const Stopwatch watch(report.seconds_evaluation);
  system_.activate_barrier(x);
  at = system_.evaluate(x, gradient);
}

void Iterate::advance(std::span<const Vec3d> d, double alpha) { system_.dofs().advance(x, d, alpha, trial); }

double Iterate::clear_way() { return system_.clear_way(x, trial); }

double Iterate::clear_way(std::span<const Vec3d> d, double alpha) {
  if (!system_.has_barrier()) return 1;
  advance(d, alpha);
  return clear_way();
}

void Iterate::clear_trial() {
  const double share = clear_way();
  if (share < 1)
    for (size_t i = 0; i < trial.size(); ++i) trial[i] = x[i] + (trial[i] - x[i]) * share;
}

const Evaluation& Iterate::evaluate_trial(SolveReport& report) {
  const Stopwatch watch(report.seconds_evaluation);
  return trial_at = system_.evaluate(trial, trial_gradient);
}

void Iterate::accept_trial() {
  std::copy(trial.begin(), trial.end(), x.begin());
  std::swap(gradient, trial_gradient);
  at = trial_at;
  system_.activate_barrier(x);
}

}  // namespace sinew::solve
