#include "base/stopwatch.h"

#include <gtest/gtest.h>
#include <thread>

namespace sinew {
namespace {

TEST(Stopwatch, AddsItsScopeToATotal) {
  double total = 1;
  const Stopwatch outer;
  {
    const Stopwatch watch(total);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(total, 1);
  }
  EXPECT_GE(total, 1.002);
  EXPECT_LE(total - 1, outer.seconds());
}

}  // namespace
}  // namespace sinew
