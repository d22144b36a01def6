#pragma once
// The folder of a data set. What is final in it depends on the study, the scene and the program alone, byte for byte, not
// on who worked on it, in which order or how often they were stopped:
//
//     study.json      the study with every default, the scene with every default, version, binary id, their hash
//     scene_files/    copies of the files that the scene names: the folder needs nothing outside it
//     rest.npz        X, tets, surface nodes and triangles of each body
//     shards/         00000.npz: index, parameters and the kept fields of the solved samples of one shard
//                     00000.jsonl: a header with the hash of the npz, then a line for each sample (batch/shard.h)
//     dataset.json    fields, shapes, units, variables, split, hashes of all of the above; written at the end
//     manifest.jsonl  a line for each sample      failed.jsonl: those that were not solved, with reasons
//     log.jsonl       when what was done; the only file with times, and no part of the data set's hash
//
// While work goes on: shards/00000.lock (batch/shard_lock.h) and shards/00000.journal (batch/journal.h).
//
// Whoever uses the folder shares its lock, which is that of `sinew run`; whoever makes, replaces or changes the data set
// holds it alone. So one study at a time is in a folder, whatever `--force` says.
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/sample_scenes.h"
#include "batch/shard.h"
#include "batch/study.h"
#include "run/run_folder.h"

namespace sinew::batch {

class DataFolder {
 public:
  // The folder of this study, made where there is none. One of another study or program is refused, unless `force`
  // removes what it holds.
  static Result<DataFolder> create(const std::filesystem::path& folder, const Study& study,
                                   const SampleScenes& scenes, bool force);
  // One that is there. `solving`: only by the program that made it.
  static Result<DataFolder> open(const std::filesystem::path& folder, bool solving);

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path shards_path() const { return folder_ / "shards"; }
  const Study& study() const { return *study_; }
  const SampleScenes& scenes() const { return *scenes_; }
  const std::string& hash() const { return hash_; }  // of study, scene and program

  bool is_complete(int64_t shard) const;
  int64_t complete_shards() const;
  // Writes rest.npz, manifest.jsonl, failed.jsonl and dataset.json of a data set whose shards are all there.
  Result<void> collect() const;
  // The hash of dataset.json, which holds the hashes of everything else; empty if the file is not there yet.
  std::string dataset_hash() const;
  void log(const std::string& event, json::Json details) const;

  // What follows is refused where others use the folder.
  // A larger number of samples. Shards that are not full any more are removed.
  Result<void> extend(int64_t samples);
  // Shards with failed samples are removed; made again, their failed samples are also tried from the nearest solved ones.
  Result<void> retry_failed();
  bool retries() const { return identity_["retry"].boolean(); }
  // Removes shards, so that they are made again.
  Result<void> remove_shards(std::span<const int64_t> shards);

  // Removes what killed processes left, unless somebody else is at work here.
  Result<void> tidy();

 private:
  DataFolder() = default;
  // Holds the folder alone, or again with others; an error where they have changed it in between.
  Result<void> take();
  Result<void> share();
  Result<void> check_unchanged() const;
  Result<void> remove_shard(int64_t shard) const;
  Result<void> change(json::Json identity);

  std::filesystem::path folder_;
  json::Json identity_;  // study.json
  std::string hash_;
  std::shared_ptr<const Study> study_;
  std::shared_ptr<const SampleScenes> scenes_;
  run::FolderLock lock_;
};

}  // namespace sinew::batch
