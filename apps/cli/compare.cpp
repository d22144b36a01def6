// sinew compare: methods side by side on one step of a scene.
#include "compare/compare.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "base/parallel.h"
#include "command.h"
#include "compare/report.h"
#include "compare/summary.h"
#include "io/file.h"
#include "print.h"
#include "progress_bar.h"
#include "scene/check.h"
#include "signals.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

constexpr double default_budget = 5;  // [s]
constexpr double max_iterations = 1e9, max_repeats = 1000;

struct Options {
  std::string scene, methods, budget, folder, at;
  double iterations = 0, step = 1, repeats = 3, tolerance = 1e-8;
  std::vector<std::string> overrides;
  bool json = false;
};

Error in_option(const char* option, const Error& error) {
  Error placed = error;
  placed.where = placed.where.empty() ? option : std::string(option) + ": " + placed.where;
  return placed;
}

Result<compare::Options> options_of(const Options& given) {
  compare::Options options;
  const std::pair<const char*, double> counts[] = {
      {"--iterations", given.iterations}, {"--step", given.step}, {"--repeats", given.repeats}};
  for (const auto& [name, value] : counts)
    if (value != std::floor(value))
      return usage_error(fmt::format("{}: found {}, expected a whole number", name, value));
  if (!given.budget.empty()) {
    const Result<double> seconds = compare::parse_seconds(given.budget);
    if (!seconds) return in_option("--budget", seconds.error());
    options.budget = *seconds;
  }
  if (given.iterations > 0)
    options.iterations = static_cast<int64_t>(given.iterations);
  else if (given.budget.empty())
    options.budget = default_budget;
  options.step = static_cast<int64_t>(given.step);
  options.repeats = static_cast<int>(given.repeats);
  options.tolerance = given.tolerance;
  return options;
}

Result<std::vector<double>> times_of(const std::string& text) {
  std::vector<double> times;
  if (text.empty()) return times;
  for (const std::string& word : compare::split(text, ',')) {
    const Result<double> seconds = compare::parse_seconds(word);
    if (!seconds) return in_option("--at", seconds.error());
    times.push_back(*seconds);
  }
  return times;
}

// The folder of the report, made before the runs, so that what is wrong with it is known at once. One that stays empty
// is taken away again.
class ReportFolder {
 public:
  explicit ReportFolder(fs::path path) : path_(std::move(path)) {}
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;
  ~ReportFolder() {
    std::error_code code;
    if (made_) fs::remove(path_, code);  // fails where it holds something
  }

  const fs::path& path() const { return path_; }
  Result<void> open();
  // An older report is replaced.
  Result<void> write(const std::vector<compare::ReportFile>& files) const;

 private:
  fs::path path_;
  bool made_ = false;
};

Result<void> ReportFolder::open() {
  std::error_code code;
  made_ = fs::create_directories(path_, code);
  if (code || !fs::is_directory(path_, code))
    return io_error(path_.string(),
                    "cannot make the folder: " + (code ? code.message() : "a file has its name"));
  if (::access(path_.c_str(), W_OK) != 0)
    return io_error(path_.string(), std::string("cannot write into the folder: ") + std::strerror(errno));
  const io::FolderContent content = io::read_folder(path_.string());
  const auto strange =
      std::find_if_not(content.files.begin(), content.files.end(), [](const std::string& name) {
        return compare::is_report_file(name.substr(0, name.find(".tmp.")));  // of one that was killed, too
      });
  if (strange == content.files.end() && content.folders.empty()) return {};
  return usage_error(
      fmt::format("{}: the folder holds {}, which is no part of a report of compare; name another with -o",
                  path_.string(), strange == content.files.end() ? content.folders[0] : *strange));
}

Result<void> ReportFolder::write(const std::vector<compare::ReportFile>& files) const {
  for (const compare::ReportFile& file : files)
    if (auto written = io::write_atomically((path_ / file.name).string(), file.bytes); !written)
      return written.error();
  std::error_code code;
  for (const std::string& name : io::read_folder(path_.string()).files)
    if (compare::is_report_file(name) &&
        std::none_of(files.begin(), files.end(), [&](const auto& file) { return file.name == name; }))
      fs::remove(path_ / name, code);  // of an older report that had more plots
  return {};
}

// Names the methods that "all" leaves out. The scene's own method need not be among the entries and is not checked.
void tell_findings(const scene::Scene& scene, scene::Built& built, const std::vector<compare::Entry>& entries,
                   bool all) {
  const std::vector<std::string> left_out =
      all ? compare::left_out(scene, built.model) : std::vector<std::string>();
  if (!left_out.empty()) say(fmt::format("left out: {}", fmt::join(left_out, "; ")));
  for (const std::string& note : built.notes) warn(note);
  built.method = entries[0].method;
  built.settings = entries[0].settings;
  for (const scene::Finding& finding : scene::check(built))
    if (finding.severity != scene::Severity::note) warn(finding.text);
}

