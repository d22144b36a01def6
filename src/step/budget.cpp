#include "step/budget.h"

#include <cmath>

namespace sinew::step {

BudgetStepper::BudgetStepper(const model::Model& model, const Settings& settings,
                             const MakeSolver& make_solver)
    : tolerance_(settings.tolerance),
      system_(model),
      solver_(make_solver(system_)),
      problem_(model, settings),
      contacts_(model),
      dynamic_(settings.mode == Mode::dynamic) {}

StepReport BudgetStepper::step(const model::InputCurve& inputs, double t1, model::State& state,
                               const Control& control) {
  StepReport report;
  report.status = advance(inputs, t1, state, control, report);
  if (report.taken()) state.set_step(state.step() + 1);
  return report;
}

StepStatus BudgetStepper::advance(const model::InputCurve& inputs, double t1, model::State& state,
                                  const Control& control, StepReport& report) {
  if (contacts_.active()) contacts_.load(state);
  // Where the start is more than a guess, weight must be in it.
  const auto held_up = solver_->restartable() ? contacts_.pressed() : std::span<const char>();
  problem_.begin(system_, inputs, t1, state, true, x_, held_up);
  if (contacts_.active()) {
    inputs_before_.resize(inputs.size());
    inputs.evaluate(state.time(), inputs_before_);
    contacts_.begin(state.x(), inputs_before_, problem_.inputs(), dynamic_ ? t1 - state.time() : 0);
  }
  const solve::SolveReport solve = contacts_.solve(system_, *solver_, x_, true, tolerance_, control, report);
  if (solve.status == solve::SolveStatus::cancelled) return StepStatus::cancelled;
  if (!std::isfinite(solve.last.residual)) {
    report.notes.emplace_back("the iteration diverged");
    add_end(report, solve.last);
    return StepStatus::failed;
  }
  bool converged = solve.status == solve::SolveStatus::converged;
  if (contacts_.active() && converged && !dynamic_ && solver_->restartable() && !contacts_.settled()) {
    report.notes.push_back(contacts_.unsettled());
    converged = false;
  }
  if (contacts_.crossing() && !contacts_.hold_back(system_.dofs(), x_, report)) return StepStatus::failed;
  add_end(report, solve.last);
  ++report.increments;
  report.linear_solver = solver_->linear_solver();
  if (contacts_.active()) {
    contacts_.accept(x_, report);
    contacts_.store(state);
  }
  problem_.end(x_, t1, state);
  return converged ? StepStatus::converged : StepStatus::stalled;
}

std::vector<std::string> lacks_elements(const model::Model& model, bool element::Kind::*ability) {
  std::vector<std::string> list;
  for (const model::Body& body : model.bodies)
    if (!(body.kind->*ability))
      list.push_back(std::string(body.kind->plural) + ", as the body " + body.name + " has");
  return list;
}

std::vector<std::string> lacks_damping(const model::Model& model) {
  std::vector<std::string> list;
  for (const model::Body& body : model.bodies)
    if (body.stiffness_damping > 0) list.push_back("stiffness damping, as the body " + body.name + " has");
  return list;
}

std::vector<std::string> lacks_projection(const model::Model& model) {
  std::vector<std::string> list;
  for (const model::Collider& collider : model.colliders)
    if (collider.response != model::Collider::Response::penalty)
      list.push_back(std::string("colliders with the response ") +
                     (collider.response == model::Collider::Response::project ? "project" : "clamp") +
                     ", as " + collider.name + " has");
  return list;
}

}  // namespace sinew::step
