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

void add_seconds(StepReport& report, const char* phase, double seconds) {
  for (auto& [name, total] : report.seconds)
    if (name == phase) {
      total += seconds;
      return;
    }
  report.seconds.emplace_back(phase, seconds);
}

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

std::string shortcoming(const SolveReport& report) {
  return report.last.inverted > 0 ? std::to_string(report.last.inverted) + " elements are inverted"
                                  : "the residual stayed above the tolerance";
}

}  // namespace

ImplicitStepper::ImplicitStepper(const model::Model& model, const Settings& settings, MakeSolver make_solver)
    : model_(model),
      settings_(settings),
      make_solver_(std::move(make_solver)),
      system_(model),
      solver_(make_solver_(system_)) {
  mass_ = model.lumped_mass(model.params);
  load_mass_ = model.load_mass(model.params);
  inputs_.resize(model.inputs.size());
  gradient_.resize(model.X.size());
}

void ImplicitStepper::declare(model::StateLayout& layout) const {
  if (settings_.mode == Mode::quasistatic) {
    layout.declare({"x_before", model::ColumnType::f64, 3, model::On::node, model::Transfer::interpolate});
    layout.declare({"time_before", model::ColumnType::f64, 1, model::On::global, model::Transfer::reset});
  }
  if (settings_.mode == Mode::dynamic && settings_.integrator == Integrator::bdf2) {
    layout.declare({"x_old", model::ColumnType::f64, 3, model::On::node, model::Transfer::interpolate});
    layout.declare({"v_old", model::ColumnType::f64, 3, model::On::node, model::Transfer::interpolate});
    layout.declare({"dt_old", model::ColumnType::f64, 1, model::On::global, model::Transfer::reset});
  }
}

StepReport ImplicitStepper::step(const model::InputCurve& inputs, double t1, model::State& state,
                                 const Control& control) {
  StepReport report;
  report.status = settings_.mode == Mode::quasistatic ? quasistatic(inputs, t1, state, control, report)
                                                      : dynamic(inputs, t1, state, control, 0, report);
  if (report.taken()) state.set_step(state.step() + 1);
  return report;
}

void ImplicitStepper::set_inputs(const model::InputCurve& inputs, double time) {
  inputs.evaluate(time, inputs_);
  system_.set_inputs(inputs_);
}

SolveReport ImplicitStepper::solve(solve::Solver& solver, Positions& x, double tolerance,
                                   const Control& control, StepReport& report) {
  const SolveReport result = solver.solve(x, tolerance, control);
  report.iterations += result.iterations;
  report.linear_iterations += result.linear_iterations;
  add_seconds(report, "assembly", result.seconds_assembly);
  add_seconds(report, "linear", result.seconds_linear);
  add_seconds(report, "evaluation", result.seconds_evaluation);
  return result;
}

void ImplicitStepper::finish(StepReport& report, const SolveReport& last) const {
  report.residual = last.last.residual;
  report.relative_residual = last.last.relative;
  report.energy = last.last.energy;
  report.inverted = static_cast<int>(last.last.inverted);
  report.min_det_F = last.last.min_det_F;
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
    const double ahead = inputs_[i] - now_[i], bent = ahead - ratio * (now_[i] - earlier_[i]);
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
    system.set_inputs(inputs_);
    if (solve(*make_solver_(system), x, soft_tolerance, control, report).status == SolveStatus::cancelled)
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
    status = solve(*solver_, x, soft_tolerance, control, report).status;
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
  set_inputs(inputs, t0);
  bool tangled = inverted(x) > 0;
  bool at_equilibrium = state.step() > 0;  // the first start may be anything
  SolveReport last;
  while (done < 1) {
    const double fraction = std::min(increment, 1 - done);
    // The last increment ends at t1 itself, whatever the sum of the fractions.
    const bool final = fraction >= 1 - done;
    const double t_new = final ? t1 : t0 + (done + fraction) * (t1 - t0);
    set_inputs(inputs, t_new);
    trial = x;
    if (!tangled) extrapolate(inputs, before, t_before, t, t_new, trial);
    bool softened = tangled && system_.inversion() == material::Inversion::extend;
    if (softened && !soft_start(trial, control, report)) return StepStatus::cancelled;
    last = solve(*solver_, trial, settings_.tolerance, control, report);
    bool good = last.status == SolveStatus::converged && last.last.inverted == 0;
    if (!good && last.status != SolveStatus::cancelled && !tangled && fraction > smallest_increment) {
      increment = fraction / 2;
      continue;
    }
    if (!good && last.status != SolveStatus::cancelled && !softened) {
      Positions soft = x;
      if (!soft_start(soft, control, report)) return StepStatus::cancelled;
      const SolveReport again = solve(*solver_, soft, settings_.tolerance, control, report);
      if (again.status != SolveStatus::stalled || again.last.inverted < last.last.inverted) {
        last = again;
        trial = soft;
        good = last.status == SolveStatus::converged && last.last.inverted == 0;
      }
    }
    if (last.status == SolveStatus::cancelled) return StepStatus::cancelled;
    if (!good) {
      // A point with inverted elements is not kept, and what follows a bad point is not worth its cost.
      report.notes.push_back(shortcoming(last));
      finish(report, last);
      if (last.last.inverted > 0 || !final) return StepStatus::failed;
      status = StepStatus::stalled;
    }
    before.swap(x);
    x = trial;
    t_before = good && at_equilibrium ? t : t_new;  // a path needs two good points
    at_equilibrium = good;
    t = t_new;
    tangled = last.last.inverted > 0;
    done = final ? 1 : done + fraction;
    ++report.increments;
    if (good && last.iterations <= few_iterations) increment = std::clamp(2 * fraction, increment, 1.0);
  }
  finish(report, last);
  std::copy(x.begin(), x.end(), state.x().begin());
  std::copy(before.begin(), before.end(), state.vectors("x_before").begin());
  state.numbers("time_before")[0] = t_before;
  std::fill(state.v().begin(), state.v().end(), Vec3d{0, 0, 0});
  state.set_time(t1);
  state.set_increment(increment);
  return status;
}

