#pragma once
// Backtracking along a direction of descent d. A step alpha is taken where the energy falls by a part of what the slope
// promises, Phi(x + alpha d) <= Phi(x) + 1e-4 alpha g.d (Armijo). Where the energy changes by less than its rounding, or
// a load has none, the slope along d decides: it may not have turned and grown, g(x + alpha d).d <= (1 - 2e-4) |g.d|
// (the approximate condition of Hager, Zhang: A New Conjugate Gradient Method with Guaranteed Descent and an Efficient
// Line Search, 2005), so that a search ends at the rounding of the forces and not at that of the energy.
//
//     const double alpha = line.search(x, at, gradient, d, 1.0, report);   // 0: no step was acceptable
#include <span>
#include <vector>

#include "solve/solver.h"

namespace sinew::solve {

class LineSearch {
 public:
  explicit LineSearch(const System& system);
  // Moves x, its evaluation and its gradient along d, by `first` at most.
  double search(std::span<Vec3d> x, Evaluation& at, std::vector<Vec3d>& gradient, std::span<const Vec3d> d,
                double first, SolveReport& report);

 private:
  const System& system_;
  std::vector<Vec3d> trial_, trial_gradient_;
};

}  // namespace sinew::solve
