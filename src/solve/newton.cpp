#include "solve/newton.h"

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "solve/iteration.h"
#include "solve/line_search.h"
#include "solve/negative_curvature.h"
#include "solve/vectors.h"
#include "solve/work.h"

namespace sinew::solve {

namespace {

// The exact Hessian is tried below a relative residual, another where elements are inverted, and, where none is, everywhere
// after some iterations.
constexpr double exact_below = 1e-1, exact_below_inverted = 1e-2;
constexpr int exact_after = 4;
// Conjugate gradients whose sum is a direction though the matrix turned out to be indefinite.
constexpr int truncated_iterations = 20, truncated_in_time = 4;
constexpr int projected_in_time = 1;  // projected_iterations, with inertia
// Of the promised decrease that a step must bring where contacts press: whole steps may leap from one side of a contact's range to
// the other for ever.
constexpr double barrier_share = 0.1;
constexpr int stall_iterations = 25;
constexpr int max_halvings = 30;
constexpr double max_forcing = 0.1, boundary_forcing = 1e-2;
constexpr double nearly = 2;  // times the tolerance, from where sweeps try to end the solve
constexpr int finishing_sweeps = static_cast<int>(0.5 * work::newton / work::sweep);
constexpr double decades_anew = 2;        // expected of a step with a matrix of its own
constexpr double reused_forcing = 0.5;    // over the ratio of the last step
constexpr double max_gradient = 0.75;     // of a first step, in the mean
constexpr int max_saddles = 3;            // that a solve leaves
constexpr double first_departure = 1e-3;  // from a saddle point, over the edge length

}  // namespace

Newton::Newton(System& system, NewtonOptions options, std::unique_ptr<Smoother> smoother)
    : system_(system),
      options_(std::move(options)),
      smoother_(std::move(smoother)),
      chain_(options_.linear, system),
      point_(system),
      least_angle_(RotationWarp::least_angle(system.model())) {
  const size_t nodes = system.model().X.size();
  for (auto* v : {&d_, &boundary_, &work_}) v->resize(nodes);
  for (size_t b = 0; b < system.model().bodies.size(); ++b)
    edge_ = std::min(edge_, system.model().scales(system.params(), static_cast<int32_t>(b)).edge);
  for (const model::Body& body : system.model().bodies)
    if (body.kind->is_triangle()) has_sheets_ = true, warped_above_ = 0, max_warped_halvings_ = 8;
}

SolveReport Newton::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  const bool feasible = start(x, report);
  const int max_iterations = std::min({options_.max_iterations, limit_, feasible ? limit_ : patience_});
  Iteration iteration(point_, {tolerance, max_iterations}, control, report);
  iterate(iteration, feasible, tolerance, report);
  report.obstructed = system_.has_barrier() && !boundary_is_met_;
  std::vector<Vec3d> saddle;
  Evaluation saddle_at;
  while (report.status == SolveStatus::converged && may_be_saddle(report)) {
    saddle.assign(x.begin(), x.end());
    saddle_at = point_.at;
    if (!leave_saddle(report)) break;
    ++report.saddles;
    report.status = SolveStatus::stalled;
    iterate(iteration, true, tolerance, report);
  }
  if (report.status == SolveStatus::stalled &&
      report.saddles > 0) {  // the saddle point is an equilibrium too
    std::copy(saddle.begin(), saddle.end(), x.begin());
    report.status = SolveStatus::converged;
    report.unstable = true;
    report.last = saddle_at;
  }
  return report;
}

// Steps until the iteration ends or gets nowhere.
void Newton::iterate(Iteration& iteration, bool feasible, double tolerance, SolveReport& report) {
  StallCounter stall{point_.at.residual};
  EnergyProgress descent(point_.at);
  while (iteration.continues(feasible) && stall.count <= stall_iterations) {
    ++report.iterations;
    if (watchdog_pause_ > 0) --watchdog_pause_;
    if (feasible) {
      if (!newton_step(tolerance, report)) return;
    } else {
      if (!boundary_step(report)) return;
      feasible = boundary_is_met_;
      stall.best = point_.at.residual;
      descent = EnergyProgress(point_.at);
    }
    iteration.accepted();
    stall.note(point_.at.residual, descent.note(point_.at));
  }
}

