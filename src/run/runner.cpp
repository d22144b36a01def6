#include "run/runner.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/hash.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "energy/term.h"
#include "exporting/frame.h"
#include "model/size.h"
#include "run/export_run.h"
#include "run/simulation.h"
#include "scene/check_parts.h"

namespace sinew::run {

using json::Json;

namespace {

constexpr size_t max_warnings = 200, max_reasons = 200;
constexpr double deep = 0.1;  // penetration that is told of, over the edges around it

Json reasons_json(const std::vector<FrameReason>& reasons) {
  Json json = Json::list();
  for (const FrameReason& each : reasons) json.add(each.json());
  return json;
}

Json texts(const std::vector<std::string>& list) {
  Json json = Json::list();
  for (const std::string& text : list) json.add(text);
  return json;
}

class Run {
 public:
  Run(const scene::Scene& scene, const scene::Built& built, const RunOptions& options,
      const Progress& progress, const Control& control)
      : scene_(scene), built_(built), options_(options), progress_(progress), control_(control) {
    last_ = options.session_frames < 0 ? built.time.frames : options.session_frames;
    if (options.last_frame >= 0) last_ = std::min(last_, options.last_frame);
  }

  RunOutcome operator()() {
    const std::string& name = options_.folder.native();
    Result<void> ok = unless_out_of_memory(name, [&] { return prepare(); });
    if (ok) ok = unless_out_of_memory(name, [&] { return frames(); });
    if (!ok) fail(ok.error());
    if (folder_)
      if (const Result<void> end = unless_out_of_memory(name, [&] { return finish(); });
          !end && !outcome_.error)
        fail(end.error());
    outcome_.seconds = total_.seconds();
    return std::move(outcome_);
  }

 private:
  void fail(const Error& error) {
    outcome_.status = RunStatus::failed;
    outcome_.error = error;
  }

  const model::State& state() const { return simulation_->state(); }

  void warn(const std::string& text) {
    if (outcome_.warnings.size() >= max_warnings) return;
    outcome_.warnings.push_back(text);
    if (progress_.on_warning) progress_.on_warning(text);
  }

  void keep_reason(FrameReason reason) {
    if (outcome_.reasons.size() < max_reasons) outcome_.reasons.push_back(std::move(reason));
  }

  // The method, the folder, the state to begin with and the exporters.
  Result<void> prepare() {
    if (const std::optional<Error> error = scene::lacks_equilibrium(built_)) return *error;
    Result<Simulation> simulation = Simulation::make(scene_, built_);
    if (!simulation) return simulation.error();
    simulation_.emplace(std::move(*simulation));
    if (auto ok = choose_exports(); !ok) return ok;
    const Result<std::string> hash = scene::scene_hash(scene_);
    if (!hash) return hash.error();
    Hash identity;
    identity.add(*hash);
    for (const Json& edit : options_.edits) identity.add(edit.compact());
    scene_hash_ = options_.edits.empty() ? *hash : identity.text();
    portable_ = scene::portable(scene_, scene_files);
    Result<RunFolder> folder = RunFolder::open(options_.folder, scene_hash_, options_.existing);
    if (!folder) return folder.error();

    if (folder->checkpoint()) {
      outcome_.frame = folder->checkpoint()->frame;
      while (next_edit_ < options_.edits.size() && frame_of(options_.edits[next_edit_]) < outcome_.frame)
        ++next_edit_;
      if (auto ok = simulation_->recall({options_.edits.data(), next_edit_}); !ok) return ok;
      const model::State& state = folder->checkpoint()->state;
      const std::string name = (options_.folder / "checkpoint.bin").string();
      if (auto ok = check_columns(state, simulation_->layout(), simulation_->built().model.counts(), name);
          !ok)
        return ok;
      simulation_->go_on_from(outcome_.frame, state);
    }
    folder_.emplace(std::move(*folder));
    for (const std::string& warning : folder_->warnings()) warn(warning);
    recall();
    if (auto ok = folder_->keep_files(portable_.files); !ok) return ok;
    if (auto ok = folder_->write_summary(summary(RunStatus::running)); !ok) return ok;
    return begin_exports();
  }

