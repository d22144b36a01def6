#pragma once
// Material continuation, the "soft start" of reports: takes positions to the neighbourhood of equilibrium from anywhere.
// First as a corotated body with Poisson's ratio 0 and the same shear modulus at rest, whose forces stay of one size however
// tangled the start, then with the laws of the model and Poisson's ratio raised in stages.
#include "step/nonlinear.h"

namespace sinew::step {

// `system` and `solver` are those of the model, at the inputs of the increment. False: cancelled.
bool continue_material(const MakeSolver& make_solver, solve::System& system, solve::Solver& solver,
                       NonlinearLoop& nonlinear, std::span<math::Vec3d> x, const Control& control,
                       StepReport& report);

}  // namespace sinew::step
