#pragma once
// Lists that threads fill, block by block, put together in the order of the blocks.
//
//     auto found = collect_blocks<int64_t>(n, 1024, [&](int64_t begin, int64_t end, auto& list) { ... });
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace sinew {

// Collects what f(begin, end, list) appends to the list of each block, one block after the other.
template <class T, class F>
std::vector<T> collect_blocks(int64_t n, int64_t block, F&& f) {
  std::vector<std::vector<T>> lists((n + block - 1) / block);
  for_each_block(n, block, [&](int64_t begin, int64_t end) { f(begin, end, lists[begin / block]); });
  size_t total = 0;
  for (const auto& list : lists) total += list.size();
  std::vector<T> all;
  all.reserve(total);
  for (auto& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    std::vector<T>().swap(list);
  }
  return all;
}

}  // namespace sinew
