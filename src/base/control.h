#pragma once
// A caller gives a long computation a Control, by which it can be cancelled and can report its progress.
#include <atomic>
#include <functional>
#include <span>

namespace sinew {

// Checked at every Newton iteration and sweep. Set from a signal handler or another thread.
class Cancel {
 public:
  void request() { flag_.store(true, std::memory_order_relaxed); }
  bool requested() const { return flag_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
};

// The caller's ears. Every member may be empty.
struct Control {
  const Cancel* cancel = nullptr;
  std::function<void(double relative_residual)> on_residual;  // after every iteration

  // The coordinates of all nodes, three by three, after every iteration.
  std::function<void(std::span<const double> coordinates)> on_iterate = {};

  bool cancelled() const { return cancel && cancel->requested(); }
  void residual(double relative) const {
    if (on_residual) on_residual(relative);
  }
  template <class Positions>
  void iterate(const Positions& x) const {
    if (on_iterate) on_iterate({x.data()->v, 3 * x.size()});
  }
};

}  // namespace sinew
