#pragma once
// One DataArray of a VTK XML file, decoded from front to back in small pieces: ascii, base64 or raw, zlib blocks or
// none, inline or appended (Kitware, "VTK file formats"). Compressed data are a header of n, size of a block, size
// of the last one and n packed sizes, then n zlib streams; others a header of one word, the length.
//
//     VtuArrayReader reader(source, layout, array, "a.vtu");
//     if (!reader.open(count)) return reader.error();
//     reader.read(values, count);
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/scanner.h"
#include "io/source.h"
#include "io/vtu_outline.h"

namespace sinew::io {

class VtuArrayReader {
 public:
  VtuArrayReader(const Source& source, VtuLayout& layout, const VtuArray& array, const std::string& name);
  VtuArrayReader(const VtuArrayReader&) = delete;
  VtuArrayReader& operator=(const VtuArrayReader&) = delete;
  ~VtuArrayReader();

  // Asks for `count` numbers, -1 for as many as there are, and refuses what the file cannot hold.
  bool open(int64_t count);
  int64_t remaining() const { return remaining_; }  // ascii: what the text can hold, where open() had -1
  bool read(double* out, int64_t count);            // finite
  bool read(int64_t* out, int64_t count);           // fails for arrays of Float32 and Float64
  bool finish();                                    // nothing is left
  bool fail(const std::string& what);               // always false
  const Error& error() const { return *error_; }

 private:
  class Feed;
  struct Inflater;

  bool open_ascii(int64_t count);
  bool open_encoded(int64_t count);
  bool read_block_sizes(uint64_t blocks, uint64_t& bytes);
  bool take(char* out, size_t count);   // as stored, base64 undone
  bool word(uint64_t& out);             // of a header
  bool plain(char* out, size_t count);  // numbers, zlib undone
  bool inflate(char* out, size_t count);
  int64_t inflate_some(char* out, size_t room);
  bool fail_in_text();
  template <class T>
  bool numbers(T* out, int64_t count);

  const Source& source_;
  VtuLayout& layout_;
  const VtuArray& array_;
  std::string name_;
  std::optional<Error> error_;
  int kind_ = -1;  // of its numbers
  int64_t remaining_ = 0, done_ = 0;
  std::optional<Scanner> text_;  // of ascii
  std::unique_ptr<Feed> feed_;   // of everything else
  std::unique_ptr<Inflater> inflater_;
  std::vector<uint64_t> packed_;  // sizes of the zlib streams
  uint64_t block_size_ = 0, last_size_ = 0;
  size_t block_ = 0;
};

}  // namespace sinew::io
