#include "solve/l_bfgs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stopwatch.h"
#include "solve/iteration.h"
#include "solve/line_search.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr int stall_iterations = 100;
constexpr int max_approaches = 30;  // to targets that something is in the way of

}  // namespace

LBfgs::LBfgs(System& system, const LBfgsOptions& options)
    : system_(system), options_(options), point_(system), direct_(make_direct_solver(system)) {
  for (auto* v : {&d_, &work_}) v->resize(system.model().X.size());
}

void LBfgs::factor(std::span<const Vec3d> x, SolveReport& report) {
  std::vector<double> weight(system_.inertia_weight().begin(), system_.inertia_weight().end()),
      rounded = weight;
  for (double& w : rounded) w = static_cast<float>(w);
  if (factored_ && params_version_ == system_.params_version() && !system_.has_barrier() &&
      contacts_version_ == system_.contacts_version() && carried_version_ == system_.carried_version() &&
      rounded == weight_)
    return;
  const Stopwatch watch(report.seconds_assembly);
  if (!system_.contacts().empty() || system_.has_barrier())
    factored_at_.assign(x.begin(), x.end());
  else
    factored_at_ = system_.model().X;
  const std::vector<Vec3d> target(system_.inertia_target().begin(), system_.inertia_target().end());
  system_.set_inertia(rounded, target);
  if (pattern_ && direct_ && (pattern_ != system_.pattern() || carried_version_ != system_.carried_version()))
    direct_ = make_direct_solver(system_);  // for another pattern
  complete_ = direct_ && direct_->prepare(system_, factored_at_, Hessian::projected);
  if (!complete_) {
    matrix_ = ReducedMatrix();
    incomplete_ = IncompleteCholesky();
    incomplete_.factor(matrix_.assemble(system_, factored_at_, Hessian::projected));
  }
  system_.set_inertia(weight, target);
  weight_ = std::move(rounded);
  params_version_ = system_.params_version();
  contacts_version_ = system_.contacts_version();
  carried_version_ = system_.carried_version();
  pattern_ = system_.pattern();
  factored_ = true;
}

// Factors anew if x has come some way since; false if another factorisation would not help.
bool LBfgs::factor_again(std::span<const Vec3d> x, SolveReport& report) {
  if ((system_.contacts().empty() && !system_.has_barrier()) ||
      !(report.last.residual < 0.5 * factored_residual_))
    return false;
  factor_here(x, report);
  return true;
}

void LBfgs::factor_here(std::span<const Vec3d> x, SolveReport& report) {
  factored_residual_ = report.last.residual;
  factored_ = false;
  factor(x, report);
  pairs_.clear();
}

void LBfgs::apply_inverse(std::span<const Vec3d> r, std::span<Vec3d> z) {
  if (complete_)
    direct_->solve(r, z, 0, 0);
  else
    incomplete_.solve(r, z);
}

// d_ becomes what the constrained nodes have to move from x; false: nothing.
bool LBfgs::find_boundary(std::span<const Vec3d> x) {
  std::copy(x.begin(), x.end(), d_.begin());
  system_.dofs().retract(d_);
  double moved = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    d_[i] -= x[i];
    moved += norm2(d_[i]);
  }
  return moved > 0;
}

// The motion of the free nodes, -work_, that answers d_.
void LBfgs::respond(SolveReport& report) {
  const Stopwatch watch(report.seconds_linear);
  system_.product(factored_at_, Hessian::projected, d_, work_);
  system_.dofs().pull(factored_at_, work_, g_);
  apply_inverse(g_, q_);
  system_.dofs().push(factored_at_, q_, work_);
}

// Takes constrained nodes towards their targets as far as the way is clear. True: they are there.
bool LBfgs::approach_boundary(SolveReport& report) {
  if (!find_boundary(point_.x)) return true;
  respond(report);
  for (size_t i = 0; i < d_.size(); ++i) d_[i] -= work_[i];
  point_.advance(d_, 1);
  system_.dofs().retract(point_.trial);
  point_.clear_trial();
  if (!std::isfinite(point_.evaluate_trial(report).residual)) return false;
  point_.accept_trial();
  return !find_boundary(point_.x);
}