void print_summary(const compare::Comparison& comparison, const compare::Setup& setup,
                   const fs::path& folder) {
  fmt::print("{}", compare::to_text(compare::summary_table(comparison)));
  if (!setup.at.empty()) fmt::print("\n{}", compare::to_text(compare::table_at(comparison, setup.at)));
  fmt::print("\n");
  for (const std::string& sentence : compare::verdict(comparison)) fmt::print("{}\n", sentence);
  for (const char* name : {"report.html", "compare.json", "curves.csv"})
    fmt::print("{}\n", (folder / name).string());
}

int compare_methods(const Options& given) {
  int code = exit_done;
  const Cancel& cancel = cancel_on_signals();
  const Result<compare::Options> options = options_of(given);
  if (!options) return complain(options.error());
  compare::Setup setup{given.scene, {}, command_line(), {}, thread_count(), {}};
  Result<std::vector<double>> times = times_of(given.at);
  if (!times) return complain(times.error());
  setup.at = std::move(*times);
  const auto scene = load(given.scene, given.overrides, code);
  if (!scene) return code;
  auto built = build(*scene, code);
  if (!built) return code;
  setup.size = model::size_of(built->model);
  const auto entries = compare::parse_entries(*scene, built->model, given.methods);
  if (!entries) return complain(in_option("--methods", entries.error()));
  ReportFolder folder(given.folder.empty() ? default_folder(given.scene, ".compare")
                                           : fs::path(given.folder));
  if (auto opened = folder.open(); !opened) return complain(opened.error());
  tell_findings(*scene, *built, *entries, given.methods == "all");
  const Result<std::string> hash = scene::scene_hash(*scene);
  if (!hash) return complain(hash.error());
  setup.scene_hash = *hash;

  if (!given.json)
    say(fmt::format("{}: {}, {} methods", given.scene, size_text(setup.size), entries->size()));
  ProgressBar bar(given.json);
  const auto newton = scene::settings_for(*scene, *step::find_method("newton"));
  const Result<compare::Comparison> comparison = compare::run(
      *built, newton, *entries, *options,
      [&](const std::string& what, double fraction) { bar.show(fraction, what); }, &cancel);
  bar.end();
  if (!comparison) return complain(comparison.error());
  if (comparison->interrupted) return exit_interrupted;
  for (const std::string& note : comparison->notes) warn(note);
  if (auto written = folder.write(compare::make_report(*comparison, setup)); !written)
    return complain(written.error());
  if (given.json) {
    json::Json json = compare::to_json(*comparison, setup, false);
    json.set("folder", folder.path().string());
    fmt::print("{}\n", json.compact());
  } else {
    print_summary(*comparison, setup, folder.path());
  }
  return exit_done;
}

}  // namespace

const Command& command_compare() {
  static const Command command = {
      "compare", "Run methods side by side on one step of a scene.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->scene, "SCENE", "Scene file.");
        arguments.option(o->methods, "--methods", "LIST",
                         "Methods with commas between them, each NAME or NAME:OPTION=VALUE:...; or all.");
        arguments.option(o->budget, "--budget", "TIME",
                         "Time of each method: 1.3, 1.3s or 200ms; 5s by default.");
        arguments.option(o->iterations, "--iterations", "N", "Iterations of each method.", 1, max_iterations);
        arguments.option(o->step, "--step", "K", "Step that is compared; newton takes those before.", 1,
                         1e15);
        arguments.option(o->repeats, "--repeats", "R",
                         "Timed runs of each method; times are medians. 3 by default.", 1, max_repeats);
        arguments.option(o->tolerance, "--tolerance", "X",
                         "Relative residual at which a method has converged; 1e-8 by default.", 1e-12, 0.5);
        arguments.option(o->at, "--at", "TIMES",
                         "Also a table of where methods are at these times: 170ms,1.3s.");
        arguments.option(o->overrides, "--set", "PATH=VALUE",
                         "Change a value of the scene; may be repeated.");
        arguments.option(o->folder, "-o,--output", "DIR", "Folder for the report; NAME.compare by default.");
        arguments.threads();
        arguments.flag(o->json, "--json", "Print the outcome as one JSON object.");
        arguments.footer(
            "With both --budget and --iterations a method stops at whichever comes first.\n"
            "SIGINT and SIGTERM end it with 130; nothing is written then.\n");
        return [o] { return compare_methods(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
