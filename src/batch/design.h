#pragma once
// Designs: points of the unit cube as pure functions of (seed, index), whatever the machine.
//
//     halton  digits of the index in the first primes, mirrored at the point, each digit permuted by the seed
//             (Halton: On the efficiency of certain quasi-random sequences of points in evaluating
//             multi-dimensional integrals, 1960). Any number of samples may follow later.
//     latin   along each axis every one of n equal strata has one sample (McKay, Beckman, Conover: A comparison of
//             three methods for selecting values of input variables in the analysis of output from a computer code,
//             1979). The order of the strata is a permutation that needs no table: a Feistel network on the index.
//     grid    every combination of steps; the last axis is the fastest.
//
//     Design design(DesignKind::halton, 7, 500, axes);  design.point(12, u);
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::batch {

enum class DesignKind { halton, latin, grid, list };

struct Axis {
  int64_t steps = 1;   // of a grid
  bool cells = false;  // a grid takes the middle of equal cells, not the ends
};

// The digits of i in the base, mirrored at the point: 0.d0 d1 d2 ... in [0, 1).
double radical_inverse(uint32_t base, uint64_t i);
// A permutation of 0 .. n - 1 for each key.
uint64_t permuted(uint64_t i, uint64_t n, uint64_t key);

constexpr size_t max_axes = 64;

class Design {
 public:
  // At most max_axes axes; `samples` of a grid is the product of its steps. A list has no points here.
  Design(DesignKind kind, uint64_t seed, int64_t samples, std::vector<Axis> axes);
  void point(int64_t index, std::span<double> u) const;

 private:
  double halton(size_t axis, uint64_t i) const;

  DesignKind kind_;
  uint64_t seed_;
  int64_t samples_;
  std::vector<Axis> axes_;
  std::vector<std::vector<uint32_t>> digits_;  // halton: [axis][level * base + digit]
};

}  // namespace sinew::batch
