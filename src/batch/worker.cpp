#include "batch/worker.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/memory.h"
#include "batch/equilibria.h"
#include "batch/journal.h"
#include "batch/shard_lock.h"
#include "batch/tree.h"
#include "io/file.h"

namespace sinew::batch {

namespace {

namespace fs = std::filesystem;
using OnSample = std::function<void(const Entry&)>;

constexpr auto look_again = std::chrono::milliseconds(200);

// Samples that are solved at once: enough to fill the lanes of small meshes several times, few of large ones, since what
// is unfinished is lost with the process.
size_t group_size(const model::Model& model) {
  return std::clamp<size_t>(50000 / std::max<size_t>(model.elements.size(), 1), 1, 64);
}

std::vector<double> points_of(const Study& study, int64_t shard) {
  std::vector<double> points;
  for (int64_t i = study.first_of(shard); i < study.end_of(shard); ++i) {
    const std::vector<double> point = study.point(i);
    points.insert(points.end(), point.begin(), point.end());
  }
  return points;
}

std::vector<char> categorical_of(const Study& study) {
  std::vector<char> categorical;
  for (const Variable& v : study.vary) categorical.push_back(v.kind == Variable::Kind::choice);
  return categorical;
}

constexpr std::string_view neighbour = "neighbour ";  // before the rung of a sample that was tried again
constexpr size_t max_neighbours = 3;

class ShardSolver {
 public:
  ShardSolver(const DataFolder& folder, int64_t shard, Journal* journal, const OnSample& on_sample,
              const Control& control)
      : folder_(folder),
        study_(folder.study()),
        first_(study_.first_of(shard)),
        points_(points_of(study_, shard)),
        categorical_(categorical_of(study_)),
        tree_(warm_start_tree(points_, categorical_)),
        journal_(journal),
        on_sample_(on_sample),
        control_(control),
        results_(tree_.parent.size()),
        positions_(tree_.parent.size()),
        done_(tree_.parent.size(), 0) {}

  Result<std::vector<SampleResult>> operator()(const std::vector<char>& wanted) {
    std::vector<char> needed(wanted.empty() ? std::vector<char>(done_.size(), 1) : wanted);
    measured_ = needed;
    if (folder_.retries()) needed.assign(needed.size(), 1);  // any may be a neighbour
    for (size_t i = needed.size(); i-- > 0;)                 // parents come before their children
      if (needed[i] && tree_.parent[i] >= 0) needed[tree_.parent[i]] = 1;
    if (journal_)
      for (Entry& entry : journal_->entries()) {
        const int64_t i = entry.index - first_;
        if (i < 0 || i >= static_cast<int64_t>(done_.size())) continue;
        if (auto ok = recall(static_cast<size_t>(i), std::move(entry)); !ok) return ok.error();
      }
    const int32_t deepest = *std::max_element(tree_.level.begin(), tree_.level.end());
    const size_t most = group_size(folder_.scenes().first().model);
    for (int32_t level = 0; level <= deepest; ++level) {
      std::vector<size_t> group;
      for (size_t i = 0; i < done_.size(); ++i) {
        if (tree_.level[i] == level && needed[i] && !done_[i]) group.push_back(i);
        if (group.size() == most || (i + 1 == done_.size() && !group.empty())) {
          if (control_.cancelled()) return std::move(results_);
          if (auto ok = solve_group(group); !ok) return ok.error();
          group.clear();
        }
      }
    }
    if (folder_.retries())
      for (size_t i = 0; i < done_.size() && !control_.cancelled(); ++i)
        if (!results_[i].entry.solved)
          if (auto ok = retry(i); !ok) return ok.error();
    return std::move(results_);
  }

 private:
  Result<scene::Built> build(size_t i) const {
    json::Diagnostics diagnostics;
    std::optional<scene::Built> built =
        folder_.scenes().build(study_.parameters(first_ + static_cast<int64_t>(i)), diagnostics);
    if (built) return std::move(*built);
    return diagnostics.list()[0];
  }

