// sinew run: a scene file becomes a folder of results.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "command.h"
#include "lists.h"
#include "model/size.h"
#include "print.h"
#include "progress_bar.h"
#include "report/report.h"
#include "run/runner.h"
#include "run/simulation.h"
#include "scene/check.h"
#include "signals.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scene, folder, frames, exports, session;
  std::vector<std::string> overrides;
  bool resume = false, force = false, json = false, quiet = false;
};

// "A:B", either may be left out. False: not of that form, or out of range.
bool parse_frames(std::string_view text, int64_t last, run::RunOptions& out) {
  const std::optional<Range> range = parse_range(text);
  if (!range || range->step != 1) return false;
  out.first_frame = std::max<int64_t>(range->first, 0);
  out.last_frame = range->last < 0 ? last : range->last;
  return out.first_frame <= out.last_frame && out.last_frame <= last;
}

int exit_code_of(const run::RunOutcome& outcome) {
  if (outcome.error) return exit_code(outcome.error->kind);
  if (outcome.status == run::RunStatus::interrupted) return exit_interrupted;
  if (outcome.status == run::RunStatus::not_converged) return exit_not_converged;
  return outcome.expectations_met() ? exit_done : exit_failed_check;
}

// The end of the run in words: what happened on stderr, the files to open on stdout.
void tell(const run::RunOutcome& outcome, const fs::path& folder, const Options& options, bool report) {
  for (const run::ExpectationResult& e : outcome.expectations)
    if (!e.ok) complain({ErrorKind::input, "expectation not met", {}, e.sentence()});
  if (outcome.not_converged > 0)
    warn(fmt::format("{} {} did not reach the tolerance; the output is marked not_converged",
                     outcome.not_converged, outcome.not_converged == 1 ? "frame" : "frames"));
  if (outcome.status == run::RunStatus::interrupted)
    warn(fmt::format("interrupted after frame {}; the same command with --resume goes on", outcome.frame));
  if (options.quiet) return;
  std::string met;
  if (!outcome.expectations.empty() && outcome.expectations_met())
    met =
        fmt::format(", {} of {} expectations met", outcome.expectations.size(), outcome.expectations.size());
  say(fmt::format("{}: frame {}, {:.2f} s, state {}{}", run::name_of(outcome.status), outcome.frame,
                  outcome.seconds, outcome.state_hash, met));
  if (report) fmt::print("{}\n", (folder / report::report_file).string());
  fmt::print("{}\n{}\n", (folder / "run.json").string(), (folder / "stats.jsonl").string());
  for (const std::string& file : outcome.files) fmt::print("{}\n", (folder / file).string());
}

int run_scene(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  int code = exit_done;
  const Cancel& cancel = cancel_on_signals();
  run::Session session;
  if (!options.session.empty()) {
    Result<run::Session> read = run::read_session(options.session);
    if (!read) return complain(read.error());
    session = std::move(*read);
  }
  std::vector<std::string> overrides = session.overrides;
  overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
  const auto scene = load(options.scene, overrides, code);
  if (!scene) return code;
  auto built = build(*scene, code);
  if (!built) return code;
  run::RunOptions run;
  run.folder = options.folder.empty() ? default_folder(options.scene, "-out") : fs::path(options.folder);
  run.existing = {options.resume, options.force};
  run.command = command_line();
  const int64_t last = options.session.empty() ? built->time.frames : session.frames;
  run.edits = std::move(session.edits);
  run.session_frames = options.session.empty() ? -1 : last;
  if (!options.frames.empty() && !parse_frames(options.frames, last, run))
    return complain(
        usage_error(fmt::format("--frames: found \"{}\", expected A:B with 0 <= A <= B <= {}, the last "
                                "frame of the scene",
                                options.frames, last)));
  if (!options.exports.empty())
    run.exports = options.exports == "none" ? std::vector<std::string>() : split_words(options.exports);
  for (const std::string& note : built->notes) warn(note);
  for (const scene::Finding& finding : scene::check(*built))
    if (finding.severity == scene::Severity::warning) warn(finding.text);

  ProgressBar bar(options.quiet || options.json);
  if (!options.quiet && !options.json)
    say(fmt::format("{}: {}, {}, {} frame{} to {}", options.scene, size_text(model::size_of(built->model)),
                    built->method->name, last, last == 1 ? "" : "s", run.folder.string()));
  std::map<std::string, int> told;  // the same words, with other numbers, at many frames are told a few times
  run::Progress progress;
  progress.on_begin = [&](int64_t first, int64_t last) { bar.begin(first, last); };
  progress.on_frame = [&](const run::FrameDone& done) { bar.frame(done); };
  progress.on_warning = [&](const std::string& text) {
    std::string kind = text;
    std::erase_if(kind, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
    const int count = ++told[kind];
    if (count <= 3) bar.message(count < 3 ? text : text + " (further ones are only in run.json)");
  };
  progress.on_export = [&](const std::string& formats, int64_t done, int64_t frames) {
    bar.show(static_cast<double>(done) / static_cast<double>(frames),
             fmt::format("{}: frame {} of {}", formats, done, frames));
  };
  Control control{&cancel, [&](double relative) { bar.residual(relative); }};
  run.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const run::RunOutcome outcome = run::run(*scene, *built, run, progress, control);
  bar.end();
  built.reset();  // the report builds the model again; two might not fit
  const fs::path page = run.folder / report::report_file;
  if (outcome.error) {
    complain(*outcome.error);
    // A run that began has a state; a folder that was refused is another's. What is wrong has been told.
    if (!outcome.state_hash.empty()) (void)report::write_report(run.folder, page);
    if (options.json) fmt::print("{}\n", run::to_json(outcome).compact());
    return exit_code_of(outcome);
  }
  const Result<void> written = report::write_report(run.folder, page);
  code = written ? exit_code_of(outcome) : complain(written.error());
  if (options.json) {
    json::Json json = run::to_json(outcome);
    json.set("folder", run.folder.string());
    fmt::print("{}\n", json.compact());
    return code;
  }
  tell(outcome, run.folder, options, static_cast<bool>(written));
  return code;
}

}  // namespace

const Command& command_run() {
  static const Command command = {
      "run", "Run a scene and write its results into a folder.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->scene, "SCENE", "Scene file.");
        arguments.option(o->folder, "-o,--output", "DIR", "Folder for the results; NAME-out by default.");
        arguments.option(o->overrides, "--set", "PATH=VALUE",
                         "Change a value of the scene; may be repeated.");
        arguments.option(o->frames, "--frames", "A:B", "Stop after frame B; write only frames from A on.");
        arguments.option(o->session, "--session", "FILE",
                         "Repeat the edits of a session that the viewer saved, frame by frame.");
        arguments.threads();
        arguments.flag(o->resume, "--resume", "Go on from the checkpoint in the folder, to the same bits.");
        arguments.flag(o->force, "--force",
                       "Replace what the folder holds; with --resume, go on though the scene or "
                       "the program has changed.");
        arguments.option(o->exports, "--export", "LIST",
                         "Formats instead of the scene's, with commas, or none; `sinew export --list`.");
        arguments.flag(o->json, "--json", "Print the outcome as one JSON object.");
        arguments.flag(o->quiet, "--quiet", "Print warnings and errors only.");
        arguments.footer("SIGINT and SIGTERM finish the iteration, write a checkpoint and exit with 130.\n");
        return [o] { return run_scene(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
