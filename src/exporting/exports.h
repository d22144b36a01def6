#pragma once
// Several exporters at once: each gets every Frame in the shape that it takes. Positions that are not finite, or beyond
// single precision, are refused before a file holds them.
//
//     auto out = Exports::begin(model, formats, {}, {.z_up = true}, {.folder = "out"});
//     out->frame(frame);  ...  out->end();
#include <memory>
#include <optional>
#include <vector>

#include "exporting/exporter.h"
#include "exporting/frame_shape.h"

namespace sinew::exporting {

class Exports {
 public:
  // `what`: surface or volume for all formats; nothing: each format's own. The plan's meshes, axes and unit are filled in.
  static Result<Exports> begin(const model::Model& model, std::span<const Exporter* const> formats,
                               std::optional<What> what, ShapeOptions shape, ExportPlan plan);

  // Takes a Frame that a FrameMaker made for the model, and returns the files that were written.
  Result<Files> frame(const Frame& frame);
  // `whole`: all frames came. Otherwise what exporters with one file for all frames have begun is dropped.
  Result<Files> end(bool whole = true);
  Files main_files() const;
  // The meshes that the first format takes.
  std::span<const FrameMesh> meshes() const;
  bool empty() const { return open_.empty(); }

 private:
  struct Open {
    const Exporter* exporter;
    FrameShape* shape;
    std::unique_ptr<Export> out;
  };
  std::unique_ptr<FrameShape> shapes_[2];  // by What; before open_, which refers to them
  std::vector<Open> open_;
};

}  // namespace sinew::exporting
