#pragma once
// Whether an equilibrium is a minimum. At a saddle point, a column pressed beyond its buckling load for example, the forces are
// balanced but the exact Hessian H has directions d with d.H d < 0, along which the energy falls.
#include <span>

#include "solve/linear_solver.h"

namespace sinew::solve {

// Looks for such a direction over the nodes by conjugate gradients on H, with a right-hand side that has a part in every mode
// and the projected Hessian, for which `projected` was prepared at x, as the preconditioner. False: none was met.
bool find_negative_curvature(const System& system, LinearSolver& projected, std::span<const Vec3d> x,
                             std::span<Vec3d> d);

}  // namespace sinew::solve
