#include "batch/equilibria.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <thread>

#include "base/parallel.h"
#include "batch/fallback_chain.h"
#include "solve/lane_newton.h"

namespace sinew::batch {

namespace {

// Calls work() on `threads` threads at once, the caller's among them. A thread that the system refuses is done without.
template <class Work>
void on_threads(int threads, const Work& work) {
  std::vector<std::jthread> others;
  try {
    for (int k = 1; k < threads; ++k) others.emplace_back(work);
  } catch (const std::exception&) {
  }
  work();
}

// Samples of one shape that may go in lanes.
struct Group {
  const model::Model* model;
  bool lanes;
  std::vector<size_t> samples;
  std::atomic<size_t> next{0};
};

bool clamps(const scene::Built& built) {
  return built.method == step::find_method("newton") && built.settings.options.text("inversion") == "clamp";
}

// By shape; what lanes cannot or need not do is in no group.
std::vector<std::unique_ptr<Group>> grouped(std::span<const Sample> samples) {
  std::vector<std::unique_ptr<Group>> groups;
  const scene::Built* last = nullptr;
  Group* group = nullptr;
  for (size_t i = 0; i < samples.size(); ++i) {
    const scene::Built& built = *samples[i].built;
    if (&built != last) {
      last = &built;
      const auto at = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
        return solve::LaneSystem::same_shape(*one->model, built.model);
      });
      if (at != groups.end()) {
        group = at->get();
      } else {
        groups.push_back(std::make_unique<Group>());
        group = groups.back().get();
        group->model = &built.model;
        group->lanes = solve::LaneSystem::lacks(built.model).empty() && solve::LaneNewton::pays(built.model);
      }
    }
    if (group->lanes && !clamps(built) && fault_of(samples[i]).empty()) group->samples.push_back(i);
  }
  return groups;
}

// Solves what it can of a group, until nothing is left to take.
void solve_in_lanes(Group& group, std::span<const Sample> samples, double tolerance, const Control& control,
                    std::vector<Solution>& solutions) {
  if (group.next >= group.samples.size()) return;
  solve::LaneNewton newton(*group.model);
  std::vector<double> inputs;
  const auto take = [&](solve::LaneProblem& problem) {
    const size_t place = group.next++;
    if (place >= group.samples.size()) return false;
    const size_t i = group.samples[place];
    Solution& solution = solutions[i];
    solution.state = rest_state(*samples[i].built, samples[i].time);
    inputs = inputs_of(samples[i]);
    problem = {
        i, &samples[i].built->model, inputs,
        samples[i].start.empty() ? std::span<const math::Vec3d>(solution.state.x()) : samples[i].start};
    return true;
  };
  const auto give = [&](const solve::LaneOutcome& outcome) {
    if (outcome.status != solve::SolveStatus::converged || outcome.last.inverted > 0) return;
    Solution& solution = solutions[outcome.id];
    solution.solved = true;
    solution.rung = "lanes";
    solution.iterations = outcome.iterations;
    solution.relative_residual = outcome.last.relative;
    std::copy(outcome.x.begin(), outcome.x.end(), solution.state.x().begin());
  };
  newton.solve(take, give, tolerance, control);
}

}  // namespace

std::vector<Solution> solve(std::span<const Sample> samples, const SolveOptions& options,
                            const Control& control) {
  std::vector<Solution> solutions(samples.size());
  const Control quiet{control.cancel, {}};
  const auto groups = grouped(samples);
  on_threads(options.threads, [&] {
    const SerialLoops serial;
    try {
      for (const auto& group : groups) solve_in_lanes(*group, samples, options.tolerance, quiet, solutions);
    } catch (const std::bad_alloc&) {  // the fallback chain needs less
    }
  });
  std::atomic<size_t> next{0};
  on_threads(options.threads, [&] {
    const SerialLoops serial;
    FallbackChain chain(options.tolerance);
    for (size_t i = next++; i < samples.size(); i = next++) {
      if (solutions[i].solved) continue;
      try {
        if (quiet.cancelled())
          solutions[i].reason = "cancelled";
        else
          solutions[i] = chain.solve(samples[i], quiet);
      } catch (const std::bad_alloc&) {
        solutions[i] = {};
        solutions[i].reason = "out of memory";
      }
    }
  });
  return solutions;
}

}  // namespace sinew::batch
