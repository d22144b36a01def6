#pragma once
// What sweeps over nodes do not see, waves longer than a few elements and nodes that stiff ties move as one, in a step of the
// whole body: some iterations of conjugate gradients with a multigrid cycle (solve/multigrid.h), followed by a line search on
// the energy. The Hessian is the projected one, and near the equilibrium the exact one while it is definite. It serves the next
// steps too while that takes off more per unit of counted work (solve/work.h).
//
//     correction.restart();
//     while (...) {
//       correction.apply(x, at, gradient, report);    // at, gradient: of x
//       ... sweeps, evaluation ...
//       correction.note(decades, sweeps);             // of the residual, in all
//     }
#include <memory>
#include <vector>

#include "solve/linear_solver.h"
#include "solve/solver.h"

namespace sinew::solve {

class CoarseCorrection {
 public:
  explicit CoarseCorrection(System& system);

  // Before the steps of a solve.
  void restart();
  // Moves x to where the energy is lower, with its evaluation and gradient; false: it found no such place.
  bool apply(std::span<Vec3d> x, Evaluation& at, std::vector<Vec3d>& gradient, SolveReport& report);
  // By how many decades the residual has fallen since the last step began, with sweeps and other work of that many.
  void note(double decades, double sweeps);
  double work() const { return work_; }  // of the last step, in sweeps
  // About what a first step takes, and the next one [sweeps].
  static double first_work();
  double next_work() const;

 private:
  void prepare(std::span<const Vec3d> x, const Evaluation& at, SolveReport& report);
  bool search(std::span<Vec3d> x, Evaluation& at, std::vector<Vec3d>& gradient, SolveReport& report);

  System& system_;
  std::unique_ptr<LinearSolver> linear_;
  std::shared_ptr<const energy::BlockPattern> pattern_;  // that it was made for
  int64_t carried_version_ = 0;
  bool anew_ = true;          // the next step takes a matrix of its own
  bool own_ = true;           // the last one did
  bool exact_ = false;        // it is the exact Hessian
  bool indefinite_ = false;   // that was found to be indefinite
  double fresh_decades_ = 0;  // that the last step with a matrix of its own took off
  double work_ = 0;
  std::vector<Vec3d> rhs_, q_, d_, trial_, trial_gradient_;
};

}  // namespace sinew::solve
