#pragma once
// Workers as processes: each is started again when it dies, all are asked to stop when one meets an error or the caller
// cancels. A worker tells what it did through a pipe, a line for each sample: "1 12" solved, "0 12" not.
//
//     Result<int> code = run_workers({"/usr/bin/sinew", "batch", "work", "DIR"}, 2, on_sample, cancel);
#include <functional>
#include <string>
#include <vector>

#include "base/control.h"
#include "base/result.h"

namespace sinew::batch {

struct WorkersReport {
  int code = 0;       // of the worker that ended with an error; 0: all is done
  int restarted = 0;  // workers that died and were started again
};

// `on_wait` is called about ten times a second. The command runs with `--worker-pipe FD` added. An error where workers
// die again and again without finishing a sample.
Result<WorkersReport> run_workers(const std::vector<std::string>& command, int count,
                                  const std::function<void(int64_t index, bool solved)>& on_sample,
                                  const std::function<void()>& on_wait, const Cancel& cancel);

}  // namespace sinew::batch
