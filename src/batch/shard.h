#pragma once
// A finished shard: 00000.npz with the arrays of its solved samples, in the order of their numbers, and 00000.jsonl with
// a line for each of its samples. The lines are written after the arrays and hold their hash: a shard is there when its
// lines are.
//
//     {"shard":0,"first":0,"samples":64,"solved":63,"npz":"<hash>","lines":"<hash of the lines below>"}
//     {"index":0,"shard":0,"row":0,"split":"train","values":{..},"status":"solved","residual":..,"iterations":5,"rung":"warm"}
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/journal.h"
#include "batch/outputs.h"
#include "batch/study.h"

namespace sinew::batch {

std::string shard_file(int64_t shard, const char* ending);  // "00003.npz"

// The data that a worker has of a sample when it writes the shard.
struct SampleResult {
  Entry entry;                              // without its State
  std::vector<std::vector<double>> fields;  // of the keep-list; empty: not solved
};

// Results in the order of the samples of the shard.
Result<void> write_shard(const std::filesystem::path& folder, const Study& study, const Outputs& outputs,
                         int64_t shard, const std::vector<SampleResult>& results);

struct ShardSummary {
  int64_t samples = 0, solved = 0;
  std::string npz;    // hash
  std::string lines;  // the text below the header, whose hash was checked
};
Result<ShardSummary> read_summary(const std::filesystem::path& folder, int64_t shard);
// Also checks the hash of the arrays, and that all are there with the right shapes.
Result<ShardSummary> verify_shard(const std::filesystem::path& folder, const Study& study,
                                  const Outputs& outputs, int64_t shard);

}  // namespace sinew::batch
