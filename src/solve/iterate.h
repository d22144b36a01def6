#pragma once
// The iterate of a nonlinear solve: positions with the energy, the residual and the gradient there, and a trial point that
// may take their place.
//
//     point.start(x, report);
//     point.advance(d, alpha);
//     if (point.evaluate_trial(report).residual < point.at.residual) point.accept_trial();
#include <span>
#include <vector>

#include "solve/solver.h"

namespace sinew::solve {

class Iterate {
 public:
  explicit Iterate(const System& system);

  // Evaluates at x. The positions stay the caller's: every accepted trial point is written there.
  void start(std::span<Vec3d> x, SolveReport& report);
  // trial = x + alpha d, of nodes; rigid frames turn (model::DofMap::advance).
  void advance(std::span<const Vec3d> d, double alpha);
  // How far towards the trial point, or x + alpha d, the way is clear of contacts (System::clear_way), at most 1.
  double clear_way();
  double clear_way(std::span<const Vec3d> d, double alpha);
  // Moves the trial point back to where the way to it is clear.
  void clear_trial();
  const Evaluation& evaluate_trial(SolveReport& report);
  void accept_trial();

  std::span<Vec3d> x;
  Evaluation at;
  std::vector<Vec3d> gradient;
  std::vector<Vec3d> trial;
  Evaluation trial_at;
  std::vector<Vec3d> trial_gradient;

 private:
  const System& system_;
};

}  // namespace sinew::solve
