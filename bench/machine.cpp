#include <cstdint>

#include "base/parallel.h"
#include "bench/bench.h"
#include "math/pack.h"

namespace sinew::bench {

namespace {

// a = b + s c over arrays far larger than the caches [bytes/s].
double triad(int repeats) {
  constexpr int64_t n = int64_t{1} << 25;
  std::vector<double> a(n, 0.0), b(n, 1.0), c(n, 2.0);
  std::vector<double> times;
  for (int r = 0; r <= repeats; ++r) {
    const double t = seconds_of([&] {
      for_each_block(n, 1 << 16, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) a[i] = b[i] + 3.0 * c[i];
      });
    });
    if (r > 0) times.push_back(t);
  }
  return 24.0 * static_cast<double>(n) / median(times);
}

// Independent multiply-adds in registers [flop/s].
double multiply_add(int repeats) {
  constexpr int64_t rounds = 1 << 20;
  constexpr int chains = 12;
  std::vector<double> times, sink(64);
  const int threads = thread_count();
  for (int r = 0; r < repeats; ++r)
    times.push_back(seconds_of([&] {
      for_each_index(threads, [&](int64_t k) {
        math::PackD x[chains];
        for (int i = 0; i < chains; ++i) x[i] = math::PackD(1.0 + i);
        const math::PackD p(0.999999), q(1e-6);
        for (int64_t n = 0; n < rounds; ++n)
          for (auto& value : x) value = value * p + q;
        for (const auto& value : x) sink[k % 64] += sum(value);
      });
    }));
  return 2.0 * 8 * chains * static_cast<double>(rounds) * threads / median(times);
}

}  // namespace

Bounds measure_bounds(int repeats) { return {triad(repeats), multiply_add(repeats)}; }

void run_machine(const Options& options, const Emit& emit) {
  for (int threads : options.threads) {
    set_thread_count(threads);
    json::Json row = json::Json::object();
    row.set("case", "machine");
    row.set("tets", 0);
    row.set("threads", threads);
    row.set("precision", "double");
    const Bounds bounds = measure_bounds(options.repeats);
    row.set("seconds", 1e9 / bounds.bytes_per_second);
    row.set("unit", "GB of triad traffic");
    row.set("triad_GB_per_s", bounds.bytes_per_second * 1e-9);
    row.set("multiply_add_Gflop_per_s", bounds.flops_per_second * 1e-9);
    emit(row);
  }
}

}  // namespace sinew::bench
