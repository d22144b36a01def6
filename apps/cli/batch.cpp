// sinew batch: a study becomes a data set of equilibria.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/parallel.h"
#include "batch/inspect.h"
#include "batch/processes.h"
#include "batch/worker.h"
#include "batch_part.h"
#include "batch_slurm.h"
#include "batch_tally.h"
#include "command.h"
#include "json/words.h"
#include "model/size.h"
#include "print.h"
#include "signals.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words;
  std::string folder, shard;
  double jobs = 0, memory = 0, samples = 0, solve = 3, pipe = 0;
  bool failed = false, force = false, json = false, quiet = false;
  SlurmOptions slurm;
};

int job_count(const Options& options) {
  return options.jobs > 0 ? static_cast<int>(options.jobs) : std::max(1, sinew::machine().cores);
}

void tell(const batch::DataFolder& folder, const batch::Status& status, const Options& options) {
  if (options.json) {
    json::Json json = batch::to_json(status);
    json.set("folder", folder.path().string());
    fmt::print("{}\n", json.compact());
    return;
  }
  fmt::print("{}: {} of {} samples solved, {} failed, {} of {} shards\n", folder.path().string(),
             status.solved, status.samples, status.failed, status.complete, status.shards);
  if (status.journalled > 0 || status.working > 0)
    fmt::print("{} more samples in unfinished shards, {} of which somebody works on\n", status.journalled,
               status.working);
  for (size_t i = 0; i < status.reasons.size() && i < 10; ++i) fmt::print("failed: {}\n", status.reasons[i]);
  if (!status.hash.empty()) fmt::print("hash {}\n", status.hash);
}

// Writes what describes a data set whose shards are all there, `anew` also where it is there.
int finish(batch::DataFolder& folder, const Options& options, bool anew) {
  if (folder.dataset_hash().empty() || anew)
    if (auto ok = folder.collect(); !ok) return complain(ok.error());
  if (auto ok = folder.tidy(); !ok) return complain(ok.error());
  const batch::Status status = batch::status_of(folder);
  if (!options.quiet) tell(folder, status, options);
  return status.solved > 0 ? exit_done : exit_not_converged;
}

// Starts workers until the part is done, and collects where all parts are.
int fill(batch::DataFolder& folder, const Options& options, const Cancel& cancel) {
  const Result<Part> part = part_of(options.shard);
  if (!part) return complain(part.error());
  if (auto ok = folder.tidy(); !ok) return complain(ok.error());
  int64_t left = 0, open = 0;
  const batch::Study& study = folder.study();
  for (int64_t s = part->part; s < study.shards(); s += part->parts)
    if (!folder.is_complete(s)) {
      left += study.end_of(s) - study.first_of(s);
      ++open;
    }
  if (open > 0) {
    const int jobs = static_cast<int>(std::min<int64_t>(job_count(options), open));
    const double memory = options.memory > 0
                              ? options.memory * 1e9
                              : static_cast<double>(sinew::machine().memory) / job_count(options);
    const std::vector<std::string> command = {fs::read_symlink("/proc/self/exe").string(),
                                              "batch",
                                              "work",
                                              folder.path().string(),
                                              "--shard",
                                              fmt::format("{}/{}", part->part, part->parts),
                                              "--memory",
                                              fmt::format("{:.3f}", memory / 1e9)};
    if (!options.quiet && !options.json)
      say(fmt::format("{}: {} samples in {} shards to do, {} worker{}", folder.path().string(), left, open,
                      jobs, jobs == 1 ? "" : "s"));
    json::Json began = json::Json::object();
    began.set("samples", left);
    began.set("jobs", jobs);
    folder.log("began", std::move(began));
    Tally tally(left, options.quiet || options.json);
    const Result<batch::WorkersReport> report = batch::run_workers(
        command, jobs, [&](int64_t, bool solved) { tally.add(solved); }, [&] { tally.show(); }, cancel);
    tally.end();
    json::Json ended = json::Json::object();
    ended.set("samples", tally.done());
    ended.set("restarted", report ? report->restarted : 0);
    ended.set("status", !report              ? "failed"
                        : cancel.requested() ? "interrupted"
                        : report->code != 0  ? "failed"
                                             : "done");
    folder.log("ended", std::move(ended));
    if (!report) return complain(report.error());
    if (report->restarted > 0)
      warn(fmt::format("{} worker{} died and {} started again", report->restarted,
                       report->restarted == 1 ? "" : "s", report->restarted == 1 ? "was" : "were"));
    if (cancel.requested()) {
      warn("interrupted; the same command goes on");
      return exit_interrupted;
    }
    if (report->code != 0) return report->code;
  }
  if (folder.complete_shards() < study.shards()) {
    if (!options.quiet && !options.json)
      say(fmt::format("this part is done; {} shards are left to others",
                      study.shards() - folder.complete_shards()));
    if (options.json) tell(folder, batch::status_of(folder), options);
    return exit_done;
  }
  return finish(folder, options, open > 0);
}

