#pragma once
// The loop that iterative solvers share: when it ends, and what its caller hears of every step.
//
//     Iteration iteration(point, {.tolerance = tolerance, .max_iterations = 100}, control, report);
//     while (iteration.continues()) {
//       ++report.iterations;
//       if (!step()) break;
//       iteration.accepted();
//     }
#include <algorithm>
#include <optional>

#include "solve/iterate.h"

namespace sinew::solve {

struct StoppingCriteria {
  double tolerance = 0;  // relative residual
  int max_iterations = 0;
  std::optional<double> max_residual =
      {};  // above it, or where it is not a number, the solve has diverged [N]
};

class Iteration {
 public:
  Iteration(const Iterate& point, const StoppingCriteria& criteria, const Control& control,
            SolveReport& report);

  // Whether another step is due; where none is, the report says why. `feasible`: the Dirichlet conditions are met, without
  // which no residual is small enough.
  bool continues(bool feasible = true);
  // To be called after each step that moved the iterate.
  void accepted();

 private:
  const Iterate& point_;
  StoppingCriteria criteria_;
  const Control& control_;
  SolveReport& report_;
};

// Whether the energy still falls: by another fiftieth of what it has fallen since the start. Far from an equilibrium a
// descent may pass through many points whose residuals are alike.
class EnergyProgress {
 public:
  explicit EnergyProgress(const Evaluation& start) : first_(start.energy), last_(start.energy) {}

  bool note(const Evaluation& at) {
    if (!at.energy_valid || !(last_ - at.energy > std::max(0.02 * (first_ - last_), at.energy_noise)))
      return false;
    last_ = at.energy;
    return true;
  }

 private:
  double first_, last_;  // at the start, and where it was last seen to fall [J]
};

// Counts the iterations since the residual last fell by a tenth.
struct StallCounter {
  double best = 0;  // [N]
  int count = 0;

  // `progress`: the iteration got somewhere, whatever its residual.
  void note(double residual, bool progress = false) {
    count = progress || residual < 0.9 * best ? 0 : count + 1;
    best = std::min(best, residual);
  }
};

}  // namespace sinew::solve
