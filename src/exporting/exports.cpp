#include "exporting/exports.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "io/file.h"

namespace sinew::exporting {
namespace {

Result<void> check_positions(const Frame& frame) {
  constexpr double largest = std::numeric_limits<float>::max();
  for (const FrameMesh& mesh : frame.meshes)
    for (size_t i = 0; i < mesh.points.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(mesh.points[i][k]) < largest))
          return input_error(fmt::format("frame {}", frame.index),
                             fmt::format("vertex {} of {} is at {}, which is no place for a file", i,
                                         mesh.name, mesh.points[i][k]));
  return {};
}

// What killed exports left of files of these formats, in the folder and those below it that exporters make.
void remove_abandoned(const std::filesystem::path& folder, std::span<const Exporter* const> formats) {
  const auto clear = [&](const std::filesystem::path& below) {
    io::remove_unfinished((folder / below).string(), [&](const std::string& name) {
      return std::any_of(formats.begin(), formats.end(),
                         [&](const Exporter* exporter) { return exporter->owns(below / name); });
    });
  };
  clear({});
  for (const std::string& name : io::read_folder(folder.string()).folders) clear(name);
}

void append(Files& to, const Files& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Result<Exports> Exports::begin(const model::Model& model, std::span<const Exporter* const> formats,
                               std::optional<What> what, ShapeOptions options, ExportPlan plan) {
  Exports exports;
  remove_abandoned(plan.folder, formats);
  plan.z_up = options.z_up;
  plan.unit = options.unit;
  for (const Exporter* exporter : formats) {
    if (exporter->y_up_in_metres && (plan.z_up || plan.unit != 1))
      return usage_error(
          fmt::format("{} is y up and in metres by its definition; leave --up and --unit away, "
                      "programs that read it turn and scale it themselves",
                      exporter->name));
    if (auto ok = check_frame_count(*exporter, static_cast<int64_t>(plan.frames.size())); !ok)
      return ok.error();
    options.what = what.value_or(exporter->volume ? What::volume : What::surface);
    auto& shape = exports.shapes_[static_cast<int>(options.what)];
    if (!shape) {
      Result<FrameShape> made = FrameShape::make(model, options);
      if (!made) return made.error();
      shape = std::make_unique<FrameShape>(std::move(*made));
    }
    plan.meshes = shape->rest();
    Result<std::unique_ptr<Export>> out = exporter->begin(plan);
    if (!out) return out.error();
    exports.open_.push_back({exporter, shape.get(), std::move(*out)});
  }
  return exports;
}

Result<Files> Exports::frame(const Frame& frame) {
  const Frame* shaped[2] = {};
  Files files;
  for (const Open& open : open_) {
    const Frame*& mine = shaped[open.shape == shapes_[1].get()];
    if (!mine) {
      mine = &open.shape->apply(frame);
      if (auto ok = check_positions(*mine); !ok) return ok.error();
    }
    Result<Files> written = open.out->frame(*mine);
    if (!written) return written;
    append(files, *written);
  }
  return files;
}

Result<Files> Exports::end(bool whole) {
  Files files;
  std::optional<Error> first;
  if (!whole) std::erase_if(open_, [](const Open& open) { return open.exporter->at_end; });
  for (const Open& open : open_) {
    Result<Files> written = open.out->end();
    if (written)
      append(files, *written);
    else if (!first)
      first = written.error();
  }
  if (first) return *first;
  return files;
}

Files Exports::main_files() const {
  Files files;
  for (const Open& open : open_) append(files, open.out->main_files());
  return files;
}

std::span<const FrameMesh> Exports::meshes() const {
  return open_.empty() ? std::span<const FrameMesh>() : open_[0].shape->rest();
}

}  // namespace sinew::exporting
