#include "progress_bar.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "print.h"

namespace sinew::cli {

namespace {
constexpr auto redraw = std::chrono::milliseconds(100);
constexpr auto relog = std::chrono::seconds(1);
constexpr size_t bar_width = 24;
}  // namespace

ProgressBar::ProgressBar(bool quiet)
    : quiet_(quiet), terminal_(is_terminal(STDERR_FILENO)), begin_(Clock::now()), shown_(begin_) {}

ProgressBar::~ProgressBar() { end(); }

void ProgressBar::begin(int64_t first, int64_t last) {
  first_ = first;
  last_ = last;
  frame_ = first - 1;
  begin_ = shown_ = Clock::now();
}

void ProgressBar::residual(double relative) {
  ++iteration_;
  if (terminal_ && due()) draw(fraction(), text(relative), true);
}

void ProgressBar::frame(const run::FrameDone& done) {
  frame_ = done.frame;
  iteration_ = 0;
  draw(fraction(), text(done.relative_residual), done.frame == done.last);
}

// "frame 12/60  residual 3.1e-07  0:03 left".
std::string ProgressBar::text(double residual) const {
  std::string s = fmt::format("frame {}/{}", std::max<int64_t>(frame_, 0), last_);
  if (iteration_ > 0) s += fmt::format("  iteration {}", iteration_);
  s += fmt::format("  residual {:.1e}", residual);
  const int64_t done = frame_ - std::max<int64_t>(first_, 1) + 1;  // frame 0 costs nothing
  if (done <= 0) return s;
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  return s + fmt::format("  {} left", time_text(elapsed / static_cast<double>(done) *
                                                static_cast<double>(last_ - frame_)));
}

double ProgressBar::fraction() const {
  return last_ > 0 ? static_cast<double>(std::max<int64_t>(frame_, 0)) / static_cast<double>(last_) : 1;
}

bool ProgressBar::due() const {
  return Clock::now() - shown_ >= (terminal_ ? Clock::duration(redraw) : Clock::duration(relog));
}

void ProgressBar::draw(double fraction, const std::string& text, bool now) {
  if (quiet_ || (!now && !due())) return;
  shown_ = Clock::now();
  if (!terminal_) return say(text);
  const auto filled = static_cast<size_t>(std::clamp(fraction, 0.0, 1.0) * bar_width);
  const std::string bar(filled, '#'), rest(bar_width - filled, '.');
  const std::string line = fmt::format("\r[{}{}{}{}] {}\033[K", colour() ? "\033[32m" : "", bar,
                                       colour() ? "\033[0m" : "", rest, text);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::show(double fraction, const std::string& text) {
  if (due()) draw(fraction, fmt::format("{:3.0f} %  {}", 100 * fraction, text), true);
}

void ProgressBar::end() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressBar::message(const std::string& text) {
  end();
  warn(text);
}

}  // namespace sinew::cli
