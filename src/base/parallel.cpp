#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace sinew {

namespace {

// A pool written by hand because the caller must not wait for workers that have not started: with OpenMP's barriers a
// solver on a busy machine loses a time slice at each of its thousands of short loops. Here the caller waits for blocks,
// not for threads, and does them itself if nobody else comes.
//
// Each thread has a segment of the indices, so that it meets the same memory in every loop, and helps with the other
// segments when its own is done. A ticket is (generation << 32 | next index): a worker that comes late fails to claim.
class Pool {
 public:
  static constexpr int max_threads = 256;

  ~Pool() {
    stop_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& thread : workers_) thread.join();
  }

  void run(int threads, int64_t count, void* context, void (*body)(void*, int64_t)) {
    const std::lock_guard lock(mutex_);
    hire(threads - 1);
    const uint64_t generation = generation_.load(std::memory_order_relaxed) % 0xffffffff + 1;  // never 0
    context_.store(context, std::memory_order_relaxed);
    body_.store(body, std::memory_order_relaxed);
    count_.store(count, std::memory_order_relaxed);
    threads_.store(threads, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    for (int s = 0; s < threads; ++s)
      segment_[s].ticket.store(generation << 32 | static_cast<uint64_t>(count * s / threads),
                               std::memory_order_release);
    generation_.store(generation, std::memory_order_release);
    generation_.notify_all();
    help(0, generation);
    for (int spin = 0; done_.load(std::memory_order_acquire) < count; ++spin) pause(spin);
    // Closed: a worker that still looks for work of this generation must not meet the next one's numbers.
    for (int s = 0; s < threads; ++s) segment_[s].ticket.store(0, std::memory_order_release);
    if (failed_.exchange(false)) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  struct alignas(64) Segment {
    std::atomic<uint64_t> ticket{0};
  };

  // A system that refuses a thread, or the memory for it, leaves its segment to the others.
  void hire(int count) {
    try {
      while (static_cast<int>(workers_.size()) < count)
        workers_.emplace_back([this, id = static_cast<int>(workers_.size()) + 1] { work(id); });
    } catch (const std::exception&) {
    }
  }

  // An exception of a block is thrown again where the loop was called, once no thread works on it any more. Blocks that have not
  // begun by then are left out.
  void call(void* context, void (*body)(void*, int64_t), int64_t index) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      body(context, index);
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  static void relax() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }

  static void pause(int spin) {
    if (spin < 4000)
      relax();
    else
      std::this_thread::yield();
  }

  void work(int id) {
    outside = false;
    uint64_t seen = 0;
    while (true) {
      uint64_t generation = generation_.load(std::memory_order_acquire);
      for (int spin = 0; generation == seen && spin < 2000; ++spin) {
        relax();
        generation = generation_.load(std::memory_order_acquire);
      }
      if (generation == seen) {
        generation_.wait(seen, std::memory_order_acquire);
        continue;
      }
      if (stop_.load()) return;
      seen = generation;
      help(id, generation);
    }
  }

  void help(int id, uint64_t generation) {
    const int threads = threads_.load(std::memory_order_relaxed);
    const int64_t count = count_.load(std::memory_order_relaxed);
    void* context = context_.load(std::memory_order_relaxed);
    const auto body = body_.load(std::memory_order_relaxed);
    if (id >= threads) return;
    for (int k = 0; k < threads; ++k) {
      const int s = (id + k) % threads;
      const auto end = static_cast<uint64_t>(count * (s + 1) / threads);
      uint64_t ticket = segment_[s].ticket.load(std::memory_order_acquire);
      while (ticket >> 32 == generation && (ticket & 0xffffffff) < end) {
        if (!segment_[s].ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel))
          continue;
        call(context, body, static_cast<int64_t>(ticket & 0xffffffff));
        done_.fetch_add(1, std::memory_order_release);
        ++ticket;
      }
    }
  }

 public:
  static thread_local bool outside;  // of any loop: a loop inside a loop runs alone

 private:
  std::mutex mutex_;
  std::vector<std::thread> workers_;
  std::atomic<uint64_t> generation_{0};
  std::atomic<bool> stop_{false};
  std::atomic<void*> context_{nullptr};
  std::atomic<void (*)(void*, int64_t)> body_{nullptr};
  std::atomic<int64_t> count_{0}, done_{0};
  std::atomic<int> threads_{0};
  Segment segment_[max_threads];
  std::mutex error_mutex_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

// Not zero at the start: with thread-local zeros alone, mold 1.10 makes programs that do not start where the code ends
// within eight bytes of a page's end.
thread_local bool Pool::outside = true;

Pool& pool() {
  static Pool instance;
  return instance;
}

std::atomic<int> configured{0};

}  // namespace

void set_thread_count(int count) { configured = std::clamp(count, 0, Pool::max_threads); }

int thread_count() {
  if (const int count = configured.load(std::memory_order_relaxed); count > 0) return count;
  // Asked once: the system reads a file for it.
  static const int cores =
      std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, Pool::max_threads);
  return cores;
}

SerialLoops::SerialLoops() : outside_(std::exchange(Pool::outside, false)) {}

SerialLoops::~SerialLoops() { Pool::outside = outside_; }

namespace detail {

void run_indices(int64_t count, void* context, void (*body)(void*, int64_t)) {
  constexpr int64_t most = int64_t{1} << 31;  // a ticket counts in 32 bits
  const int threads = static_cast<int>(std::min<int64_t>(thread_count(), count));
  if (threads <= 1 || !Pool::outside || count > most) {
    for (int64_t i = 0; i < count; ++i) body(context, i);
    return;
  }
  struct Inside {
    Inside() { Pool::outside = false; }
    ~Inside() { Pool::outside = true; }
  } const mark;
  pool().run(threads, count, context, body);
}

}  // namespace detail

}  // namespace sinew
