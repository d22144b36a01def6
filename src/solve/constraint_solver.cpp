#include "solve/constraint_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::solve {

ConstraintSolver::ConstraintSolver(const System& system, const ConstraintOptions& options)
    : system_(system),
      options_(options),
      sweeps_(system, options.sweeps),
      mass_(system.model().lumped_mass(system.params())),
      weight_(mass_.size()),
      gradient_(mass_.size()),
      start_(mass_.size()) {}

void ConstraintSolver::take_weights() {
  const auto inertia = system_.inertia_weight();
  if (!inertia.empty()) {
    weight_.assign(inertia.begin(), inertia.end());
    return;
  }
  const double scale = 1 / (options_.pseudo_step * options_.pseudo_step);
  std::transform(mass_.begin(), mass_.end(), weight_.begin(), [&](double m) { return m * scale; });
}

// The free motion, and multipliers 0.
void ConstraintSolver::start_step(std::span<Vec3d> x) {
  std::fill(gradient_.begin(), gradient_.end(), Vec3d{0, 0, 0});
  for (const auto& term : system_.terms())
    if (term->external()) term->evaluate(system_.view(x), gradient_);
  const auto target = system_.inertia_target();
  for (size_t i = 0; i < x.size(); ++i) {
    if (weight_[i] == 0) continue;
    x[i] = (target.empty() ? x[i] : target[i]) - gradient_[i] * (1 / weight_[i]);
  }
  system_.dofs().retract(x);
  sweeps_.start(weight_);
}

bool ConstraintSolver::judge(std::span<const Vec3d> x, double tolerance, SolveReport& report) {
  constexpr double growth = 1e10, standstill = 1e-12;
  const double before = report.last.residual;
  const bool first = report.residuals.empty();
  report.last = system_.evaluate(x, gradient_);
  report.residuals.push_back(report.last.relative);
  if (first) start_residual_ = report.last.residual;
  if (report.last.relative <= tolerance) {
    report.status = SolveStatus::converged;
    return true;
  }
  if (!(report.last.residual <= growth * start_residual_)) {
    report.last.residual = std::numeric_limits<double>::infinity();
    return true;
  }
  return !first && std::abs(report.last.residual - before) <= standstill * before;
}

SolveReport ConstraintSolver::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  system_.dofs().retract(x);
  std::copy(x.begin(), x.end(), start_.begin());
  take_weights();
  const bool pseudo = system_.inertia_weight().empty() && !options_.sweeps.hard;
  const int step = pseudo ? options_.sweeps_per_step : options_.max_iterations;
  // Whole pseudo-steps, so that points of one phase are compared.
  const int between = pseudo ? step * std::max(1, 32 / step) : 32;
  bool done = judge(x, tolerance, report);
  while (!done && report.iterations < options_.max_iterations) {
    if (control.cancelled()) {
      report.status = SolveStatus::cancelled;
      return report;
    }
    if (report.iterations % step == 0) start_step(x);
    sweeps_.sweep(x);
    ++report.iterations;
    if (report.iterations % between == 0 || report.iterations == options_.max_iterations)
      done = judge(x, tolerance, report);
    control.residual(report.last.relative);
    control.iterate(x);
  }
  if (!std::isfinite(report.last.residual)) std::copy(start_.begin(), start_.end(), x.begin());
  return report;
}

}  // namespace sinew::solve
