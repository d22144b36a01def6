#include "step/implicit.h"

#include <algorithm>
#include <cmath>

#include "step/dynamic.h"
#include "step/quasistatic.h"

namespace sinew::step {

using math::Vec3d;
using solve::SolveReport;
using solve::SolveStatus;

ImplicitStepper::ImplicitStepper(const model::Model& model, double tolerance, const MakeSolver& make_solver)
    : tolerance_(tolerance),
      system_(model),
      solver_(make_solver(system_)),
      nonlinear_(model),
      gradient_(model.X.size()) {}

StepReport ImplicitStepper::step(const model::InputCurve& inputs, double t1, model::State& state,
                                 const Control& control) {
  StepReport report;
  reached_.reset();
  report.status = advance(inputs, t1, state, control, report);
  if (report.taken() && report.rounding > tolerance_) limit_by_rounding(state.x(), report);
  if (report.taken()) state.set_step(state.step() + 1);
  if (report.status == StepStatus::converged || report.status == StepStatus::cancelled) report.reason.reset();
  return report;
}

// The forces are balanced as far as positions can tell, which is not far enough.
void ImplicitStepper::limit_by_rounding(std::span<const Vec3d> x, StepReport& report) const {
  report.status = StepStatus::stalled;
  report.relative_residual = std::max(report.relative_residual, report.rounding);
  if (!report.reason) report.reason = find_reason({.system = system_, .x = x, .tolerance = tolerance_});
}

bool ImplicitStepper::acceptable(const SolveReport& last) const {
  const bool energies = last.last.inverted == 0 || system_.inversion() == material::Inversion::extend;
  return last.status == SolveStatus::converged && energies && !nonlinear_.intersecting();
}

void ImplicitStepper::explain(const SolveReport& last, std::span<const Vec3d> x, StepReport& report) const {
  if (report.reason) return;
  report.reason =
      find_reason({.system = system_,
                   .x = x,
                   .at = &last.last,
                   .gradient = solver_->gradient(),
                   .tolerance = tolerance_,
                   .done = done(),
                   .budgeted = budgeted(),
                   .pair = last.obstructed ? nonlinear_.nearest(x) : nonlinear_.unsettled(system_.dofs()),
                   .crossing = last.obstructed || nonlinear_.intersecting()});
}

bool ImplicitStepper::keep(const SolveReport& last, std::span<Vec3d> x, StepReport& report) {
  const bool kept = std::isfinite(last.last.residual) && !last.obstructed &&
                    (!nonlinear_.intersecting() || nonlinear_.limit_step(system_.dofs(), x, report));
  if (!kept) {
    report.reason.reset();  // what it failed for counts
    explain(last, x, report);
    finish(report, last);
  }
  return kept;
}

void ImplicitStepper::set_end(StepReport& report, const solve::Evaluation& end) {
  report.residual = end.residual;
  report.relative_residual = end.relative;
  report.rounding = end.rounding;
  report.rounded_body = end.rounded_body;
  report.energy = end.energy;
  report.inverted = static_cast<int>(end.inverted);
  report.min_det_F = end.min_det_F;
}

void ImplicitStepper::finish(StepReport& report, const SolveReport& last) const {
  set_end(report, last.last);
  report.linear_solver = solver_->linear_solver();
}

int64_t ImplicitStepper::inverted(std::span<const Vec3d> x) {
  return system_.evaluate(x, gradient_).inverted;
}

std::unique_ptr<Stepper> make_implicit_stepper(const model::Model& model, const Settings& settings,
                                               const MakeSolver& make_solver) {
  if (settings.mode == Mode::dynamic) return std::make_unique<DynamicStepper>(model, settings, make_solver);
  return std::make_unique<QuasistaticStepper>(model, settings, make_solver);
}

}  // namespace sinew::step
