#include "base/parallel.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <thread>

namespace sinew {
namespace {

class Parallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(0); }
};

TEST_P(Parallel, VisitsEveryIndexOnce) {
  for (int64_t count : {0, 1, 2, 3, 7, 8, 9, 100, 1023, 5000}) {
    std::vector<std::atomic<int>> visits(count);
    for_each_index(count, [&](int64_t i) { ++visits[i]; });
    for (int64_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << count;
  }
}

TEST_P(Parallel, ThrowsAgainWhatACallThrows) {
  for (int64_t count : {1, 3, 1000}) {
    EXPECT_THROW(for_each_index(count,
                                [&](int64_t i) {
                                  if (i == count / 2) throw std::bad_alloc();
                                }),
                 std::bad_alloc);
    EXPECT_THROW(for_each_index(count, [&](int64_t) { throw std::bad_alloc(); }), std::bad_alloc);
    // And goes on as before.
    std::atomic<int64_t> calls{0};
    for_each_index(count, [&](int64_t) { ++calls; });
    EXPECT_EQ(calls, count);
  }
}

TEST_P(Parallel, BlocksCoverTheRange) {
  for (int64_t n : {0, 1, 15, 16, 17, 1000})
    for (int64_t block : {1, 16, 4096}) {
      std::vector<std::atomic<int>> visits(n);
      std::atomic<int64_t> blocks{0};
      for_each_block(n, block, [&](int64_t begin, int64_t end) {
        ++blocks;
        EXPECT_EQ(begin % block, 0);
        EXPECT_LE(end - begin, block);
        for (int64_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(blocks, (n + block - 1) / block);
      for (int64_t i = 0; i < n; ++i) ASSERT_EQ(visits[i], 1);
    }
}

// Numbers of very different sizes: any other order of summation would show.
double sum_of(const std::vector<double>& values, int64_t block) {
  return sum_blocks(static_cast<int64_t>(values.size()), block, [&](int64_t begin, int64_t end) {
    double s = 0;
    for (int64_t i = begin; i < end; ++i) s += values[i];
    return s;
  });
}

TEST_P(Parallel, SumsHaveTheBitsOfOneThread) {
  for (size_t n : {0, 1, 31, 32, 33, 5000, 40000}) {
    std::vector<double> values(n);
    std::mt19937_64 random(n);
    std::uniform_real_distribution<double> exponent(-30, 30);
    for (size_t i = 0; i < n; ++i) values[i] = std::exp(exponent(random)) * (i % 2 ? 1 : -1);
    // In order, block by block, with no thread at all.
    double expected = 0;
    for (size_t begin = 0; begin < n; begin += 32) {
      double partial = 0;
      for (size_t i = begin; i < std::min(begin + 32, n); ++i) partial += values[i];
      expected += partial;
    }
    const double sum = sum_of(values, 32);
    EXPECT_EQ(std::memcmp(&sum, &expected, sizeof sum), 0) << n;
  }
}

TEST_P(Parallel, SumsOfSeveralQuantities) {
  // 40000 / 8 blocks: more than are summed at a time.
  const auto [count, squares] = sum_blocks_n<2>(40000, 8, [](int64_t begin, int64_t end) {
    std::array<double, 2> s{};
    for (int64_t i = begin; i < end; ++i) s[0] += 1, s[1] += static_cast<double>(i * i);
    return s;
  });
  EXPECT_EQ(count, 40000);
  EXPECT_EQ(squares, 39999.0 * 40000 * 79999 / 6);
}

TEST_P(Parallel, LoopsInsideLoops) {
  std::atomic<int> calls{0};
  for_each_index(10, [&](int64_t) { for_each_index(10, [&](int64_t) { ++calls; }); });
  EXPECT_EQ(calls, 100);
}

TEST_P(Parallel, SerialLoopsStayOnTheirThread) {
  const auto self = std::this_thread::get_id();
  std::vector<int64_t> visits;
  {
    const SerialLoops serial;
    for_each_index(100, [&](int64_t i) {
      ASSERT_EQ(std::this_thread::get_id(), self);
      visits.push_back(i);
    });
    const SerialLoops again;
  }
  EXPECT_TRUE(std::is_sorted(visits.begin(), visits.end()));
  EXPECT_EQ(visits.size(), 100u);
  // And goes on as before.
  std::atomic<int> calls{0};
  for_each_index(100, [&](int64_t) { ++calls; });
  EXPECT_EQ(calls, 100);
}

// Loop after loop, so short that some threads come late or not at all.
TEST_P(Parallel, ManyShortLoops) {
  std::vector<int> visits(16);
  int64_t expected = 0, sum = 0;
  for (int loop = 0; loop < 5000; ++loop) {
    const int count = loop % 17;
    for_each_index(count, [&](int64_t i) { visits[i] = loop; });
    for (int i = 0; i < count; ++i) sum += visits[i], expected += loop;
  }
  EXPECT_EQ(sum, expected);
}

TEST_P(Parallel, CallersFromSeveralThreads) {
  std::atomic<int> calls{0};
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k)
    callers.emplace_back([&] {
      for (int loop = 0; loop < 300; ++loop) for_each_index(7, [&](int64_t) { ++calls; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls, 3 * 300 * 7);
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Range(1, 9));

TEST(ThreadCount, IsWhatWasSet) {
  set_thread_count(3);
  EXPECT_EQ(thread_count(), 3);
  set_thread_count(-5);
  EXPECT_GE(thread_count(), 1);
  set_thread_count(0);
  EXPECT_GE(thread_count(), 1);
}

}  // namespace
}  // namespace sinew
