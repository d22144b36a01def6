#pragma once
// Steepest descent: d = -g, step lengths s.s / s.y from the last step s and the change y of the gradient over it
// (Barzilai, Borwein: Two-Point Step Size Gradient Methods, 1988), cut back until the energy falls. The simplest rival:
// one evaluation an iteration and nothing else, and as many iterations as the stiffness is uneven.
#include <span>
#include <vector>

#include "solve/iterate.h"

namespace sinew::solve {

class GradientDescent final : public Solver {
 public:
  GradientDescent(System& system, int max_iterations);

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override;
  std::string_view linear_solver() const override { return {}; }

 private:
  double first_step() const;

  System& system_;
  int max_iterations_;
  Iterate point_;
  std::vector<Vec3d> d_, old_, force_;
};

}  // namespace sinew::solve
