#include "run/export_run.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/memory.h"
#include "io/mesh_file.h"
#include "json/words.h"

namespace sinew::run {
namespace {

// Places in run.frames(). A frame that is not there is an error: without it the others would move to other times.
Result<std::vector<size_t>> choose(const RunReader& run, const FrameRange& range) {
  const std::span<const exporting::FrameStamp> frames = run.frames();
  const std::string name = run.folder().string();
  if (frames.empty())
    return input_error(name, "there are no frames in it yet; run the scene, or copy the whole folder again");
  const int64_t first = range.first < 0 ? frames.front().index : range.first;
  const int64_t last = range.last < 0 ? frames.back().index : range.last;
  if (range.step < 1) return usage_error("--frames: the step must be at least 1");
  if (first > last || first < frames.front().index || last > frames.back().index)
    return usage_error(fmt::format("--frames: frames {} to {} were asked for; {} has frames {} to {}", first,
                                   last, name, frames.front().index, frames.back().index));
  std::vector<size_t> chosen;
  size_t at = 0;
  for (int64_t index = first;; index += range.step) {
    while (at < frames.size() && frames[at].index < index) ++at;
    if (at == frames.size() || frames[at].index != index)
      return input_error(name,
                         fmt::format("the file of frame {} is missing; copy the folder again, or leave the "
                                     "frame out with --frames A:B[:STEP]",
                                     index));
    chosen.push_back(at);
    if (last - index < range.step) return chosen;
  }
}

Result<std::vector<std::string>> fields_of(const RunReader& run, const ExportRequest& request) {
  const bool kept = std::any_of(request.formats.begin(), request.formats.end(),
                                [](const exporting::Exporter* exporter) { return exporter->fields; });
  if (!request.fields) return kept ? run.built().output.fields : std::vector<std::string>();
  std::vector<std::string_view> known, keepers;
  for (const measure::Quantity* q : measure::quantities())
    if (q->on == measure::Target::node || q->on == measure::Target::element) known.push_back(q->name);
  for (const std::string& name : *request.fields)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return usage_error(json::unknown_word("field", name, known));
  if (kept || request.fields->empty()) return *request.fields;
  for (const exporting::Exporter* exporter : exporting::exporters())
    if (exporter->fields) keepers.push_back(exporter->name);
  return usage_error(fmt::format("--fields: of the formats asked for none keeps fields, only {} do",
                                 fmt::join(keepers, ", ")));
}

class Job {
 public:
  Job(const RunReader& run, const ExportRequest& request, const ExportProgress& progress,
      const Control& control)
      : run_(run), request_(request), progress_(progress), control_(control) {}

  Result<Exported> operator()() {
    const model::Model& model = run_.built().model;
    if (!request_.rest) {
      Result<std::vector<size_t>> chosen = choose(run_, request_.frames);
      if (!chosen) return chosen.error();
      chosen_ = std::move(*chosen);
    }
    const Result<std::vector<std::string>> fields = fields_of(run_, request_);
    if (!fields) return fields.error();
    exporting::ExportPlan plan;
    plan.folder = request_.folder.empty() ? run_.folder() : request_.folder;
    plan.fps = run_.built().time.fps;
    plan.step = request_.frames.step;
    plan.rest = request_.rest;
    if (plan.rest) plan.frames = {{}};
    for (size_t i : chosen_) plan.frames.push_back(run_.frames()[i]);
    const auto count = static_cast<int64_t>(plan.frames.size());
    exporting::ShapeOptions shape = request_.shape;
    shape.skins = run_.built().skins;
    shape.own_surfaces = !request_.skins;
    Result<exporting::Exports> out =
        exporting::Exports::begin(model, request_.formats, request_.what, std::move(shape), std::move(plan));
    if (!out) return out.error();

    const exporting::FrameMaker maker(model, *fields);
    const auto note = [&](const Result<exporting::Files>& files) -> Result<void> {
      if (!files) return files.error();
      done_.written.insert(done_.written.end(), files->begin(), files->end());
      return {};
    };
    while (done_.frames < count && !control_.cancelled()) {
      const size_t i = plan_place(done_.frames);
      Result<model::State> state = request_.rest ? model.make_state(model::StateLayout()) : run_.state(i);
      if (!state) return state.error();
      const measure::Snapshot snapshot(model, model.params, *state);
      const exporting::Frame frame = maker.make(request_.rest ? 0 : run_.frames()[i].index, snapshot);
      if (auto ok = note(out->frame(frame)); !ok) return ok.error();
      ++done_.frames;
      if (progress_) progress_(done_.frames, count);
    }
    done_.interrupted = done_.frames < count;
    if (auto ok = note(out->end(!done_.interrupted)); !ok) return ok.error();
    done_.files = out->main_files();
    for (const exporting::FrameMesh& mesh : out->meshes())
      done_.meshes.push_back({mesh.name, mesh.points.size(), mesh.surface.size()});
    return std::move(done_);
  }

 private:
  size_t plan_place(int64_t frame) const { return request_.rest ? 0 : chosen_[static_cast<size_t>(frame)]; }

  const RunReader& run_;
  const ExportRequest& request_;
  const ExportProgress& progress_;
  const Control& control_;
  std::vector<size_t> chosen_;  // places in run_.frames()
  Exported done_;
};

}  // namespace

Result<Exported> export_run(const RunReader& run, const ExportRequest& request,
                            const ExportProgress& progress, const Control& control) {
  return unless_out_of_memory(run.folder().native(), [&] { return Job(run, request, progress, control)(); });
}

Result<exporting::CarriedSurface> read_carried(const std::string& body, const std::string& file) {
  Result<mesh::TriMesh> mesh = io::read_tri_mesh(file);
  if (!mesh) return mesh.error();
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  if (name.empty()) name = body + "_surface";
  return exporting::CarriedSurface{body, std::move(name), file, std::move(*mesh)};
}

}  // namespace sinew::run