  // A sample that an earlier process solved.
  Result<void> recall(size_t i, Entry entry) {
    if (entry.solved) {
      Result<scene::Built> built = build(i);
      if (!built) return built.error();
      if (entry.state.x().size() != built->model.X.size()) return {};  // solved again
      return finish(i, *built, std::move(entry));
    }
    done_[i] = 1;
    results_[i].entry = std::move(entry);
    if (on_sample_) on_sample_(results_[i].entry);
    return {};
  }

  Result<void> solve_group(const std::vector<size_t>& group) {
    std::vector<scene::Built> built;
    built.reserve(group.size());
    std::vector<size_t> sound;
    for (size_t i : group) {
      Result<scene::Built> made = build(i);
      if (!made) {
        // Inside the ends, yet refused: such a sample cannot be built, and says why.
        if (made.error().kind == ErrorKind::io) return made.error();
        if (auto ok = refuse(i, made.error().text()); !ok) return ok;
        continue;
      }
      built.push_back(std::move(*made));
      sound.push_back(i);
    }
    std::vector<Sample> samples;
    for (size_t k = 0; k < sound.size(); ++k) {
      const int32_t parent = tree_.parent[sound[k]];
      std::span<const math::Vec3d> start;
      if (parent >= 0 && positions_[parent].size() == built[k].model.X.size()) start = positions_[parent];
      samples.push_back({&built[k], {}, built[k].time.time_of(built[k].time.frames), start});
    }
    if (samples.empty()) return {};
    std::vector<Solution> solutions = solve(samples, {.tolerance = study_.tolerance, .threads = 1}, control_);
    for (size_t k = 0; k < sound.size(); ++k) {
      Solution& solution = solutions[k];
      if (!solution.solved && control_.cancelled()) continue;  // unfinished, not failed
      Entry entry = entry_of(sound[k], solution);
      if (journal_)
        if (auto ok = journal_->add(entry); !ok) return ok;
      if (auto ok = finish(sound[k], built[k], std::move(entry)); !ok) return ok;
    }
    return {};
  }

  // Solved samples that were not tried again themselves, the nearest first, without the one that did not help.
  std::vector<size_t> neighbours_of(size_t i) const {
    std::vector<std::pair<double, size_t>> found;
    for (size_t j = 0; j < done_.size(); ++j)
      if (results_[j].entry.solved && !results_[j].entry.rung.starts_with(neighbour) &&
          static_cast<int32_t>(j) != tree_.parent[i])
        found.emplace_back(distance2(points_, categorical_, i, j), j);
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), max_neighbours));
    std::vector<size_t> nearest;
    for (const auto& [distance, j] : found) nearest.push_back(j);
    return nearest;
  }

  // A failed sample from other starts than its own.
  Result<void> retry(size_t i) {
    Result<scene::Built> built = build(i);
    if (!built) return built.error().kind == ErrorKind::io ? built.error() : Result<void>();
    for (size_t j : neighbours_of(i)) {
      const Sample sample{&*built, {}, built->time.time_of(built->time.frames), positions_[j]};
      Solution solution = std::move(
          solve(std::span(&sample, 1), {.tolerance = study_.tolerance, .threads = 1}, control_).front());
      if (!solution.solved) continue;
      Entry entry = entry_of(i, solution);
      entry.rung = std::string(neighbour) + entry.rung;
      if (journal_)
        if (auto ok = journal_->add(entry); !ok) return ok;
      return finish(i, *built, std::move(entry), false);
    }
    return {};
  }

  Entry entry_of(size_t i, Solution& solution) const {
    Entry entry{first_ + static_cast<int64_t>(i),
                solution.solved,
                solution.relative_residual,
                solution.iterations,
                solution.rung,
                solution.reason,
                {}};
    if (solution.solved) entry.state = std::move(solution.state);
    return entry;
  }

  Result<void> refuse(size_t i, std::string reason) {
    Entry entry;
    entry.index = first_ + static_cast<int64_t>(i);
    entry.reason = std::move(reason);
    if (journal_)
      if (auto ok = journal_->add(entry); !ok) return ok;
    done_[i] = 1;
    if (on_sample_) on_sample_(entry);
    results_[i].entry = std::move(entry);
    return {};
  }

  // `told`: the caller of the worker hears of it.
  Result<void> finish(size_t i, const scene::Built& built, Entry entry, bool told = true) {
    if (entry.solved) {
      const std::span<const math::Vec3d> x = entry.state.x();
      positions_[i].assign(x.begin(), x.end());
      if (measured_[i])
        results_[i].fields = folder_.scenes().outputs().evaluate(
            measure::Snapshot(built.model, built.model.params, entry.state));
    }
    entry.state = {};
    done_[i] = 1;
    results_[i].entry = std::move(entry);
    if (told && on_sample_) on_sample_(results_[i].entry);
    return {};
  }

  const DataFolder& folder_;
  const Study& study_;
  int64_t first_;
  std::vector<double> points_;
  std::vector<char> categorical_;
  Tree tree_;
  Journal* journal_;
  const OnSample& on_sample_;
  const Control& control_;
  std::vector<SampleResult> results_;
  std::vector<std::vector<math::Vec3d>> positions_;  // of solved samples: where others start
  std::vector<char> done_, measured_;
};

