#pragma once
// The fallback chain of linear solvers of Newton's method: the one that was asked for and, with "auto", stronger ones that take
// over for the rest of a solve when it fails. On many nodes block Jacobi gives way to multigrid as soon as it has cost as much
// as multigrid would. Multigrid is the first where links are far stiffer than their bodies, for equilibria of large bodies that are
// held at few of their nodes, and on sheets too large for a direct solver: beside their stiffness in the plane single precision
// knows nothing of long waves across it.
//
//     chain.restart();
//     while (!chain.current().prepare(system, x, hessian) && chain.fall_back()) {}
#include <memory>
#include <string>
#include <vector>

#include "solve/linear_solver.h"

namespace sinew::solve {

class LinearSolverChain {
 public:
  LinearSolverChain(std::string name, const System& system);

  LinearSolver& current() { return *solvers_[current_]; }
  const LinearSolver& current() const { return *solvers_[current_]; }
  // Iterations after which the current solver has failed.
  int patience() const;
  // To the first one, as a solve begins. Where the pattern of the matrix or the carried nodes have changed all are made anew.
  void restart();
  // As restart(), in the middle of a solve: it goes on with a solver of the same strength.
  void follow_pattern();
  // To the next stronger one; false: there is none.
  bool fall_back();

 private:
  void make_rungs();
  void make(size_t rung);
  bool begins_with_multigrid() const;

  std::string name_;
  const System& system_;
  std::vector<std::string_view> rungs_;
  std::vector<std::unique_ptr<LinearSolver>> solvers_;  // of the rungs, made when they are first needed
  size_t current_ = 0;
  bool stiff_ = false;                                   // links are far stiffer than their bodies
  std::shared_ptr<const energy::BlockPattern> pattern_;  // that they were made for
  int64_t carried_version_ = 0;
};

}  // namespace sinew::solve
