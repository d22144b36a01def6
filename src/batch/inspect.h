#pragma once
// Looking at a data set: how far it is, and whether it is what it says.
//
//     Status status = status_of(*folder);
//     Result<std::vector<Damage>> damage = find_damage(*folder);   // then spot_check()
#include <cstdint>
#include <string>
#include <vector>

#include "base/control.h"
#include "batch/data_folder.h"

namespace sinew::batch {

struct Status {
  int64_t samples = 0, shards = 0;
  int64_t complete = 0;              // shards
  int64_t solved = 0, failed = 0;    // samples of complete shards
  int64_t journalled = 0;            // samples of unfinished shards that are done
  int64_t working = 0;               // shards that somebody holds
  std::vector<std::string> reasons;  // of failed samples: "12 x why", the most frequent first
  std::string hash;                  // of the data set; empty: not collected yet
};
Status status_of(const DataFolder& folder);
json::Json to_json(const Status& status);

struct Damage {
  int64_t shard = -1;  // -1: a file beside the shards
  std::string what;
};
// Missing shards, sums that do not hold, files that are not what the shards make of them.
std::vector<Damage> find_damage(const DataFolder& folder);

// Solves some samples again, with all that they start from, and compares what is stored bit for bit. The text names what
// differs.
struct SpotCheck {
  std::vector<int64_t> samples;        // that were solved again
  std::vector<std::string> different;  // what is not the same
};
Result<SpotCheck> spot_check(const DataFolder& folder, int64_t count, const Control& control);

}  // namespace sinew::batch
