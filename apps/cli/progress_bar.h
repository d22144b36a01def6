#pragma once
// Frame, residual and time left of a run, or another part of a whole: a bar that is redrawn on a terminal, else at most
// one line a second.
#include <chrono>
#include <string>

#include "run/runner.h"

namespace sinew::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();

  void begin(int64_t first, int64_t last);
  void residual(double relative);  // after every iteration
  void frame(const run::FrameDone& done);
  void show(double fraction, const std::string& text);  // of anything
  void end();                                           // clears the bar
  void message(const std::string& text);                // a warning, above the bar

 private:
  using Clock = std::chrono::steady_clock;
  std::string text(double residual) const;
  void draw(double fraction, const std::string& text, bool now);
  double fraction() const;
  bool due() const;

  bool quiet_, terminal_, drawn_ = false;
  int64_t first_ = 0, last_ = 0, frame_ = 0;
  int iteration_ = 0;
  Clock::time_point begin_, shown_;
};

}  // namespace sinew::cli
