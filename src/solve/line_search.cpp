#include "solve/line_search.h"

#include "solve/vectors.h"

namespace sinew::solve {

double line_search(Iterate& point, std::span<const Vec3d> d, double slope, const LineSearchOptions& options,
                   SolveReport& report) {
  if (!(slope < 0) || !std::isfinite(slope)) return 0;
  const auto end_slope = [&] { return dot_of(point.trial_gradient, d); };
  double alpha = options.first;
  const double clear = point.clear_way(d, alpha);
  alpha *= clear;
  for (int halvings = 0; halvings < options.max_halvings; ++halvings, alpha *= 0.5) {
    point.advance(d, alpha);
    if (halvings == 0 && options.improve) options.improve(point.trial);
    const TrialStep step{point.at, point.evaluate_trial(report), slope, alpha, halvings, options.share};
    if (!is_finite(step.to)) continue;
    const bool accept = options.rule == LineSearchOptions::Rule::approximate_wolfe
                            ? approximate_wolfe(step, end_slope)
                            : relaxed_armijo(step, end_slope);
    if (accept) {
      point.accept_trial();
      return alpha;
    }
    if (halvings == 0 && clear == 1 && options.watchdog && options.watchdog()) return alpha;
  }
  return 0;
}

}  // namespace sinew::solve
