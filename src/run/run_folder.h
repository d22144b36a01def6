#pragma once
// The folder of a run. Every file in it is whole at any moment, whenever the process dies:
//
//     run.json        version, status, resolved scene, machine, threads, timings, state_hash, hashes of files
//     stats.jsonl     one line per frame (run/statistics.h)
//     scene_files/    copies of the files that the scene names; the scene of run.json names these
//     frames/         frame_00001.npz: time [s], x (N,3) [m], v (N,3) [m/s] for dynamic scenes, and with contacts
//                     contact_key (C,6), contact_force (C,3) [N], contact_node_force (N,3) [N]
//     checkpoint.bin  where the run can go on (run/checkpoint.h), with lines that stats.jsonl still lacks
//     vtk/ ...        what the exporters write
//     report.html     the run in words, pictures and curves (report/report.h), without a hash in run.json
//
// A folder belongs to one scene. open() refuses another scene's folder and one that is in use.
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/rewrite.h"
#include "json/json.h"
#include "model/state.h"
#include "run/checkpoint.h"
#include "scene/scene.h"

namespace sinew::run {

enum class RunStatus { running, done, not_converged, interrupted, failed };

constexpr const char* name_of(RunStatus status) {
  constexpr const char* names[] = {"running", "done", "not_converged", "interrupted", "failed"};
  return names[static_cast<int>(status)];
}

struct FolderOptions {
  bool resume = false;  // go on from the checkpoint, or begin where there is none
  bool force =
      false;  // alone: remove what an earlier run wrote; with resume: go on though scene or program changed
};

// Held while the object lives, alone or shared. Dies with the process, so nothing is left to clean up. Where the file
// system has no locks there are none.
class FolderLock {
 public:
  FolderLock() = default;
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FolderLock();
  // Alone; an error at once where another process holds it in any way. A share that was held is lost in both cases, for a
  // moment at least: others may come first.
  Result<void> take(const std::filesystem::path& folder);
  // Beside others who share it. Waits some seconds for one who holds it alone.
  Result<void> share(const std::filesystem::path& folder);

 private:
  Result<void> open(const std::filesystem::path& folder);
  int fd_ = -1;  // of the folder
};

class RunFolder {
 public:
  static Result<RunFolder> open(const std::filesystem::path& folder, const std::string& scene_hash,
                                const FolderOptions& options);

  const std::filesystem::path& path() const { return folder_; }
  // The checkpoint at which an earlier run stopped.
  const std::optional<Checkpoint>& checkpoint() const { return checkpoint_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // After open(): the lines of stats.jsonl, by frame. Later those that it still lacks.
  const std::vector<json::Json>& lines() const { return lines_; }

  // Copies what is not there yet.
  Result<void> keep_files(std::span<const scene::PortableScene::File> files);
  Result<void> add_line(json::Json line);
  // Gives the hash of the file. In the frame's line, as "frame_hash", it lets open() see whether the frame is still what was
  // written.
  Result<std::string> write_frame(int64_t index, const model::State& state, bool velocities);
  Result<void> write_checkpoint(int64_t frame, const model::State& state);
  Result<void> write_lines();                         // stats.jsonl, if lines are missing in it
  Result<void> write_summary(const json::Json& run);  // run.json
  // Notes the hash of a file that is now there.
  Result<void> note_file(const std::string& relative);
  // [{path, hash}] of everything noted and of what an earlier part of the run left.
  Result<json::Json> file_hashes();

 private:
  RunFolder() = default;
  Result<void> load(const FolderOptions& options);
  bool is_as_written(const json::Json& line);  // the frame of a line with its hash
  Result<void> clear();
  void remove_unfinished();
  std::string file(std::string_view relative) const { return (folder_ / relative).string(); }

  std::filesystem::path folder_;
  std::string scene_hash_;
  FolderLock lock_;
  std::optional<Checkpoint> checkpoint_;
  std::vector<std::string> warnings_;
  std::vector<json::Json> lines_;
  std::string text_;        // of all lines
  int64_t line_count_ = 0;  // of all
  io::Rewrite rewrite_;
  std::map<std::string, std::string> hashes_;
};

std::string frame_file(int64_t index);  // "frames/frame_00001.npz"
constexpr const char* scene_files = "scene_files";

// run.json and stats.jsonl of a run, for reading only.
Result<json::Json> read_run(const std::filesystem::path& folder);
Result<std::vector<json::Json>> read_lines(const std::filesystem::path& folder);
// The frame of a line of stats.jsonl; -1 where it has none.
int64_t frame_of(const json::Json& line);

}  // namespace sinew::run
