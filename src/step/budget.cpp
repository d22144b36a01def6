#include "step/budget.h"

namespace sinew::step {

BudgetStepper::BudgetStepper(const model::Model& model, const Settings& settings,
                             const MakeSolver& make_solver)
    : ImplicitStepper(model, settings.tolerance, make_solver),
      dynamic_(settings.mode == Mode::dynamic),
      time_step_(model, settings),
      inputs_before_(model.inputs.size()) {}

void BudgetStepper::declare(model::StateLayout& layout) const {
  time_step_.declare(layout);
  nonlinear_.declare(layout);
}

StepStatus BudgetStepper::advance(const model::InputCurve& inputs, double t1, model::State& state,
                                  const Control& control, StepReport& report) {
  nonlinear_.load(state);
  // Where the start is more than a guess, weight must be in it.
  const auto supported = solver_->restartable() ? nonlinear_.loaded_bodies() : std::span<const char>();
  time_step_.begin(system_, inputs, t1, state, x_, supported);
  inputs.evaluate(state.time(), inputs_before_);
  nonlinear_.begin(state.x(), inputs_before_, time_step_.inputs(), dynamic_ ? t1 - state.time() : 0);
  const solve::SolveReport solve =
      nonlinear_.solve(system_, *solver_, x_, {.tolerance = tolerance_, .budgeted = true}, control, report);
  if (solve.status == solve::SolveStatus::cancelled) return StepStatus::cancelled;
  const bool settled = dynamic_ || !solver_->restartable() || nonlinear_.contacts_converged();
  const bool converged = solve.status == solve::SolveStatus::converged && settled;
  if (!converged) explain(solve, x_, report);
  if (!keep(solve, x_, report)) return StepStatus::failed;
  finish(report, solve);
  ++report.increments;
  nonlinear_.accept(x_, report);
  nonlinear_.store(state);
  time_step_.end(x_, t1, state);
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
