#pragma once
// Backtracking along a direction of descent d, and the rules by which a step x + alpha d is accepted. All rest on Armijo's
// condition of sufficient decrease, Phi(x + alpha d) <= Phi(x) + 1e-4 alpha g.d. Where the energy changes by no more than
// its rounding, or a load has none, forces decide.
//
//     const double alpha = line_search(point, d, dot_of(point.gradient, d), {}, report);   // 0: no step was acceptable
#include <cmath>
#include <functional>
#include <span>

#include "solve/iterate.h"

namespace sinew::solve {

// A step of length alpha along d.
struct TrialStep {
  const Evaluation& from;
  const Evaluation& to;
  double slope = 0;  // g(x).d, negative
  double alpha = 1;
  int halvings = 0;     // of alpha so far
  double share = 1e-4;  // of the decrease that the slope promises, that suffices

  bool has_energy() const { return from.energy_valid && to.energy_valid; }
  double noise() const { return from.energy_noise + to.energy_noise; }  // [J]
};

inline bool is_finite(const Evaluation& at) { return std::isfinite(at.energy) && std::isfinite(at.residual); }

// `slack`: of the energy [J].
inline bool sufficient_decrease(const TrialStep& step, double slack = 0) {
  return step.to.energy <= step.from.energy + step.share * step.alpha * step.slope + slack;
}

// Sufficient decrease where the expected one stands out of the rounding; elsewhere the slope along d may not have turned and
// grown, g(x + alpha d).d <= (1 - 2e-4) |g.d| (the approximate condition of Hager, Zhang: A New Conjugate Gradient Method
// with Guaranteed Descent and an Efficient Line Search, 2005), so that a search ends at the rounding of the forces.
// end_slope() gives g(x + alpha d).d.
template <class EndSlope>
bool approximate_wolfe(const TrialStep& step, const EndSlope& end_slope) {
  const bool energy = step.has_energy();
  if (energy && -step.alpha * step.slope > step.noise() && sufficient_decrease(step)) return true;
  return (!energy || step.to.energy <= step.from.energy + step.noise()) &&
         end_slope() <= (1 - 2 * step.share) * -step.slope;
}

// The rule of Newton's method. Sufficient decrease up to rounding; near the rounding the residual must have fallen as well,
// or the slope along d by half. Without an energy: not beyond the point where the slope has turned and grown, but for steps
// that were halved four times.
template <class EndSlope>
bool relaxed_armijo(const TrialStep& step, const EndSlope& end_slope) {
  constexpr double near_noise = 100, turned = 0.5;
  if (!step.has_energy()) return std::abs(end_slope()) <= 1.0001 * std::abs(step.slope) || step.halvings >= 4;
  if (!sufficient_decrease(step, step.noise())) return false;
  if (!(-step.alpha * step.slope < near_noise * step.noise())) return true;
  return step.to.residual < step.from.residual || std::abs(end_slope()) <= -turned * step.slope;
}

// The watchdog technique: a whole step that is refused may be followed by up to this many more before it is taken back;
// after a failure the next attempt waits for some iterations (Chamberlain, Powell, Lemarechal, Pedersen: The watchdog
// technique for forcing convergence in algorithms for constrained optimization, 1982).
inline constexpr int watchdog_steps = 4, watchdog_pause = 10;

struct LineSearchOptions {
  enum class Rule { approximate_wolfe, relaxed_armijo };
  Rule rule = Rule::approximate_wolfe;
  double first = 1;  // length of the first step that is tried
  int max_halvings = 40;
  double share = 1e-4;                                       // TrialStep::share
  std::function<void(std::span<Vec3d> trial)> improve = {};  // the first trial point, before it is judged
  std::function<bool()> watchdog =
      {};  // asked where that one is refused; true: it has moved the iterate itself
};

// Moves the iterate along d and returns by how much of it. `slope`: g(x).d.
double line_search(Iterate& point, std::span<const Vec3d> d, double slope, const LineSearchOptions& options,
                   SolveReport& report);

}  // namespace sinew::solve
