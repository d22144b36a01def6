#pragma once
// Runs a scene frame by frame into a folder: steps, statistics, exports, expectations, checkpoints. Exports that hold all
// frames in one file are written at the end, unless the run was interrupted. A frame that fails ends the run: it is written as
// far as it came, with its own time and the status "failed", and the checkpoint is that of the frame before.
// Cancelling stops after the iteration and leaves a checkpoint at the last whole frame; going on from a
// checkpoint gives the same bits as a run that was not stopped. Nothing is printed.
//
//     RunOutcome outcome = run(scene, built, {.folder = "out"}, {}, control);
//     if (outcome.error) ...
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/control.h"
#include "run/run_folder.h"
#include "run/statistics.h"
#include "scene/scene.h"

namespace sinew::run {

struct RunOptions {
  std::filesystem::path folder;
  FolderOptions existing;
  int64_t first_frame = 0;                          // frames before it are computed but not written
  int64_t last_frame = -1;                          // stop after this one; -1: that of the scene
  std::optional<std::vector<std::string>> exports;  // instead of the scene's
  std::vector<std::string> command;                 // for run.json
  std::vector<json::Json> edits;                    // of a session, by frame (run/simulation.h)
  int64_t session_frames = -1;                      // its length, instead of the scene's
  double build_seconds = 0;                         // that the scene took to build, for run.json
};

struct FrameDone {
  int64_t frame = 0, last = 0;
  double time = 0;     // [s]
  double seconds = 0;  // that the frame took
  int iterations = 0;
  double relative_residual = 0;
  bool converged = true;
};

// Called on the thread that runs. Every member may be empty.
struct Progress {
  std::function<void(int64_t first, int64_t last)> on_begin;  // the first frame that is computed
  std::function<void(const FrameDone&)> on_frame;
  std::function<void(const std::string&)> on_warning;  // also of a reason
  // After every frame of the formats that hold all frames in one file, once the run is over.
  std::function<void(const std::string& formats, int64_t done, int64_t frames)> on_export;
};

struct RunOutcome {
  RunStatus status = RunStatus::failed;
  std::optional<Error> error;                   // why it failed
  int64_t frame = 0;                            // the last one computed
  int64_t not_converged = 0;                    // frames that did not reach the tolerance
  std::string state_hash;                       // of State at that frame, 16 hexadecimal digits
  std::vector<ExpectationResult> expectations;  // those whose frame was reached
  std::vector<FrameReason> reasons;             // of the first frames that did not converge
  std::vector<std::string> warnings;
  std::vector<std::string> files;  // to open, relative to the folder
  double seconds = 0;              // wall clock of this part of the run

  bool expectations_met() const;
};

RunOutcome run(const scene::Scene& scene, const scene::Built& built, const RunOptions& options,
               const Progress& progress, const Control& control);

// The outcome as JSON: what `run --json` prints, and part of run.json.
json::Json to_json(const RunOutcome& outcome);

}  // namespace sinew::run
