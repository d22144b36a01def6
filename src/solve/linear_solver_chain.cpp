#include "solve/linear_solver_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::solve {

namespace {

constexpr int32_t multigrid_rows = 2000;
// About what a solve with multigrid costs, its matrices included, in iterations with block Jacobi.
constexpr int jacobi_patience = 200;
// Multigrid takes a few tens where its coarse functions can follow the body.
constexpr int multigrid_patience = 150, unpromising_patience = 20;
// Block Jacobi takes longer than its patience on a body of so many nodes, of which fewer are held than this share of those of a
// cross-section.
constexpr int32_t large_rows = 20000;
constexpr double few_held = 0.5;
constexpr std::string_view pcg = "pcg", multigrid = "pcg_multigrid", cholesky = "pcg_cholesky",
                           direct = "direct";

}  // namespace

LinearSolverChain::LinearSolverChain(std::string name, const System& system)
    : name_(std::move(name)), system_(system) {
  make_rungs();
}

void LinearSolverChain::make_rungs() {
  stiff_ = system_.has_stiff_links();
  std::unique_ptr<LinearSolver> first = make_linear_solver(name_, system_);
  rungs_ = {first->name()};
  if (name_ == "auto") {
    // A direct solver that was chosen for its speed gives way to conjugate gradients, which bear a singular matrix.
    if (first->direct())
      rungs_.insert(rungs_.end(), {pcg, cholesky});
    else if (!system_.dofs().carries() && (stiff_ || system_.dofs().block_count() >= multigrid_rows))
      rungs_.insert(rungs_.end(), {multigrid, cholesky, direct});
    else
      rungs_.insert(rungs_.end(), {cholesky, direct});
  }
  solvers_.clear();
  solvers_.resize(rungs_.size());
  solvers_[0] = std::move(first);
  current_ = 0;
  if (begins_with_multigrid()) make(++current_);
}

void LinearSolverChain::make(size_t rung) {
  if (!solvers_[rung])
    solvers_[rung] =
        rungs_[rung] == direct ? make_direct_solver(system_) : make_linear_solver(rungs_[rung], system_);
}

bool LinearSolverChain::begins_with_multigrid() const {
  if (rungs_.size() < 2 || rungs_[1] != multigrid) return false;
  if (stiff_ || mostly_sheets(system_)) return true;
  const model::DofMap& dofs = system_.dofs();
  const double rows = dofs.block_count();
  const auto held = static_cast<double>(dofs.rigid().size() + dofs.partials().size());
  return system_.inertia_weight().empty() && rows >= large_rows && held < few_held * std::cbrt(rows * rows);
}

int LinearSolverChain::patience() const {
  if (current_ + 1 == rungs_.size()) return std::numeric_limits<int>::max();
  if (rungs_[current_] == multigrid) return current().promising() ? multigrid_patience : unpromising_patience;
  return rungs_[current_ + 1] == multigrid ? jacobi_patience : std::numeric_limits<int>::max();
}

void LinearSolverChain::restart() {
  const bool stiff = system_.has_stiff_links();
  const bool other_pattern =
      pattern_ && (pattern_ != system_.pattern() || carried_version_ != system_.carried_version());
  if (other_pattern || stiff != stiff_) make_rungs();
  pattern_ = system_.pattern();
  carried_version_ = system_.carried_version();
  current_ = 0;
  if (begins_with_multigrid()) make(++current_);
}

void LinearSolverChain::follow_pattern() {
  if (pattern_ == system_.pattern()) return;
  const std::string_view before = rungs_[current_];
  restart();
  const auto same = std::find(rungs_.begin() + static_cast<int64_t>(current_), rungs_.end(), before);
  while (same != rungs_.end() && rungs_[current_] != before && fall_back()) {
  }
}

bool LinearSolverChain::fall_back() {
  if (current_ + 1 == rungs_.size()) return false;
  make(current_ + 1);
  if (!solvers_[current_ + 1]) return false;
  ++current_;
  return true;
}

}  // namespace sinew::solve
