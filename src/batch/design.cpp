#include "batch/design.h"

#include <numeric>
#include <utility>

#include "math/random.h"

namespace sinew::batch {
namespace {

using math::Random;

constexpr uint32_t primes[max_axes] = {2,   3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,
                                       43,  47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,  101,
                                       103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
                                       173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
                                       241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311};

// Digits until base^levels passes 2^53: more do not fit into a double. base^levels stays below 2^62.
int levels_of(uint32_t base) {
  int levels = 0;
  for (uint64_t power = 1; power < (uint64_t{1} << 53); power *= base) ++levels;
  return levels;
}

// sum of digit(level, d_level) base^(-level - 1), by one division of whole numbers: no rounding in between.
template <class Digit>
double mirrored(uint32_t base, uint64_t i, Digit digit) {
  uint64_t numerator = 0, denominator = 1;
  const int levels = levels_of(base);
  for (int level = 0; level < levels; ++level, i /= base) {
    numerator = numerator * base + digit(level, static_cast<uint32_t>(i % base));
    denominator *= base;
  }
  const double u = static_cast<double>(numerator) / static_cast<double>(denominator);
  return u < 1 ? u : 0x1.fffffffffffffp-1;
}

}  // namespace

double radical_inverse(uint32_t base, uint64_t i) {
  return mirrored(base, i, [](int, uint32_t digit) { return digit; });
}

uint64_t permuted(uint64_t i, uint64_t n, uint64_t key) {
  int half = 1;
  while ((uint64_t{1} << (2 * half)) < n) ++half;
  const uint64_t mask = (uint64_t{1} << half) - 1;
  const Random random(key);
  // A value beyond n goes round again; it comes back, since the network is a permutation.
  do {
    uint64_t left = i >> half, right = i & mask;
    for (uint64_t round = 0; round < 6; ++round) {
      const uint64_t mixed = left ^ (random.stream(round).bits(right) & mask);
      left = right;
      right = mixed;
    }
    i = left << half | right;
  } while (i >= n);
  return i;
}

Design::Design(DesignKind kind, uint64_t seed, int64_t samples, std::vector<Axis> axes)
    : kind_(kind), seed_(seed), samples_(samples), axes_(std::move(axes)) {
  if (kind != DesignKind::halton) return;
  for (size_t axis = 0; axis < axes_.size(); ++axis) {
    const uint32_t base = primes[axis];
    const Random random = Random(seed).stream(axis);
    std::vector<uint32_t>& table = digits_.emplace_back();
    for (int level = 0; level < levels_of(base); ++level) {
      const Random swaps = random.stream(static_cast<uint64_t>(level));
      const size_t first = table.size();
      table.resize(first + base);
      std::iota(table.begin() + static_cast<int64_t>(first), table.end(), 0u);
      for (uint32_t k = base - 1; k > 0; --k)
        std::swap(table[first + k], table[first + swaps.bits(k) % (k + 1)]);
    }
  }
}

double Design::halton(size_t axis, uint64_t i) const {
  const uint32_t base = primes[axis];
  const std::vector<uint32_t>& table = digits_[axis];
  return mirrored(
      base, i, [&](int level, uint32_t digit) { return table[static_cast<size_t>(level) * base + digit]; });
}

void Design::point(int64_t index, std::span<double> u) const {
  auto left = static_cast<uint64_t>(index);
  const auto n = static_cast<uint64_t>(samples_);
  for (size_t k = axes_.size(); k-- > 0;) {
    if (kind_ == DesignKind::halton) {
      u[k] = halton(k, left);
    } else if (kind_ == DesignKind::latin) {
      const Random random = Random(seed_).stream(k);
      const uint64_t stratum = permuted(left, n, random.bits(0));
      // The place inside the stratum is a whole number too: one rounding, in the division.
      const uint64_t part = random.stream(1).bits(left) >> 43;  // 21 bits
      u[k] = static_cast<double>(stratum << 21 | part) / (static_cast<double>(n) * 0x1p21);
    } else {
      const auto steps = static_cast<uint64_t>(axes_[k].steps);
      const uint64_t digit = left % steps;
      left /= steps;
      if (axes_[k].cells)
        u[k] = static_cast<double>(2 * digit + 1) / static_cast<double>(2 * steps);
      else
        u[k] = steps == 1 ? 0.5 : static_cast<double>(digit) / static_cast<double>(steps - 1);
    }
  }
}

}  // namespace sinew::batch
