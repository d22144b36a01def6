#pragma once
// Position based dynamics and its compliant form as a Solver. One iteration is one sweep over all constraints.
//
// In time, x starts at the free motion y - g_ext / w (w, y the system's inertia, g_ext the gradient of the loads at the
// start) and the sweeps follow. Without inertia w = m / pseudo_step^2, and y is where the bodies are:
//     soft: a new pseudo-step every sweeps_per_step sweeps, from rest, to the steady state;
//     hard: one free motion, then sweeps alone, which forget the load.
// Neither finds the equilibrium: nothing drives inertia and constraint forces into balance (Chen, Han, Chen,
// Teran: Position-Based Nonlinear Gauss-Seidel for Quasistatic Hyperelasticity, 2023).
#include "solve/constraint_sweeps.h"
#include "solve/solver.h"

namespace sinew::solve {

struct ConstraintOptions {
  ConstraintSweeps::Options sweeps;
  int max_iterations = 200;
  double pseudo_step = 1.0 / 30;  // [s]
  int sweeps_per_step = 10;
};

class ConstraintSolver final : public Solver {
 public:
  ConstraintSolver(const System& system, const ConstraintOptions& options);

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override;
  std::string_view linear_solver() const override { return {}; }
  bool restartable() const override { return false; }  // multipliers belong to the start
  std::span<const Vec3d> gradient() const override { return gradient_; }

 private:
  void take_weights();
  void start_step(std::span<Vec3d> x);
  // True where the solve ends here.
  bool judge(std::span<const Vec3d> x, double tolerance, SolveReport& report);

  const System& system_;
  ConstraintOptions options_;
  ConstraintSweeps sweeps_;
  std::vector<double> mass_, weight_;
  std::vector<Vec3d> gradient_, start_;
  double start_residual_ = 0;  // [N]
};

}  // namespace sinew::solve
