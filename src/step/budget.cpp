#include "step/budget.h"

#include <cmath>

namespace sinew::step {

BudgetStepper::BudgetStepper(const model::Model& model, const Settings& settings,
                             const MakeSolver& make_solver)
    : tolerance_(settings.tolerance),
      system_(model),
      solver_(make_solver(system_)),
      problem_(model, settings) {}

StepReport BudgetStepper::step(const model::InputCurve& inputs, double t1, model::State& state,
                               const Control& control) {
  StepReport report;
  problem_.begin(system_, inputs, t1, state, true, x_);
  const solve::SolveReport solve = solver_->solve(x_, tolerance_, control);
  add_solve(report, solve);
  add_end(report, solve.last);
  report.increments = 1;
  report.linear_solver = solver_->linear_solver();
  if (solve.status == solve::SolveStatus::cancelled) {
    report.status = StepStatus::cancelled;
    return report;
  }
  if (!std::isfinite(solve.last.residual)) {
    report.notes.emplace_back("the iteration diverged");
    return report;
  }
  report.status = solve.status == solve::SolveStatus::converged ? StepStatus::converged : StepStatus::stalled;
  problem_.end(x_, t1, state);
  state.set_step(state.step() + 1);
  return report;
}

std::vector<std::string> lacks_elements(const model::Model& model) {
  std::vector<std::string> list;
  for (const model::Body& body : model.bodies) {
    if (body.elements == model::Elements::averaged)
      list.push_back("elements with averaged volume, as the body " + body.name + " has");
    if (body.elements == model::Elements::quadratic)
      list.push_back("elements of second order, as the body " + body.name + " has");
  }
  return list;
}

std::vector<std::string> lacks_damping(const model::Model& model) {
  std::vector<std::string> list;
  for (const model::Body& body : model.bodies)
    if (body.stiffness_damping > 0) list.push_back("stiffness damping, as the body " + body.name + " has");
  return list;
}

std::vector<std::string> lacks_contacts(const model::Model& model) {
  std::vector<std::string> list;
  if (!model.contact.rules.empty())
    list.push_back(model.colliders.empty() ? "contact between bodies"
                                           : "colliders, such as " + model.colliders[0].name);
  if (!model.sliding.empty())
    list.push_back("sliding connections, as the body " + model.bodies[model.sliding[0].body].name + " has");
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
