#pragma once
// A process works on the shards of a data set whose number leaves the remainder `part` when divided by `parts`.
#include <cstdint>
#include <string>

#include "base/result.h"

namespace sinew::cli {

struct Part {
  int64_t part = 0, parts = 1;
};

// "i/N"; "auto": from the variables that Slurm gives the tasks of a job array; empty: all.
Result<Part> part_of(const std::string& text);

}  // namespace sinew::cli
