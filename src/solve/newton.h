#pragma once
// Newton's method for System.
//
// - The operator is the exact Hessian while nothing is inverted and conjugate gradients meet no negative curvature;
//   otherwise each element's Hessian is projected to positive semi-definite (Teran, Sifakis, Irving, Fedkiw: Robust
//   Quasistatic Finite Elements and Flesh Simulation, 2005).
// - Backtracking on the energy while there is one; otherwise on the slope d.g. Before it backtracks, a whole step that
//   raises the energy may be followed by a few more whole steps, and is kept if these bring the energy below where it
//   began (Chamberlain, Powell, Lemarechal, Pedersen: The watchdog technique for forcing convergence in algorithms for
//   constrained optimization, 1982): a nearly incompressible body that turns first swells, then shrinks back.
// - Held nodes that have to move do so in the first step, together with the linear response of the free ones, so
//   that a boundary that moves by more than an element does not crush the elements beside it.
// - Linear systems are solved inexactly (Eisenstat, Walker: Choosing the Forcing Terms in an Inexact Newton Method,
//   1996).
// - With a Smoother, the matrix of a step serves the next ones too while that takes off more per unit of counted work.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solve/linear_solver.h"
#include "solve/solver.h"

namespace sinew::solve {

struct NewtonOptions {
  int max_iterations = 200;
  int max_linear_iterations = 1000;
  std::string linear = "auto";
};

// Improves a point after each whole step of Newton's by some cheap sweeps that do not raise the energy.
class Smoother {
 public:
  virtual ~Smoother() = default;
  virtual void smooth(std::span<Vec3d> x, int sweeps) = 0;
};

class Newton final : public Solver {
 public:
  Newton(System& system, NewtonOptions options, std::unique_ptr<Smoother> smoother = nullptr);

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override;
  std::string_view linear_solver() const override { return linear().name(); }
  const LinearSolver& linear() const { return *ladder_[rung_]; }

 private:
  struct Step {
    double slope = 0;  // g.d, negative
    bool exact = false;
    bool found = false;
  };
  Step direction(std::span<const Vec3d> x, const Evaluation& at, double forcing, bool boundary, bool kept,
                 SolveReport& report);
  bool line_search(std::span<Vec3d> x, Evaluation& at, const Step& step, SolveReport& report);
  bool excursion(std::span<Vec3d> x, Evaluation& at, const Evaluation& first, const Step& step,
                 SolveReport& report);
  Evaluation evaluate(std::span<const Vec3d> x, SolveReport& report);
  bool finish(std::span<Vec3d> x, Evaluation& at, SolveReport& report);
  bool climb();
  bool serves_again(double ratio, int linear_iterations) const;

  System& system_;
  NewtonOptions options_;
  std::unique_ptr<Smoother> smoother_;
  // The linear solver, and with "auto" the stronger ones that replace it within a solve when it does not converge.
  std::vector<std::unique_ptr<LinearSolver>> ladder_;
  std::shared_ptr<const energy::BlockPattern> pattern_;  // that they were made for
  size_t rung_ = 0;
  std::vector<Vec3d> gradient_, trial_gradient_, trial_, d_, boundary_, work_, rhs_, q_;
  std::vector<Vec3d> home_, home_gradient_, home_d_;  // where an excursion began
  bool exact_ = false;                                // of the last direction: its Hessian was
  int projected_for_ = 0;  // iterations left before the exact Hessian is tried again
  int stay_home_ = 0;      // iterations left before an excursion is tried again
};

}  // namespace sinew::solve
