#pragma once
// The folder of a run, read: what was run, its statistics, its model and any frame. Nothing outside the folder is
// needed. Frames are read when they are asked for.
//
//     Result<RunReader> run = RunReader::open("heavy");
//     Result<model::State> state = run->state(i);
//     measure::Snapshot snapshot(run->built().model, run->built().model.params, *state);
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "exporting/frame.h"
#include "scene/scene.h"

namespace sinew::run {

class RunReader {
 public:
  // Refuses, with what to do: no run.json, one of a newer version, a scene that cannot be built again.
  static Result<RunReader> open(const std::filesystem::path& folder);
  // The same where the scene is at hand, built: both must outlive the reader.
  static Result<RunReader> open(const std::filesystem::path& folder, const scene::Scene& scene,
                                const scene::Built& built);

  const std::filesystem::path& folder() const { return folder_; }
  const json::Json& summary() const { return summary_; }           // run.json
  const std::vector<json::Json>& lines() const { return lines_; }  // of stats.jsonl, by frame
  std::span<const exporting::FrameStamp> frames() const {
    return frames_;
  }                                                                    // whose files are there, ascending
  std::span<const std::string> warnings() const { return warnings_; }  // what is missing
  const scene::Scene& scene() const { return *scene_; }
  const scene::Built& built() const { return *built_; }

  // Positions, and velocities and contacts where they are stored, at frames()[i].
  Result<model::State> state(size_t i) const;
  // Looks again for lines and frames: the run may still be going on.
  Result<void> refresh();

 private:
  RunReader() = default;
  static Result<RunReader> begin(const std::filesystem::path& folder);  // run.json alone
  std::filesystem::path folder_;
  json::Json summary_;
  std::vector<json::Json> lines_;
  std::vector<exporting::FrameStamp> frames_;
  std::vector<std::string> warnings_;
  std::shared_ptr<const scene::Scene> scene_;
  std::shared_ptr<const scene::Built> built_;
};

}  // namespace sinew::run
