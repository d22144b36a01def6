#pragma once
// Newton's method for many small equilibria of one shape: eight at a time in the lanes of packs, each with a direct
// factorisation (solve/lane_cholesky.h), line search and end of its own. A lane that is done takes the next problem at once.
// What a lane computes depends on its own problem alone, in whatever company and lane.
//
// As in solve/newton.h the operator is exact where it can be: here where the factorisation finds it positive definite and
// nothing is inverted, else projected; held nodes move in the first step, with the linear response of the others; the line
// search has the same rule and the same watchdog, and steps of sheets take their rotations for what they are, lane by lane
// (solve/rotation_warp.h). There is no second way: what does not descend or takes too long is given back unsolved.
//
// Steps with the last factor (chords) follow while they take off enough: assembly and factorisation of a lane cost fifteen
// times an evaluation and a solution. A lane that needs a new factor waits until all do; waiting changes no number.
//
//     LaneNewton newton(model);
//     newton.solve(take, give, 1e-6, control);
#include <functional>
#include <memory>

#include "base/control.h"
#include "solve/iteration.h"
#include "solve/lane_system.h"
#include "solve/rotation_warp.h"

namespace sinew::solve {

struct LaneProblem {
  size_t id = 0;  // given back with the outcome
  const model::Model* model =
      nullptr;  // LaneSystem::same_shape as the one that LaneNewton was made for; must stay
  std::span<const double> inputs;  // read at once
  std::span<const Vec3d> start;    // read at once
};

struct LaneOutcome {
  size_t id = 0;
  SolveStatus status = SolveStatus::stalled;
  Evaluation last;
  int iterations = 0;
  std::span<const Vec3d> x;  // valid during the call
};

class LaneNewton {
 public:
  // `model` must stay.
  explicit LaneNewton(const model::Model& model);

  // Counted work says that lanes pay for a model that lacks nothing: a factorisation that stays in the caches.
  static bool pays(const model::Model& model);

  using Take = std::function<bool(LaneProblem&)>;  // false: there is no more
  using Give = std::function<void(const LaneOutcome&)>;
  void solve(const Take& take, const Give& give, double tolerance, const Control& control);

 private:
  using Pack = LaneSystem::Pack;
  using Mask = LaneSystem::Mask;
  using Vector = LaneSystem::Vector;
  static constexpr int lanes = LaneSystem::lanes;

  enum class Phase { idle, start, boundary, search };
  // The point of a lane and the step from it.
  struct Lane {
    Phase phase = Phase::idle;
    size_t id = 0;
    Evaluation at;
    int iterations = 0, halvings = 0;
    int projected_for = 0;  // iterations left before the exact Hessian is tried again
    bool exact = false, moves = false;
    double factored_at = 0;  // relative residual at the last factor; infinite before what is held has moved
    bool proving = false;    // converged; the next factor says whether this is a minimum
    bool waits = false;      // for a new factor
    bool keeps = false;      // the next direction is by the last factor
    int chords = 0;          // directions by the last factor, the one of now included
    double alpha = 1, slope = 0;
    bool warps = false;  // the trial points are warped
    StallCounter stall;
    // The watchdog: whole steps taken since the energy rose, and where it began.
    int watchdog_steps = 0, watchdog_pause = 0;  // iterations left before another one
    Evaluation watchdog_at;
    double watchdog_slope = 0;
  };
  enum class Verdict { accept, shorten, straighten, fail, refresh, start_watchdog, go_on, restore };

  void load(int lane, const LaneProblem& problem);
  void step(const Mask& running, double tolerance, const Give& give);
  Verdict judge(Lane& lane, const Evaluation& trial, double slope) const;
  void factor(Mask need);
  void direct(const Mask& need);
  void advance(const Mask& need, bool fresh);
  void warp(int lane);
  // Takes the trial points of these lanes over.
  void accept_trials(const Mask& which);
  // Keeps where the watchdogs of these lanes begin, and goes back there.
  void save(const Mask& which);
  void restore(const Mask& which);
  bool apply(int lane, Verdict verdict, const Evaluation& trial, double tolerance, const Give& give);
  void finish(int lane, SolveStatus status, const Give& give);

  LaneSystem system_;
  // Where there are sheets: what turns their steps, with the inputs of the lane that it serves.
  std::unique_ptr<System> sheets_;
  std::unique_ptr<RotationWarp> warp_;
  std::array<std::vector<double>, lanes> inputs_;
  double least_move_ = 0;  // of a step that may turn a sheet by much [m]
  std::array<Lane, lanes> lane_;
  std::vector<Vector> x_, trial_, gradient_, trial_gradient_, d_, boundary_, product_, q_;
  std::vector<Vector> watchdog_x_, watchdog_gradient_, watchdog_d_;
  std::vector<Vec3d> point_, move_, warped_;
};

}  // namespace sinew::solve
