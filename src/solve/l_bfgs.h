#pragma once
// Quasi-Newton steps with little memory (Nocedal: Updating Quasi-Newton Matrices with Limited Storage, 1980) that start
// from the inverse of the Hessian at rest, projected, with inertia (Liu, Bouaziz, Kavan: Quasi-Newton Methods for
// Real-Time Simulation of Hyperelastic Materials, 2017): one factorisation serves all steps, and an iteration is one
// evaluation and one solve with the factors.
//
// - The factorisation is done anew when parameters or inertia change. Inertia weights count as changed beyond single
//   precision only, so that the rounding of t1 - t0 does not cost one. Where a direct solver is missing or the matrix is
//   too large for it, the incomplete Cholesky factor takes its place.
// - Contacts press or do not: with them the Hessian is that at the start of a solve, and again that of where it is when
//   steps no longer help, while the residual falls from one to the next.
// - A pair (s, y) with s.y <= 0 is left out. The pairs are forgotten at the end of a solve.
// - Held nodes that have to move take the free ones along by the response of the same Hessian, unless the energy is
//   lower without. With a barrier they go as far as the way is clear, again and again, each time with a Hessian of where they are.
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "solve/incomplete_cholesky.h"
#include "solve/iterate.h"
#include "solve/linear_solver.h"
#include "solve/reduction.h"

namespace sinew::solve {

struct LBfgsOptions {
  int max_iterations = 500;
  int memory = 6;  // pairs
};

class LBfgs final : public Solver {
 public:
  LBfgs(System& system, const LBfgsOptions& options);

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override;
  bool follows_contacts() const override { return true; }
  std::string_view linear_solver() const override {
    return complete_ ? direct_->name() : "incomplete_cholesky";
  }

 private:
  struct Pair {
    std::vector<Vec3d> s, y;
    double sy;
  };
  void factor(std::span<const Vec3d> x, SolveReport& report);
  bool factor_again(std::span<const Vec3d> x, SolveReport& report);
  void factor_here(std::span<const Vec3d> x, SolveReport& report);
  void apply_inverse(std::span<const Vec3d> r, std::span<Vec3d> z);
  void start(std::span<Vec3d> x, SolveReport& report);
  bool find_boundary(std::span<const Vec3d> x);
  void respond(SolveReport& report);
  bool approach_boundary(SolveReport& report);
  void direction(SolveReport& report);
  void remember(double alpha);

  System& system_;
  LBfgsOptions options_;
  Iterate point_;
  std::unique_ptr<LinearSolver> direct_;
  bool complete_ = false;  // the factors are those of direct_
  ReducedMatrix matrix_;   // of the incomplete factor
  IncompleteCholesky incomplete_;
  bool factored_ = false;
  std::vector<Vec3d> factored_at_;  // positions [m]
  double factored_residual_ = 0;    // there [N]
  int64_t params_version_ = 0, contacts_version_ = 0, carried_version_ = 0;
  std::shared_ptr<const energy::BlockPattern> pattern_;  // of what was factored
  std::vector<double> weight_;                           // that the factors hold
  std::deque<Pair> pairs_;
  std::vector<Vec3d> d_, work_;   // at nodes
  std::vector<Vec3d> g_, q_, z_;  // of the free unknowns
};

}  // namespace sinew::solve
