#pragma once
// An exporter writes Frames for other programs. Each file of this folder that defines
// const Exporter& exporter_<stem>() adds one, found by name.
//
//     auto out = find_exporter("pvd")->begin({folder, earlier});
//     out->frame(frame);  out->end();
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/frame.h"

namespace sinew::record {

// A frame that an earlier part of the run has written.
struct FrameStamp {
  int64_t index = 0;
  double time = 0;  // [s]
};

struct ExportPlan {
  std::filesystem::path folder;     // of the run; exporters make their own folders in it
  std::vector<std::string> meshes;  // names, in the order of the frames' meshes
  std::vector<FrameStamp> earlier;  // when a run is continued, ascending
};

// Paths relative to the folder of the run.
using Files = std::vector<std::string>;

class Export {
 public:
  virtual ~Export() = default;
  // The files that were written; whole at any moment.
  virtual Result<Files> frame(const Frame& frame) = 0;
  // Also after an interruption.
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
};

// All exporters of this build, by name in ascending order.
std::span<const Exporter* const> exporters();
const Exporter* find_exporter(std::string_view name);

}  // namespace sinew::record
