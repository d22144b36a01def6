#include "solve/line_search.h"

#include <algorithm>
#include <cmath>

#include "solve/stopwatch.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr double armijo = 1e-4;
constexpr int most_halvings = 40;

}  // namespace

LineSearch::LineSearch(const System& system)
    : system_(system), trial_(system.model().X.size()), trial_gradient_(trial_.size()) {}

double LineSearch::search(std::span<Vec3d> x, Evaluation& at, std::vector<Vec3d>& gradient,
                          std::span<const Vec3d> d, double first, SolveReport& report) {
  const double slope = dot_of(gradient, d);
  if (!(slope < 0) || !std::isfinite(slope)) return 0;
  double alpha = first;
  for (int halvings = 0; halvings < most_halvings; ++halvings, alpha *= 0.5) {
    std::copy(x.begin(), x.end(), trial_.begin());
    add_scaled(trial_, d, alpha);
    Evaluation trial;
    {
      const Stopwatch watch(report.seconds_evaluation);
      trial = system_.evaluate(trial_, trial_gradient_);
    }
    if (!std::isfinite(trial.energy) || !std::isfinite(trial.residual)) continue;
    const bool energy = at.energy_valid && trial.energy_valid;
    const double noise = at.energy_noise + trial.energy_noise;
    const bool clear = energy && -alpha * slope > noise;  // else a fall may be rounding alone
    bool accept = clear && trial.energy <= at.energy + armijo * alpha * slope;
    if (!accept && (!energy || trial.energy <= at.energy + noise))
      accept = dot_of(trial_gradient_, d) <= (1 - 2 * armijo) * -slope;
    if (!accept) continue;
    std::copy(trial_.begin(), trial_.end(), x.begin());
    std::swap(gradient, trial_gradient_);
    at = trial;
    return alpha;
  }
  return 0;
}

}  // namespace sinew::solve
