#pragma once
// Sweeps where they pay, Newton's method where it does.
//
// - In time a solve begins with nonlinear Gauss-Seidel sweeps and goes on with them while each takes more off the forces,
//   per unit of work (solve/work.h), than Newton's method is expected to: with small steps that may be all there is to do.
// - Then Newton's method. Every whole step is followed by one sweep before the line search looks at it: the step leaves
//   local errors (rotations that were linearised, what conjugate gradients did not resolve) that a sweep removes for a
//   tenth of its cost. So a matrix may be kept for some steps, without the assembly, half of the cost of a step: while
//   such steps pay. A solve that ends near its tolerance tries to finish with sweeps worth half an iteration.
// - Elements that sweeps cannot visit leave Newton's method alone.
#include <memory>

#include "solve/newton.h"

namespace sinew::solve {

std::unique_ptr<Solver> make_hybrid(System& system, const NewtonOptions& options);

}  // namespace sinew::solve
