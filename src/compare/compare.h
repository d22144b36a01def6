#pragma once
// Methods side by side on one step of a scene: how far each is after which iteration and after which time.
//
// Steps before the compared one are taken by newton. At step K all methods start from the same State; newton, converged
// further than any of them needs to be or as far as it comes, gives the reference. Every method runs in two passes, which tell of the same
// iterates because methods are deterministic: in the timed pass only the clock is read after an iteration; in the traced
// pass the point is evaluated,
//     residual |g|, relative residual, energy gap E - E_ref, position error |x - x_ref| over the size of the scene,
// by a System of its own (step/time_step.h), held nodes at their targets, with the contacts that the reference ended with,
// the same ones for every method. Times are medians over repeats that
// take turns. Iterations above 512 are told more and more sparsely: 256 for every doubling.
//
//     Comparison result = *run(*built, newton_settings, entries, {.budget = 5}, {}, nullptr);
//
// The clock decides where a method with a budget in seconds is cut off, and nothing else.
#include <functional>
#include <limits>

#include "base/control.h"
#include "compare/entry.h"

namespace sinew::compare {

struct Options {
  double budget = std::numeric_limits<double>::infinity();  // of each method [s]
  int64_t iterations = std::numeric_limits<int64_t>::max();
  int64_t step = 1;         // the one that is compared, from 1
  int repeats = 3;          // of the timed pass
  double tolerance = 1e-8;  // relative residual of a converged method whose entry has none of its own
};

enum class Status {
  converged,  // the relative residual came below the tolerance
  running,    // out of budget, still falling
  stagnated,  // the second half of the iterations lowered the residual by less than 10 %, or it gave up
  diverged,   // not finite, residual above 1000 times the start's, or 10 scene sizes away
  failed,     // it could not run; a note says why
};
std::string_view name_of(Status status);  // "converged", "out of budget", ...

struct Point {
  int64_t iteration = 0;
  double seconds = 0;
  double residual = 0;  // [N]
  double relative = 0;
  double energy_gap = 0;  // E - E_ref [J]
  double error_rms = 0;   // of positions, over the size of the scene
  double error_max = 0;   // of a node, over the size of the scene
};

struct Curve {
  Entry entry;
  Status status = Status::failed;
  std::vector<std::string> notes;
  double setup_seconds = 0;   // before the first iteration, not in the times of the points
  std::vector<Point> points;  // the start first
  bool ended = false;         // by itself, before its budget

  const Point& last() const { return points.back(); }
  bool usable() const { return status != Status::diverged && status != Status::failed; }
};

struct Reference {
  step::StepStatus status = step::StepStatus::failed;
  bool relaxed = false;  // newton did not find it as exactly as was wanted
  int iterations = 0;
  double residual = 0, relative = 0;  // what it reached
  double energy = 0;                  // [J]

  bool found() const { return status == step::StepStatus::converged || status == step::StepStatus::stalled; }
};

struct Comparison {
  Options options;
  double time = 0;      // of the step's end [s]
  double size = 0;      // diagonal of the bounding box at rest [m]
  Reference reference;  // where none was found, energy gaps and position errors are NaN
  std::vector<Curve> curves;
  std::vector<std::string> notes;
  bool interrupted = false;  // nothing else is meaningful then
};

// Told what is being done and which fraction of all runs is finished.
using Progress = std::function<void(const std::string& what, double fraction)>;

// `newton`: its settings in this scene. What goes wrong in a method is told by its curve.
Result<Comparison> run(const scene::Built& built, const step::Settings& newton,
                       std::span<const Entry> entries, const Options& options, const Progress& progress,
                       const Cancel* cancel);

}  // namespace sinew::compare