// The last step met negative curvature, or did not ask for it. Sheets may have come to a saddle point in one step from where they
// were stable. In time a saddle point is as good as a minimum.
bool Newton::may_be_saddle(SolveReport& report) {
  if (report.iterations == 0 || point_.at.inverted > 0 || !point_.at.energy_valid ||
      !system_.inertia_weight().empty() || report.saddles >= max_saddles)
    return false;
  if (curved_ || !exact_) return true;
  if (!has_sheets_) return false;
  const Stopwatch watch(report.seconds_assembly);
  chain_.follow_pattern();
  LinearSolver& solver = chain_.current();
  return !solver.direct() || !solver.prepare(system_, point_.x, Hessian::exact);
}

// Moves the iterate along a direction of negative curvature as far as the energy falls; false: there is none.
bool Newton::leave_saddle(SolveReport& report) {
  const Stopwatch watch(report.seconds_linear);
  chain_.follow_pattern();
  if (!chain_.current().prepare(system_, point_.x, Hessian::projected) ||
      !find_negative_curvature(system_, chain_.current(), point_.x, d_))
    return false;
  double largest = 0;
  for (const Vec3d& d : d_) largest = std::max(largest, norm(d));
  const double sign = dot_of(point_.gradient, d_) > 0 ? -1 : 1;
  double best = 0, energy = point_.at.energy;
  for (double alpha = first_departure * edge_ / largest;; alpha *= 2) {
    point_.advance(d_, sign * alpha);
    if (point_.clear_way() < 1) break;
    const Evaluation& now = point_.evaluate_trial(report);
    if (!is_finite(now) || now.inverted > 0 || now.energy > energy + now.energy_noise) break;
    if (now.energy < energy - now.energy_noise) {
      best = alpha;
      energy = now.energy;
    }
  }
  if (best == 0) return false;
  point_.advance(d_, sign * best);
  point_.clear_way();
  point_.evaluate_trial(report);
  point_.accept_trial();
  return true;
}

// Evaluates at x and finds what the Dirichlet conditions still have to move. True: nothing.
bool Newton::start(std::span<Vec3d> x, SolveReport& report) {
  forcing_ = max_forcing;
  reuse_ = false;
  projected_for_ = watchdog_pause_ = 0;
  chain_.restart();
  for (auto* v : {&rhs_, &q_}) v->resize(system_.dofs().unknown_count());
  point_.start(x, report);
  find_boundary();
  if (boundary_is_met_) return true;
  if (point_.at.inverted == 0 || system_.has_barrier()) return false;
  point_.advance(boundary_, 1);  // from a tangled start the constrained nodes jump
  point_.evaluate_trial(report);
  point_.accept_trial();
  return true;
}

// What the constrained nodes still have to move.
void Newton::find_boundary() {
  std::copy(point_.x.begin(), point_.x.end(), boundary_.begin());
  system_.dofs().retract(boundary_);
  double moved = 0;
  for (size_t i = 0; i < boundary_.size(); ++i) {
    boundary_[i] -= point_.x[i];
    moved += norm2(boundary_[i]);
  }
  boundary_is_met_ = !(moved > 0);
}

// The first step, d_, is beyond what a linear response can foresee, and the caller can ask for less.
bool Newton::too_large(SolveReport& report) {
  if (report.iterations > 1 || patience_ == std::numeric_limits<int>::max()) return false;
  if (!warp()) return false;
  report.excess = std::max(warp_->mean_gradient(d_) / max_gradient, 1.0);
  return report.excess > 1;
}

// Takes the constrained nodes to their targets. The step has no energy to compare with, since the boundary does work, and is
// taken whole. False: not even the constrained nodes alone can move.
bool Newton::boundary_step(SolveReport& report) {
  const Direction step = direction(boundary_forcing, true, false, report);
  if (step.found && too_large(report)) return false;
  if (!step.found || !warp_trial()) point_.advance(step.found ? d_ : boundary_, 1);
  system_.dofs().retract(point_.trial);
  if (system_.has_barrier()) return approach_boundary(report);
  smooth_trial();
  if (!std::isfinite(point_.evaluate_trial(report).residual)) {
    point_.advance(boundary_, 1);
    if (!std::isfinite(point_.evaluate_trial(report).residual)) return false;
  }
  point_.accept_trial();
  boundary_is_met_ = true;
  // Before the step all that the boundary does was unbalanced.
  reuse_ = step.found && worth_reusing(point_.at.relative, report.linear_iterations);
  return true;
}

// Goes towards the trial point as far as the way is clear, which may leave constrained nodes short of their targets.
bool Newton::approach_boundary(SolveReport& report) {
  point_.clear_trial();
  if (!std::isfinite(point_.evaluate_trial(report).residual)) return false;
  point_.accept_trial();
  reuse_ = false;
  find_boundary();
  return true;
}