  // Takes over what the lines of an earlier part of the run say.
  void recall() {
    for (const Json& line : folder_->lines()) {
      earlier_.push_back({static_cast<int64_t>(line["frame"].number()), line["time"].number()});
      outcome_.not_converged += line["status"].text() == step::name_of(step::StepStatus::stalled);
      if (line.has("reason")) keep_reason({frame_of(line), reason_of(line["reason"])});
      for (const Json& json : line["expect"].items()) {
        const ExpectationResult result = expectation_of(json);
        for (const scene::Expectation& e : built_.expect)
          if (e.text == result.text && e.frame == result.frame) outcome_.expectations.push_back(result);
      }
    }
  }

  Result<void> choose_exports() {
    const Result<std::vector<const exporting::Exporter*>> chosen =
        exporting::find_exporters(options_.exports.value_or(built_.output.exports));
    if (!chosen) return chosen.error();
    for (const exporting::Exporter* exporter : *chosen) {
      if (auto ok = exporting::check_frame_count(*exporter, last_ - options_.first_frame + 1); !ok) return ok;
      (exporter->at_end ? at_end_ : while_running_).push_back(exporter);
    }
    return {};
  }

  Result<void> begin_exports() {
    exporting::ExportPlan plan;
    plan.folder = options_.folder;
    plan.earlier = earlier_;
    plan.fps = built_.time.fps;
    Result<exporting::Exports> out =
        exporting::Exports::begin(built_.model, while_running_, {}, {.skins = built_.skins}, std::move(plan));
    if (!out) return out.error();
    exports_.emplace(std::move(*out));
    return {};
  }

  Result<void> frames() {
    outcome_.status = RunStatus::done;
    const bool fresh = !folder_->checkpoint();
    if (progress_.on_begin) progress_.on_begin(fresh ? 0 : outcome_.frame + 1, last_);
    if (fresh)
      if (auto ok = record(0, FrameTotals(), state()); !ok) return ok;
    while (outcome_.frame < last_) {
      const int64_t frame = outcome_.frame + 1;
      FrameTotals totals;
      const Result<bool> taken = advance(frame, totals);
      if (!taken) return taken.error();
      if (!*taken) break;
      outcome_.frame = frame;
      if (auto ok = record(frame, totals, state()); !ok) return ok;
      const int32_t every = built_.output.checkpoint_every;
      if (every > 0 && frame % every == 0 && frame < last_)
        if (auto ok = folder_->write_checkpoint(frame, state()); !ok) return ok;
    }
    return {};
  }

  // The edits before the frame, and its steps. False: the run ends here, with State at the frame before.
  Result<bool> advance(int64_t frame, FrameTotals& totals) {
    for (; next_edit_ < options_.edits.size() && frame_of(options_.edits[next_edit_]) < frame; ++next_edit_)
      if (auto ok = simulation_->apply(options_.edits[next_edit_]); !ok) return ok.error();
    const Advanced advanced = simulation_->advance(totals, control_);
    solve_seconds_ += totals.seconds;
    if (advanced == Advanced::taken) return true;
    if (advanced == Advanced::cancelled) {
      outcome_.status = RunStatus::interrupted;
      return false;
    }
    outcome_.status = RunStatus::not_converged;
    if (auto ok = record(frame, totals, simulation_->reached()); !ok) return ok.error();
    warn(fmt::format("frame {} failed, and the run ends there; its files show how far it came, to {:.6g} s",
                     frame, simulation_->reached().time()));
    return false;
  }

  // The terms and the maker of frames, made again where an edit has changed the model.
  void follow_model() {
    if (models_ == simulation_->models()) return;
    models_ = simulation_->models();
    const scene::Built& built = simulation_->built();
    maker_.emplace(built.model, built.output.fields);
    terms_ = energy::make_terms(built.model);
  }

