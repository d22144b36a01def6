#include "solve/newton.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "solve/stopwatch.h"
#include "solve/vectors.h"
#include "solve/work.h"

namespace sinew::solve {

namespace {

constexpr double armijo = 1e-4;
constexpr double near_noise = 100, turned = 0.5;
constexpr double exact_below = 1e-1;  // relative residual from which the exact Hessian is tried
constexpr int projected_iterations = 4;
constexpr int stall_iterations = 25;
constexpr int excursion_steps = 4;
constexpr double near = 2;  // times the tolerance, from where sweeps try to end the solve
constexpr int finishing_sweeps = static_cast<int>(0.5 * work::newton / work::sweep);
constexpr int excursion_pause = 10;   // iterations after one that failed
constexpr double decades_anew = 2;    // expected of a step with a matrix of its own
constexpr double kept_forcing = 0.5;  // over the ratio of the last step

}  // namespace

Newton::Newton(System& system, NewtonOptions options, std::unique_ptr<Smoother> smoother)
    : system_(system), options_(std::move(options)), smoother_(std::move(smoother)) {
  ladder_.push_back(make_linear_solver(options_.linear, system));
  const size_t nodes = system.model().X.size(), blocks = system.dofs().block_count();
  for (auto* v : {&gradient_, &trial_gradient_, &trial_, &d_, &boundary_, &work_}) v->resize(nodes);
  rhs_.resize(blocks);
  q_.resize(blocks);
}

Evaluation Newton::evaluate(std::span<const Vec3d> x, SolveReport& report) {
  const Stopwatch watch(report.seconds_evaluation);
  return system_.evaluate(x, trial_gradient_);
}

// Near the tolerance a few sweeps may do what would else take a whole iteration; false: they did not help.
bool Newton::finish(std::span<Vec3d> x, Evaluation& at, SolveReport& report) {
  std::copy(x.begin(), x.end(), trial_.begin());
  smoother_->smooth(trial_, finishing_sweeps);
  const Evaluation now = evaluate(trial_, report);
  if (!(now.relative < at.relative)) return false;
  std::copy(trial_.begin(), trial_.end(), x.begin());
  std::swap(gradient_, trial_gradient_);
  at = now;
  return true;
}

// The matrix of a step that left `ratio` of the residual is to be kept for the next one: such a step would again take off
// more, per unit of work, than one that assembles anew.
bool Newton::serves_again(double ratio, int linear_iterations) const {
  if (!smoother_ || !linear().lasting()) return false;
  const double kept = linear_iterations * work::linear_iteration + work::evaluation + work::sweep;
  return -std::log10(ratio) / kept > decades_anew / (kept + work::assembly);
}

// The next stronger linear solver; false: there is none.
bool Newton::climb() {
  if (options_.linear != "auto" || rung_ == 2) return false;
  if (rung_ + 1 == ladder_.size()) {
    // A direct solver that was chosen for its speed gives way to conjugate gradients, which bear a singular matrix.
    std::unique_ptr<LinearSolver> next;
    if (ladder_[0]->direct())
      next = make_linear_solver(rung_ == 0 ? "pcg" : "pcg_cholesky", system_);
    else
      next = rung_ == 0 ? make_linear_solver("pcg_cholesky", system_) : make_direct_solver(system_);
    if (!next) return false;
    ladder_.push_back(std::move(next));
  }
  ++rung_;
  return true;
}

// Solves H d = -g for the free unknowns, with d given at held nodes that still have to move. `kept`: H is that of the last
// call.
Newton::Step Newton::direction(std::span<const Vec3d> x, const Evaluation& at, double forcing, bool boundary,
                               bool kept, SolveReport& report) {
  Step step;
  step.exact =
      kept ? exact_ : at.inverted == 0 && projected_for_ == 0 && (boundary || at.relative < exact_below);
  if (projected_for_ > 0 && !kept) --projected_for_;
  while (true) {
    const Hessian hessian = step.exact ? Hessian::exact : Hessian::projected;
    LinearReport linear;
    bool definite;
    LinearSolver& solver = *ladder_[rung_];
    {
      const Stopwatch watch(report.seconds_assembly);
      definite = kept || solver.prepare(system_, x, hessian);
      system_.dofs().pull(gradient_, rhs_);
      for (Vec3d& r : rhs_) r = -r;
      if (boundary) {
        system_.product(x, hessian, boundary_, work_);
        system_.dofs().pull(work_, q_);
        for (size_t i = 0; i < rhs_.size(); ++i) rhs_[i] -= q_[i];
      }
    }
    if (definite) {
      const Stopwatch watch(report.seconds_linear);
      linear = solver.solve(rhs_, q_, forcing, options_.max_linear_iterations);
      report.linear_iterations += linear.iterations;
    }
    kept = false;
    if (step.exact && (!definite || linear.negative_curvature)) {
      step.exact = false;
      projected_for_ = projected_iterations;
      continue;
    }
    if ((!definite || (!linear.converged && !linear.negative_curvature)) && climb()) continue;
    exact_ = step.exact;
    // With a semi-definite operator the iterate before the flat direction is a descent direction as well.
    step.found = definite && (linear.iterations > 0 || linear.converged || solver.direct());
    break;
  }
  system_.dofs().push(q_, d_);
  step.slope = dot_of(gradient_, d_);
  if (boundary)
    for (size_t i = 0; i < d_.size(); ++i) d_[i] += boundary_[i];
  return step;
}

// Goes on with whole steps from trial_, evaluated as `first`, which the line search refused, until the energy is as low as it should have been
// after the first; false: it did not come down, and x, the evaluation, the gradient and d_ are as before.
bool Newton::excursion(std::span<Vec3d> x, Evaluation& at, const Evaluation& first, const Step& step,
                       SolveReport& report) {
  home_.assign(x.begin(), x.end());
  home_gradient_ = gradient_;
  home_d_ = d_;
  Evaluation here = first;
  for (int k = 0; k < excursion_steps && report.iterations < options_.max_iterations; ++k) {
    std::copy(trial_.begin(), trial_.end(), x.begin());
    std::swap(gradient_, trial_gradient_);
    ++report.iterations;
    const Step next = direction(x, here, 0.1, false, false, report);
    if (!next.found || !(next.slope < 0)) break;
    for (size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + d_[i];
    if (smoother_) smoother_->smooth(trial_, 1);
    here = evaluate(trial_, report);
    if (!std::isfinite(here.energy) || !std::isfinite(here.residual) || here.inverted > 0) break;
    if (here.energy <= at.energy + armijo * step.slope) {
      std::copy(trial_.begin(), trial_.end(), x.begin());
      std::swap(gradient_, trial_gradient_);
      at = here;
      return true;
    }
  }
  std::copy(home_.begin(), home_.end(), x.begin());
  std::swap(gradient_, home_gradient_);
  std::swap(d_, home_d_);
  stay_home_ = excursion_pause;
  return false;
}

// Moves x along d_ and updates the evaluation and the gradient; false: no step was acceptable.
bool Newton::line_search(std::span<Vec3d> x, Evaluation& at, const Step& step, SolveReport& report) {
  double alpha = 1;
  for (int halvings = 0; halvings < 30; ++halvings, alpha *= 0.5) {
    for_each_block(static_cast<int64_t>(x.size()), 4096, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) trial_[i] = x[i] + d_[i] * alpha;
    });
    if (halvings == 0 && smoother_) smoother_->smooth(trial_, 1);
    const Evaluation trial = evaluate(trial_, report);
    if (!std::isfinite(trial.energy) || !std::isfinite(trial.residual)) continue;
    bool accept;
    if (at.energy_valid && trial.energy_valid) {
      const double noise = at.energy_noise + trial.energy_noise;
      accept = trial.energy <= at.energy + armijo * alpha * step.slope + noise;
      // Near the noise of the energy the force along the step decides, or the residual.
      if (accept && -alpha * step.slope < near_noise * noise)
        accept =
            trial.residual < at.residual || std::abs(dot_of(trial_gradient_, d_)) <= -turned * step.slope;
    } else {
      // Without an energy: not beyond the point where the force along d has turned and grown.
      accept = std::abs(dot_of(trial_gradient_, d_)) <= 1.0001 * std::abs(step.slope) || halvings >= 4;
    }
    if (!accept && halvings == 0 && stay_home_ == 0 && at.inverted == 0 && trial.inverted == 0 &&
        at.energy_valid && excursion(x, at, trial, step, report))
      return true;
    if (!accept) continue;
    std::copy(trial_.begin(), trial_.end(), x.begin());
    std::swap(gradient_, trial_gradient_);
    at = trial;
    return true;
  }
  return false;
}