StepStatus ImplicitStepper::dynamic(const model::InputCurve& inputs, double t1, model::State& state,
                                    const Control& control, int splits, StepReport& report) {
  const double dt = t1 - state.time();
  const bool bdf2 = settings_.integrator == Integrator::bdf2;
  // BDF2 needs a previous step of the same length.
  const bool second = bdf2 && splits == 0 && std::abs(state.numbers("dt_old")[0] - dt) <= 1e-9 * dt;
  const double h = second ? 2 * dt / 3 : dt;

  const auto x_n = state.x();
  const auto v_n = state.v();
  const size_t n = x_n.size();
  Positions &x_star = before_, &v_star = ahead_, &target = trial_, &x = x_;
  x_star.assign(x_n.begin(), x_n.end());
  v_star.assign(v_n.begin(), v_n.end());
  target.resize(n);
  x.resize(n);
  if (second) {
    const auto x_old = state.vectors("x_old"), v_old = state.vectors("v_old");
    for (size_t i = 0; i < n; ++i) {
      x_star[i] = (x_n[i] * 4.0 - x_old[i]) * (1.0 / 3);
      v_star[i] = (v_n[i] * 4.0 - v_old[i]) * (1.0 / 3);
    }
  }
  set_inputs(inputs, t1);
  const Vec3d g = model_.gravity < 0 ? Vec3d{0, 0, 0}
                                     : Vec3d{inputs_[model_.gravity], inputs_[model_.gravity + 1],
                                             inputs_[model_.gravity + 2]};
  weight_.assign(n, 0.0);
  for (const model::Body& body : model_.bodies)
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i) {
      const double inertia = mass_[i] / (h * h), drag = body.mass_damping * mass_[i] / h;
      weight_[i] = inertia + drag;
      const Vec3d ballistic = x_star[i] + v_star[i] * h;
      // Weight acts on the lumped mass, as inertia does: what the term of gravity gives to other nodes is taken back.
      const Vec3d weight = g * (mass_[i] - load_mass_[i]);
      target[i] =
          mass_[i] > 0 ? (ballistic * inertia + x_star[i] * drag + weight) * (1 / weight_[i]) : ballistic;
      x[i] = ballistic + g * (h * h);  // where it would fall freely
    }
  if (inverted(x) > 0) std::copy(x_n.begin(), x_n.end(), x.begin());
  system_.set_inertia(weight_, target);
  const bool damped = std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                  [](const model::Body& body) { return body.stiffness_damping > 0; });
  if (damped) system_.set_damping(x_star, 1 / h);

  const SolveReport last = solve(*solver_, x, settings_.tolerance, control, report);
  if (last.status == SolveStatus::cancelled) return StepStatus::cancelled;
  const bool good = last.status == SolveStatus::converged && last.last.inverted == 0;
  if (!good && splits < most_splits) {
    report.notes.push_back("a time step was split in two");
    model::State half = state;
    const double middle = state.time() + dt / 2;
    const StepStatus first = dynamic(inputs, middle, half, control, splits + 1, report);
    if (first == StepStatus::cancelled) return first;
    const StepStatus second_half = dynamic(inputs, t1, half, control, splits + 1, report);
    if (second_half == StepStatus::cancelled) return second_half;
    if (bdf2) half.numbers("dt_old")[0] = 0;
    state = std::move(half);
    return std::max(first, second_half);
  }
  if (!good) report.notes.push_back(shortcoming(last));
  ++report.increments;
  finish(report, last);
  if (bdf2) {
    std::copy(x_n.begin(), x_n.end(), state.vectors("x_old").begin());
    std::copy(v_n.begin(), v_n.end(), state.vectors("v_old").begin());
    state.numbers("dt_old")[0] = dt;
  }
  for (size_t i = 0; i < n; ++i) {
    v_n[i] = (x[i] - x_star[i]) * (1 / h);
    x_n[i] = x[i];
  }
  state.set_time(t1);
  return good ? StepStatus::converged : StepStatus::stalled;
}

}  // namespace sinew::step