// Removes what a killed process left of this shard. The caller holds the lock.
void remove_unfinished(const fs::path& folder, int64_t shard) {
  const std::string begin = shard_file(shard, "");
  std::error_code code;
  for (const std::string& file : io::read_folder(folder.string()).files)
    if (file.starts_with(begin) && file.find(".tmp.") != std::string::npos) fs::remove(folder / file, code);
}

Result<void> make_shard(const DataFolder& folder, int64_t shard, const ShardLock& lock,
                        const OnSample& on_sample, const Control& control) {
  const fs::path path = folder.shards_path() / shard_file(shard, "journal");
  remove_unfinished(folder.shards_path(), shard);
  Result<Journal> journal = Journal::open(path.string(), folder.hash());
  if (!journal) return journal.error();
  const auto results = solve_shard(folder, shard, {}, &*journal, on_sample, control);
  if (!results) return results.error();
  if (control.cancelled() || !lock.still_mine()) return {};
  if (auto ok = write_shard(folder.shards_path(), folder.study(), folder.scenes().outputs(), shard, *results);
      !ok)
    return ok;
  std::error_code code;
  fs::remove(path, code);
  return {};
}

}  // namespace

Result<std::vector<SampleResult>> solve_shard(const DataFolder& folder, int64_t shard,
                                              const std::vector<char>& wanted, Journal* journal,
                                              const OnSample& on_sample, const Control& control) {
  return unless_out_of_memory(folder.path().native(), [&]() -> Result<std::vector<SampleResult>> {
    return ShardSolver(folder, shard, journal, on_sample, control)(wanted);
  });
}

Result<void> work(const DataFolder& folder, const WorkOptions& options, const OnSample& on_sample,
                  const Control& control) {
  return unless_out_of_memory(folder.path().native(), [&]() -> Result<void> {
    for (;;) {
      bool waiting = false, worked = false;
      for (int64_t s = options.part; s < folder.study().shards(); s += options.parts) {
        if (control.cancelled()) return {};
        if (folder.is_complete(s)) continue;
        Result<std::unique_ptr<ShardLock>> lock =
            ShardLock::claim(folder.shards_path(), shard_file(s, "lock"));
        if (!lock) return lock.error();
        if (!*lock) {
          waiting = true;
          continue;
        }
        if (folder.is_complete(s)) continue;  // finished while it was claimed
        if (auto ok = make_shard(folder, s, **lock, on_sample, control); !ok) return ok;
        worked = true;
        waiting = waiting || !folder.is_complete(s);  // the lock was lost: whoever has it goes on
      }
      if (!waiting) return {};
      // Others work on what is left. Should they die, it is taken over.
      if (!worked) std::this_thread::sleep_for(look_again);
    }
  });
}

}  // namespace sinew::batch
