#include "solve/gradient_descent.h"

#include <algorithm>
#include <limits>

#include "solve/iteration.h"
#include "solve/line_search.h"
#include "solve/vectors.h"

namespace sinew::solve {

GradientDescent::GradientDescent(System& system, int max_iterations)
    : system_(system), max_iterations_(max_iterations), point_(system) {
  d_.resize(system.model().X.size());
}

// The inverse of the stiffness of the stiffest node [m/N].
double GradientDescent::first_step() const {
  double stiffness = 0;
  for (size_t b = 0; b < system_.model().bodies.size(); ++b) {
    const auto scales = system_.model().scales(system_.params(), static_cast<int32_t>(b));
    stiffness = std::max(stiffness, scales.modulus * scales.edge);
  }
  for (const double w : system_.inertia_weight()) stiffness = std::max(stiffness, w);
  return 1 / stiffness;
}

SolveReport GradientDescent::solve(std::span<Vec3d> x, double tolerance, const Control& control) {
  SolveReport report;
  system_.dofs().retract(x);
  for (auto* v : {&old_, &force_}) v->resize(system_.dofs().unknown_count());
  point_.start(x, report);
  const double first = first_step();
  double alpha = first;
  Iteration iteration(point_, {tolerance, max_iterations_, std::numeric_limits<double>::max()}, control,
                      report);
  while (iteration.continues()) {
    ++report.iterations;
    system_.dofs().pull(point_.x, point_.gradient, old_);
    for (size_t i = 0; i < old_.size(); ++i) force_[i] = -old_[i];
    system_.dofs().push(point_.x, force_, d_);
    const double taken = line_search(point_, d_, dot_of(point_.gradient, d_), {.first = alpha}, report);
    if (taken == 0) break;
    // s = taken * force, y = change of the gradient.
    system_.dofs().pull(point_.x, point_.gradient, old_);
    add_scaled(old_, force_, 1);
    const double sy = dot_of(force_, old_), ss = dot_of(force_, force_);
    alpha = sy > 0 ? std::clamp(taken * ss / sy, 1e-3 * first, 1e6 * first) : first;
    iteration.accepted();
  }
  return report;
}

}  // namespace sinew::solve
