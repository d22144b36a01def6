#include "step/material_continuation.h"

#include <algorithm>

#include "model/rest_hessian.h"

namespace sinew::step {

using solve::SolveStatus;

namespace {

constexpr double poisson_stages[] = {0.2, 0.3, 0.4, 0.45};
constexpr NonlinearOptions loose = {.tolerance = 1e-3};

// Calls f with every value of a field "poisson".
template <class Params, class F>
void for_each_poisson(const model::Model& model, Params& params, const F& f) {
  for (size_t s = 0; s < model.sets.size(); ++s)
    for (size_t i = 0; i < model.sets[s].law->fields.size(); ++i)
      if (model.sets[s].law->fields[i].name == "poisson")
        for (auto& nu : params.material[s][i].values) f(nu);
}

model::Params with_poisson_below(const model::Model& model, double limit) {
  model::Params params = model.params;
  for_each_poisson(model, params, [&](double& nu) { nu = std::min(nu, limit); });
  return params;
}

double largest_poisson(const model::Model& model) {
  double largest = -1;
  for_each_poisson(model, model.params, [&](double nu) { largest = std::max(largest, nu); });
  return largest;
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

model::Model softened(const model::Model& model) {
  model::Model soft = model;
  soft.params = with_poisson_below(model, 0);
  for (size_t s = 0; s < soft.sets.size(); ++s) soften(soft.sets[s].law, soft.params.material[s]);
  return soft;
}

}  // namespace

bool continue_material(const MakeSolver& make_solver, solve::System& system, solve::Solver& solver,
                       NonlinearLoop& nonlinear, std::span<math::Vec3d> x, const Control& control,
                       StepReport& report) {
  const model::Model& model = system.model();
  report.notes.emplace_back("soft start: corotated with Poisson's ratio 0, then raised in stages");
  {
    const model::Model soft = softened(model);
    solve::System soft_system(soft);
    soft_system.set_inputs(system.inputs());
    const auto soft_solver = make_solver(soft_system);
    if (nonlinear.solve(soft_system, *soft_solver, x, loose, control, report).status ==
        SolveStatus::cancelled)
      return false;
  }
  const double largest = largest_poisson(model);
  SolveStatus status = SolveStatus::converged;
  for (double stage : poisson_stages) {
    if (stage >= largest || status == SolveStatus::cancelled) break;
    system.set_params(with_poisson_below(model, stage));
    status = nonlinear.solve(system, solver, x, loose, control, report).status;
  }
  system.set_params(model.params);
  return status != SolveStatus::cancelled;
}

}  // namespace sinew::step
