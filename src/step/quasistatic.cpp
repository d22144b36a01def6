#include "step/quasistatic.h"

#include <algorithm>
#include <fmt/format.h>

#include "step/material_continuation.h"
#include "step/pseudo_transient.h"

namespace sinew::step {

using math::Vec3d;
using solve::SolveReport;
using solve::SolveStatus;

namespace {

constexpr double smallest_increment = 1.0 / 256;
constexpr int patience = 40;        // iterations of an increment that can be halved
constexpr int few_iterations = 12;  // an increment that needs no more lets the next one grow
constexpr int enough_iterations =
    1500;  // of a step, after which increments are neither cut nor saved by other means
constexpr double most_parts = 8;         // that an increment is cut into at once
constexpr double path_tolerance = 1e-3;  // relative residual on the way to the end of a step
// Bend of the inputs, relative to their change, up to which a path is extrapolated.
constexpr double straight = 0.2;

}  // namespace

void QuasistaticStepper::declare(model::StateLayout& layout) const {
  layout.declare({"x_before", model::ColumnType::f64, 3, model::On::node});
  layout.declare({"time_before", model::ColumnType::f64, 1, model::On::global});
  nonlinear_.declare(layout);
}

StepStatus QuasistaticStepper::advance(const model::InputCurve& inputs, double t1, model::State& state,
                                       const Control& control, StepReport& report) {
  const double t0 = state.time();
  StepStatus status = StepStatus::converged;
  Equilibrium found;
  start_path(inputs, state);
  while (path_.done < 1) {
    const double fraction = std::min(path_.increment, 1 - path_.done);
    // The last increment ends at t1 itself, whatever the sum of the fractions.
    bool final = fraction >= 1 - path_.done;
    double t = final ? t1 : t0 + (path_.done + fraction) * (t1 - t0);
    const bool hopeless = report.iterations > enough_iterations;
    const bool can_halve = !path_.tangled && fraction > smallest_increment && !hopeless;
    begin_increment(inputs, t);
    set_balance(final ? 1 : path_.done + fraction);
    path_.tolerance = final ? tolerance_ : std::max(tolerance_, path_tolerance);
    solver_->set_patience(can_halve ? patience : std::numeric_limits<int>::max());
    found = equilibrate(inputs, t, !can_halve && !hopeless, control, report);
    if (found.report.status == SolveStatus::cancelled) return StepStatus::cancelled;
    if (!found.good && can_halve) {
      path_.increment =
          std::max(fraction / std::clamp(found.report.excess, 2.0, most_parts), smallest_increment);
      continue;
    }
    if (!found.good && !final) {
      explain(found.report, trial_, report);
      final = true;
      t = t1;
      found = leap(inputs, t1, control, report);
      if (found.report.status == SolveStatus::cancelled) return StepStatus::cancelled;
    }
    status = std::max(status, judge(found, final, report));
    if (status == StepStatus::failed) {
      keep_reached(state);
      return status;
    }
    nonlinear_.accept(trial_, report);
    note_saddles(found.report, path_.done, final ? 1 : path_.done + fraction, report);
    follow(found, t);
    path_.done = final ? 1 : path_.done + fraction;
    ++report.increments;
    if (found.good && found.report.iterations <= few_iterations)
      path_.increment = std::clamp(2 * fraction, path_.increment, 1.0);
  }
  finish(report, found.report);
  store(t1, state);
  return status;
}

void QuasistaticStepper::set_inputs(const model::InputCurve& inputs, double t) {
  inputs_.resize(inputs.size());
  inputs.evaluate(t, inputs_);
  system_.set_inputs(inputs_);
}

void QuasistaticStepper::start_path(const model::InputCurve& inputs, const model::State& state) {
  path_.x.assign(state.x().begin(), state.x().end());
  path_.before.assign(state.vectors("x_before").begin(), state.vectors("x_before").end());
  path_.t = state.time();
  path_.t_before = state.numbers("time_before")[0];
  path_.done = 0;
  path_.increment = std::clamp(state.increment(), smallest_increment, 1.0);
  set_inputs(inputs, path_.t);
  nonlinear_.load(state);
  system_.set_balance({}, {});
  nonlinear_.find_at_start(system_, *solver_, path_.x, inputs_);
  const solve::Evaluation start = system_.evaluate(path_.x, gradient_);
  path_.tangled = start.inverted > 0 && state.step() == 0;
  path_.at_equilibrium = state.step() > 0;  // the first start may be anything
  path_.unbalanced.clear();
  if (start.relative > tolerance_) path_.unbalanced = gradient_;
  path_.x_start = path_.x;
}

// What was out of balance at the start of the step, gravity that nothing bears yet for example, is let go in proportion.
void QuasistaticStepper::set_balance(double done) {
  balance_ = path_.unbalanced;
  for (Vec3d& force : balance_) force = force * (1 - done);
  if (done < 1 && !path_.tangled)
    system_.set_balance(balance_, path_.x_start);
  else
    system_.set_balance({}, {});
}

void QuasistaticStepper::begin_increment(const model::InputCurve& inputs, double t) {
  inputs_now_.resize(inputs.size());
  inputs.evaluate(path_.t, inputs_now_);
  set_inputs(inputs, t);
  nonlinear_.begin(path_.x, inputs_now_, inputs_, 0);
}

// Solves for the end of the increment, into trial_. `last_resort`: what fails is tried again by material continuation.
QuasistaticStepper::Equilibrium QuasistaticStepper::equilibrate(const model::InputCurve& inputs, double t,
                                                                bool last_resort, const Control& control,
                                                                StepReport& report) {
  trial_ = path_.x;
  if (!path_.tangled) extrapolate(inputs, t, trial_);
  const bool softly = path_.tangled && system_.inversion() == material::Inversion::extend;
  const SolveReport first = softly ? solve_softly(trial_, control, report)
                                   : solve(trial_, {.tolerance = path_.tolerance}, control, report);
  Equilibrium best = {first, acceptable(first)};
  if (best.good || !last_resort || first.status == SolveStatus::cancelled) return best;
  const auto attempt = [&](Positions x, const auto& search) {
    const SolveReport again = search(x);
    const bool better =
        again.last.inverted < best.report.last.inverted || again.last.relative < best.report.last.relative;
    if (again.status != SolveStatus::cancelled && !acceptable(again) && !better) return false;
    best = {again, acceptable(again)};
    trial_ = std::move(x);
    return best.good || again.status == SolveStatus::cancelled;
  };
  if (!softly && attempt(path_.x, [&](Positions& x) { return solve_softly(x, control, report); }))
    return best;
  attempt(std::isfinite(best.report.last.residual) ? trial_ : path_.x, [&](Positions& x) {
    report.notes.emplace_back("gradient flow: implicit steps that grow");
    return follow_gradient_flow(system_, *solver_, nonlinear_, x, path_.tolerance, control, report);
  });
  return best;
}

SolveReport QuasistaticStepper::solve_softly(Positions& x, const Control& control, StepReport& report) {
  if (continue_material(make_solver_, system_, *solver_, nonlinear_, x, control, report))
    return solve(x, {.tolerance = path_.tolerance}, control, report);
  SolveReport cancelled;
  cancelled.status = SolveStatus::cancelled;
  return cancelled;
}

// What increments could not reach, in one solve: a point at the end of the step is worth more than none.
QuasistaticStepper::Equilibrium QuasistaticStepper::leap(const model::InputCurve& inputs, double t1,
                                                         const Control& control, StepReport& report) {
  report.notes.push_back(
      path_.done > 0
          ? fmt::format("increments ended at {:.3g} of the step; the rest was taken at once", path_.done)
          : "no increment had an equilibrium; the step was taken at once");
  begin_increment(inputs, t1);
  set_balance(1);
  path_.tolerance = tolerance_;
  trial_ = path_.x;
  const SolveReport last = solve(trial_, {.tolerance = path_.tolerance}, control, report);
  return {last, acceptable(last)};
}

// Continues the path straight to t, if the inputs go on as they did. False: x is unchanged.
bool QuasistaticStepper::extrapolate(const model::InputCurve& inputs, double t, Positions& x) {
  if (!(path_.t > path_.t_before)) return false;
  const double ratio = (t - path_.t) / (path_.t - path_.t_before);
  inputs_before_.resize(inputs.size());
  inputs.evaluate(path_.t_before, inputs_before_);
  double change = 0, bend = 0;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const double ahead = inputs_[i] - inputs_now_[i],
                 bent = ahead - ratio * (inputs_now_[i] - inputs_before_[i]);
    change += ahead * ahead;
    bend += bent * bent;
  }
  if (change == 0 || bend > straight * straight * change) return false;
  ahead_.resize(x.size());
  for (size_t i = 0; i < x.size(); ++i) ahead_[i] = x[i] + (x[i] - path_.before[i]) * ratio;
  system_.dofs().retract(ahead_);
  if (inverted(ahead_) > 0) return false;
  x.swap(ahead_);
  return true;
}

