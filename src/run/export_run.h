#pragma once
// Writes stored frames of a run in formats for other programs: what `sinew export` does, and `sinew run` at its end for
// formats that hold all frames in one file. One frame is in memory at a time.
//
//     Result<Exported> done = export_run(*RunReader::open("out"), {.formats = formats}, {}, control);
//
// Colliders are not part of a run's frames and are not exported.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/control.h"
#include "exporting/exports.h"
#include "run/run_reader.h"

namespace sinew::run {

// From `first` to `last`, every `step`-th; -1: from the first or to the last that is stored.
struct FrameRange {
  int64_t first = -1, last = -1, step = 1;
};

struct ExportRequest {
  std::vector<const exporting::Exporter*> formats = {};
  std::filesystem::path folder = {};  // empty: that of the run
  FrameRange frames = {};
  bool rest = false;                         // the rest pose instead of frames
  std::optional<exporting::What> what = {};  // nothing: each format's own choice
  exporting::ShapeOptions shape = {};
  bool skins = true;  // in place of the surfaces of the bodies that have one
  std::optional<std::vector<std::string>> fields = {};  // nothing: those of the scene
};

struct Exported {
  exporting::Files files;    // to open, relative to the folder
  exporting::Files written;  // all
  int64_t frames = 0;
  bool interrupted = false;  // what holds all frames was not written
  struct Mesh {
    std::string name;
    size_t vertices = 0, triangles = 0;
  };
  std::vector<Mesh> meshes;
};

// Called after every frame.
using ExportProgress = std::function<void(int64_t done, int64_t frames)>;

Result<Exported> export_run(const RunReader& run, const ExportRequest& request,
                            const ExportProgress& progress, const Control& control);

// A mesh file for ShapeOptions::carried, named after its stem.
Result<exporting::CarriedSurface> read_carried(const std::string& body, const std::string& file);

}  // namespace sinew::run
