#include "solve/linear_solver_chain.h"

namespace sinew::solve {

LinearSolverChain::LinearSolverChain(std::string name, const System& system)
    : name_(std::move(name)), system_(system) {
  solvers_.push_back(make_linear_solver(name_, system_));
}

void LinearSolverChain::restart() {
  current_ = 0;
  if (pattern_ == system_.pattern() && carried_version_ == system_.carried_version()) return;
  if (pattern_) {
    solvers_.clear();
    solvers_.push_back(make_linear_solver(name_, system_));
  }
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

std::unique_ptr<LinearSolver> LinearSolverChain::make_next() const {
  // A direct solver that was chosen for its speed gives way to conjugate gradients, which bear a singular matrix.
  if (solvers_[0]->direct()) return make_linear_solver(current_ == 0 ? "pcg" : "pcg_cholesky", system_);
  return current_ == 0 ? make_linear_solver("pcg_cholesky", system_) : make_direct_solver(system_);
}

bool LinearSolverChain::fall_back() {
  if (name_ != "auto" || current_ == 2) return false;
  if (current_ + 1 == solvers_.size()) {
    std::unique_ptr<LinearSolver> next = make_next();
    if (!next) return false;
    solvers_.push_back(std::move(next));
  }
  ++current_;
  return true;
}

}  // namespace sinew::solve
