#pragma once
// Arrays that are streamed through again and again: on large pages, where the system grants them, fewer addresses have to
// be translated.
//
//     resize_on_large_pages(rest, count);   // an empty vector
#include <cstddef>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace sinew {

template <class T>
void resize_on_large_pages(std::vector<T>& array, size_t count) {
  array.reserve(count);
#ifdef __linux__
  constexpr size_t page = 4096;
  const size_t begin = (reinterpret_cast<size_t>(array.data()) + page - 1) / page * page;
  const size_t end = reinterpret_cast<size_t>(array.data() + count) / page * page;
  // A wish: that it is refused changes nothing.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
  array.resize(count);
}

}  // namespace sinew
