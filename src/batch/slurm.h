#pragma once
// A data set made by a Slurm job array. The folder of the data set gets two scripts that can be read, changed and
// submitted by hand, and the logs of their jobs:
//
//     slurm/array.sh     task i of N works on the shards i, i + N, i + 2 N, ... on one thread
//     slurm/collect.sh   runs when all tasks have ended, however they did
//
//     SlurmArray array{tool, folder, 4, "--partition=short"};
//     write_scripts(array);   Result<SlurmJobs> jobs = submit(array);   queued(*jobs)
#include <filesystem>
#include <string>

#include "base/result.h"

namespace sinew::batch {

struct SlurmArray {
  std::filesystem::path tool;    // this program; absolute, where every node sees it
  std::filesystem::path folder;  // of the data set; likewise
  int tasks = 1;
  std::string options;  // more of sbatch's, as in a script's #SBATCH line
};

std::string array_script(const SlurmArray& array);
std::string collect_script(const SlurmArray& array);
// Refuses what a line of a script cannot hold.
Result<void> write_scripts(const SlurmArray& array);

struct SlurmJobs {
  std::string array, collect;  // ids
};
// Submits both scripts, which must be there. The second waits for the first.
Result<SlurmJobs> submit(const SlurmArray& array);

// Tasks of these jobs that wait or run; none: they have ended.
struct Queued {
  int pending = 0, running = 0;
  bool none() const { return pending + running == 0; }
};
Result<Queued> queued(const SlurmJobs& jobs);

}  // namespace sinew::batch
