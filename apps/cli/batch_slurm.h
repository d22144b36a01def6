#pragma once
// `sinew batch slurm`: a data set is made by a Slurm job array.
#include <string>

#include "base/control.h"
#include "batch/data_folder.h"

namespace sinew::cli {

struct SlurmOptions {
  double tasks = 0;
  std::string options;  // of sbatch
  bool dry_run = false, wait = false, quiet = false;
};

// Writes the scripts and submits them. The exit code; nothing: the jobs were waited for and have ended.
std::optional<int> run_on_slurm(const batch::DataFolder& folder, const SlurmOptions& options,
                                const Cancel& cancel);

}  // namespace sinew::cli
