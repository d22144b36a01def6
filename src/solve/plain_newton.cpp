#include "solve/plain_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/general_solvers.h"
#include "solve/stopwatch.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr double runaway = 1e10;  // growth of the residual that ends a solve

std::unique_ptr<LinearSolver> make_linear(const PlainNewtonOptions& options, const System& system) {
  if (options.linear == "gauss_seidel") return make_gauss_seidel(options.relaxation);
  if (options.linear == "bicgstab") return make_bicgstab();
  if (options.linear == "plain_cg") return make_plain_cg();
  if (options.linear == "direct") return make_lu();
  return make_linear_solver("pcg", system);
}

}  // namespace

PlainNewton::PlainNewton(System& system, const PlainNewtonOptions& options)
    : system_(system), options_(options), linear_(make_linear(options, system)), line_(system) {
  for (auto* v : {&gradient_, &d_, &trial_}) v->resize(system.model().X.size());
  for (auto* v : {&rhs_, &q_}) v->resize(system.dofs().block_count());
}

// H d = -g as far as the linear iterations get. Returns |d|^2; 0: there is no step.
double PlainNewton::direction(std::span<const Vec3d> x, SolveReport& report) {
  {
    const Stopwatch watch(report.seconds_assembly);
    if (!linear_->prepare(system_, x, options_.hessian)) return 0;
  }
  const Stopwatch watch(report.seconds_linear);
  system_.dofs().pull(gradient_, rhs_);
  for (Vec3d& r : rhs_) r = -r;
  report.linear_iterations += linear_->solve(rhs_, q_, 0, options_.linear_iterations).iterations;
  system_.dofs().push(q_, d_);
  return dot_of(d_, d_);
}

// False: x is where it was.
bool PlainNewton::step(std::span<Vec3d> x, Evaluation& at, SolveReport& report) {
  const double length = direction(x, report);
  if (length == 0) return false;
  if (!std::isfinite(length)) {  // the linear iterations diverged
    at.residual = std::numeric_limits<double>::infinity();
    return true;
  }
  if (options_.line_search) return line_.search(x, at, gradient_, d_, 1, report) > 0;
  std::copy(x.begin(), x.end(), trial_.begin());
  add_scaled(trial_, d_, 1);
  const Stopwatch watch(report.seconds_evaluation);
  at = system_.evaluate(trial_, gradient_);
  if (std::isfinite(at.residual)) std::copy(trial_.begin(), trial_.end(), x.begin());
  return true;
}

SolveReport PlainNewton::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  if (pattern_ && pattern_ != system_.pattern()) linear_ = make_linear(options_, system_);
  pattern_ = system_.pattern();
  system_.dofs().retract(x);
  Evaluation at = system_.evaluate(x, gradient_);
  const double most = runaway * at.residual;
  report.residuals.push_back(at.relative);
  while (true) {
    report.last = at;
    if (control.cancelled()) {
      report.status = SolveStatus::cancelled;
      return report;
    }
    if (!(at.residual <= most)) {
      report.last.residual = std::numeric_limits<double>::infinity();
      return report;
    }
    if (at.relative <= tolerance) {
      report.status = SolveStatus::converged;
      return report;
    }
    if (report.iterations >= options_.max_iterations || !step(x, at, report)) return report;
    ++report.iterations;
    report.residuals.push_back(at.relative);
    control.residual(at.relative);
    control.iterate(x);
  }
}

}  // namespace sinew::solve