SolveReport Newton::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  // What the held nodes still have to move.
  std::copy(x.begin(), x.end(), boundary_.begin());
  system_.dofs().retract(boundary_);
  double moved = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    boundary_[i] -= x[i];
    moved += norm2(boundary_[i]);
  }
  Evaluation at = evaluate(x, report);
  std::swap(gradient_, trial_gradient_);
  bool boundary = moved > 0;
  if (boundary && at.inverted > 0) {  // a tangled start: the held nodes jump
    for (size_t i = 0; i < x.size(); ++i) x[i] += boundary_[i];
    boundary = false;
    at = evaluate(x, report);
    std::swap(gradient_, trial_gradient_);
  }
  projected_for_ = stay_home_ = 0;
  rung_ = 0;
  if (pattern_ != system_.pattern()) {
    if (pattern_) {
      ladder_.clear();
      ladder_.push_back(make_linear_solver(options_.linear, system_));
    }
    pattern_ = system_.pattern();
  }
  double forcing = 0.1, best = at.residual;
  int since_best = 0;
  bool keep = false;
  report.residuals.push_back(at.relative);
  while (true) {
    report.last = at;
    if (control.cancelled()) {
      report.status = SolveStatus::cancelled;
      return report;
    }
    if (!boundary && at.relative <= tolerance) {
      report.status = SolveStatus::converged;
      return report;
    }
    if (report.iterations >= options_.max_iterations || since_best > stall_iterations) return report;
    ++report.iterations;
    if (stay_home_ > 0) --stay_home_;

    const double before = at.residual;
    if (boundary) {
      // The first step has no energy to compare with: the held nodes do work. It is taken whole.
      const Step step = direction(x, at, 1e-2, true, false, report);
      for (size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + (step.found ? d_[i] : boundary_[i]);
      system_.dofs().retract(trial_);
      if (smoother_) smoother_->smooth(trial_, 1);
      Evaluation moved = evaluate(trial_, report);
      if (!std::isfinite(moved.residual)) {  // the held nodes alone
        for (size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + boundary_[i];
        moved = evaluate(trial_, report);
        if (!std::isfinite(moved.residual)) return report;
      }
      at = moved;
      std::swap(gradient_, trial_gradient_);
      std::copy(trial_.begin(), trial_.end(), x.begin());
      boundary = false;
      best = at.residual;
      // What the held nodes do is all unbalanced before.
      keep = step.found && serves_again(at.relative, report.linear_iterations);
    } else {
      if (smoother_ && at.relative < near * tolerance && finish(x, at, report) && at.relative <= tolerance) {
        report.residuals.push_back(at.relative);
        control.residual(at.relative);
        control.iterate(x);
        continue;
      }
      const double target = tolerance / at.relative;
      const int linear_before = report.linear_iterations;
      Step step;
      const auto advance = [&](double to, bool kept) {
        step = direction(x, at, to, false, kept, report);
        return step.found && step.slope < 0 && line_search(x, at, step, report);
      };
      bool moved_on = advance(std::clamp(forcing, std::min(0.1, 0.3 * target), 0.1), keep);
      if (!moved_on && keep) moved_on = advance(0.1, false);
      if (!moved_on && step.exact) {
        projected_for_ = projected_iterations;
        moved_on = advance(0.1, false);
      }
      if (!moved_on) return report;
      const double ratio = at.residual / before;
      forcing = 0.9 * ratio * ratio;
      keep = serves_again(ratio, report.linear_iterations - linear_before);
      if (keep) forcing = std::max(forcing, kept_forcing * ratio);
    }
    report.residuals.push_back(at.relative);
    control.residual(at.relative);
    control.iterate(x);
    since_best = at.residual < 0.9 * best ? 0 : since_best + 1;
    best = std::min(best, at.residual);
  }
}

}  // namespace sinew::solve
