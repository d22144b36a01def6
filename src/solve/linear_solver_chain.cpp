#include "solve/linear_solver_chain.h"

#include <limits>

namespace sinew::solve {

namespace {

constexpr int32_t multigrid_rows = 2000;
// About what a solve with multigrid costs, its matrices included, in iterations with block Jacobi.
constexpr int jacobi_patience = 200;
// Multigrid takes a few tens where its coarse functions can follow the body.
constexpr int multigrid_patience = 150;
// Links that are so much stiffer than their bodies leave block Jacobi no chance.
constexpr double stiff_links = 100;
constexpr std::string_view direct = "direct";

}  // namespace

LinearSolverChain::LinearSolverChain(std::string name, const System& system)
    : name_(std::move(name)), system_(system) {
  make_first();
}

void LinearSolverChain::make_first() {
  solvers_.clear();
  solvers_.push_back(make_linear_solver(name_, system_));
  if (name_ == "auto" && !solvers_[0]->direct() && !system_.dofs().carries() &&
      system_.stiffest_link() > stiff_links)
    solvers_[0] = make_linear_solver("pcg_multigrid", system_);
  rungs_ = {solvers_[0]->name()};
  if (name_ != "auto") return;
  // A direct solver that was chosen for its speed gives way to conjugate gradients, which bear a singular matrix.
  if (solvers_[0]->direct())
    rungs_.insert(rungs_.end(), {"pcg", "pcg_cholesky"});
  else if (rungs_[0] == "pcg_multigrid")
    rungs_.insert(rungs_.end(), {"pcg_cholesky", direct});
  else if (system_.dofs().block_count() >= multigrid_rows && !system_.dofs().carries())
    rungs_.insert(rungs_.end(), {"pcg_multigrid", "pcg_cholesky", direct});
  else
    rungs_.insert(rungs_.end(), {"pcg_cholesky", direct});
}

int LinearSolverChain::patience() const {
  if (current_ + 1 < rungs_.size()) {
    if (rungs_[current_ + 1] == "pcg_multigrid") return jacobi_patience;
    if (rungs_[current_] == "pcg_multigrid") return multigrid_patience;
  }
  return std::numeric_limits<int>::max();
}

void LinearSolverChain::restart() {
  current_ = 0;
  if (pattern_ == system_.pattern() && carried_version_ == system_.carried_version()) return;
  if (pattern_) make_first();
  pattern_ = system_.pattern();
  carried_version_ = system_.carried_version();
}

void LinearSolverChain::follow_pattern() {
  if (pattern_ == system_.pattern()) return;
  const size_t strength = current_;
  restart();
  while (current_ < strength && fall_back()) {
  }
}

bool LinearSolverChain::fall_back() {
  if (current_ + 1 == rungs_.size()) return false;
  if (current_ + 1 == solvers_.size()) {
    const std::string_view next = rungs_[current_ + 1];
    std::unique_ptr<LinearSolver> solver =
        next == direct ? make_direct_solver(system_) : make_linear_solver(next, system_);
    if (!solver) return false;
    solvers_.push_back(std::move(solver));
  }
  ++current_;
  return true;
}

}  // namespace sinew::solve
