#pragma once
// Progress of a data set: samples, rate, time left and failures, from what the workers tell.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <string>

#include "print.h"
#include "progress_bar.h"

namespace sinew::cli {

class Tally {
 public:
  Tally(int64_t total, bool quiet) : bar_(quiet), total_(std::max<int64_t>(total, 1)) {}

  void add(bool solved) {
    ++done_;
    failed_ += !solved;
  }
  void show() {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double rate = static_cast<double>(done_) / std::max(seconds, 1e-3);
    std::string text = fmt::format("sample {}/{}  {:.1f}/s", done_, total_, rate);
    if (done_ > 0)
      text += fmt::format("  {} left",
                          time_text(static_cast<double>(std::max<int64_t>(total_ - done_, 0)) / rate));
    text += fmt::format("  {:.1f} % failed",
                        done_ > 0 ? 100.0 * static_cast<double>(failed_) / static_cast<double>(done_) : 0);
    bar_.show(std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)), text);
  }
  void end() { bar_.end(); }
  int64_t done() const { return done_; }

 private:
  using Clock = std::chrono::steady_clock;
  ProgressBar bar_;
  int64_t total_, done_ = 0, failed_ = 0;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace sinew::cli
