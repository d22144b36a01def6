#pragma once
// An exporter writes Frames for other programs. Each file of this folder that defines
// const Exporter& exporter_<stem>() adds one, found by name. What a Frame holds, its axes and its unit are
// settled before (exporting/frame_shape.h): an exporter only writes. exporting/exports.h drives several.
//
//     auto out = find_exporter("pvd")->begin(plan);
//     out->frame(frame);  out->end();
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exporting/frame.h"

namespace sinew::exporting {

struct ExportPlan {
  std::filesystem::path folder;       // of the run; exporters make their own folders in it
  std::span<const FrameMesh> meshes;  // at rest, in the order of the frames' meshes; outlive the Export
  std::vector<FrameStamp> earlier;    // when a run is continued, ascending
  // All that will come, `step` indices apart, for exporters that write at the end.
  std::vector<FrameStamp> frames;
  int64_t step = 1;
  double fps = 30;    // frames a second
  bool rest = false;  // the one frame is the rest pose
  bool z_up = false;  // else y up
  double unit = 1;    // of the positions [m]

  // "BODY_00012.obj", or "BODY_rest.obj".
  std::string frame_file(const std::string& name, int64_t index, std::string_view ending) const;
  // "BODY.pc2", or "BODY_rest.pc2".
  std::string file(const std::string& name, std::string_view ending) const;
};

// Paths relative to the folder of the run.
using Files = std::vector<std::string>;

class Export {
 public:
  virtual ~Export() = default;  // without end(): files that are not whole are gone
  // The files that were written; whole at any moment.
  virtual Result<Files> frame(const Frame& frame) = 0;
  // Also called after an interruption, unless the exporter writes at the end.
  virtual Result<Files> end() = 0;
  // The files to open, once there are frames.
  virtual Files main_files() const = 0;
};

struct Exporter {
  std::string_view name;
  std::string_view doc;
  Result<std::unique_ptr<Export>> (*begin)(const ExportPlan&);
  // Whether a path relative to the folder of a run is one that this exporter writes.
  bool (*owns)(const std::filesystem::path&);

  bool at_end = false;  // all frames in one file: they must be known, so it is written when a run has ended
  bool volume = false;  // takes all nodes and tets unless asked otherwise; else the surface
  bool fields = false;  // keeps fields
  bool y_up_in_metres = false;    // the format leaves no choice
  int64_t max_frames = 0;         // 0: any number
  std::string_view instead = {};  // where there are too many: what else to write
};

// All exporters of this build, by name in ascending order.
std::span<const Exporter* const> exporters();
const Exporter* find_exporter(std::string_view name);
// The exporters of a list of names, each once; an error names the nearest word.
Result<std::vector<const Exporter*>> find_exporters(std::span<const std::string> names);
// Refuses more frames than the format holds, and says what to do.
Result<void> check_frame_count(const Exporter& exporter, int64_t frames);

// For exporters: whether a path is what ExportPlan::frame_file() names, in a folder. Folders called obj may hold other
// things.
bool is_frame_file(const std::filesystem::path& path, std::string_view folder, std::string_view ending);

}  // namespace sinew::exporting
