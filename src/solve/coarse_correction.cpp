#include "solve/coarse_correction.h"

#include <algorithm>

#include "base/stopwatch.h"
#include "solve/line_search.h"
#include "solve/vectors.h"
#include "solve/work.h"

namespace sinew::solve {

namespace {

constexpr int max_linear = 8;  // iterations of a step
constexpr double forcing = 0.05;
constexpr double exact_below = 1e-1;  // relative residual
constexpr double cycle = 10;          // units of work: a cycle and a product
constexpr int max_halvings = 8;

double in_sweeps(double units) { return units / work::sweep; }

}  // namespace

CoarseCorrection::CoarseCorrection(System& system) : system_(system) {}

void CoarseCorrection::restart() {
  anew_ = true;
  indefinite_ = false;
  fresh_decades_ = 0;
}

void CoarseCorrection::prepare(std::span<const Vec3d> x, const Evaluation& at, SolveReport& report) {
  const Stopwatch watch(report.seconds_assembly);
  exact_ = !indefinite_ && at.inverted == 0 && at.relative < exact_below;
  linear_->prepare(system_, x, exact_ ? Hessian::exact : Hessian::projected);
  work_ += in_sweeps(work::assembly + work::hierarchy);
}

double CoarseCorrection::first_work() {
  return in_sweeps(work::assembly + work::hierarchy + max_linear * cycle + work::evaluation);
}

double CoarseCorrection::next_work() const {
  return anew_ ? first_work() : in_sweeps(max_linear * cycle + work::evaluation);
}

bool CoarseCorrection::apply(std::span<Vec3d> x, Evaluation& at, std::vector<Vec3d>& gradient,
                             SolveReport& report) {
  work_ = 0;
  const size_t unknowns = system_.dofs().unknown_count(), nodes = x.size();
  for (auto* v : {&rhs_, &q_}) v->resize(unknowns);
  for (auto* v : {&d_, &trial_, &trial_gradient_}) v->resize(nodes);
  if (!linear_ || pattern_ != system_.pattern() || carried_version_ != system_.carried_version()) {
    linear_ = make_linear_solver("pcg_multigrid", system_);
    pattern_ = system_.pattern();
    carried_version_ = system_.carried_version();
    anew_ = true;
  }
  while (true) {
    own_ = anew_;
    if (anew_) prepare(x, at, report);
    anew_ = false;
    if (search(x, at, gradient, report)) return true;
    if (own_ && !exact_) return false;
    indefinite_ = indefinite_ || (own_ && exact_);
    anew_ = true;
  }
}

bool CoarseCorrection::search(std::span<Vec3d> x, Evaluation& at, std::vector<Vec3d>& gradient,
                              SolveReport& report) {
  system_.dofs().pull(x, gradient, rhs_);
  for (Vec3d& r : rhs_) r = -r;
  {
    const Stopwatch watch(report.seconds_linear);
    const LinearReport linear = linear_->solve(rhs_, q_, forcing, max_linear);
    report.linear_iterations += linear.iterations;
    work_ += in_sweeps(linear.iterations * cycle);
    if (linear.negative_curvature && exact_) return false;
  }
  system_.dofs().push(x, q_, d_);
  const double slope = dot_of(gradient, d_);
  if (!(slope < 0)) return false;
  const Stopwatch watch(report.seconds_evaluation);
  double alpha = 1;
  for (int halvings = 0; halvings <= max_halvings; ++halvings, alpha /= 2) {
    system_.dofs().advance(x, d_, alpha, trial_);
    const Evaluation now = system_.evaluate(trial_, trial_gradient_);
    work_ += in_sweeps(work::evaluation);
    const TrialStep step{at, now, slope, alpha, halvings};
    if (!is_finite(now) || !relaxed_armijo(step, [&] { return dot_of(trial_gradient_, d_); })) continue;
    std::copy(trial_.begin(), trial_.end(), x.begin());
    gradient.swap(trial_gradient_);
    at = now;
    return true;
  }
  return false;
}

void CoarseCorrection::note(double decades, double sweeps) {
  if (own_) fresh_decades_ = decades;
  const double assembly = in_sweeps(work::assembly + work::hierarchy);
  const double kept = sweeps + (own_ ? work_ - assembly : work_);
  anew_ = !(decades / kept > fresh_decades_ / (kept + assembly));
}

}  // namespace sinew::solve
