#include "batch_slurm.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

#include "batch/inspect.h"
#include "batch/slurm.h"
#include "command.h"
#include "print.h"
#include "progress_bar.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::minutes(5);  // with a queue that does not answer

// Sleeps, but not through a signal.
void rest(Clock::duration length, const Cancel& cancel) {
  const auto end = Clock::now() + length;
  while (Clock::now() < end && !cancel.requested())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

Result<void> wait_for(const batch::SlurmJobs& jobs, const batch::DataFolder& folder, bool quiet,
                      const Cancel& cancel) {
  ProgressBar bar(quiet);
  auto answered = Clock::now();
  while (!cancel.requested()) {
    const auto begin = Clock::now();
    const Result<batch::Queued> queue = batch::queued(jobs);
    if (queue) answered = Clock::now();
    if (!queue && Clock::now() - answered > patience) return queue.error();
    if (queue && queue->none()) break;
    if (queue) {
      const batch::Status status = batch::status_of(folder);
      const int64_t done = status.solved + status.failed + status.journalled;
      bar.show(static_cast<double>(done) / static_cast<double>(std::max<int64_t>(status.samples, 1)),
               fmt::format("sample {}/{}  {} failed  jobs: {} running, {} pending", done, status.samples,
                           status.failed, queue->running, queue->pending));
    }
    // A large data set takes a while to look through: that is a small part of the time.
    rest(std::max<Clock::duration>(std::chrono::seconds(1), 10 * (Clock::now() - begin)), cancel);
  }
  bar.end();
  return {};
}

}  // namespace

std::optional<int> run_on_slurm(const batch::DataFolder& folder, const SlurmOptions& options,
                                const Cancel& cancel) {
  std::error_code code;
  const fs::path tool = fs::read_symlink("/proc/self/exe", code);
  const fs::path path = fs::canonical(folder.path(), code);
  if (code) return complain(io_error(folder.path().string(), code.message()));
  const batch::SlurmArray array{
      tool, path, static_cast<int>(std::min(options.tasks, static_cast<double>(folder.study().shards()))),
      options.options};
  if (auto ok = batch::write_scripts(array); !ok) return complain(ok.error());
  if (array.tasks < options.tasks)
    warn(fmt::format("--array {}: there are {} shards, and no more tasks than that", options.tasks,
                     array.tasks));
  if (options.dry_run) {
    fmt::print("{}\n{}\n", (path / "slurm/array.sh").string(), (path / "slurm/collect.sh").string());
    return exit_done;
  }
  const Result<batch::SlurmJobs> jobs = batch::submit(array);
  if (!jobs) return complain(jobs.error());
  if (!options.quiet) {
    say(fmt::format("{}: job {} with {} tasks, job {} collects", path.string(), jobs->array, array.tasks,
                    jobs->collect));
    hint(fmt::format("`sinew batch status {}` and `squeue --jobs={},{}` show how far it is; logs are in {}.",
                     path.string(), jobs->array, jobs->collect, (path / "slurm").string()));
  }
  fmt::print("{} {}\n", jobs->array, jobs->collect);
  std::fflush(stdout);
  if (!options.wait) return exit_done;
  const Result<void> waited = wait_for(*jobs, folder, options.quiet, cancel);
  if (!waited) return complain(waited.error());
  if (!cancel.requested()) return std::nullopt;
  hint(fmt::format("The jobs go on; `scancel {} {}` ends them.", jobs->array, jobs->collect));
  return exit_interrupted;
}

}  // namespace sinew::cli
