#include "step/implicit.h"

#include <algorithm>
#include <cmath>

#include "model/rest_hessian.h"

namespace sinew::step {

using math::Vec3d;
using solve::SolveReport;
using solve::SolveStatus;

namespace {

constexpr double smallest_increment = 1.0 / 64;
constexpr int few_iterations = 12;  // an increment that needs no more lets the next one grow
constexpr int most_splits = 6;      // of a time step
constexpr double soft_poisson[] = {0.2, 0.3, 0.4, 0.45};
constexpr double soft_tolerance = 1e-3;
constexpr double straight =
    0.2;  // bend of the inputs, relative to their change, up to which a path is extrapolated

// Turns a law into a corotated one with Poisson's ratio 0 and the same shear modulus at rest.
void soften(const material::Law*& law, std::vector<model::ParamField>& fields) {
  if (!law->traits.rest_stable) return;
  model::ParamField young;
  model::for_each_rest_hessian(*law, fields, [&](size_t, const double* C) {
    young.values.push_back(2 * C[material::upper(3, 3)]);  // d2psi/dF01^2 = mu
  });
  law = material::find_law("corotated");
  fields = {young, {{0.0}}};
}

}  // namespace

void add_end(StepReport& report, const solve::Evaluation& end) {
  report.residual = end.residual;
  report.relative_residual = end.relative;
  report.energy = end.energy;
  report.inverted = static_cast<int>(end.inverted);
  report.min_det_F = end.min_det_F;
}

ImplicitStepper::ImplicitStepper(const model::Model& model, const Settings& settings, MakeSolver make_solver)
    : model_(model),
      settings_(settings),
      make_solver_(std::move(make_solver)),
      system_(model),
      solver_(make_solver_(system_)),
      problem_(model, settings),
      contacts_(model) {
  gradient_.resize(model.X.size());
}

void ImplicitStepper::declare(model::StateLayout& layout) const {
  if (settings_.mode == Mode::quasistatic) {
    layout.declare({"x_before", model::ColumnType::f64, 3, model::On::node, model::Transfer::interpolate});
    layout.declare({"time_before", model::ColumnType::f64, 1, model::On::global, model::Transfer::reset});
  }
  problem_.declare(layout);
  contacts_.declare(layout);
}

StepReport ImplicitStepper::step(const model::InputCurve& inputs, double t1, model::State& state,
                                 const Control& control) {
  StepReport report;
  report.status = settings_.mode == Mode::quasistatic ? quasistatic(inputs, t1, state, control, report)
                                                      : dynamic(inputs, t1, state, control, 0, report);
  if (report.taken()) state.set_step(state.step() + 1);
  return report;
}

SolveReport ImplicitStepper::solve(solve::System& system, solve::Solver& solver, Positions& x,
                                   double tolerance, const Control& control, StepReport& report) {
  return contacts_.solve(system, solver, x, false, tolerance, control, report);
}

bool ImplicitStepper::good(const SolveReport& last) const {
  return last.status == SolveStatus::converged && last.last.inverted == 0 && !contacts_.crossing();
}

// What is said of a point that is not good.
std::string ImplicitStepper::shortcoming(const SolveReport& report) const {
  return report.last.inverted > 0 ? std::to_string(report.last.inverted) + " elements are inverted"
         : contacts_.crossing()   ? "surfaces would pass through each other"
                                  : "the residual stayed above the tolerance";
}

void ImplicitStepper::finish(StepReport& report, const SolveReport& last) const {
  add_end(report, last.last);
  report.linear_solver = solver_->linear_solver();
}

// Continues the path from `before` (at time t_before) through x (at t) to t_new, if the inputs go on as they did.
// False: x is unchanged.
bool ImplicitStepper::extrapolate(const model::InputCurve& curve, std::span<const Vec3d> before,
                                  double t_before, double t, double t_new, Positions& x) {
  if (!(t > t_before)) return false;
  const double ratio = (t_new - t) / (t - t_before);
  earlier_.resize(curve.size());
  now_.resize(curve.size());
  curve.evaluate(t_before, earlier_);
  curve.evaluate(t, now_);
  double change = 0, bend = 0;
  for (size_t i = 0; i < now_.size(); ++i) {
    const double ahead = problem_.inputs()[i] - now_[i], bent = ahead - ratio * (now_[i] - earlier_[i]);
    change += ahead * ahead;
    bend += bent * bent;
  }
  if (change == 0 || bend > straight * straight * change) return false;
  ahead_.resize(x.size());
  for (size_t i = 0; i < x.size(); ++i) ahead_[i] = x[i] + (x[i] - before[i]) * ratio;
  system_.dofs().retract(ahead_);
  if (inverted(ahead_) > 0) return false;
  x.swap(ahead_);
  return true;
}

int64_t ImplicitStepper::inverted(const Positions& x) { return system_.evaluate(x, gradient_).inverted; }

// Takes x to the neighbourhood of equilibrium from anywhere: first as a corotated body with Poisson's ratio 0, whose
// forces stay of one size however tangled the start, then with the real laws and Poisson's ratio raised in stages.
// False: cancelled.
bool ImplicitStepper::soft_start(Positions& x, const Control& control, StepReport& report) {
  const auto with_poisson_below = [&](double limit) {
    model::Params params = model_.params;
    for (size_t s = 0; s < model_.sets.size(); ++s)
      for (size_t f = 0; f < model_.sets[s].law->fields.size(); ++f)
        if (model_.sets[s].law->fields[f].name == "poisson")
          for (double& nu : params.material[s][f].values) nu = std::min(nu, limit);
    return params;
  };
  report.notes.push_back("soft start: corotated with Poisson's ratio 0, then raised in stages");
  {
    model::Model soft = model_;
    soft.params = with_poisson_below(0);
    for (size_t s = 0; s < soft.sets.size(); ++s) soften(soft.sets[s].law, soft.params.material[s]);
    solve::System system(soft);
    system.set_inputs(problem_.inputs());
    if (solve(system, *make_solver_(system), x, soft_tolerance, control, report).status ==
        SolveStatus::cancelled)
      return false;
  }
  double largest = -1;
  for (size_t s = 0; s < model_.sets.size(); ++s)
    for (size_t f = 0; f < model_.sets[s].law->fields.size(); ++f)
      if (model_.sets[s].law->fields[f].name == "poisson")
        for (double nu : model_.params.material[s][f].values) largest = std::max(largest, nu);
  SolveStatus status = SolveStatus::converged;
  for (double stage : soft_poisson) {
    if (stage >= largest || status == SolveStatus::cancelled) break;
    system_.set_params(with_poisson_below(stage));
    status = solve(system_, *solver_, x, soft_tolerance, control, report).status;
  }
  system_.set_params(model_.params);
  return status != SolveStatus::cancelled;
}

StepStatus ImplicitStepper::quasistatic(const model::InputCurve& inputs, double t1, model::State& state,
                                        const Control& control, StepReport& report) {
  StepStatus status = StepStatus::converged;
  const double t0 = state.time();
  Positions &x = x_, &trial = trial_, &before = before_;
  x.assign(state.x().begin(), state.x().end());
  before.assign(state.vectors("x_before").begin(), state.vectors("x_before").end());
  double t = t0, t_before = state.numbers("time_before")[0];
  double done = 0, increment = std::clamp(state.increment(), smallest_increment, 1.0);
  problem_.set_inputs(system_, inputs, t0);
  if (contacts_.active()) contacts_.load(state);
  std::vector<double> inputs_before;
  bool tangled = inverted(x) > 0;
  bool at_equilibrium = state.step() > 0;  // the first start may be anything
  SolveReport last;
  while (done < 1) {
    const double fraction = std::min(increment, 1 - done);
    // The last increment ends at t1 itself, whatever the sum of the fractions.
    const bool final = fraction >= 1 - done;
    const double t_new = final ? t1 : t0 + (done + fraction) * (t1 - t0);
    inputs_before.resize(inputs.size());
    inputs.evaluate(t, inputs_before);
    problem_.set_inputs(system_, inputs, t_new);
    contacts_.begin(x, inputs_before, problem_.inputs(), 0);
    trial = x;
    if (!tangled) extrapolate(inputs, before, t_before, t, t_new, trial);
    bool softened = tangled && system_.inversion() == material::Inversion::extend;
    if (softened && !soft_start(trial, control, report)) return StepStatus::cancelled;
    last = solve(system_, *solver_, trial, settings_.tolerance, control, report);
    bool fine = good(last);
    if (!fine && last.status != SolveStatus::cancelled && !tangled && fraction > smallest_increment) {
      increment = fraction / 2;
      continue;
    }
    if (!fine && last.status != SolveStatus::cancelled && !softened) {
      Positions soft = x;
      if (!soft_start(soft, control, report)) return StepStatus::cancelled;
      const SolveReport again = solve(system_, *solver_, soft, settings_.tolerance, control, report);
      if (again.status != SolveStatus::stalled || again.last.inverted < last.last.inverted) {
        last = again;
        trial = soft;
        fine = good(last);
      }
    }
    if (last.status == SolveStatus::cancelled) return StepStatus::cancelled;
    if (!fine) {
      // A point with inverted elements is not kept, and what follows a bad point is not worth its cost.
      report.notes.push_back(shortcoming(last));
      finish(report, last);
      if (last.last.inverted > 0 || contacts_.crossing() || !final) return StepStatus::failed;
      status = StepStatus::stalled;
    }
    if (contacts_.active()) {
      if (fine && !contacts_.settled()) {
        report.notes.push_back(contacts_.unsettled());
        status = StepStatus::stalled;
      }
      contacts_.accept(trial, report);
    }
    before.swap(x);
    x = trial;
    t_before = fine && at_equilibrium ? t : t_new;  // a path needs two good points
    at_equilibrium = fine;
    t = t_new;
    tangled = last.last.inverted > 0;
    done = final ? 1 : done + fraction;
    ++report.increments;
    if (fine && last.iterations <= few_iterations) increment = std::clamp(2 * fraction, increment, 1.0);
  }
  finish(report, last);
  std::copy(x.begin(), x.end(), state.x().begin());
  std::copy(before.begin(), before.end(), state.vectors("x_before").begin());
  state.numbers("time_before")[0] = t_before;
  std::fill(state.v().begin(), state.v().end(), Vec3d{0, 0, 0});
  if (contacts_.active()) contacts_.store(state);
  state.set_time(t1);
  state.set_increment(increment);
  return status;
}

StepStatus ImplicitStepper::dynamic(const model::InputCurve& inputs, double t1, model::State& state,
                                    const Control& control, int splits, StepReport& report) {
  Positions& x = x_;
  if (contacts_.active()) contacts_.load(state);
  problem_.begin(system_, inputs, t1, state, splits == 0, x, contacts_.pressed());
  if (inverted(x) > 0) std::copy(state.x().begin(), state.x().end(), x.begin());
  if (contacts_.active()) {
    earlier_.resize(inputs.size());
    inputs.evaluate(state.time(), earlier_);
    contacts_.begin(state.x(), earlier_, problem_.inputs(), t1 - state.time());
  }
  const SolveReport last = solve(system_, *solver_, x, settings_.tolerance, control, report);
  if (last.status == SolveStatus::cancelled) return StepStatus::cancelled;
  const bool fine = good(last);
  if (!fine && splits < most_splits) {
    report.notes.push_back("a time step was split in two");
    model::State half = state;
    const double middle = 0.5 * (state.time() + t1);
    const StepStatus first = dynamic(inputs, middle, half, control, splits + 1, report);
    if (first == StepStatus::cancelled || first == StepStatus::failed) return first;
    const StepStatus second_half = dynamic(inputs, t1, half, control, splits + 1, report);
    if (second_half == StepStatus::cancelled || second_half == StepStatus::failed) return second_half;
    if (state.has("dt_old")) half.numbers("dt_old")[0] = 0;
    state = std::move(half);
    return std::max(first, second_half);
  }
  if (!fine) report.notes.push_back(shortcoming(last));
  if (contacts_.crossing() && !contacts_.hold_back(system_.dofs(), x, report)) return StepStatus::failed;
  ++report.increments;
  finish(report, last);
  if (contacts_.active()) {
    contacts_.accept(x, report);
    contacts_.store(state);
  }
  problem_.end(x, t1, state);
  return fine ? StepStatus::converged : StepStatus::stalled;
}

}  // namespace sinew::step
