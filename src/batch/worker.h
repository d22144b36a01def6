#pragma once
// A worker takes shards of a data set one after the other and solves their samples, on one thread. Samples of one level of
// the warm start tree are solved together, in groups whose size depends on the mesh alone; each goes to the journal as
// soon as its group is done.
//
//     Result<void> ok = work(folder, {.part = 0, .parts = 2}, on_sample, control);
#include <cstdint>
#include <functional>

#include "base/control.h"
#include "base/result.h"
#include "batch/data_folder.h"

namespace sinew::batch {

struct WorkOptions {
  int64_t part = 0, parts = 1;  // shards whose number leaves this rest
};

// Solves what is asked for of a shard, and what that starts from. `wanted`: of the shard's samples; empty: all.
// `journal`: null where nothing is kept. Results of samples that are not wanted have no fields.
Result<std::vector<SampleResult>> solve_shard(const DataFolder& folder, int64_t shard,
                                              const std::vector<char>& wanted, Journal* journal,
                                              const std::function<void(const Entry&)>& on_sample,
                                              const Control& control);

// Works until every shard of the part is there, also those that others work on. Stops early, without an error, when cancelled.
Result<void> work(const DataFolder& folder, const WorkOptions& options,
                  const std::function<void(const Entry&)>& on_sample, const Control& control);

}  // namespace sinew::batch
