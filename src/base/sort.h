#pragma once
// Sorting on all threads: fixed blocks are sorted, then merged two by two. Elements that compare equal must be equal in all their bits
// where the order of the result matters.
//
//     sort_blocks(keys);
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel.h"

namespace sinew {

template <class T, class Less = std::less<T>>
void sort_blocks(std::vector<T>& values, Less less = {}) {
  const int64_t n = static_cast<int64_t>(values.size());
  constexpr int64_t block = 1 << 15;
  for_each_block(n, block,
                 [&](int64_t b, int64_t e) { std::sort(values.begin() + b, values.begin() + e, less); });
  if (n <= block) return;
  std::vector<T> other(values.size());
  for (int64_t width = block; width < n; width *= 2) {
    for_each_block(n, 2 * width, [&](int64_t b, int64_t e) {
      const int64_t middle = std::min(b + width, e);
      std::merge(values.begin() + b, values.begin() + middle, values.begin() + middle, values.begin() + e,
                 other.begin() + b, less);
    });
    values.swap(other);
  }
}

}  // namespace sinew