StepStatus QuasistaticStepper::judge(const Equilibrium& found, bool final, StepReport& report) {
  if (!found.good) {
    explain(found.report, trial_, report);
    return keep(found.report, trial_, report) ? StepStatus::stalled : StepStatus::failed;
  }
  if (final && found.report.last.inverted > 0)
    report.notes.push_back(std::to_string(found.report.last.inverted) +
                           " elements are inverted in equilibrium");
  if (nonlinear_.contacts_converged()) return StepStatus::converged;
  explain(found.report, trial_, report);
  return StepStatus::stalled;
}

// What buckled, between these shares of the step.
void QuasistaticStepper::note_saddles(const SolveReport& solve, double from, double to, StepReport& report) {
  if (solve.unstable && to == 1)
    report.notes.emplace_back("the equilibrium is unstable, and no stable one was found");
  if (!solve.unstable && solve.saddles > 0)
    report.notes.push_back(fmt::format(
        "buckled between {:.4g} and {:.4g} of the step: an unstable equilibrium was left", from, to));
}

// Goes on from trial_, the end of the increment to t.
void QuasistaticStepper::follow(const Equilibrium& found, double t) {
  path_.before.swap(path_.x);
  path_.x = trial_;
  path_.t_before = found.good && path_.at_equilibrium ? path_.t : t;  // a path needs two good points
  path_.at_equilibrium = found.good;
  path_.t = t;
  path_.tangled = found.report.last.inverted > 0 && !found.good;
}

void QuasistaticStepper::keep_reached(const model::State& state) {
  if (path_.done == 0) return;
  reached_ = state;
  store(path_.t, *reached_);
}

void QuasistaticStepper::store(double t1, model::State& state) const {
  std::copy(path_.x.begin(), path_.x.end(), state.x().begin());
  std::copy(path_.before.begin(), path_.before.end(), state.vectors("x_before").begin());
  state.numbers("time_before")[0] = path_.t_before;
  std::fill(state.v().begin(), state.v().end(), Vec3d{0, 0, 0});
  nonlinear_.store(state);
  state.set_time(t1);
  state.set_increment(path_.increment);
}

}  // namespace sinew::step
