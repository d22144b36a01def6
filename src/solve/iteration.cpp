#include "solve/iteration.h"

#include <limits>

namespace sinew::solve {

Iteration::Iteration(const Iterate& point, const StoppingCriteria& criteria, const Control& control,
                     SolveReport& report)
    : point_(point), criteria_(criteria), control_(control), report_(report) {
  report_.residuals.push_back(point_.at.relative);
}

bool Iteration::continues(bool feasible) {
  const Evaluation& at = point_.at;
  report_.last = at;
  if (control_.cancelled())
    report_.status = SolveStatus::cancelled;
  else if (criteria_.max_residual && !(at.residual <= *criteria_.max_residual))
    report_.last.residual = std::numeric_limits<double>::infinity();
  else if (feasible && at.relative <= criteria_.tolerance)
    report_.status = SolveStatus::converged;
  else
    return report_.iterations < criteria_.max_iterations;
  return false;
}

void Iteration::accepted() {
  report_.residuals.push_back(point_.at.relative);
  control_.residual(point_.at.relative);
  control_.iterate(point_.x);
}

}  // namespace sinew::solve
