#pragma once
// Newton's method for System.
//
// - The operator is the exact Hessian while nothing is inverted. Where conjugate gradients meet negative curvature their sum
//   so far is the direction (Nocedal, Wright: Numerical Optimization, 2006, the line search Newton-CG method), unless they have
//   hardly begun; then, and far from the equilibrium in the first iterations, each element's Hessian is projected to positive
//   semi-definite (Teran, Sifakis, Irving, Fedkiw: Robust Quasistatic Finite Elements and Flesh Simulation, 2005), which is
//   safe but too stiff.
// - Backtracking by the rule relaxed_armijo of solve/line_search.h. Before it backtracks, a whole step that raises the
//   energy may be followed by a few more whole steps, and is kept if these bring the energy below where it began (the
//   watchdog technique): a nearly incompressible body that turns first swells, then shrinks back.
// - A step that would turn parts of the body by much turns them rigidly (solve/rotation_warp.h), if that lowers the energy.
// - Constrained nodes that have to move do so in the first step, together with the linear response of the free ones, so
//   that a boundary that moves by more than an element does not crush the elements beside it.
// - Linear systems are solved inexactly (Eisenstat, Walker: Choosing the Forcing Terms in an Inexact Newton Method,
//   1996).
// - An equilibrium that was reached with a projected Hessian may be a saddle point; one of sheets that was reached in one step
//   from where they were stable, too. If it is, the iterate leaves it along a direction of negative curvature and descends further
//   (solve/negative_curvature.h): bodies buckle.
// - With a Smoother, the matrix of a step serves the next ones too while that takes off more per unit of counted work.
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solve/iterate.h"
#include "solve/linear_solver_chain.h"
#include "solve/rotation_warp.h"

namespace sinew::solve {

class Iteration;

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
  bool follows_contacts() const override { return true; }
  std::string_view linear_solver() const override { return chain_.current().name(); }
  const LinearSolver& linear() const { return chain_.current(); }

 private:
  struct Direction {
    double slope = 0;    // g.d
    bool exact = false;  // the Hessian was
    bool found = false;
    bool curved = false;  // the exact Hessian is not positive definite
  };
  bool start(std::span<Vec3d> x, SolveReport& report);
  void iterate(Iteration& iteration, bool feasible, double tolerance, SolveReport& report);
  void find_boundary();
  bool boundary_step(SolveReport& report);
  bool approach_boundary(SolveReport& report);
  bool newton_step(double tolerance, SolveReport& report);
  Direction direction(double forcing, bool boundary, bool reuse, SolveReport& report);
  bool assemble(Hessian hessian, bool boundary, bool reuse, SolveReport& report);
  bool descend(const Direction& direction, SolveReport& report);
  bool descend_warped(const Direction& direction, SolveReport& report);
  RotationWarp* warp();
  bool warp_trial(double share = 1);
  bool too_large(SolveReport& report);
  bool watchdog(const Direction& refused, SolveReport& report);
  bool finish_by_sweeps(SolveReport& report);
  bool worth_reusing(double ratio, int linear_iterations) const;
  void smooth_trial();
  bool may_be_saddle(SolveReport& report);
  bool leave_saddle(SolveReport& report);

  System& system_;
  NewtonOptions options_;
  std::unique_ptr<Smoother> smoother_;
  LinearSolverChain chain_;
  Iterate point_;
  std::unique_ptr<RotationWarp> warp_;
  double least_angle_;
  bool has_sheets_ = false;
  double warped_above_ = 1e-1;  // relative residual above which steps may turn the body by much
  int max_warped_halvings_ = 0;
  double edge_ = std::numeric_limits<double>::infinity();  // the shortest of the bodies' mean edges [m]
  std::vector<Vec3d> d_;                                   // the direction
  std::vector<Vec3d> boundary_;  // what the constrained nodes still have to move [m]
  bool boundary_is_met_ = true;  // nothing
  std::vector<Vec3d> work_, rhs_, q_;
  // Where a watchdog began.
  std::vector<Vec3d> watchdog_x_, watchdog_gradient_, watchdog_d_;
  double forcing_ = 0;      // of the next linear solve
  bool reuse_ = false;      // the next direction is by the matrix of the last one
  bool exact_ = false;      // that one is the exact Hessian
  bool curved_ = false;     // the exact Hessian was found to be indefinite there
  int projected_for_ = 0;   // iterations left before the exact Hessian is tried again
  int watchdog_pause_ = 0;  // iterations left before a watchdog is tried again
};

}  // namespace sinew::solve