// One iteration; false: no step was acceptable.
bool Newton::newton_step(double tolerance, SolveReport& report) {
  const Evaluation& at = point_.at;
  const double before = at.residual;
  if (smoother_ && !system_.has_barrier() && at.relative < nearly * tolerance && finish_by_sweeps(report) &&
      at.relative <= tolerance)
    return true;
  const int linear_before = report.linear_iterations;
  Direction last;
  const auto step = [&](double forcing, bool reuse) {
    last = direction(forcing, false, reuse, report);
    return last.found && descend(last, report);
  };
  const double least = std::min(max_forcing, 0.3 * (tolerance / at.relative));
  bool moved = step(std::clamp(forcing_, least, max_forcing), reuse_);
  if (!moved && reuse_) moved = step(max_forcing, false);
  if (!moved && last.exact) {
    projected_for_ = projected_iterations;
    moved = step(max_forcing, false);
  }
  if (!moved) return false;
  const double ratio = at.residual / before;
  forcing_ = 0.9 * ratio * ratio;
  reuse_ = worth_reusing(ratio, report.linear_iterations - linear_before);
  if (reuse_) forcing_ = std::max(forcing_, reused_forcing * ratio);
  return true;
}

// Solves H d = -g for the free unknowns into d_; with `boundary`, the constrained nodes move by boundary_. `reuse`: H is
// that of the last call.
Newton::Direction Newton::direction(double forcing, bool boundary, bool reuse, SolveReport& report) {
  const Evaluation& at = point_.at;
  const bool in_time = !system_.inertia_weight().empty();
  Direction result;
  const bool tangled =
      at.inverted > 0 && !in_time;  // inertia makes the exact Hessian definite where it counts
  const bool near = at.relative < (tangled ? exact_below_inverted : exact_below);
  const bool long_since = !tangled && report.iterations > exact_after;
  result.exact =
      reuse ? exact_ : projected_for_ == 0 && (near || long_since || (boundary && at.inverted == 0));
  if (projected_for_ > 0 && !reuse) --projected_for_;
  while (true) {
    const bool definite =
        assemble(result.exact ? Hessian::exact : Hessian::projected, boundary, reuse, report);
    reuse = false;
    LinearReport linear;
    if (definite) {
      const Stopwatch watch(report.seconds_linear);
      linear = chain_.current().solve(rhs_, q_, forcing,
                                      std::min(options_.max_linear_iterations, chain_.patience()));
      report.linear_iterations += linear.iterations;
    }
    result.curved |= !definite || linear.negative_curvature;
    if (result.exact && linear.negative_curvature &&
        linear.iterations * chain_.current().iteration_work() >=
            (in_time ? truncated_in_time : truncated_iterations)) {
      result.found = true;
      break;
    }
    if (result.exact && (!definite || linear.negative_curvature)) {
      result.exact = false;
      projected_for_ = in_time ? projected_in_time : projected_iterations;
      continue;
    }
    if ((!definite || (!linear.converged && !linear.negative_curvature)) && chain_.fall_back()) continue;
    // With a semi-definite operator the iterate before the flat direction is a descent direction as well.
    result.found = definite && (linear.iterations > 0 || linear.converged || chain_.current().direct());
    break;
  }
  exact_ = result.exact;
  curved_ = result.curved;
  system_.dofs().push(point_.x, q_, d_);
  result.slope = dot_of(point_.gradient, d_);
  if (boundary)
    for (size_t i = 0; i < d_.size(); ++i) d_[i] += boundary_[i];
  return result;
}

// The linear system of direction(); false: its matrix is not positive definite.
bool Newton::assemble(Hessian hessian, bool boundary, bool reuse, SolveReport& report) {
  const Stopwatch watch(report.seconds_assembly);
  if (!reuse) chain_.follow_pattern();
  const bool definite = reuse || chain_.current().prepare(system_, point_.x, hessian);
  system_.dofs().pull(point_.x, point_.gradient, rhs_);
  for (Vec3d& r : rhs_) r = -r;
  if (boundary) {
    system_.product(point_.x, hessian, boundary_, work_);
    system_.dofs().pull(point_.x, work_, q_);
    for (size_t i = 0; i < rhs_.size(); ++i) rhs_[i] -= q_[i];
  }
  return definite;
}

