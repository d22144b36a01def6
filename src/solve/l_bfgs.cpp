#include "solve/l_bfgs.h"

#include <algorithm>
#include <cmath>

#include "solve/stopwatch.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr int stall_iterations = 100;

}  // namespace

LBfgs::LBfgs(System& system, const LBfgsOptions& options)
    : system_(system), options_(options), line_(system), direct_(make_direct_solver(system)) {
  for (auto* v : {&gradient_, &d_, &work_, &trial_}) v->resize(system.model().X.size());
  for (auto* v : {&g_, &q_, &z_}) v->resize(system.dofs().block_count());
}

void LBfgs::factor(std::span<const Vec3d> x, SolveReport& report) {
  std::vector<double> weight(system_.inertia_weight().begin(), system_.inertia_weight().end()),
      rounded = weight;
  for (double& w : rounded) w = static_cast<float>(w);
  if (factored_ && params_version_ == system_.params_version() &&
      contacts_version_ == system_.contacts_version() && rounded == weight_)
    return;
  const Stopwatch watch(report.seconds_assembly);
  if (!system_.contacts().empty())
    factored_at_.assign(x.begin(), x.end());
  else
    factored_at_ = system_.model().X;
  const std::vector<Vec3d> target(system_.inertia_target().begin(), system_.inertia_target().end());
  system_.set_inertia(rounded, target);
  if (factored_ && direct_ && contacts_version_ != system_.contacts_version())
    direct_ = make_direct_solver(system_);  // for another pattern
  complete_ = direct_ && direct_->prepare(system_, factored_at_, Hessian::projected);
  if (!complete_) {
    matrix_.reset(system_.pattern(), energy::Precision::full);
    system_.assemble(factored_at_, Hessian::projected, matrix_);
    incomplete_ = IncompleteCholesky();
    incomplete_.factor(matrix_);
  }
  system_.set_inertia(weight, target);
  weight_ = std::move(rounded);
  params_version_ = system_.params_version();
  contacts_version_ = system_.contacts_version();
  factored_ = true;
}

// Where x has come some way since; false: another factorisation would not help.
bool LBfgs::factor_again(std::span<const Vec3d> x, SolveReport& report) {
  if (system_.contacts().empty() || !(report.last.residual < 0.5 * factored_residual_)) return false;
  factored_residual_ = report.last.residual;
  factored_ = false;
  factor(x, report);
  pairs_.clear();
  return true;
}

void LBfgs::apply_inverse(std::span<const Vec3d> r, std::span<Vec3d> z) {
  if (complete_)
    direct_->solve(r, z, 0, 0);
  else
    incomplete_.solve(r, z);
}

// Takes held nodes to their targets and evaluates.
Evaluation LBfgs::start(std::span<Vec3d> x, SolveReport& report) {
  std::copy(x.begin(), x.end(), trial_.begin());
  system_.dofs().retract(x);
  double moved = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    d_[i] = x[i] - trial_[i];
    moved += norm2(d_[i]);
  }
  Evaluation alone = system_.evaluate(x, gradient_);
  if (moved == 0) return alone;
  {
    const Stopwatch watch(report.seconds_linear);
    system_.product(factored_at_, Hessian::projected, d_, work_);
    system_.dofs().pull(work_, g_);
    apply_inverse(g_, q_);
    system_.dofs().push(q_, work_);
  }
  std::copy(x.begin(), x.end(), trial_.begin());
  add_scaled(trial_, work_, -1);
  system_.dofs().retract(trial_);
  const Evaluation together = system_.evaluate(trial_, work_);
  if (!std::isfinite(together.residual) || together.inverted > alone.inverted ||
      together.energy > alone.energy)
    return alone;
  std::copy(trial_.begin(), trial_.end(), x.begin());
  gradient_ = work_;
  return together;
}

// d = -H g by the two loops over the pairs, the newest first.
void LBfgs::direction(SolveReport& report) {
  const Stopwatch watch(report.seconds_linear);
  system_.dofs().pull(gradient_, g_);
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
  system_.dofs().push(z_, d_);
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
  system_.dofs().pull(gradient_, pair.y);
  add_scaled(pair.y, g_, -1);
  pair.sy = dot_of(pair.s, pair.y);
  if (pair.sy > 1e-12 * std::sqrt(dot_of(pair.s, pair.s) * dot_of(pair.y, pair.y)))
    pairs_.push_back(std::move(pair));
}

SolveReport LBfgs::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  pairs_.clear();
  factor(x, report);
  Evaluation at = start(x, report);
  factored_residual_ = at.residual;
  double lowest = at.energy, best = at.residual;
  int since_best = 0;
  report.residuals.push_back(at.relative);
  while (true) {
    report.last = at;
    if (control.cancelled()) {
      report.status = SolveStatus::cancelled;
      return report;
    }
    if (!std::isfinite(at.residual)) return report;
    if (at.relative <= tolerance) {
      report.status = SolveStatus::converged;
      return report;
    }
    if (report.iterations >= options_.max_iterations) return report;
    if (since_best > stall_iterations) {
      if (!factor_again(x, report)) return report;
      since_best = 0;
    }
    ++report.iterations;
    direction(report);
    const double alpha = line_.search(x, at, gradient_, d_, 1, report);
    if (alpha == 0) {
      if (pairs_.empty() && !factor_again(x, report)) return report;
      pairs_.clear();  // what was learnt may mislead
      continue;
    }
    remember(alpha);
    report.residuals.push_back(at.relative);
    control.residual(at.relative);
    control.iterate(x);
    since_best = at.energy < lowest - at.energy_noise || at.residual < 0.9 * best ? 0 : since_best + 1;
    lowest = std::min(lowest, at.energy);
    best = std::min(best, at.residual);
  }
}

}  // namespace sinew::solve