  Result<void> record(int64_t frame, const FrameTotals& totals, const model::State& state) {
    const Stopwatch watch;
    follow_model();
    const model::Model& model = simulation_->built().model;
    const measure::Snapshot snapshot(model, model.params, state, &terms_);
    const bool failed = totals.stepped && !totals.sum.taken();
    Json line = totals.line(frame, snapshot), results = Json::list();
    for (const scene::Expectation& expectation : built_.expect) {
      if (expectation.frame != frame || failed) continue;
      outcome_.expectations.push_back(evaluate(expectation, snapshot));
      results.add(outcome_.expectations.back().json());
    }
    if (results.size() > 0) line.set("expect", std::move(results));
    if (frame >= options_.first_frame) {
      const bool velocities = built_.settings.mode == step::Mode::dynamic;
      const Result<std::string> hash = folder_->write_frame(frame, state, velocities);
      if (!hash) return hash.error();
      exporting::Frame content = exports_->empty() ? exporting::Frame() : maker_->make(frame, snapshot);
      content.report = line;
      if (auto ok = note(exports_->frame(content)); !ok) return ok;
      line.set("frame_hash", *hash);
    }
    if (auto ok = folder_->add_line(std::move(line)); !ok) return ok;
    const bool converged = !totals.stepped || totals.sum.status == step::StepStatus::converged;
    outcome_.not_converged += !converged;
    if (totals.sum.reason) {
      const FrameReason reason{frame, *totals.sum.reason};
      keep_reason(reason);
      if (progress_.on_warning) progress_.on_warning(reason.text());
    }
    for (const std::string& text : totals.sum.notes) warn(fmt::format("frame {}: {}", frame, text));
    if (totals.sum.penetration_edge > deep)
      warn(
          fmt::format("frame {}: surfaces enter each other by {:.3g} m, {:.2g} of the edges there; raise the "
                      "stiffness of the contact, or take more substeps or iterations",
                      frame, totals.sum.penetration, totals.sum.penetration_edge));
    write_seconds_ += watch.seconds();
    if (progress_.on_frame)
      progress_.on_frame({frame, last_, state.time(), totals.seconds + watch.seconds(), totals.sum.iterations,
                          totals.sum.relative_residual, converged});
    return {};
  }

  Result<void> note(const Result<exporting::Files>& files) {
    if (!files) return files.error();
    for (const std::string& file : *files)
      if (auto ok = folder_->note_file(file); !ok) return ok;
    return {};
  }

  // The formats that hold all frames in one file, from the frames that are stored.
  Result<void> export_all() {
    const Stopwatch watch;
    std::string names;
    for (const exporting::Exporter* exporter : at_end_)
      names += (names.empty() ? "" : ",") + std::string(exporter->name);
    const auto not_written = [&](const std::string& why) {
      warn(fmt::format("{}: {} was not written; `sinew export {} --format {}` does it", why, names,
                       options_.folder.string(), names));
    };
    if (outcome_.status == RunStatus::interrupted) {
      not_written("interrupted");
      return {};
    }
    const Result<RunReader> stored = RunReader::open(options_.folder, scene_, simulation_->built());
    if (!stored) return stored.error();
    ExportProgress progress;
    if (progress_.on_export)
      progress = [&](int64_t frame, int64_t frames) { progress_.on_export(names, frame, frames); };
    const Result<Exported> done = export_run(*stored, {.formats = at_end_}, progress, control_);
    if (!done && done.error().kind == ErrorKind::io) return done.error();
    if (!done) {
      not_written(done.error().text());
      return {};
    }
    if (done->interrupted) {
      outcome_.status = RunStatus::interrupted;
      not_written("interrupted");
    } else {
      outcome_.files.insert(outcome_.files.end(), done->files.begin(), done->files.end());
    }
    write_seconds_ += watch.seconds();
    return note(done->written);
  }

  // Whatever happened: the lists, the checkpoint and run.json, as far as they can be written.
  Result<void> finish() {
    Result<void> first;
    const auto keep = [&](const Result<void>& ok) {
      if (!ok && first) first = ok.error();
    };
    if (exports_) {
      keep(note(exports_->end()));
      outcome_.files = exports_->main_files();
    }
    keep(folder_->write_lines());
    // After a failed write the earlier checkpoint stays: the files of the last frame may be missing.
    if (!outcome_.error) keep(folder_->write_checkpoint(outcome_.frame, state()));
    if (first && !outcome_.error && !at_end_.empty()) keep(export_all());
    if (outcome_.status == RunStatus::done && outcome_.not_converged > 0)
      outcome_.status = RunStatus::not_converged;
    if (!first && !outcome_.error) fail(first.error());
    outcome_.state_hash = fmt::format("{:016x}", state().hash());
    Json json = summary(outcome_.status);
    if (Result<Json> hashes = folder_->file_hashes())
      json.set("files", std::move(*hashes));
    else
      keep(hashes.error());
    keep(folder_->write_summary(json));
    return first;
  }

