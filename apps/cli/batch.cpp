// sinew batch: a study becomes a data set of equilibria.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/parallel.h"
#include "batch/inspect.h"
#include "batch/processes.h"
#include "batch/worker.h"
#include "command.h"
#include "print.h"
#include "progress_bar.h"
#include "record/machine.h"
#include "scene/words.h"
#include "signals.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words;
  std::string folder, shard;
  double jobs = 0, memory = 0, samples = 0, solve = 3, pipe = 0;
  bool failed = false, force = false, json = false, quiet = false;
};

struct Part {
  int64_t part = 0, parts = 1;
};

// "i/N", or from the variables that Slurm gives the tasks of a job array.
Result<Part> part_of(const std::string& text) {
  const auto number = [](std::string_view word, int64_t& out) {
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), out);
    return code == std::errc() && end == word.data() + word.size();
  };
  Part part;
  if (text.empty()) return part;
  if (text == "auto") {
    int64_t id = 0, first = 0, step = 1, count = 0;
    const auto variable = [&](const char* name, int64_t& out) {
      const char* value = std::getenv(name);
      return value && number(value, out);
    };
    if (!variable("SLURM_ARRAY_TASK_ID", id) || !variable("SLURM_ARRAY_TASK_COUNT", count) ||
        !variable("SLURM_ARRAY_TASK_MIN", first))
      return usage_error(
          "--shard auto: no SLURM_ARRAY_TASK_ID, _COUNT and _MIN here, expected a task of a Slurm job "
          "array; or name the part as --shard i/N");
    variable("SLURM_ARRAY_TASK_STEP", step);
    part = {(id - first) / std::max<int64_t>(step, 1), count};
  } else {
    const size_t slash = text.find('/');
    if (slash == std::string::npos || !number(std::string_view(text).substr(0, slash), part.part) ||
        !number(std::string_view(text).substr(slash + 1), part.parts))
      return usage_error(fmt::format("--shard: found \"{}\", expected i/N with 0 <= i < N, or auto", text));
  }
  if (part.part < 0 || part.part >= part.parts || part.parts > 1000000)
    return usage_error(
        fmt::format("--shard: found part {} of {}, expected 0 <= i < N", part.part, part.parts));
  return part;
}

int job_count(const Options& options) {
  return options.jobs > 0 ? static_cast<int>(options.jobs) : std::max(1, record::machine().cores);
}

// Samples, rate, time left and failures, from what the workers tell.
class Tally {
 public:
  Tally(int64_t total, bool quiet) : bar_(quiet), total_(std::max<int64_t>(total, 1)) {}

  void add(bool solved) {
    ++done_;
    failed_ += !solved;
  }
  void show() {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double rate = static_cast<double>(done_) / std::max(seconds, 1e-3);
    std::string text = fmt::format("sample {}/{}  {:.1f}/s", done_, total_, rate);
    if (done_ > 0)
      text += fmt::format("  {} left",
                          time_text(static_cast<double>(std::max<int64_t>(total_ - done_, 0)) / rate));
    text += fmt::format("  {:.1f} % failed",
                        done_ > 0 ? 100.0 * static_cast<double>(failed_) / static_cast<double>(done_) : 0);
    bar_.show(std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)), text);
  }
  void end() { bar_.end(); }
  int64_t done() const { return done_; }

 private:
  using Clock = std::chrono::steady_clock;
  ProgressBar bar_;
  int64_t total_, done_ = 0, failed_ = 0;
  Clock::time_point begin_ = Clock::now();
};

