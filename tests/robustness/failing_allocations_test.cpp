#include "failing_allocations.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <new>

namespace {

std::atomic<int64_t> count{0}, fail_at{0};  // fail_at 0: never
std::atomic<bool> all_later{false};

void* allocate(size_t size, size_t alignment) {
  if (const int64_t at = fail_at; at > 0) {
    const int64_t n = ++count;
    if (n == at || (n > at && all_later)) throw std::bad_alloc();
  }
  alignment = std::max(alignment, alignof(std::max_align_t));
  const size_t rounded = (std::max<size_t>(size, 1) + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The other forms of new and delete call these; sanitizers bring their own of those that do not throw.
void* operator new(size_t size) { return allocate(size, 1); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return allocate(size, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}
// g++ 12 does not see that new is ours as well.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace sinew {

void FailingAllocations::start() {
  count = 0;
  all_later = lasting_;
  fail_at = n_;
}

void FailingAllocations::stop() { fail_at = 0; }

bool FailingAllocations::failed() const { return count >= n_; }

namespace {

TEST(FailingAllocations, OneOrAllThatFollow) {
  for (const bool lasting : {false, true}) {
    FailingAllocations failing(2, lasting);
    failing.start();
    bool thrown[3] = {};
    for (bool& t : thrown) try {
        ::operator delete(::operator new(4));  // a new-expression may be optimised away
      } catch (const std::bad_alloc&) {
        t = true;
      }
    failing.stop();
    EXPECT_TRUE(failing.failed());
    EXPECT_FALSE(thrown[0]);
    EXPECT_TRUE(thrown[1]);
    EXPECT_EQ(thrown[2], lasting);
  }
}

}  // namespace
}  // namespace sinew
