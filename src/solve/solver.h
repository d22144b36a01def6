#pragma once
// A Solver finds a stationary point of its System. Newton is one; the implicit stepper takes any.
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.h"
#include "solve/system.h"

namespace sinew::solve {

enum class SolveStatus { converged, stalled, cancelled };

struct SolveReport {
  SolveStatus status = SolveStatus::stalled;
  int iterations = 0;
  int linear_iterations = 0;
  int saddles = 0;        // equilibria that were no minimum, and were left
  double excess = 1;      // by how much the first step was too large for a linear response: none was taken
  bool unstable = false;  // the equilibrium is no minimum either
  bool obstructed =
      false;  // constrained nodes could not reach their targets: what a barrier keeps apart was in the way
  Evaluation last;
  std::vector<double> residuals;  // relative, at every accepted point
  // For reports only. Colouring: of nodes, for the contacts of now.
  double seconds_assembly = 0, seconds_linear = 0, seconds_evaluation = 0, seconds_sweeps = 0,
         seconds_colouring = 0;
};

class Solver {
 public:
  virtual ~Solver() = default;
  // Improves x, moving held nodes to their targets. Unless converged, x is the last point reached, still finite.
  virtual SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) = 0;
  // Iterations after which a solve that moves Dirichlet nodes gives up, since its caller can ask for a smaller motion. One
  // that would begin with too large a step gives up at once (SolveReport::excess).
  void set_patience(int iterations) { patience_ = iterations; }
  // Iterations after which the next solve gives up, converged or not.
  void set_limit(int iterations) { limit_ = iterations; }
  // A solve depends on nothing but x as its start, so that it may go on from where another one ended.
  virtual bool restartable() const { return true; }
  // Its iterates keep clear of what a barrier keeps apart (System::clear_way).
  virtual bool follows_contacts() const { return false; }
  // After a solve from which only the contacts have changed: improves x around these nodes, at the cost of their
  // neighbourhood. False: x is as it was, and a whole solve is due.
  virtual bool relax_locally(std::span<Vec3d> /*x*/, std::span<const int32_t> /*nodes*/) { return false; }
  // The gradient where the last solve ended, at every node; empty: it was not kept.
  virtual std::span<const Vec3d> gradient() const { return {}; }
  virtual std::string_view linear_solver() const = 0;  // the one that was chosen; empty: none is used

 protected:
  int patience_ = std::numeric_limits<int>::max(), limit_ = std::numeric_limits<int>::max();
};

}  // namespace sinew::solve
