#include "step/nonlinear.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/stopwatch.h"

namespace sinew::step {

using math::Vec3d;
using solve::SolveReport;
using solve::SolveStatus;

namespace {

constexpr int max_dynamic_iterations = 3;
// Relative residual up to which contacts are solved with the first guess of the friction. Of each further one: in time over the last, in
// quasistatics over what the friction of now is out of balance.
constexpr double first_friction_tolerance = 1e-1, friction_tightening = 1e-1, friction_share = 3e-2;
// Rounds of friction that do not bring the residual down to this share of the least before: after some of them no more are made, and in
// quasistatics friction may be out of balance by as much as is accepted.
constexpr double settling = 0.7, accepted_friction = 1e-2;
constexpr int max_idle_rounds = 3;
constexpr int max_repairs = 6;  // of one increment because surfaces intersected

void add_solve(StepReport& report, const SolveReport& solve) {
  report.iterations += solve.iterations;
  report.linear_iterations += solve.linear_iterations;
  report.add_seconds("assembly", solve.seconds_assembly);
  report.add_seconds("linear", solve.seconds_linear);
  report.add_seconds("evaluation", solve.seconds_evaluation);
  if (solve.seconds_sweeps > 0) report.add_seconds("sweeps", solve.seconds_sweeps);
  if (solve.seconds_colouring > 0) report.add_seconds("colouring", solve.seconds_colouring);
}

}  // namespace

NonlinearLoop::NonlinearLoop(const model::Model& model)
    : model_(model),
      history_(model),
      contacts_(model.has_contacts() ? std::make_unique<IncrementContacts>(model) : nullptr) {}

void NonlinearLoop::begin(std::span<const Vec3d> x_before, std::span<const double> inputs_before,
                          std::span<const double> inputs, double dt) {
  if (contacts_) contacts_->begin(x_before, inputs_before, inputs, dt);
}

void NonlinearLoop::find_at_start(solve::System& system, const solve::Solver& solver,
                                  std::span<const Vec3d> x, std::span<const double> inputs) {
  if (!contacts_) return;
  contacts_->begin(x, inputs, inputs, 0);
  contacts_->reset_intersections();
  if (model_.contact.barrier && solver.follows_contacts()) {
    std::vector<Vec3d> start(x.begin(), x.end());
    contacts_->start_barrier(system, start, history_);
  } else {
    contacts_->find(system, x, history_, false);
  }
}

SolveReport NonlinearLoop::solve(solve::System& system, solve::Solver& solver, std::span<Vec3d> x,
                                 const NonlinearOptions& options, const Control& control,
                                 StepReport& report) {
  iterations_left_ = options.max_iterations;
  if (contacts_ && model_.contact.barrier && solver.follows_contacts())
    return iterate_friction(system, solver, x, options, control, report);
  if (contacts_) return iterate_contacts(system, solver, x, options, control, report);
  return solve_once(solver, x, options.tolerance, control, report);
}

SolveReport NonlinearLoop::solve_once(solve::Solver& solver, std::span<Vec3d> x, double tolerance,
                                      const Control& control, StepReport& report) {
  solver.set_limit(iterations_left_);
  SolveReport result = solver.solve(x, tolerance, control);
  iterations_left_ -= result.iterations;
  add_solve(report, result);
  return result;
}

SolveReport NonlinearLoop::iterate_contacts(solve::System& system, solve::Solver& solver, std::span<Vec3d> x,
                                            const NonlinearOptions& options, const Control& control,
                                            StepReport& report) {
  const int max_rounds = model_.contact.rounds;
  iteration_ = repairs_ = 0;
  converged_ = false;
  contacts_->reset_intersections();
  contacts_->find(system, x, history_, false);
  SolveReport result;
  while (true) {
    result = solve_once(solver, x, options.tolerance, control, report);
    const bool converged = result.status == SolveStatus::converged;
    const bool stalled = result.status == SolveStatus::stalled && std::isfinite(result.last.residual);
    if (!converged && !stalled) break;
    const bool intersects = contacts_->detect_intersections(x);
    if (!solver.restartable() || (stalled && !options.budgeted)) break;
    const bool dynamic = contacts_->dt() > 0;
    if (options.budgeted && intersects) {
      double seconds = 0;
      const bool relaxed = relax_intersections(system, solver, x, seconds);
      report.add_seconds("repairs", seconds);
      if (relaxed && (dynamic || stalled)) break;
    }
    const int max_iterations = stalled   ? 0
                               : dynamic ? std::min(max_dynamic_iterations, max_rounds)
                                         : max_rounds;
    if (!continues(system, x, options.tolerance, max_iterations)) break;
  }
  report.add_seconds("detection", contacts_->take_seconds());
  return result;
}

// With a barrier a solve sees the contacts of its iterates; what lags is friction, and tissue that slides.
SolveReport NonlinearLoop::iterate_friction(solve::System& system, solve::Solver& solver, std::span<Vec3d> x,
                                            const NonlinearOptions& options, const Control& control,
                                            StepReport& report) {
  const bool quasistatic = contacts_->dt() == 0;
  const int max_iterations =
      quasistatic ? model_.contact.rounds : std::min(max_dynamic_iterations, model_.contact.rounds);
  iteration_ = 0;
  converged_ = false;
  contacts_->reset_intersections();
  contacts_->start_barrier(system, x, history_);
  gradient_.resize(x.size());
  SolveReport result;
  const auto solve_to = [&](double tolerance) {
    result = solve_once(solver, x, tolerance, control, report);
    return result.status == SolveStatus::converged;
  };
  double tolerance =
      contacts_->may_rub() ? std::max(options.tolerance, first_friction_tolerance) : options.tolerance;
  double least = std::numeric_limits<double>::infinity();  // residual after a round
  for (int idle_rounds = 0; solve_to(tolerance);) {
    contacts_->find_friction(system, x, history_, true);
    const double residual = system.evaluate(x, gradient_).relative;
    converged_ = residual <= options.tolerance;
    if (converged_) break;
    idle_rounds += residual > settling * least;
    least = std::min(least, residual);
    const bool last = ++iteration_ >= max_iterations ||
                      (quasistatic && idle_rounds > max_idle_rounds && residual < least / settling);
    if (last && (quasistatic || tolerance == options.tolerance)) {
      contacts_->undo_find(system);  // x is in balance with those before
      converged_ = quasistatic && residual <= accepted_friction;
      if (tolerance > options.tolerance && !solve_to(options.tolerance)) converged_ = false;
      if (converged_)
        report.notes.push_back(fmt::format(
            "friction did not settle: it is that of the round before, off by {:.2g} of the forces",
            residual));
      break;
    }
    const double loose = quasistatic ? friction_share * residual : friction_tightening * tolerance;
    tolerance = contacts_->has_friction() && !last && (quasistatic || iteration_ + 1 < max_iterations)
                    ? std::clamp(loose, options.tolerance, tolerance)
                    : options.tolerance;
  }
  report.add_seconds("detection", contacts_->take_seconds());
  return result;
}

// What intersects enters the set, and a solver that can relaxes x around it. True: nothing intersects any more.
bool NonlinearLoop::relax_intersections(solve::System& system, solve::Solver& solver, std::span<Vec3d> x,
                                        double& seconds) {
  const Stopwatch watch(seconds);
  while (contacts_->intersecting() && repairs_ < max_repairs) {
    contacts_->add_intersecting(system);
    if (!solver.relax_locally(x, contacts_->intersecting_nodes())) return false;
    ++repairs_;
    contacts_->detect_intersections(x);
  }
  return !contacts_->intersecting();
}

// After a solve that ended at x: contacts anew. True: another solve is due.
bool NonlinearLoop::continues(solve::System& system, std::span<const Vec3d> x, double tolerance,
                              int max_iterations) {
  ++iteration_;
  if (contacts_->intersecting()) {
    if (repairs_++ == max_repairs) return false;
    contacts_->find(system, x, history_, true);
    return true;
  }
  if (iteration_ >= max_iterations && contacts_->dt() > 0) return false;  // the next step finds them anyway
  contacts_->find(system, x, history_, true);
  gradient_.resize(x.size());
  converged_ = system.evaluate(x, gradient_).relative <= tolerance;
  if (converged_ || iteration_ < max_iterations) return !converged_;
  contacts_->undo_find(system);  // x is in balance with those before
  return false;
}

const contact::Pair* NonlinearLoop::unsettled(const model::DofMap& dofs) const {
  if (!contacts_) return nullptr;
  // In time the next step finds them anyway; before they were found anew nothing is known of what comes and goes.
  const bool iterated = iteration_ > 0 && !converged_ && contacts_->dt() == 0 && !gradient_.empty();
  return intersecting() || iterated ? contacts_->unsettled(dofs, gradient_) : nullptr;
}

bool NonlinearLoop::limit_step(const model::DofMap& dofs, std::span<Vec3d> x, StepReport& report) {
  return contacts_->limit_step(dofs, x, report);
}

void NonlinearLoop::accept(std::span<const Vec3d> x, StepReport& report) {
  if (contacts_) contacts_->accept(x, history_, report);
}

}  // namespace sinew::step
