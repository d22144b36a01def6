#pragma once
// Sums over arrays of 3-vectors, in fixed blocks: the same bits for any number of threads.
#include <span>

#include "base/parallel.h"
#include "math/mat.h"

namespace sinew::solve {

inline double dot_of(std::span<const math::Vec3d> a, std::span<const math::Vec3d> b) {
  return sum_blocks(static_cast<int64_t>(a.size()), 2048, [&](int64_t begin, int64_t end) {
    double s = 0;
    for (int64_t i = begin; i < end; ++i) s += dot(a[i], b[i]);
    return s;
  });
}

// y += x * factor
inline void add_scaled(std::span<math::Vec3d> y, std::span<const math::Vec3d> x, double factor) {
  for_each_block(static_cast<int64_t>(y.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] += x[i] * factor;
  });
}

}  // namespace sinew::solve
