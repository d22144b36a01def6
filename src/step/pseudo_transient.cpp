#include "step/pseudo_transient.h"

#include <cmath>

namespace sinew::step {

using math::Vec3d;
using solve::SolveReport;
using solve::SolveStatus;

namespace {

// Weights are this share of an element's stiffness; the step in time is its inverse.
constexpr double first_share = 0.1, least_share = 1e-6, largest_share = 1e3;
constexpr int max_steps = 60;
constexpr int quick_iterations = 6;      // a step that needs no more lets the next one grow by much
constexpr double flow_tolerance = 1e-2;  // relative residual of a step

}  // namespace

SolveReport follow_gradient_flow(solve::System& system, solve::Solver& solver, NonlinearLoop& nonlinear,
                                 std::span<Vec3d> x, double tolerance, const Control& control,
                                 StepReport& report) {
  const model::Model& model = system.model();
  const solve::Floors floors = solve::make_floors(model, system.params());
  std::vector<double> weight(x.size());
  std::vector<Vec3d> start;
  double share = first_share;
  for (int k = 0; k < max_steps && share > least_share && share < largest_share; ++k) {
    start.assign(x.begin(), x.end());
    for (size_t b = 0; b < model.bodies.size(); ++b)
      for (int32_t i = model.bodies[b].nodes.begin; i < model.bodies[b].nodes.end; ++i)
        weight[i] = share * floors.body[b].stiffness;
    system.set_inertia(weight, start);
    const SolveReport last =
        nonlinear.solve(system, solver, x, {.tolerance = flow_tolerance}, control, report);
    system.set_inertia({}, {});
    if (last.status == SolveStatus::cancelled) return last;
    if (!std::isfinite(last.last.residual)) std::copy(start.begin(), start.end(), x.begin());
    if (last.status == SolveStatus::converged)
      share *= last.iterations <= quick_iterations ? 0.125 : 0.5;
    else
      share *= 4;
  }
  return nonlinear.solve(system, solver, x, {.tolerance = tolerance}, control, report);
}

}  // namespace sinew::step
