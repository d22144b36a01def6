// Runs: a scene into a folder, and folders of runs read frame by frame.
#include "bindings/bindings.h"
#include "bindings/interrupt.h"
#include "report/report.h"
#include "run/run_reader.h"
#include "run/runner.h"

namespace sinew::python {
namespace {

// Runs a scene file; what ends it early is raised, everything else is told by the outcome, as JSON.
std::string run_file(const py::object& scene_file, const py::object& out, bool resume, bool force,
                     const std::optional<std::vector<std::string>>& exports, const py::object& on_frame) {
  const std::string path = path_of(scene_file, "scene"), folder = path_of(out, "folder");
  Interrupt interrupt;
  const auto tell = interrupt.guarded<int64_t, double, double>(on_frame);
  std::string outcome_text;
  {
    const py::gil_scoped_release release;
    json::Diagnostics diagnostics;
    const auto scene = scene::load_scene(path, {}, diagnostics);
    const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
    if (!built) raise(diagnostics);
    run::RunOptions options;
    options.folder = folder;
    options.existing = {resume, force};
    options.exports = exports;
    options.command = {"python", "sinew.run"};
    run::Progress progress;
    if (tell)
      progress.on_frame = [&](const run::FrameDone& done) {
        tell(done.frame, done.time, done.relative_residual);
      };
    const run::RunOutcome outcome =
        run::run(*scene, *built, options, progress, Control{&interrupt.cancel(), {}});
    if (!outcome.state_hash.empty()) {
      const Result<void> written =
          report::write_report(folder, std::filesystem::path(folder) / report::report_file);
      if (!written && !outcome.error) raise(written.error());
    }
    if (outcome.error) raise(*outcome.error);
    outcome_text = run::to_json(outcome).compact();
  }
  interrupt.rethrow();
  return outcome_text;
}

struct PyRun {
  std::shared_ptr<run::RunReader> reader;
  PyModel model;
};

PyRun open_run(const py::object& given) {
  const std::string folder = path_of(given, "folder");
  const py::gil_scoped_release release;
  auto reader = std::make_shared<run::RunReader>(value_of(run::RunReader::open(folder)));
  // Shared with the reader, which owns them.
  std::shared_ptr<const scene::Scene> scene(reader, &reader->scene());
  std::shared_ptr<const scene::Built> built(reader, &reader->built());
  return {reader, {std::move(scene), std::move(built)}};
}

PyState state_at(const PyRun& run, py::ssize_t index) {
  const auto count = static_cast<py::ssize_t>(run.reader->frames().size());
  if (index < -count || index >= count)
    throw py::index_error(fmt::format("frame {} of {}: the run has no such frame", index, count));
  const py::gil_scoped_release release;
  return {run.model.built,
          value_of(run.reader->state(static_cast<size_t>(index < 0 ? index + count : index)))};
}

std::vector<std::string> stats(const PyRun& run) {
  std::vector<std::string> lines;
  for (const json::Json& line : run.reader->lines()) lines.push_back(line.compact());
  return lines;
}

}  // namespace

void bind_run(py::module_& module) {
  module.def("run_file", &run_file);
  py::class_<PyRun>(module, "RunCore")
      .def(py::init(&open_run))
      .def_property_readonly("folder", [](const PyRun& run) { return run.reader->folder().string(); })
      .def_property_readonly("model", [](const PyRun& run) { return run.model; })
      .def_property_readonly("summary", [](const PyRun& run) { return run.reader->summary().compact(); })
      .def_property_readonly("stats", &stats)
      .def_property_readonly("warnings",
                             [](const PyRun& run) {
                               const auto list = run.reader->warnings();
                               return std::vector<std::string>(list.begin(), list.end());
                             })
      .def_property_readonly("frames",
                             [](const PyRun& run) {
                               std::vector<std::pair<int64_t, double>> list;
                               for (const auto& stamp : run.reader->frames())
                                 list.emplace_back(stamp.index, stamp.time);
                               return list;
                             })
      .def("state", &state_at)
      .def("refresh", [](const PyRun& run) {
        const py::gil_scoped_release release;
        require(run.reader->refresh());
      });
}

}  // namespace sinew::python
