// sinew export: stored frames of a run become files for other programs.
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "command.h"
#include "lists.h"
#include "print.h"
#include "progress_bar.h"
#include "run/export_run.h"
#include "signals.h"
#include "unit_option.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string run, formats, folder, what, up, unit = "m", frames, bodies, fields;
  std::vector<std::string> carried;
  bool list = false, rest = false, json = false, quiet = false;
};

Error expected(const char* option, const std::string& found, const char* wanted) {
  return usage_error(fmt::format("{}: found \"{}\", expected {}", option, found, wanted));
}

Result<run::ExportRequest> request_of(const Options& options) {
  run::ExportRequest request;
  const std::vector<std::string> formats = split_words(options.formats);
  if (formats.empty())
    return usage_error(
        "--format LIST is missing: the formats to write, with commas; `sinew export --list` shows them");
  auto found = exporting::find_exporters(formats);
  if (!found) return found.error();
  request.formats = std::move(*found);
  request.folder = options.folder;
  request.rest = options.rest;
  if (options.what == "surface" || options.what == "volume")
    request.what = options.what == "surface" ? exporting::What::surface : exporting::What::volume;
  else if (options.what == "boundary")
    request.what = exporting::What::surface;
  else if (!options.what.empty())
    return expected("--what", options.what, "surface, boundary or volume");
  request.skins = options.what != "boundary";
  if (options.up != "y" && options.up != "z" && !options.up.empty())
    return expected("--up", options.up, "y or z");
  request.shape.z_up = options.up == "z";
  const Result<double> unit = unit_of(options.unit);
  if (!unit) return unit.error();
  request.shape.unit = *unit;
  if (!options.frames.empty()) {
    const std::optional<Range> range = parse_range(options.frames);
    if (!range) return expected("--frames", options.frames, "A:B or A:B:STEP; A and B may be left out");
    if (options.rest) return usage_error("--frames and --rest: the rest pose has no frames");
    request.frames = {range->first, range->last, range->step};
  }
  request.shape.bodies = split_words(options.bodies);
  if (options.fields == "none")
    request.fields.emplace();
  else if (!options.fields.empty())
    request.fields = split_words(options.fields);
  for (const std::string& text : options.carried) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return expected("--embed", text, "BODY=FILE");
    auto surface = run::read_carried(text.substr(0, equals), text.substr(equals + 1));
    if (!surface) return surface.error();
    request.shape.carried.push_back(std::move(*surface));
  }
  return request;
}

json::Json to_json(const run::Exported& done, const fs::path& folder, double seconds) {
  json::Json json = json::Json::object(), files = json::Json::list(), meshes = json::Json::list();
  json.set("folder", folder.string());
  json.set("frames", done.frames);
  json.set("interrupted", done.interrupted);
  for (const std::string& file : done.files) files.add(file);
  json.set("files", std::move(files));
  for (const run::Exported::Mesh& mesh : done.meshes) {
    json::Json one = json::Json::object();
    one.set("name", mesh.name);
    one.set("vertices", mesh.vertices);
    one.set("triangles", mesh.triangles);
    meshes.add(std::move(one));
  }
  json.set("meshes", std::move(meshes));
  json.set("seconds", seconds);
  return json;
}

int run_export(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  if (options.list) {
    for (const exporting::Exporter* exporter : exporting::exporters())
      fmt::print("{:<12}{}\n", exporter->name, exporter->doc);
    return exit_done;
  }
  if (options.run.empty())
    return complain(
        usage_error("RUN is missing: the folder of a run; `sinew export --list` shows the formats"));
  const Cancel& cancel = cancel_on_signals();
  const Result<run::ExportRequest> request = request_of(options);
  if (!request) return complain(request.error());
  const Result<run::RunReader> run = run::RunReader::open(options.run);
  if (!run) return complain(run.error());

  ProgressBar bar(options.quiet || options.json);
  const auto progress = [&](int64_t done, int64_t frames) {
    bar.show(static_cast<double>(done) / static_cast<double>(frames),
             fmt::format("frame {} of {}", done, frames));
  };
  const Result<run::Exported> done = run::export_run(*run, *request, progress, Control{&cancel, {}});
  bar.end();
  if (!done) return complain(done.error());
  const fs::path folder = request->folder.empty() ? run->folder() : request->folder;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.json) fmt::print("{}\n", to_json(*done, folder, seconds).compact());
  if (done->interrupted) warn("interrupted: formats that hold all frames in one file were not written");
  if (!options.json && !options.quiet) {
    say(fmt::format("{} frame{} in {:.2f} s", done->frames, done->frames == 1 ? "" : "s", seconds));
    for (const std::string& file : done->files) fmt::print("{}\n", (folder / file).string());
  }
  return done->interrupted ? exit_interrupted : exit_done;
}

}  // namespace

const Command& command_export() {
  static const Command command = {
      "export", "Write the frames of a run in formats for other programs.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->run, "RUN", "Folder of a run.", false);
        arguments.flag(o->list, "--list", "List the formats.");
        arguments.option(o->formats, "--format", "LIST", "Formats, with commas.");
        arguments.option(o->folder, "-o,--output", "DIR",
                         "Folder for the files; that of the run by default.");
        arguments.option(o->frames, "--frames", "A:B[:STEP]", "Some of the frames; all by default.");
        arguments.flag(o->rest, "--rest", "The rest pose instead of frames.");
        arguments.option(o->bodies, "--bodies", "LIST", "Some of the bodies, with commas; all by default.");
        arguments.option(
            o->what, "--what", "surface|boundary|volume",
            "Surface vertices alone, or all nodes; by default what suits the format. `boundary` is the "
            "surface of the tets where a body has a skin.");
        arguments.option(o->carried, "--embed", "BODY=FILE",
                         "A surface of your own that the body carries, in its place; may be repeated.");
        arguments.option(o->up, "--up", "y|z", "Axis that points up; y by default, as in scenes.");
        arguments.option(o->unit, "--unit", "UNIT", "m, cm, mm, in or the metres in one unit; m by default.");
        arguments.option(o->fields, "--fields", "LIST",
                         "Fields, with commas, or none; those of the scene by default.");
        arguments.threads();
        arguments.flag(o->json, "--json", "Print the outcome as one JSON object.");
        arguments.flag(o->quiet, "--quiet", "Print warnings and errors only.");
        arguments.footer(
            "A FILE of --embed has the axes and unit of the output, and the body's rest pose.\n");
        return [o] { return run_export(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
