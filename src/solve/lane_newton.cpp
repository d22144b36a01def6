#include "solve/lane_newton.h"

#include <algorithm>
#include <cmath>

namespace sinew::solve {

namespace {

constexpr double armijo = 1e-4;
constexpr double near_noise = 100, turned = 0.5;
constexpr int projected_iterations = 4;
constexpr int excursion_steps = 4, excursion_pause = 10;
constexpr int most_iterations = 60, most_halvings = 10, stall_iterations = 15;
// Block products of a factorisation up to which lanes pay; see pays().
constexpr int64_t most_products = 400'000;

}  // namespace

LaneNewton::LaneNewton(const model::Model& model) : system_(model) {
  for (auto* v : {&x_, &trial_, &gradient_, &trial_gradient_, &d_, &boundary_, &product_, &home_,
                  &home_gradient_, &home_d_})
    v->assign(system_.nodes(), Vector::zero());
  q_.assign(system_.blocks(), Vector::zero());
  point_.resize(system_.nodes());
}

bool LaneNewton::pays(const model::Model& model) {
  return LaneSystem::products(model, most_products) <= most_products;
}

void LaneNewton::load(int l, const LaneProblem& problem) {
  system_.set(l, *problem.model, problem.inputs);
  point_.assign(problem.start.begin(), problem.start.end());
  system_.retract(l, point_);
  Lane& lane = lane_[l];
  lane = {};
  lane.phase = Phase::start;
  lane.id = problem.id;
  for (size_t i = 0; i < point_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double from = problem.start[i][k], move = point_[i][k] - from;
      lane.moves |= move != 0;
      x_[i][k].set(l, from);
      trial_[i][k].set(l, from);
      boundary_[i][k].set(l, move);
    }
}

void LaneNewton::finish(int l, SolveStatus status, const Give& give) {
  Lane& lane = lane_[l];
  for (size_t i = 0; i < point_.size(); ++i)
    for (int k = 0; k < 3; ++k) point_[i][k] = x_[i][k][l];
  give({lane.id, status, lane.at, lane.iterations, point_});
  lane.phase = Phase::idle;
}

// What to do with a trial point; the tests are those of Newton::line_search and Newton::excursion.
LaneNewton::Verdict LaneNewton::judge(Lane& lane, const Evaluation& trial, double slope) const {
  const bool finite = std::isfinite(trial.energy) && std::isfinite(trial.residual);
  if (lane.phase != Phase::search) return finite ? Verdict::accept : Verdict::fail;
  if (lane.away > 0) {
    if (!finite || trial.inverted > 0) return Verdict::come_home;
    if (trial.energy <= lane.home.energy + armijo * lane.home_slope) return Verdict::accept;
    return lane.away < excursion_steps ? Verdict::roam : Verdict::come_home;
  }
  bool accept = finite;
  if (finite && lane.at.energy_valid && trial.energy_valid) {
    const double noise = lane.at.energy_noise + trial.energy_noise;
    accept = trial.energy <= lane.at.energy + armijo * lane.alpha * lane.slope + noise;
    if (accept && -lane.alpha * lane.slope < near_noise * noise)
      accept = trial.residual < lane.at.residual || std::abs(slope) <= -turned * lane.slope;
    if (!accept && lane.halvings == 0 && lane.stay_home == 0 && lane.at.inverted == 0 && trial.inverted == 0)
      return Verdict::leave;
  } else if (finite) {
    accept = std::abs(slope) <= 1.0001 * std::abs(lane.slope) || lane.halvings >= 4;
  }
  if (accept) return Verdict::accept;
  return lane.halvings >= most_halvings ? Verdict::fail : Verdict::shorten;
}

namespace {

using Vector = LaneSystem::Vector;

void copy_lanes(const LaneSystem::Mask& which, std::span<const Vector> from, std::span<Vector> to) {
  for (size_t i = 0; i < to.size(); ++i)
    for (int k = 0; k < 3; ++k) to[i][k] = select(which, from[i][k], to[i][k]);
}

}  // namespace

void LaneNewton::take_trials(const Mask& which) {
  copy_lanes(which, trial_, x_);
  copy_lanes(which, trial_gradient_, gradient_);
}

void LaneNewton::save_home(const Mask& which) {
  copy_lanes(which, x_, home_);
  copy_lanes(which, gradient_, home_gradient_);
  copy_lanes(which, d_, home_d_);
}

void LaneNewton::take_home(const Mask& which) {
  copy_lanes(which, home_, x_);
  copy_lanes(which, home_gradient_, gradient_);
  copy_lanes(which, home_d_, d_);
}

// Directions of the lanes of `need`, into d_; those of the others stay.
void LaneNewton::direct(Mask need) {
  Mask exact(false), moves(false);
  for (int l = 0; l < lanes; ++l) {
    if (!need[l]) continue;
    Lane& lane = lane_[l];
    lane.exact = lane.at.inverted == 0 && lane.projected_for == 0;
    if (lane.projected_for > 0) --lane.projected_for;
    if (lane.stay_home > 0) --lane.stay_home;
    exact.set(l, lane.exact);
    moves.set(l, lane.moves);
  }
  const bool moving = any(moves);
  Mask open = need;
  for (int pass = 0; pass < 2 && any(open); ++pass) {
    if (moving) std::fill(product_.begin(), product_.end(), Vector::zero());
    system_.assemble(open, x_, exact, moving ? std::span<const Vector>(boundary_) : std::span<const Vector>(),
                     product_);
    const Mask definite = system_.matrix().factor() & open;
    if (any(definite)) {
      for (size_t i = 0; i < product_.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          const Pack g = -gradient_[i][k];
          product_[i][k] = moving ? select(moves, g - product_[i][k], g) : g;
        }
      system_.pull(product_, q_);
      system_.matrix().solve(q_);
      system_.push(q_, product_);
      for (size_t i = 0; i < d_.size(); ++i)
        for (int k = 0; k < 3; ++k) d_[i][k] = select(definite, product_[i][k], d_[i][k]);
    }
    open = open & !definite;
    for (int l = 0; l < lanes; ++l) {
      if (!open[l]) continue;
      if (lane_[l].exact) {
        lane_[l].exact = false;
        lane_[l].projected_for = projected_iterations;
        exact.set(l, false);
      } else {
        open.set(l, false);
        for (Vector& d : d_)  // no direction: slope 0
          for (int k = 0; k < 3; ++k) d[k].set(l, 0.0);
      }
    }
  }
}

// The next trial points of the lanes of `need`, and of those that shorten their step.
void LaneNewton::advance(Mask need) {
  Pack slope(0), alpha(0);
  if (any(need)) {
    direct(need);
    for (size_t i = 0; i < d_.size(); ++i) slope += dot(gradient_[i], d_[i]);
  }
  Mask moves(false);
  for (int l = 0; l < lanes; ++l) {
    Lane& lane = lane_[l];
    if (need[l]) {
      lane.slope = slope[l];
      lane.alpha = 1;
      lane.halvings = 0;
      lane.phase = lane.moves ? Phase::boundary : Phase::search;
      moves.set(l, lane.moves);
      lane.moves = false;
      ++lane.iterations;
    }
    alpha.set(l, lane.alpha);
  }
  if (any(moves))
    for (size_t i = 0; i < d_.size(); ++i)
      for (int k = 0; k < 3; ++k) d_[i][k] = select(moves, d_[i][k] + boundary_[i][k], d_[i][k]);
  for (size_t i = 0; i < d_.size(); ++i) trial_[i] = x_[i] + d_[i] * alpha;
  if (any(moves)) system_.retract(moves, trial_);
}

// What a verdict makes of the lane; true: it needs a new direction.
bool LaneNewton::apply(int l, Verdict verdict, const Evaluation& trial, double tolerance,
                       const Control& control, const Give& give) {
  Lane& lane = lane_[l];
  const bool begins = lane.phase != Phase::search;
  bool need = true;
  switch (verdict) {
    case Verdict::accept:
      lane.at = trial;
      lane.away = 0;
      lane.since_best = begins || lane.at.residual < 0.9 * lane.best ? 0 : lane.since_best + 1;
      lane.best = begins ? lane.at.residual : std::min(lane.best, lane.at.residual);
      break;
    case Verdict::leave:
      lane.home = lane.at;
      lane.home_slope = lane.slope;
      [[fallthrough]];
    case Verdict::roam:
      lane.at = trial;
      ++lane.away;
      break;
    case Verdict::come_home:
      lane.at = lane.home;
      lane.slope = lane.home_slope;
      lane.away = 0;
      lane.stay_home = excursion_pause;
      lane.alpha = 0.5;
      lane.halvings = 1;
      need = false;
      break;
    case Verdict::shorten:
      lane.alpha *= 0.5;
      ++lane.halvings;
      need = false;
      break;
    case Verdict::fail:
      need = !begins && lane.exact;  // with the projected Hessian
      lane.projected_for = projected_iterations;
      break;
  }
  const bool failed = verdict == Verdict::fail && !need;
  if (control.cancelled())
    finish(l, SolveStatus::cancelled, give);
  else if (verdict == Verdict::accept && !lane.moves && lane.at.relative <= tolerance)
    finish(l, SolveStatus::converged, give);
  else if (failed || lane.iterations >= most_iterations || lane.since_best > stall_iterations ||
           (lane.moves && lane.at.inverted > 0))
    finish(l, SolveStatus::stalled, give);
  return need && lane.phase != Phase::idle;
}

void LaneNewton::solve(const Take& take, const Give& give, double tolerance, const Control& control) {
  bool more = true, first = true;
  while (true) {
    Mask busy(false);
    for (int l = 0; l < lanes; ++l) {
      LaneProblem problem;
      if (lane_[l].phase == Phase::idle && more && !control.cancelled() && (more = take(problem))) {
        // Lanes without a problem of their own compute along with numbers that do no harm.
        for (int k = l + 1; first && k < lanes; ++k) {
          load(k, problem);
          lane_[k].phase = Phase::idle;
        }
        first = false;
        load(l, problem);
      }
      busy.set(l, lane_[l].phase != Phase::idle);
    }
    if (!any(busy)) return;
    const LaneEvaluation trial = system_.evaluate(busy, trial_, trial_gradient_);
    Pack slope(0);
    for (size_t i = 0; i < d_.size(); ++i) slope += dot(trial_gradient_[i], d_[i]);
    std::array<Verdict, lanes> verdict{};
    const auto those = [&](std::initializer_list<Verdict> list) {
      Mask mask(false);
      for (int l = 0; l < lanes; ++l)
        mask.set(l, busy[l] && std::find(list.begin(), list.end(), verdict[l]) != list.end());
      return mask;
    };
    for (int l = 0; l < lanes; ++l)
      if (busy[l]) verdict[l] = judge(lane_[l], trial[l], slope[l]);
    if (const Mask leaving = those({Verdict::leave}); any(leaving)) save_home(leaving);
    take_trials(those({Verdict::accept, Verdict::leave, Verdict::roam}));
    if (const Mask back = those({Verdict::come_home}); any(back)) take_home(back);
    Mask need(false);
    for (int l = 0; l < lanes; ++l)
      if (busy[l]) need.set(l, apply(l, verdict[l], trial[l], tolerance, control, give));
    advance(need);
    for (int l = 0; l < lanes; ++l)  // no descent
      if (need[l] && lane_[l].phase == Phase::search && lane_[l].away == 0 && !(lane_[l].slope < 0))
        finish(l, SolveStatus::stalled, give);
  }
}

}  // namespace sinew::solve
