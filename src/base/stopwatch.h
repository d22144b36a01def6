#pragma once
// Seconds since it was made. With a total they are added to it at the end of the scope. For reports only: no decision may
// depend on time.
//
//     const Stopwatch watch(report.seconds_assembly);
#include <chrono>

namespace sinew {

class Stopwatch {
 public:
  Stopwatch() = default;
  explicit Stopwatch(double& total) : total_(&total) {}
  ~Stopwatch() {
    if (total_) *total_ += seconds();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double* total_ = nullptr;
  Clock::time_point start_ = Clock::now();
};

}  // namespace sinew
