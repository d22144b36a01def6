#pragma once
// Newton's method for System.
//
// - The operator is the exact Hessian while nothing is inverted and conjugate gradients meet no negative curvature;
//   otherwise each element's Hessian is projected to positive semi-definite (Teran, Sifakis, Irving, Fedkiw: Robust
//   Quasistatic Finite Elements and Flesh Simulation, 2005).
// - Backtracking by the rule relaxed_armijo of solve/line_search.h. Before it backtracks, a whole step that raises the
//   energy may be followed by a few more whole steps, and is kept if these bring the energy below where it began (the
//   watchdog technique): a nearly incompressible body that turns first swells, then shrinks back.
// - Constrained nodes that have to move do so in the first step, together with the linear response of the free ones, so
//   that a boundary that moves by more than an element does not crush the elements beside it.
// - Linear systems are solved inexactly (Eisenstat, Walker: Choosing the Forcing Terms in an Inexact Newton Method,
//   1996).
// - With a Smoother, the matrix of a step serves the next ones too while that takes off more per unit of counted work.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solve/iterate.h"
#include "solve/linear_solver_chain.h"

namespace sinew::solve {

// Iterations with the projected Hessian after the exact one was of no use.
inline constexpr int projected_iterations = 4;

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
  std::string_view linear_solver() const override { return chain_.current().name(); }
  const LinearSolver& linear() const { return chain_.current(); }

 private:
  struct Direction {
    double slope = 0;    // g.d
    bool exact = false;  // the Hessian was
    bool found = false;
  };
  bool start(std::span<Vec3d> x, SolveReport& report);
  bool boundary_step(SolveReport& report);
  bool newton_step(double tolerance, SolveReport& report);
  Direction direction(double forcing, bool boundary, bool reuse, SolveReport& report);
  bool assemble(Hessian hessian, bool boundary, bool reuse, SolveReport& report);
  bool descend(const Direction& direction, SolveReport& report);
  bool watchdog(const Direction& refused, SolveReport& report);
  bool finish_by_sweeps(SolveReport& report);
  bool worth_reusing(double ratio, int linear_iterations) const;
  void smooth_trial();

  System& system_;
  NewtonOptions options_;
  std::unique_ptr<Smoother> smoother_;
  LinearSolverChain chain_;
  Iterate point_;
  std::vector<Vec3d> d_;         // the direction
  std::vector<Vec3d> boundary_;  // what the constrained nodes still have to move [m]
  std::vector<Vec3d> work_, rhs_, q_;
  // Where a watchdog began.
  std::vector<Vec3d> watchdog_x_, watchdog_gradient_, watchdog_d_;
  double forcing_ = 0;      // of the next linear solve
  bool reuse_ = false;      // the next direction is by the matrix of the last one
  bool exact_ = false;      // that one is the exact Hessian
  int projected_for_ = 0;   // iterations left before the exact Hessian is tried again
  int watchdog_pause_ = 0;  // iterations left before a watchdog is tried again
};

}  // namespace sinew::solve
