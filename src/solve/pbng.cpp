#include "solve/pbng.h"

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "solve/coarse_correction.h"
#include "solve/node_sweeps.h"

namespace sinew::solve {

namespace {

constexpr int local_sweeps = 20;
constexpr int check_every = 48;  // an evaluation costs about two sweeps
// Growth of the forces met that is not waited out: over the least so far where the energy may rise, else over the first.
// Forces below `little` of the first may be rounding.
constexpr double grown = 10, runaway = 1e6, little = 1e-6;
constexpr double diverged = 1e10;  // times the residual at the start
constexpr int cycle_sweeps = 4;    // after each step of the whole body
// A first step of the whole body takes off about this many decades of the residual; cycles without progress end them.
constexpr double first_decades = 1;
constexpr int idle_cycles = 3;
constexpr double least_decades = 0.01;

template <class T>
class Pbng final : public Solver {
 public:
  Pbng(System& system, const PbngOptions& options)
      : system_(system),
        options_(options),
        sweeps_(system, options.modified, options.colours),
        correction_(system),
        gradient_(system.model().X.size()) {}

  std::string_view linear_solver() const override { return {}; }
  std::span<const Vec3d> gradient() const override {
    return current_ ? std::span<const Vec3d>(gradient_) : std::span<const Vec3d>();
  }

  bool relax_locally(std::span<Vec3d> x, std::span<const int32_t> nodes) override {
    sweeps_.start(x);
    sweeps_.sweep_around(nodes, local_sweeps);
    sweeps_.positions(x);
    system_.dofs().retract(x);
    current_ = false;
    return true;
  }

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override {
    SolveReport report;
    begin(x, report);
    while (report.iterations < budget_ && at_.relative > tolerance) {
      if (control.cancelled()) {
        report.status = SolveStatus::cancelled;
        return report;
      }
      if (cycles_ && report.iterations + correction_.next_work() + cycle_sweeps <= budget_) {
        cycle(x, report);
        control.residual(at_.relative);
        control.iterate(x);
        continue;
      }
      const double met = iterate(report.seconds_sweeps);
      ++report.iterations;
      const bool away = runs_away(met);
      const bool check = away || report.iterations % check_every == 0 || report.iterations == budget_;
      if (check || control.on_iterate) {
        sweeps_.positions(x);
        system_.dofs().retract(x);  // in single precision constrained nodes are not where they should be
      }
      if (check) {
        if (!evaluate_sweeps(x, away, report)) return report;
        control.residual(at_.relative);
      }
      control.iterate(x);
    }
    if (at_.relative <= tolerance) report.status = SolveStatus::converged;
    return report;
  }

 private:
  void begin(std::span<Vec3d> x, SolveReport& report) {
    const double coloured = sweeps_.colouring_seconds();
    system_.dofs().retract(x);
    sweeps_.mark(x);
    system_.leave_planes(x);
    good_.assign(x.begin(), x.end());
    at_ = evaluate(x, report);
    current_ = true;
    report.residuals.push_back(at_.relative);
    report.last = at_;
    max_residual_ = diverged * at_.residual;
    restart(x, options_.acceleration);
    report.seconds_colouring = sweeps_.colouring_seconds() - coloured;
    first_met_ = max_met_ = 0;
    budget_ = options_.iterations;
    kept_ = 0;
    // Steps of the whole body know nothing of planes that nodes are moved out of.
    may_cycle_ = options_.levels != Levels::single && system_.planes().empty();
    cycles_ = may_cycle_ && (options_.levels == Levels::multi || system_.has_stiff_links());
    idle_ = 0;
    correction_.restart();
  }

  // A step of the whole body, and a few plain sweeps.
  void cycle(std::span<Vec3d> x, SolveReport& report) {
    const Evaluation before = at_;
    const bool moved = correction_.apply(x, at_, gradient_, report);
    if (moved) std::copy(x.begin(), x.end(), good_.begin());
    {
      const Stopwatch watch(report.seconds_sweeps);
      sweeps_.start(x);
      for (int k = 0; k < cycle_sweeps; ++k) sweeps_.sweep();
    }
    sweeps_.positions(x);
    system_.dofs().retract(x);
    take(x, evaluate(x, report), report);
    const double decades = std::log10(before.residual / at_.residual);
    report.iterations += cycle_sweeps + static_cast<int>(std::ceil(correction_.work()));
    kept_ = report.iterations;
    correction_.note(decades, cycle_sweeps + 1);
    idle_ = decades < least_decades && !(at_.energy < before.energy - at_.energy_noise) ? idle_ + 1 : 0;
    if (idle_ == idle_cycles) cycles_ = may_cycle_ = false;
    restart(x, options_.acceleration);
  }

  // Keeps where sweeps of a cycle have come to unless they lost ground.
  void take(std::span<Vec3d> x, const Evaluation& now, SolveReport& report) {
    const bool lost = !std::isfinite(now.residual) ||
                      (now.energy > at_.energy + at_.energy_noise && now.residual > at_.residual);
    if (lost) {
      std::copy(good_.begin(), good_.end(), x.begin());
      at_ = evaluate(x, report);
    } else {
      std::copy(x.begin(), x.end(), good_.begin());
      at_ = now;
    }
    report.residuals.push_back(at_.relative);
    report.last = at_;
    current_ = true;
  }

