#pragma once
// Loops over fixed blocks. The blocks depend on the length alone, never on the number of threads, and
// sums are taken block by block in index order: the same bits for any thread count.
//
//     for_each_block(n, 1024, [&](int64_t begin, int64_t end) { ... });
//     double s = sum_blocks(n, 1024, [&](int64_t begin, int64_t end) { return partial; });
#include <array>
#include <cstdint>
#include <vector>

namespace sinew {

void set_thread_count(int count);  // 0: as many as there are cores
int thread_count();

// While one lives, the loops of its thread run on that thread alone: for callers that have threads of their own.
class SerialLoops {
 public:
  SerialLoops();
  ~SerialLoops();
  SerialLoops(const SerialLoops&) = delete;
  SerialLoops& operator=(const SerialLoops&) = delete;

 private:
  bool outside_;  // of any loop, before
};

namespace detail {
// Calls body(context, i) for i in [0, count), spread over the threads.
void run_indices(int64_t count, void* context, void (*body)(void*, int64_t));
}  // namespace detail

// f(i) for every i in [0, count), in any order and at the same time. What one throws is thrown again at the end.
template <class F>
void for_each_index(int64_t count, F&& f) {
  detail::run_indices(
      count, &f, [](void* context, int64_t i) { (*static_cast<std::remove_reference_t<F>*>(context))(i); });
}

// f(begin, end) for every block of at most `block` indices.
template <class F>
void for_each_block(int64_t n, int64_t block, F&& f) {
  for_each_index((n + block - 1) / block, [&](int64_t b) {
    const int64_t begin = b * block;
    f(begin, begin + block < n ? begin + block : n);
  });
}

// Sums of `width` quantities at once: f(begin, end) returns std::array<double, width>.
template <int width, class F>
std::array<double, width> sum_blocks_n(int64_t n, int64_t block, F&& f) {
  const int64_t count = (n + block - 1) / block;
  std::array<double, width> total{};
  constexpr int64_t chunk = 512;  // partials live on the stack: no allocation inside solvers
  std::array<std::array<double, width>, chunk> partial;
  for (int64_t first = 0; first < count; first += chunk) {
    const int64_t here = count - first < chunk ? count - first : chunk;
    for_each_index(here, [&](int64_t i) {
      const int64_t begin = (first + i) * block;
      partial[i] = f(begin, begin + block < n ? begin + block : n);
    });
    for (int64_t i = 0; i < here; ++i)
      for (int k = 0; k < width; ++k) total[k] += partial[i][k];
  }
  return total;
}

template <class F>
double sum_blocks(int64_t n, int64_t block, F&& f) {
  return sum_blocks_n<1>(n, block,
                         [&](int64_t begin, int64_t end) { return std::array<double, 1>{f(begin, end)}; })[0];
}

}  // namespace sinew
