#pragma once
// Newton's method for many small equilibria of one shape: eight at a time in the lanes of packs, each with a direct
// factorisation (solve/lane_cholesky.h), line search and end of its own. A lane that is done takes the next problem at once.
// What a lane computes depends on its own problem alone, in whatever company and lane.
//
// As in solve/newton.h the operator is exact where it can be: here where the factorisation finds it positive definite and
// nothing is inverted, else projected; held nodes move in the first step, with the linear response of the others; a whole
// step that raises the energy may be followed by a few more before it is taken back. There is no second way: what does not
// descend or takes too long is given back unsolved.
//
//     LaneNewton newton(model);
//     newton.solve(take, give, 1e-6, control);
#include <functional>

#include "base/control.h"
#include "solve/lane_system.h"
#include "solve/solver.h"

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
  // What is known of a lane's point and of the step from it.
  struct Lane {
    Phase phase = Phase::idle;
    size_t id = 0;
    Evaluation at;
    int iterations = 0, halvings = 0, since_best = 0;
    int projected_for = 0;  // iterations left before the exact Hessian is tried again
    bool exact = false, moves = false;
    double alpha = 1, slope = 0, best = 0;
    // An excursion: whole steps taken since the energy rose, and where it began.
    int away = 0, stay_home = 0;  // iterations left before another one
    Evaluation home;
    double home_slope = 0;
  };
  enum class Verdict { accept, shorten, fail, leave, roam, come_home };

  void load(int lane, const LaneProblem& problem);
  Verdict judge(Lane& lane, const Evaluation& trial, double slope) const;
  void direct(Mask need);
  void advance(Mask need);
  // Takes the trial points of these lanes over, or those where their excursions began.
  void take_trials(const Mask& which);
  void save_home(const Mask& which);
  void take_home(const Mask& which);
  bool apply(int lane, Verdict verdict, const Evaluation& trial, double tolerance, const Control& control,
             const Give& give);
  void finish(int lane, SolveStatus status, const Give& give);

  LaneSystem system_;
  std::array<Lane, lanes> lane_;
  std::vector<Vector> x_, trial_, gradient_, trial_gradient_, d_, boundary_, product_, q_, home_,
      home_gradient_, home_d_;
  std::vector<Vec3d> point_;
};

}  // namespace sinew::solve
