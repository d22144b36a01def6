#pragma once
// Random(seed): random numbers as pure functions of (seed, counter). Nothing is stored between calls, so
// results depend neither on the order of the calls nor on the number of threads.
//
//     const Random random(7);
//     x[i] = random.uniform(i);            // in [0, 1)
//     y[i] = random.stream(1).normal(i);   // an independent sequence
//
// bits(i) mixes key + i c, c odd, twice by the finaliser of Steele, Lea, Flood, Fast splittable
// pseudorandom number generators, 2014. normal(i) is the polar method of Marsaglia, Bray, A convenient
// method for generating normal variables, 1964; its repeated draws are further words of the same counter.
#include <cstdint>

#include "math/elementary.h"

namespace sinew::math {

class Random {
 public:
  SINEW_HD explicit constexpr Random(uint64_t seed) : key_(mix(seed + step)) {}

  // Another sequence from the same seed.
  SINEW_HD constexpr Random stream(uint64_t index) const { return Random(mix(key_ ^ mix(index + step))); }

  SINEW_HD constexpr uint64_t bits(uint64_t i) const { return mix(mix(key_ + i * step) ^ key_); }

  SINEW_HD constexpr double uniform(uint64_t i) const { return unit(bits(i)); }
  SINEW_HD constexpr double uniform(uint64_t i, double low, double high) const {
    return low + (high - low) * uniform(i);
  }

  // Mean 0, variance 1.
  SINEW_HD double normal(uint64_t i) const {
    uint64_t word = bits(i);
    for (;;) {  // leaves with probability pi/4 each time
      const double u = 2 * unit(word) - 1;
      word = mix(word + step);
      const double v = 2 * unit(word) - 1;
      word = mix(word + step);
      const double r2 = u * u + v * v;
      if (r2 > 0 && r2 < 1) return u * math::sqrt(-2 * math::log(r2) / r2);
    }
  }

 private:
  static constexpr uint64_t step = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, made odd

  SINEW_HD static constexpr uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  SINEW_HD static constexpr double unit(uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

  uint64_t key_;
};

}  // namespace sinew::math