// The study, checked with its scene; nothing after complaining.
struct Checked {
  batch::Study study;
  std::optional<batch::SampleScenes> scenes;
};
std::unique_ptr<Checked> check(const std::string& path, int& code) {
  json::Diagnostics diagnostics;
  std::optional<batch::Study> study = batch::load_study(path, diagnostics);
  auto checked = std::make_unique<Checked>();
  if (study) {
    checked->study = std::move(*study);
    checked->scenes = batch::SampleScenes::make(checked->study, diagnostics);
    if (checked->scenes) checked->scenes->check_corners(diagnostics);
  }
  if (diagnostics.empty()) return checked;
  code = complain(diagnostics);
  return nullptr;
}

// The folder of a study, made where there is none; nothing after complaining.
std::optional<batch::DataFolder> folder_of(const std::string& study, const Options& options, int& code) {
  const std::unique_ptr<Checked> checked = check(study, code);
  if (!checked) return std::nullopt;
  const fs::path path = options.folder.empty() ? default_folder(study, "-data") : fs::path(options.folder);
  Result<batch::DataFolder> folder =
      batch::DataFolder::create(path, checked->study, *checked->scenes, options.force);
  if (folder) return std::move(*folder);
  code = complain(folder.error());
  return std::nullopt;
}

int make(const Options& options) {
  int code = exit_done;
  const Cancel& cancel = cancel_on_signals("\nstopping after this iteration; once more to stop at once\n");
  std::optional<batch::DataFolder> folder = folder_of(options.words[0], options, code);
  return folder ? fill(*folder, options, cancel) : code;
}

// Writes the files that processes on other machines need before they can work.
int prepare(const Options& options) {
  int code = exit_done;
  const std::optional<batch::DataFolder> folder = folder_of(options.words[1], options, code);
  if (!folder) return code;
  if (!options.quiet)
    say(fmt::format("{}: {} samples in {} shards", folder->path().string(), folder->study().samples,
                    folder->study().shards()));
  return exit_done;
}

// Makes the data set of the finished shards, unless one is missing.
int gather(batch::DataFolder& folder, const Options& options) {
  const int64_t shards = folder.study().shards(), missing = shards - folder.complete_shards();
  if (missing == 0) return finish(folder, options, false);
  complain({ErrorKind::input,
            folder.path().string(),
            {},
            fmt::format("{} of {} shards are missing: who worked on them has died, or still works", missing,
                        shards)});
  hint("What is there is kept: the command that made it goes on with what is missing.");
  return exit_failed_check;
}

int collect(const Options& options) {
  Result<batch::DataFolder> folder = batch::DataFolder::open(options.words[1], false);
  return folder ? gather(*folder, options) : complain(folder.error());
}

int slurm(const Options& options) {
  if (options.slurm.tasks < 1)
    return complain(usage_error("found no --array N, expected the number of tasks"));
  int code = exit_done;
  const Cancel& cancel = cancel_on_signals("\n");
  std::optional<batch::DataFolder> folder = folder_of(options.words[1], options, code);
  if (!folder) return code;
  SlurmOptions how = options.slurm;
  how.quiet = options.quiet || options.json;
  const std::optional<int> early = run_on_slurm(*folder, how, cancel);
  return early ? *early : gather(*folder, options);
}