// Where d_ turns the body by much: tries a step that turns it rigidly. False: that is no better than where it began.
bool Newton::descend_warped(const Direction& direction, SolveReport& report) {
  if (!(direction.slope < 0) || !point_.at.energy_valid) return false;
  double share = 1;
  for (int halving = 0; halving <= max_warped_halvings_ && warp_trial(share); ++halving, share *= 0.5) {
    if (point_.clear_way() < 1) return false;
    if (system_.leave_colliders(point_.x, point_.trial) && point_.clear_way() < 1) return false;
    const Evaluation& now = point_.evaluate_trial(report);
    if (!is_finite(now) || !sufficient_decrease({point_.at, now, direction.slope * share})) continue;
    point_.accept_trial();
    return true;
  }
  return false;
}

// Null where d_ moves no node by enough of an edge to turn elements by much.
RotationWarp* Newton::warp() {
  const double least = least_angle_ * edge_;
  if (std::none_of(d_.begin(), d_.end(), [&](const Vec3d& d) { return norm2(d) > least * least; }))
    return nullptr;
  if (!warp_) warp_ = std::make_unique<RotationWarp>(system_);
  return warp_.get();
}

// The trial point is x + share d_; true: it has been warped.
bool Newton::warp_trial(double share) {
  if (!warp()) return false;
  point_.advance(d_, share);
  if (share == 1) return warp_->apply(point_.x, d_, point_.trial);
  for (size_t i = 0; i < d_.size(); ++i) work_[i] = d_[i] * share;
  return warp_->apply(point_.x, work_, point_.trial);
}

// Moves the iterate along d_; false: no step was acceptable.
bool Newton::descend(const Direction& direction, SolveReport& report) {
  if (point_.at.relative > warped_above_ && descend_warped(direction, report)) return true;
  const LineSearchOptions options{.rule = LineSearchOptions::Rule::relaxed_armijo,
                                  .max_halvings = max_halvings,
                                  .share = system_.has_barrier() ? barrier_share : LineSearchOptions{}.share,
                                  .improve = [&](std::span<Vec3d>) { smooth_trial(); },
                                  .watchdog = [&] { return watchdog(direction, report); }};
  return line_search(point_, d_, direction.slope, options, report) > 0;
}

// Goes on with whole steps from the trial point, which the line search refused, until the energy is as low as it should have
// been after the first one. False: it did not come down; the iterate and d_ are as before.
bool Newton::watchdog(const Direction& refused, SolveReport& report) {
  const Evaluation began = point_.at;
  if (watchdog_pause_ > 0 || system_.has_barrier() || began.inverted > 0 || point_.trial_at.inverted > 0 ||
      !began.energy_valid)
    return false;
  watchdog_x_.assign(point_.x.begin(), point_.x.end());
  watchdog_gradient_ = point_.gradient;
  watchdog_d_ = d_;
  for (int k = 0; k < watchdog_steps && report.iterations < options_.max_iterations; ++k) {
    point_.accept_trial();
    ++report.iterations;
    const Direction next = direction(max_forcing, false, false, report);
    if (!next.found || !(next.slope < 0)) break;
    point_.advance(d_, 1);
    if (point_.clear_way() < 1) break;
    smooth_trial();
    const Evaluation& now = point_.evaluate_trial(report);
    if (!is_finite(now) || now.inverted > 0) break;
    if (sufficient_decrease({began, now, refused.slope})) {
      point_.accept_trial();
      return true;
    }
  }
  std::copy(watchdog_x_.begin(), watchdog_x_.end(), point_.x.begin());
  std::swap(point_.gradient, watchdog_gradient_);
  point_.at = began;
  d_ = watchdog_d_;
  point_.clear_way(d_, 1);
  watchdog_pause_ = solve::watchdog_pause;
  return false;
}

// Near the tolerance a few sweeps may do what would else take a whole iteration; false: they did not help.
bool Newton::finish_by_sweeps(SolveReport& report) {
  std::copy(point_.x.begin(), point_.x.end(), point_.trial.begin());
  smoother_->smooth(point_.trial, finishing_sweeps);
  if (!(point_.evaluate_trial(report).relative < point_.at.relative)) return false;
  point_.accept_trial();
  return true;
}

// The matrix of a step that left `ratio` of the residual is to be kept for the next one: such a step would again take off
// more, per unit of work, than one that assembles anew.
bool Newton::worth_reusing(double ratio, int linear_iterations) const {
  if (!smoother_ || !linear().lasting()) return false;
  const double kept =
      linear_iterations * linear().iteration_work() * work::linear_iteration + work::evaluation + work::sweep;
  return -std::log10(ratio) / kept > decades_anew / (kept + work::assembly);
}

// Sweeps know nothing of barriers.
void Newton::smooth_trial() {
  if (smoother_ && !system_.has_barrier()) smoother_->smooth(point_.trial, 1);
}

}  // namespace sinew::solve