void tell(const batch::DataFolder& folder, const batch::Status& status, const Options& options) {
  if (options.json) {
    scene::Json json = batch::to_json(status);
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

// Starts workers until the part is done, and collects where all parts are.
int fill(batch::DataFolder& folder, const Options& options, const Cancel& cancel) {
  const Result<Part> part = part_of(options.shard);
  if (!part) return complain(part.error());
  folder.tidy();
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
                              : static_cast<double>(record::machine().memory) / job_count(options);
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
    scene::Json began = scene::Json::object();
    began.set("samples", left);
    began.set("jobs", jobs);
    folder.log("began", std::move(began));
    Tally tally(left, options.quiet || options.json);
    const Result<batch::WorkersReport> report = batch::run_workers(
        command, jobs, [&](int64_t, bool solved) { tally.add(solved); }, [&] { tally.show(); }, cancel);
    tally.end();
    scene::Json ended = scene::Json::object();
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
  if (folder.dataset_hash().empty() || open > 0)
    if (auto ok = folder.collect(); !ok) return complain(ok.error());
  folder.tidy();
  const batch::Status status = batch::status_of(folder);
  if (!options.quiet) tell(folder, status, options);
  return status.solved > 0 ? exit_done : exit_not_converged;
}

// The study, checked with its scene; nothing after complaining.
struct Checked {
  batch::Study study;
  std::optional<batch::SampleScenes> scenes;
};
std::unique_ptr<Checked> check(const std::string& path, int& code) {
  scene::Problems problems;
  std::optional<batch::Study> study = batch::load_study(path, problems);
  auto checked = std::make_unique<Checked>();
  if (study) {
    checked->study = std::move(*study);
    checked->scenes = batch::SampleScenes::make(checked->study, problems);
    if (checked->scenes) checked->scenes->check_corners(problems);
  }
  if (problems.empty()) return checked;
  code = complain(problems);
  return nullptr;
}

int make(const Options& options) {
  int code = exit_done;
  const Cancel& cancel = cancel_on_signals("\nstopping after this iteration; once more to stop at once\n");
  const std::unique_ptr<Checked> checked = check(options.words[0], code);
  if (!checked) return code;
  const fs::path path =
      options.folder.empty() ? default_folder(options.words[0], "-data") : fs::path(options.folder);
  Result<batch::DataFolder> folder =
      batch::DataFolder::create(path, checked->study, *checked->scenes, options.force);
  if (!folder) return complain(folder.error());
  return fill(*folder, options, cancel);
}

int show_check(const Options& options) {
  int code = exit_done;
  const std::unique_ptr<Checked> checked = check(options.words[1], code);
  if (!checked) return code;
  const batch::Study& study = checked->study;
  int64_t numbers = 0;
  for (const batch::KeptField& field : checked->scenes->kept().fields()) numbers += field.count * field.width;
  fmt::print("{} samples in {} shards, {} variables, {} tets, about {}\n", study.samples, study.shards(),
             study.vary.size(), count_text(static_cast<int64_t>(checked->scenes->first().model.tets.size())),
             bytes_text(static_cast<double>(study.samples * numbers) * (study.single ? 4 : 8)));
  for (const batch::KeptField& field : checked->scenes->kept().fields()) {
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
  bool damaged = false;
  for (const batch::Damage& one : batch::find_damage(*folder)) {
    damaged = true;
    if (one.shard < 0 || !folder->is_complete(one.shard)) continue;
    if (!options.quiet) say(one.what);
    if (auto ok = folder->remove_shard(one.shard); !ok) return complain(ok.error());
  }
  std::error_code code;
  if (damaged) fs::remove(folder->path() / "dataset.json", code);  // written again at the end
  return fill(*folder, options, cancel);
}

// One process of `sinew batch`: not for people.
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
  const auto on_sample = [&](const batch::Entry& entry) {
    if (options.pipe <= 0) return;
    const std::string line = fmt::format("{} {}\n", entry.solved ? 1 : 0, entry.index);
    [[maybe_unused]] const ssize_t put = ::write(static_cast<int>(options.pipe), line.data(), line.size());
  };
  Control control{&cancel, {}};
  const Result<void> ok = batch::work(*folder, {part->part, part->parts}, on_sample, control);
  if (!ok) return complain(ok.error());
  return cancel.requested() ? exit_interrupted : exit_done;
}

int run(const Options& options) {
  struct Verb {
    std::string_view name;
    int (*action)(const Options&);
  };
  static constexpr Verb verbs[] = {
      {"check", show_check}, {"status", show_status}, {"verify", verify}, {"topup", topup}, {"work", work}};
  if (options.words.empty())
    return complain(
        usage_error("found no study, expected `sinew batch STUDY` or `sinew batch status|verify|topup DIR`"));
  for (const Verb& verb : verbs)
    if (options.words[0] == verb.name) {
      if (options.words.size() == 2) return verb.action(options);
      return complain(
          usage_error(fmt::format("`sinew batch {}` takes one {}, found {}", verb.name,
                                  verb.name == "check" ? "study" : "folder", options.words.size() - 1)));
    }
  if (options.words.size() == 1) return make(options);
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return complain(usage_error(scene::unknown_word("word", options.words[0], names)));
}

}  // namespace

const Command& command_batch() {
  static const Command command = {
      "batch", "Make a data set of equilibria from a study.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positionals(o->words, "STUDY",
                              "A study file; or `check STUDY`, `status DIR`, `verify DIR`, `topup DIR`.");
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
