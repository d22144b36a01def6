#include "base/parallel.h"

#include <omp.h>

#include <algorithm>
#include <thread>

namespace sinew {

namespace {
int configured = 0;
}

void set_thread_count(int count) { configured = std::max(0, count); }

int thread_count() {
  if (configured > 0) return configured;
  return std::max(1u, std::thread::hardware_concurrency());
}

namespace detail {
void run_indices(int64_t count, void* context, void (*body)(void*, int64_t)) {
  const int threads = static_cast<int>(std::min<int64_t>(thread_count(), count));
  if (threads <= 1 || omp_in_parallel()) {
    for (int64_t i = 0; i < count; ++i) body(context, i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < count; ++i) body(context, i);
}
}  // namespace detail

}  // namespace sinew
