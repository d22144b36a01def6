#include "batch/equilibria.h"

#include <atomic>
#include <new>
#include <thread>

#include "base/parallel.h"
#include "batch/ladder.h"

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

}  // namespace

std::vector<Solution> solve(std::span<const Sample> samples, const SolveOptions& options,
                            const Control& control) {
  std::vector<Solution> solutions(samples.size());
  const Control quiet{control.cancel, {}};
  std::atomic<size_t> next{0};
  on_threads(options.threads, [&] {
    const SerialLoops serial;
    Ladder ladder(options.tolerance);
    for (size_t i = next++; i < samples.size(); i = next++) {
      try {
        if (quiet.cancelled())
          solutions[i].reason = "cancelled";
        else
          solutions[i] = ladder.climb(samples[i], quiet);
      } catch (const std::bad_alloc&) {
        solutions[i] = {};
        solutions[i].reason = "out of memory";
      }
    }
  });
  return solutions;
}

}  // namespace sinew::batch