  // What each body is made of; its material fills a part of the mesh where that was made from a surface.
  Json bodies() const {
    const model::Model& model = built_.model;
    const std::vector<double> mass = model.lumped_mass(model.params);
    Json json = Json::object();
    for (size_t b = 0; b < model.bodies.size(); ++b) {
      const model::Body& body = model.bodies[b];
      const auto [mesh, material] = model.volumes(static_cast<int32_t>(b));
      Json entry = Json::object();
      const model::Size size = model::size_of(body);
      entry.set("nodes", size.nodes);
      entry.set("tets", size.tets);
      entry.set("triangles", size.triangles);
      entry.set("mesh_volume", mesh);
      entry.set("volume", material);
      entry.set("mass", std::accumulate(mass.begin() + body.nodes.begin, mass.begin() + body.nodes.end, 0.0));
      json.set(body.name, std::move(entry));
    }
    return json;
  }

  Json summary(RunStatus status) const {
    Json json = Json::object();
    json.set("sinew", build_info().version);
    json.set("status", name_of(status));
    json.set("scene_file", scene_.name);
    json.set("scene_hash", scene_hash_);
    json.set("binary_id", binary_id());
    Json build = Json::object(), here = Json::object(), timings = Json::object(), expect = Json::list();
    build.set("compiler", build_info().compiler);
    build.set("flags", build_info().flags);
    json.set("build", std::move(build));
    here.set("cpu", machine().cpu);
    here.set("cores", machine().cores);
    here.set("system", machine().system);
    json.set("machine", std::move(here));
    json.set("threads", thread_count());
    json.set("command", texts(options_.command));
    json.set("frames", last_);
    json.set("method", built_.method->name);
    json.set("bodies", bodies());
    if (status != RunStatus::running) {
      json.set("frame", outcome_.frame);
      json.set("time", state().time());
      json.set("not_converged", outcome_.not_converged);
      json.set("state_hash", outcome_.state_hash);
      if (outcome_.error) json.set("error", outcome_.error->text());
    }
    timings.set("build", options_.build_seconds);
    timings.set("solve", solve_seconds_);
    timings.set("write", write_seconds_);
    timings.set("total", options_.build_seconds + total_.seconds());
    json.set("timings", std::move(timings));
    json.set("reasons", reasons_json(outcome_.reasons));
    json.set("warnings", texts(outcome_.warnings));
    for (const ExpectationResult& result : outcome_.expectations) expect.add(result.json());
    json.set("expect", std::move(expect));
    json.set("overrides", texts(scene_.overrides));
    json.set("scene", portable_.resolved);
    return json;
  }

  const scene::Scene& scene_;
  const scene::Built& built_;
  const RunOptions& options_;
  const Progress& progress_;
  const Control& control_;
  const Stopwatch total_;
  double solve_seconds_ = 0, write_seconds_ = 0;
  int64_t last_ = 0;
  std::string scene_hash_;
  scene::PortableScene portable_;
  std::optional<Simulation> simulation_;
  std::optional<RunFolder> folder_;
  size_t next_edit_ = 0;
  int64_t models_ = 0;  // that maker and terms belong to
  std::optional<exporting::FrameMaker> maker_;
  energy::Terms terms_;
  std::vector<const exporting::Exporter*> while_running_, at_end_;
  std::optional<exporting::Exports> exports_;
  std::vector<exporting::FrameStamp> earlier_;
  RunOutcome outcome_;
};

}  // namespace

bool RunOutcome::expectations_met() const {
  return std::all_of(expectations.begin(), expectations.end(),
                     [](const ExpectationResult& e) { return e.ok; });
}

RunOutcome run(const scene::Scene& scene, const scene::Built& built, const RunOptions& options,
               const Progress& progress, const Control& control) {
  try {
    return Run(scene, built, options, progress, control)();
  } catch (const std::bad_alloc&) {
    RunOutcome outcome;
    outcome.error = out_of_memory(options.folder.native());
    return outcome;
  }
}

Json to_json(const RunOutcome& outcome) {
  Json json = Json::object(), expect = Json::list();
  json.set("status", name_of(outcome.status));
  json.set("frame", outcome.frame);
  json.set("not_converged", outcome.not_converged);
  json.set("state_hash", outcome.state_hash);
  json.set("seconds", outcome.seconds);
  for (const ExpectationResult& result : outcome.expectations) expect.add(result.json());
  json.set("expect", std::move(expect));
  json.set("reasons", reasons_json(outcome.reasons));
  json.set("warnings", texts(outcome.warnings));
  json.set("files", texts(outcome.files));
  if (outcome.error) json.set("error", outcome.error->text());
  return json;
}

}  // namespace sinew::run
