#include "solve/plain_newton.h"

#include <cmath>
#include <limits>

#include "base/stopwatch.h"
#include "solve/general_solvers.h"
#include "solve/iteration.h"
#include "solve/line_search.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr double runaway = 1e10;  // growth of the residual that ends a solve

std::unique_ptr<LinearSolver> make_linear(const PlainNewtonOptions& options, const System& system) {
  if (options.linear == "gauss_seidel") return make_gauss_seidel(options.relaxation);
  if (options.linear == "bicgstab") return make_bicgstab();
  if (options.linear == "plain_cg") return make_plain_cg();
  if (options.linear == "direct") return make_lu();
  return make_linear_solver(options.linear == "multigrid" ? "pcg_multigrid" : "pcg", system);
}

}  // namespace

PlainNewton::PlainNewton(System& system, const PlainNewtonOptions& options)
    : system_(system), options_(options), linear_(make_linear(options, system)), point_(system) {
  d_.resize(system.model().X.size());
}

// H d = -g as far as the linear iterations get. Returns |d|^2; 0: there is no step.
double PlainNewton::direction(SolveReport& report) {
  {
    const Stopwatch watch(report.seconds_assembly);
    if (!linear_->prepare(system_, point_.x, options_.hessian)) return 0;
  }
  const Stopwatch watch(report.seconds_linear);
  system_.dofs().pull(point_.x, point_.gradient, rhs_);
  for (Vec3d& r : rhs_) r = -r;
  report.linear_iterations += linear_->solve(rhs_, q_, 0, options_.linear_iterations).iterations;
  system_.dofs().push(point_.x, q_, d_);
  return dot_of(d_, d_);
}

// False: there is no step. A step that leads to no number leaves x where it was, and the residual says so.
bool PlainNewton::step(SolveReport& report) {
  const double length = direction(report);
  if (length == 0) return false;
  if (!std::isfinite(length)) {  // the linear iterations diverged
    point_.at.residual = std::numeric_limits<double>::infinity();
    return true;
  }
  if (options_.line_search) return line_search(point_, d_, dot_of(point_.gradient, d_), {}, report) > 0;
  point_.advance(d_, 1);
  if (std::isfinite(point_.evaluate_trial(report).residual))
    point_.accept_trial();
  else
    point_.at = point_.trial_at;
  return true;
}

SolveReport PlainNewton::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  if (pattern_ && (pattern_ != system_.pattern() || carried_version_ != system_.carried_version()))
    linear_ = make_linear(options_, system_);
  pattern_ = system_.pattern();
  carried_version_ = system_.carried_version();
  for (auto* v : {&rhs_, &q_}) v->resize(system_.dofs().unknown_count());
  system_.dofs().retract(x);
  point_.start(x, report);
  Iteration iteration(point_, {tolerance, options_.max_iterations, runaway * point_.at.residual}, control,
                      report);
  while (iteration.continues() && step(report)) {
    ++report.iterations;
    iteration.accepted();
  }
  return report;
}

}  // namespace sinew::solve
