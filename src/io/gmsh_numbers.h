#pragma once
// The parts that sections of a .msh file are made of: numbers as text or in binary of either byte order, and the
// tags that nodes and elements are known by.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/scanner.h"

namespace sinew::io {

// Reads one number like the other, whatever the file's encoding is.
class GmshNumbers {
 public:
  explicit GmshNumbers(Scanner& in) : in_(in) {}
  void set_binary(bool swapped, int size_bytes) {
    binary_ = true;
    swapped_ = swapped;
    size_bytes_ = size_bytes;
  }
  bool binary() const { return binary_; }
  int size_bytes() const { return size_bytes_; }

  bool whole(int64_t& out, int64_t low, int64_t high, std::string_view what) {  // "int"
    return read(out, 4, low, high, what);
  }
  bool size(int64_t& out, int64_t low, int64_t high, std::string_view what) {  // "size_t"
    return read(out, size_bytes_, low, high, what);
  }
  // How many things follow, of at least so many bytes each.
  bool count(int64_t& out, int64_t text_bytes, int64_t binary_bytes, std::string_view what) {
    return size(out, 0, INT32_MAX, what) && in_.fits(out, binary_ ? binary_bytes : text_bytes, what);
  }
  bool real(double& out);

 private:
  bool read(int64_t& out, int bytes, int64_t low, int64_t high, std::string_view what);

  Scanner& in_;
  bool binary_ = false, swapped_ = false;
  int size_bytes_ = 8;
};

// Tags are any whole numbers; things are numbered from 0 in the order of add(). Tags that follow each other
// take one entry together, so the usual file needs no memory for them.
class TagMap {
 public:
  void add(int64_t tag);
  std::optional<int64_t> seal();    // once all are added; a tag that was added twice, if there is one
  int32_t find(int64_t tag) const;  // -1: not there
  int32_t count() const { return count_; }

 private:
  struct Run {
    int64_t tag;
    int32_t first, length;
  };
  std::vector<Run> runs_;
  int32_t count_ = 0;
  mutable size_t last_ = 0;  // where the last one was found
};

// The places of elements in the file; a run of elements at equal distances takes one entry.
class ElementPlaces {
 public:
  void add(int64_t place, int64_t stride);
  int64_t operator()(size_t element) const;

 private:
  struct Run {
    int64_t first, place, stride;
  };
  std::vector<Run> runs_;
  int64_t count_ = 0;
};

}  // namespace sinew::io