int show_check(const Options& options) {
  int code = exit_done;
  const std::unique_ptr<Checked> checked = check(options.words[1], code);
  if (!checked) return code;
  const batch::Study& study = checked->study;
  int64_t numbers = 0;
  for (const batch::OutputField& field : checked->scenes->outputs().fields())
    numbers += field.count * field.width;
  fmt::print("{} samples in {} shards, {} variables, {}, about {}\n", study.samples, study.shards(),
             study.vary.size(), elements_text(model::size_of(checked->scenes->first().model)),
             bytes_text(static_cast<double>(study.samples * numbers) * (study.single ? 4 : 8)));
  for (const batch::OutputField& field : checked->scenes->outputs().fields()) {
    std::string shape;
    for (int64_t size : field.shape()) shape += fmt::format(", {}", size);
    fmt::print("  {} (samples{}) [{}]\n", field.name, shape, field.reading.quantity->unit);
  }
  return exit_done;
}

int show_status(const Options& options) {
  const Result<batch::DataFolder> folder = batch::DataFolder::open(options.words[1], false);
  if (!folder) return complain(folder.error());
  tell(*folder, batch::status_of(*folder), options);
  return exit_done;
}

int verify(const Options& options) {
  const Cancel& cancel = cancel_on_signals();
  const Result<batch::DataFolder> folder = batch::DataFolder::open(options.words[1], options.solve > 0);
  if (!folder) return complain(folder.error());
  const std::vector<batch::Damage> damage = batch::find_damage(*folder);
  for (const batch::Damage& one : damage) complain({ErrorKind::input, {}, {}, one.what});
  if (!damage.empty()) {
    hint(fmt::format("`sinew batch topup {}` makes anew what is damaged or missing.", options.words[1]));
    return exit_failed_check;
  }
  Control control{&cancel, {}};
  const Result<batch::SpotCheck> spots =
      batch::spot_check(*folder, static_cast<int64_t>(options.solve), control);
  if (!spots) return complain(spots.error());
  for (const std::string& text : spots->different) complain({ErrorKind::input, {}, {}, text});
  if (cancel.requested()) return exit_interrupted;
  if (!spots->different.empty()) return exit_failed_check;
  fmt::print("{} shards whole, {} samples solved again to the same bits\nhash {}\n", folder->study().shards(),
             spots->samples.size(), folder->dataset_hash());
  return exit_done;
}

int topup(const Options& options) {
  const Cancel& cancel = cancel_on_signals();
  Result<batch::DataFolder> folder = batch::DataFolder::open(options.words[1], true);
  if (!folder) return complain(folder.error());
  if (options.samples > 0)
    if (auto ok = folder->extend(static_cast<int64_t>(options.samples)); !ok) return complain(ok.error());
  if (options.failed)
    if (auto ok = folder->retry_failed(); !ok) return complain(ok.error());
  const std::vector<batch::Damage> damage = batch::find_damage(*folder);
  std::vector<int64_t> broken;
  for (const batch::Damage& one : damage) {
    if (one.shard < 0 || !folder->is_complete(one.shard)) continue;
    if (!options.quiet) say(one.what);
    broken.push_back(one.shard);
  }
  if (!broken.empty())
    if (auto ok = folder->remove_shards(broken); !ok) return complain(ok.error());
  std::error_code code;
  if (!damage.empty()) fs::remove(folder->path() / "dataset.json", code);  // written again at the end
  return fill(*folder, options, cancel);
}