// Takes constrained nodes to their targets and evaluates.
void LBfgs::start(std::span<Vec3d> x, SolveReport& report) {
  const bool moves = find_boundary(x);
  system_.dofs().retract(x);
  point_.start(x, report);
  if (!moves) return;
  respond(report);
  point_.advance(work_, -1);
  system_.dofs().retract(point_.trial);
  const Evaluation &alone = point_.at, &together = point_.evaluate_trial(report);
  if (std::isfinite(together.residual) && together.inverted <= alone.inverted &&
      !(together.energy > alone.energy))
    point_.accept_trial();
}

// d = -H g by the two loops over the pairs, the newest first.
void LBfgs::direction(SolveReport& report) {
  const Stopwatch watch(report.seconds_linear);
  system_.dofs().pull(point_.x, point_.gradient, g_);
  q_ = g_;
  std::vector<double> a(pairs_.size());
  for (size_t k = pairs_.size(); k-- > 0;) {
    a[k] = dot_of(pairs_[k].s, q_) / pairs_[k].sy;
    add_scaled(q_, pairs_[k].y, -a[k]);
  }
  apply_inverse(q_, z_);
  for (size_t k = 0; k < pairs_.size(); ++k)
    add_scaled(z_, pairs_[k].s, a[k] - dot_of(pairs_[k].y, z_) / pairs_[k].sy);
  for (Vec3d& z : z_) z = -z;
  system_.dofs().push(point_.x, z_, d_);
}

// The pair of the last step, of length alpha along z_, from the gradient g_.
void LBfgs::remember(double alpha) {
  if (options_.memory == 0) return;
  Pair pair;
  if (static_cast<int>(pairs_.size()) == options_.memory) {
    pair = std::move(pairs_.front());
    pairs_.pop_front();
  }
  pair.s = z_;
  for (Vec3d& s : pair.s) s *= alpha;
  pair.y.resize(g_.size());
  system_.dofs().pull(point_.x, point_.gradient, pair.y);
  add_scaled(pair.y, g_, -1);
  pair.sy = dot_of(pair.s, pair.y);
  if (pair.sy > 1e-12 * std::sqrt(dot_of(pair.s, pair.s) * dot_of(pair.y, pair.y)))
    pairs_.push_back(std::move(pair));
}

SolveReport LBfgs::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  pairs_.clear();
  for (auto* v : {&g_, &q_, &z_}) v->resize(system_.dofs().unknown_count());
  bool feasible = true;
  if (system_.has_barrier()) {
    point_.start(x, report);  // the Hessian has the contacts of where it starts
    factor(x, report);
    feasible = !find_boundary(x);
  } else {
    factor(x, report);
    start(x, report);
  }
  const Evaluation& at = point_.at;
  factored_residual_ = at.residual;
  double lowest = at.energy;
  StallCounter stall{at.residual};
  Iteration iteration(point_, {tolerance, options_.max_iterations, std::numeric_limits<double>::max()},
                      control, report);
  while (iteration.continues(feasible)) {
    if (!feasible) {
      ++report.iterations;
      feasible = approach_boundary(report);
      factor_here(x, report);
      iteration.accepted();
      if (!feasible && report.iterations > max_approaches) break;
      continue;
    }
    if (stall.count > stall_iterations) {
      if (!factor_again(x, report)) break;
      stall.count = 0;
    }
    ++report.iterations;
    direction(report);
    const double alpha = line_search(point_, d_, dot_of(point_.gradient, d_), {}, report);
    if (alpha == 0) {
      if (pairs_.empty() && !factor_again(x, report)) break;
      pairs_.clear();  // what was learnt may mislead
      continue;
    }
    remember(alpha);
    iteration.accepted();
    stall.note(at.residual, at.energy < lowest - at.energy_noise);
    lowest = std::min(lowest, at.energy);
  }
  report.obstructed = !feasible;
  return report;
}

}  // namespace sinew::solve
