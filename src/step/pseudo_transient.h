#pragma once
// Pseudo-transient continuation: takes positions to an equilibrium by following the gradient flow of the energy,
// W dx/dt = -dE/dx, in implicit Euler steps that grow as they succeed (Kelley, Keyes: Convergence Analysis of Pseudo-Transient
// Continuation, 1998). W is the stiffness of an element, so that all steps are numbers without dimension. Where Newton's method
// alone crawls or cycles, a step that is short enough has a convex problem; a flow that goes on ends in a minimum.
#include "step/nonlinear.h"

namespace sinew::step {

// `system` is at the inputs of the increment; `tolerance` is that of the equilibrium.
solve::SolveReport follow_gradient_flow(solve::System& system, solve::Solver& solver,
                                        NonlinearLoop& nonlinear, std::span<math::Vec3d> x, double tolerance,
                                        const Control& control, StepReport& report);

}  // namespace sinew::step