// One process of `sinew batch`, or of whatever starts processes on other machines.
int work(const Options& options) {
  const Cancel& cancel = cancel_on_signals("");
  std::signal(SIGPIPE, SIG_IGN);  // the parent may be gone
  set_thread_count(1);
  if (options.memory > 0) {
    const auto bytes = static_cast<rlim_t>(options.memory * 1e9);
    const rlimit limit = {bytes, bytes};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  const Result<Part> part = part_of(options.shard);
  if (!part) return complain(part.error());
  const Result<batch::DataFolder> folder = batch::DataFolder::open(options.words[1], true);
  if (!folder) return complain(folder.error());
  int64_t solved = 0, failed = 0;
  const auto on_sample = [&](const batch::Entry& entry) {
    ++(entry.solved ? solved : failed);
    if (options.pipe <= 0) return;
    const std::string line = fmt::format("{} {}\n", entry.solved ? 1 : 0, entry.index);
    // Nobody listens any more: whoever started this process is gone, and others may wait for its shard.
    if (::write(static_cast<int>(options.pipe), line.data(), line.size()) < 0 && errno == EPIPE)
      std::raise(SIGTERM);
  };
  Control control{&cancel, {}};
  const Result<void> ok = batch::work(*folder, {part->part, part->parts}, on_sample, control);
  if (options.pipe <= 0 && !options.quiet)
    say(fmt::format("{}: part {} of {}: {} samples solved, {} failed{}", folder->path().string(), part->part,
                    part->parts, solved, failed, cancel.requested() ? ", then interrupted" : ""));
  if (!ok) return complain(ok.error());
  return cancel.requested() ? exit_interrupted : exit_done;
}

int run(const Options& options) {
  struct Verb {
    std::string_view name;
    int (*action)(const Options&);
    bool of_study = false;
  };
  static constexpr Verb verbs[] = {
      {"check", show_check, true}, {"collect", collect}, {"prepare", prepare, true}, {"slurm", slurm, true},
      {"status", show_status},     {"topup", topup},     {"verify", verify},         {"work", work}};
  if (options.words.empty())
    return complain(
        usage_error("found no study, expected `sinew batch STUDY` or `sinew batch status|verify|topup DIR`"));
  for (const Verb& verb : verbs)
    if (options.words[0] == verb.name) {
      if (options.words.size() == 2) return verb.action(options);
      return complain(usage_error(fmt::format("`sinew batch {}` takes one {}, found {}", verb.name,
                                              verb.of_study ? "study" : "folder", options.words.size() - 1)));
    }
  if (options.words.size() == 1) return make(options);
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return complain(usage_error(json::unknown_word("word", options.words[0], names)));
}

}  // namespace

const Command& command_batch() {
  static const Command command = {
      "batch", "Make a data set of equilibria from a study.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positionals(
            o->words, "STUDY",
            "A study file; or `check STUDY`, `status DIR`, `verify DIR`, `topup DIR`; for clusters "
            "`slurm STUDY`, or `prepare STUDY`, `work DIR` and `collect DIR`.");
        arguments.option(o->folder, "-o,--output", "DIR", "Where the data set goes; by default STUDY-data.");
        arguments.option(o->jobs, "--jobs", "N", "Worker processes, one thread each; by default one a core.",
                         1, 1024);
        arguments.option(o->shard, "--shard", "I/N|auto",
                         "Only shards I, I + N, ...; auto: as the task of a Slurm job array.");
        arguments.option(
            o->memory, "--memory", "GB",
            "Address space of a worker, at least 0.5; by default the machine's memory over the workers.", 0.5,
            1e6);
        arguments.option(o->samples, "--samples", "N", "topup: add to a halton design until it has so many.",
                         1, 1e8);
        arguments.option(o->solve, "--solve", "K", "verify: samples that are solved again; 3 by default.", 0,
                         1e6);
        arguments.option(o->slurm.tasks, "--array", "N", "slurm: tasks of the job array.", 1, 1e6);
        arguments.option(o->slurm.options, "--sbatch", "OPTIONS",
                         "slurm: more options of sbatch, as in a job script.");
        arguments.flag(o->slurm.wait, "--wait", "slurm: wait for the jobs and show how far they are.");
        arguments.flag(o->slurm.dry_run, "--dry-run", "slurm: write the job scripts only.");
        arguments.option(o->pipe, "--worker-pipe", "FD", "Of a worker: where it tells its parent.", 0, 1e6);
        arguments.flag(o->failed, "--failed",
                       "topup: try failed samples again, from the nearest solved ones of their shard.");
        arguments.flag(o->force, "--force", "Remove the data set of another study or program.");
        arguments.flag(o->json, "--json", "Print the status as JSON.");
        arguments.flag(o->quiet, "-q,--quiet", "Print errors and warnings only.");
        arguments.footer("What is there is kept: the same command goes on after an interruption.");
        return [o] { return run(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
