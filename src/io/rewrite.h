#pragma once
// When a file that grows by an entry a frame is written again, always whole: at first every time, later when
// it has grown by a sixteenth. So n entries cost about 17 n writes of an entry, not n^2 / 2. Who writes it
// keeps the entries, and writes at the end in any case.
#include <cstdint>

namespace sinew::io {

struct Rewrite {
  int64_t written = 0;  // entries in the file

  bool due(int64_t entries) const { return entries - written > written / 16; }
};

}  // namespace sinew::io
