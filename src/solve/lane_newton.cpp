#include "solve/lane_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/line_search.h"
#include "solve/newton.h"

namespace sinew::solve {

namespace {

constexpr double enough = 0.5;  // of the residual that a step leaves, at most, for a chord to follow
constexpr int max_chords = 8;
// Relative residual: sheets whose last factor was exact and definite from here on have come to a minimum.
constexpr double near_minimum = 1e-1;
constexpr int max_iterations = 60, max_halvings = 10, max_warped_halvings = 8, stall_iterations = 15;
// Block products of a factorisation up to which lanes pay. With 324 thousand (2,560 tets, 7.7 MB of factor for eight lanes) a
// sample took 0.8 of the CPU time that Newton's method with conjugate gradients takes; with 1.66 million (5,000 tets, 22 MB)
// 1.8 times as much.
constexpr int64_t max_products = 400'000;
constexpr int32_t max_nodes = 2000;  // more have more products; they need not be counted

}  // namespace

LaneNewton::LaneNewton(const model::Model& model) : system_(model) {
  for (auto* v : {&x_, &trial_, &gradient_, &trial_gradient_, &d_, &boundary_, &product_, &watchdog_x_,
                  &watchdog_gradient_, &watchdog_d_})
    v->assign(system_.nodes(), Vector::zero());
  q_.assign(system_.blocks(), Vector::zero());
  for (auto* v : {&point_, &move_, &warped_}) v->resize(system_.nodes());
  const auto is_sheet = [](const model::Body& body) { return body.kind->is_triangle(); };
  if (std::none_of(model.bodies.begin(), model.bodies.end(), is_sheet)) return;
  sheets_ = std::make_unique<System>(model);
  warp_ = std::make_unique<RotationWarp>(*sheets_);
  double edge = std::numeric_limits<double>::infinity();
  for (size_t b = 0; b < model.bodies.size(); ++b)
    edge = std::min(edge, model.scales(model.params, static_cast<int32_t>(b)).edge);
  least_move_ = RotationWarp::least_angle(model) * edge;
}

bool LaneNewton::pays(const model::Model& model) {
  return model::DofMap(model).block_count() <= max_nodes &&
         LaneSystem::products(model, max_products) <= max_products;
}

void LaneNewton::load(int l, const LaneProblem& problem) {
  system_.set(l, *problem.model, problem.inputs);
  point_.assign(problem.start.begin(), problem.start.end());
  system_.retract(l, point_);
  inputs_[l].assign(problem.inputs.begin(), problem.inputs.end());
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

// What to do with a trial point, by the rules of Newton's line search and watchdog. `slope`: of the trial point.
LaneNewton::Verdict LaneNewton::judge(Lane& lane, const Evaluation& trial, double slope) const {
  const bool finite = is_finite(trial);
  if (lane.phase != Phase::search) return finite ? Verdict::accept : Verdict::fail;
  if (lane.watchdog_steps > 0) {
    if (!finite || trial.inverted > 0) return Verdict::restore;
    if (sufficient_decrease({lane.watchdog_at, trial, lane.watchdog_slope})) return Verdict::accept;
    return lane.watchdog_steps < watchdog_steps ? Verdict::go_on : Verdict::restore;
  }
  if (lane.warps) {
    if (finite && sufficient_decrease({lane.at, trial, lane.slope * lane.alpha})) return Verdict::accept;
    if (lane.chords > 0) return Verdict::refresh;
    return lane.halvings < max_warped_halvings ? Verdict::shorten : Verdict::straighten;
  }
  const TrialStep step{lane.at, trial, lane.slope, lane.alpha, lane.halvings};
  if (finite && relaxed_armijo(step, [&] { return slope; })) return Verdict::accept;
  const bool chord = lane.chords > 0;
  if (chord) return Verdict::refresh;
  if (finite && step.has_energy() && lane.halvings == 0 && lane.watchdog_pause == 0 &&
      lane.at.inverted == 0 && trial.inverted == 0)
    return Verdict::start_watchdog;
  return lane.halvings >= max_halvings ? Verdict::fail : Verdict::shorten;
}

namespace {

using Vector = LaneSystem::Vector;

void copy_lanes(const LaneSystem::Mask& which, std::span<const Vector> from, std::span<Vector> to) {
  for (size_t i = 0; i < to.size(); ++i)
    for (int k = 0; k < 3; ++k) to[i][k] = select(which, from[i][k], to[i][k]);
}

}  // namespace

void LaneNewton::accept_trials(const Mask& which) {
  copy_lanes(which, trial_, x_);
  copy_lanes(which, trial_gradient_, gradient_);
}

void LaneNewton::save(const Mask& which) {
  copy_lanes(which, x_, watchdog_x_);
  copy_lanes(which, gradient_, watchdog_gradient_);
  copy_lanes(which, d_, watchdog_d_);
}

void LaneNewton::restore(const Mask& which) {
  copy_lanes(which, watchdog_x_, x_);
  copy_lanes(which, watchdog_gradient_, gradient_);
  copy_lanes(which, watchdog_d_, d_);
}

// Solves for the directions of the lanes of `need` with the factor of now, into d_; those of the others stay.
void LaneNewton::direct(const Mask& need) {
  system_.pull(product_, q_);
  system_.matrix().solve(q_);
  system_.push(q_, product_);
  copy_lanes(need, product_, d_);
}

// Factors anew for the lanes of `need`, which are all that have a problem, and finds their directions.
void LaneNewton::factor(Mask need) {
  Mask exact(false), moves(false);
  for (int l = 0; l < lanes; ++l) {
    if (!need[l]) continue;
    Lane& lane = lane_[l];
    lane.exact = lane.at.inverted == 0 && lane.projected_for == 0;
    lane.chords = 0;
    lane.factored_at = lane.moves ? std::numeric_limits<double>::infinity() : lane.at.relative;
    if (lane.projected_for > 0) --lane.projected_for;
    if (lane.watchdog_pause > 0) --lane.watchdog_pause;
    exact.set(l, lane.exact);
    moves.set(l, lane.moves);
  }
  const bool moving = any(moves);
  // Lanes whose exact matrix is not definite have it projected; the others get the same factor once more.
  for (bool again = true; again;) {
    if (moving) std::fill(product_.begin(), product_.end(), Vector::zero());
    system_.assemble(need, x_, exact, moving ? std::span<const Vector>(boundary_) : std::span<const Vector>(),
                     product_);
    const Mask definite = system_.matrix().factor();
    again = false;
    for (int l = 0; l < lanes; ++l) {
      if (!need[l] || definite[l]) continue;
      if (exact[l]) {
        again = true;
        exact.set(l, false);
        lane_[l].exact = false;
        lane_[l].projected_for = projected_iterations;
      } else {
        need.set(l, false);
        for (Vector& d : d_)  // no direction: slope 0
          for (int k = 0; k < 3; ++k) d[k].set(l, 0.0);
      }
    }
  }
  for (size_t i = 0; i < product_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Pack g = -gradient_[i][k];
      product_[i][k] = moving ? select(moves, g - product_[i][k], g) : g;
    }
  direct(need);
}

// The next trial points of the lanes of `need`, by a fresh factor or the last one, and of those that shorten their step.
void LaneNewton::advance(const Mask& need, bool fresh) {
  Pack slope(0), alpha(0);
  if (fresh) {
    factor(need);
  } else if (any(need)) {
    for (size_t i = 0; i < product_.size(); ++i) product_[i] = -gradient_[i];
    direct(need);
  }
  if (any(need))
    for (size_t i = 0; i < d_.size(); ++i) slope += dot(gradient_[i], d_[i]);
  Mask moves(false);
  for (int l = 0; l < lanes; ++l) {
    Lane& lane = lane_[l];
    if (need[l]) {
      lane.slope = slope[l];
      lane.alpha = 1;
      lane.halvings = 0;
      lane.chords += !fresh;
      lane.phase = lane.moves ? Phase::boundary : Phase::search;
      lane.warps = warp_ && !lane.moves && lane.watchdog_steps == 0 && lane.slope < 0 && lane.at.energy_valid;
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
  for (int l = 0; l < lanes; ++l)
    if (lane_[l].warps && lane_[l].phase == Phase::search && (need[l] || !lane_[l].waits)) warp(l);
}

// Turns the trial point of a lane; where nothing turns by much it stays straight.
void LaneNewton::warp(int l) {
  Lane& lane = lane_[l];
  double longest = 0;
  for (size_t i = 0; i < point_.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      point_[i][k] = x_[i][k][l];
      move_[i][k] = d_[i][k][l] * lane.alpha;
      warped_[i][k] = trial_[i][k][l];
    }
    longest = std::max(longest, norm2(move_[i]));
  }
  lane.warps = longest > least_move_ * least_move_;
  if (!lane.warps) return;
  sheets_->set_inputs(inputs_[l]);
  lane.warps = warp_->apply(point_, move_, warped_);
  if (!lane.warps) return;
  for (size_t i = 0; i < point_.size(); ++i)
    for (int k = 0; k < 3; ++k) trial_[i][k].set(l, warped_[i][k]);
}

// What a verdict makes of the lane; true: it needs a new direction.
bool LaneNewton::apply(int l, Verdict verdict, const Evaluation& trial, double tolerance, const Give& give) {
  Lane& lane = lane_[l];
  const bool begins = lane.phase != Phase::search;
  const bool whole = lane.halvings == 0 && lane.watchdog_steps == 0;
  bool need = true;
  lane.keeps = false;
  switch (verdict) {
    case Verdict::accept:
      lane.keeps =
          !begins && whole && trial.residual <= enough * lane.at.residual && lane.chords < max_chords;
      lane.at = trial;
      lane.watchdog_steps = 0;
      if (begins)
        lane.stall = {lane.at.residual};
      else
        lane.stall.note(lane.at.residual);
      break;
    case Verdict::refresh:
      break;
    case Verdict::start_watchdog:
      lane.watchdog_at = lane.at;
      lane.watchdog_slope = lane.slope;
      [[fallthrough]];
    case Verdict::go_on:
      lane.at = trial;
      ++lane.watchdog_steps;
      break;
    case Verdict::restore:
      lane.at = lane.watchdog_at;
      lane.slope = lane.watchdog_slope;
      lane.watchdog_steps = 0;
      lane.watchdog_pause = watchdog_pause;
      lane.alpha = 0.5;
      lane.halvings = 1;
      need = false;
      break;
    case Verdict::shorten:
      lane.alpha *= 0.5;
      ++lane.halvings;
      need = false;
      break;
    case Verdict::straighten:
      lane.warps = false;
      lane.alpha = 1;
      lane.halvings = 0;
      need = false;
      break;
    case Verdict::fail:
      need = !begins && lane.exact;  // with the projected Hessian
      lane.projected_for = projected_iterations;
      break;
  }
  const bool failed = verdict == Verdict::fail && !need;
  if (verdict == Verdict::accept && !lane.moves && lane.at.relative <= tolerance) {
    const bool resolved = lane.at.rounding <= tolerance;
    lane.proving = resolved && sheets_ && !(lane.exact && lane.factored_at < near_minimum);
    lane.keeps &= !lane.proving;
    lane.projected_for = 0;
    if (!lane.proving) finish(l, resolved ? SolveStatus::converged : SolveStatus::stalled, give);
  } else if (failed || lane.iterations >= max_iterations || lane.stall.count > stall_iterations ||
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
    if (control.cancelled()) {
      for (int l = 0; l < lanes; ++l)
        if (busy[l]) finish(l, SolveStatus::cancelled, give);
      return;
    }
    Mask running(false);
    for (int l = 0; l < lanes; ++l) running.set(l, busy[l] && !lane_[l].waits);
    if (!any(running)) {
      advance(busy, true);
      for (int l = 0; l < lanes; ++l) {
        lane_[l].waits = false;
        if (busy[l] && lane_[l].proving) {  // a saddle point is for a solver that leaves it
          finish(l, lane_[l].exact ? SolveStatus::converged : SolveStatus::stalled, give);
          busy.set(l, false);
        } else if (busy[l] && lane_[l].phase == Phase::search && lane_[l].watchdog_steps == 0 &&
                   !(lane_[l].slope < 0)) {
          finish(l, SolveStatus::stalled, give);  // no descent
          busy.set(l, false);
        }
      }
      running = busy;
    }
    step(running, tolerance, give);
  }
}

// Evaluates the trial points of these lanes and goes on from there, as far as their factors serve.
void LaneNewton::step(const Mask& running, double tolerance, const Give& give) {
  const LaneEvaluation trial = system_.evaluate(running, trial_, trial_gradient_);
  Pack slope(0);
  for (size_t i = 0; i < d_.size(); ++i) slope += dot(trial_gradient_[i], d_[i]);
  std::array<Verdict, lanes> verdict{};
  const auto those = [&](std::initializer_list<Verdict> list) {
    Mask mask(false);
    for (int l = 0; l < lanes; ++l)
      mask.set(l, running[l] && std::find(list.begin(), list.end(), verdict[l]) != list.end());
    return mask;
  };
  for (int l = 0; l < lanes; ++l)
    if (running[l]) verdict[l] = judge(lane_[l], trial[l], slope[l]);
  if (const Mask starting = those({Verdict::start_watchdog}); any(starting)) save(starting);
  accept_trials(those({Verdict::accept, Verdict::start_watchdog, Verdict::go_on}));
  if (const Mask back = those({Verdict::restore}); any(back)) restore(back);
  Mask chords(false);
  for (int l = 0; l < lanes; ++l) {
    if (!running[l] || !apply(l, verdict[l], trial[l], tolerance, give)) continue;
    lane_[l].waits = !lane_[l].keeps;
    chords.set(l, lane_[l].keeps);
  }
  advance(chords, false);
  for (int l = 0; l < lanes; ++l) lane_[l].waits |= chords[l] && !(lane_[l].slope < 0);
}

}  // namespace sinew::solve
