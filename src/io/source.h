#pragma once
// The bytes of a file, or of memory, at any offset. Readers of large meshes take them in windows, so that
// the file never lies in memory as a whole.
//
//     Result<Source> source = Source::open(path);
//     size_t got = source->read(offset, buffer, sizeof buffer);
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file.h"

namespace sinew::io {

class Source {
 public:
  // Memory that the caller keeps. Not explicit: what reads files reads text as well.
  Source(std::string_view bytes) : bytes_(bytes), size_(static_cast<int64_t>(bytes.size())) {}
  Source(const std::string& bytes) : Source(std::string_view(bytes)) {}
  Source(const char* bytes) : Source(std::string_view(bytes)) {}
  static Result<Source> open(const std::string& path);

  int64_t size() const { return size_; }
  // How many bytes were put at `out`: fewer than `count` at the end of the file, or where it cannot be read.
  size_t read(int64_t offset, char* out, size_t count) const;

 private:
  std::string_view bytes_;
  int64_t size_;
  std::shared_ptr<const Descriptor> file_;  // null: the bytes are in memory
};

// The file is whole or absent at `to`; never in memory as a whole.
Result<void> copy_atomically(const std::string& from, const std::string& to);

}  // namespace sinew::io
