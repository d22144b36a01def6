#include "solve/hybrid.h"

#include <algorithm>
#include <cmath>

#include "solve/node_sweeps.h"
#include "solve/work.h"

namespace sinew::solve {

namespace {

constexpr int check_every = 16;   // sweeps of the first phase between two looks at the residual
constexpr int max_first = 10000;  // sweeps of the first phase

class Sweeps final : public Smoother {
 public:
  explicit Sweeps(System& system) : sweeps_(system, false) {}

  void smooth(std::span<Vec3d> x, int count) override {
    sweeps_.move_to(x);
    for (int k = 0; k < count; ++k) sweeps_.sweep();
    sweeps_.positions(x);
  }

  NodeSweeps<math::PackD>& sweeps() { return sweeps_; }
  // A sweep that took the forces from `before` to `after` did more for its work than a Newton iteration would.
  static bool paid(double before, double after) {
    return std::log10(before / after) / work::sweep > 1 / work::newton;
  }

 private:
  NodeSweeps<math::PackD> sweeps_;
};

class Hybrid final : public Solver {
 public:
  Hybrid(System& system, const NewtonOptions& options, std::unique_ptr<Sweeps> sweeps)
      : system_(system),
        sweeps_(sweeps.get()),
        newton_(system, options, std::move(sweeps)),
        gradient_(system.model().X.size()) {}

  bool follows_contacts() const override { return true; }
  std::string_view linear_solver() const override { return newton_.linear_solver(); }

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override {
    SolveReport report;
    if (!system_.has_barrier() && sweep_first(x, tolerance, control, report)) return report;
    newton_.set_patience(patience_);
    newton_.set_limit(limit_);
    const SolveReport rest = newton_.solve(x, tolerance, control);
    report.status = rest.status;
    report.iterations += rest.iterations;
    report.linear_iterations += rest.linear_iterations;
    report.last = rest.last;
    report.obstructed = rest.obstructed;
    report.residuals.insert(report.residuals.end(), rest.residuals.begin(), rest.residuals.end());
    report.seconds_assembly = rest.seconds_assembly;
    report.seconds_linear = rest.seconds_linear;
    report.seconds_evaluation = rest.seconds_evaluation;
    return report;
  }

 private:
  // True: the solve is over. Otherwise x is where Newton's method should begin.
  bool sweep_first(std::span<Vec3d> x, double tolerance, const Control& control, SolveReport& report) {
    trial_.assign(x.begin(), x.end());
    system_.dofs().retract(trial_);
    NodeSweeps<math::PackD>& sweeps = sweeps_->sweeps();
    sweeps.start(trial_);
    // Without inertia the response to a load goes through the whole body: Newton's first step gives it at once.
    if (system_.inertia_weight().empty()) return false;
    double met = sweeps.sweep();
    if (!Sweeps::paid(met, sweeps.sweep())) return false;
    sweeps.positions(x);
    report.iterations = 2;
    control.iterate(x);
    for (bool pays = true; pays && report.iterations < max_first;) {
      if (control.cancelled()) {
        report.status = SolveStatus::cancelled;
        return true;
      }
      const double next = sweeps.sweep();
      if (!std::isfinite(next)) return false;
      ++report.iterations;
      pays = Sweeps::paid(met, next);
      met = next;
      const bool look = report.iterations % check_every == 0 && pays;
      if (look || control.on_iterate) sweeps.positions(x);
      if (look) {
        report.last = system_.evaluate(x, gradient_);
        report.residuals.push_back(report.last.relative);
        control.residual(report.last.relative);
        if (report.last.relative <= tolerance) {
          report.status = SolveStatus::converged;
          return true;
        }
      }
      control.iterate(x);
    }
    sweeps.positions(x);
    return false;
  }

  System& system_;
  Sweeps* sweeps_;
  Newton newton_;
  std::vector<Vec3d> gradient_, trial_;
};

bool can_sweep(const System& system) {
  return std::all_of(system.model().bodies.begin(), system.model().bodies.end(),
                     [](const model::Body& body) { return body.kind->node_sweeps; });
}

}  // namespace

std::unique_ptr<Solver> make_hybrid(System& system, const NewtonOptions& options) {
  if (!can_sweep(system)) return std::make_unique<Newton>(system, options);
  return std::make_unique<Hybrid>(system, options, std::make_unique<Sweeps>(system));
}

}  // namespace sinew::solve