  // Sweeps since the last look took off less than a step of the whole body would have.
  bool crawls(double decades, int sweeps) const {
    return may_cycle_ && options_.levels == Levels::automatic &&
           decades < first_decades * sweeps / (CoarseCorrection::first_work() + cycle_sweeps + 1);
  }

  // The forces met in a sweep have grown beyond what is waited out.
  bool runs_away(double met) {
    if (first_met_ == 0) first_met_ = met, max_met_ = runaway * first_met_;
    const bool away = !(met <= max_met_);
    if (between()) max_met_ = std::min(max_met_, grown * std::max(met, little * first_met_));
    return away;
  }

  // Evaluates where the sweeps have come to. Where they lost ground, x goes back to the last evaluation and they go on with
  // less acceleration; false: without any they diverged.
  bool evaluate_sweeps(std::span<Vec3d> x, bool away, SolveReport& report) {
    Evaluation now = evaluate(x, report);
    if (!(now.residual <= max_residual_)) now.residual = std::numeric_limits<double>::infinity();
    current_ = false;
    const bool risen = away || !std::isfinite(now.residual) ||
                       (now.energy > at_.energy + at_.energy_noise && now.residual > at_.residual);
    if (risen) first_met_ = 0;
    if (risen && acceleration_ != Acceleration::none) {
      std::copy(good_.begin(), good_.end(), x.begin());
      restart(x, acceleration_ == Acceleration::in_sweep ? Acceleration::none : Acceleration::in_sweep);
      budget_ += (report.iterations - kept_) / 2;  // half of what was lost
    } else if (!std::isfinite(now.residual)) {
      std::copy(good_.begin(), good_.end(), x.begin());
      report.last = now;
      return false;
    } else {
      cycles_ = crawls(std::log10(at_.residual / now.residual), report.iterations - kept_);
      at_ = now;
      current_ = true;
      kept_ = report.iterations;
      std::copy(x.begin(), x.end(), good_.begin());
      report.residuals.push_back(at_.relative);
    }
    report.last = at_;
    return true;
  }

  void restart(std::span<const Vec3d> x, Acceleration acceleration) {
    sweeps_.start(x);
    acceleration_ = acceleration;
    if (acceleration == Acceleration::automatic)
      acceleration_ = sweeps_.overestimates() && !system_.model().has_contacts() ? Acceleration::chebyshev
                                                                                 : Acceleration::in_sweep;
    before_ = sweeps_.coordinates();
    count_ = 0;
    weight_ = 1;
  }

  bool between() const {
    return acceleration_ == Acceleration::sor || acceleration_ == Acceleration::chebyshev;
  }

  Evaluation evaluate(std::span<const Vec3d> x, SolveReport& report) {
    const Stopwatch watch(report.seconds_evaluation);
    return system_.evaluate(x, gradient_);
  }

  double iterate(double& seconds) {
    const Stopwatch watch(seconds);
    const double w = options_.relaxation;
    if (between()) start_ = sweeps_.coordinates();
    const double met = sweeps_.sweep(acceleration_ == Acceleration::in_sweep ? w : 1.0);
    if (!between()) return met;
    // Both are x_(l-1) + a (y - x_l) + b (x_l - x_(l-1)).
    double a = w, b = w;
    if (acceleration_ == Acceleration::chebyshev) {
      weight_ = next_chebyshev_weight(count_++, options_.spectral_radius, weight_);
      a = weight_ * w;
      b = weight_;
    }
    std::vector<Scalar>& x = sweeps_.coordinates();
    const auto p = static_cast<Scalar>(a), q = static_cast<Scalar>(b);
    for_each_block(static_cast<int64_t>(x.size()), 1 << 14, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        x[i] = before_[i] + (p * (x[i] - start_[i]) + q * (start_[i] - before_[i]));
    });
    sweeps_.project();
    before_.swap(start_);
    return met;
  }

  using Scalar = math::ScalarOf<T>;
  System& system_;
  PbngOptions options_;
  NodeSweeps<T> sweeps_;
  CoarseCorrection correction_;
  bool may_cycle_ = false, cycles_ = false;
  int idle_ = 0;  // cycles without progress
  Acceleration acceleration_ = Acceleration::none;
  int count_ = 0;
  double weight_ = 1;
  std::vector<Scalar> before_, start_;
  int budget_ = 0, kept_ = 0;  // sweeps allowed, and up to the last evaluation
  double first_met_ = 0,
         max_met_ = 0;       // forces met in the first sweep, and in one that does not run away [N]
  double max_residual_ = 0;  // of a solve that has not diverged [N]
  Evaluation at_;            // at good_
  bool current_ = false;     // so is the gradient
  std::vector<Vec3d> good_, gradient_;
};

}  // namespace

double next_chebyshev_weight(int l, double radius, double weight) {
  if (l < 2) return 1;
  return l == 2 ? 2 / (2 - radius * radius) : 4 / (4 - radius * radius * weight);
}

std::unique_ptr<Solver> make_pbng(System& system, const PbngOptions& options) {
  if (options.single) return std::make_unique<Pbng<math::PackF>>(system, options);
  return std::make_unique<Pbng<math::PackD>>(system, options);
}

}  // namespace sinew::solve
