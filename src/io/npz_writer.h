#pragma once
// An .npz whose arrays are filled piece by piece, for what is too large to hold: types and shapes are known from the
// beginning, so every array has its place in the file; the pieces of one array come in order, those of different arrays
// in any. Stored, not deflated. From 4 GiB on the archive is a zip64 one, which NumPy reads.
//
//     auto out = NpzWriter::open(path, {{"time", NpyType::f8, {frames}}, {"x", NpyType::f4, {frames, n, 3}}});
//     out->append<float>(1, positions);  ...
//     return out->commit();
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/file.h"
#include "io/npz_format.h"

namespace sinew::io {

class NpzWriter {
 public:
  struct Array {
    std::string name;
    NpyType type = NpyType::f8;
    std::vector<int64_t> shape;
  };
  // An archive of more bytes than `narrow` becomes a zip64 one.
  static Result<NpzWriter> open(const std::string& path, std::vector<Array> arrays,
                                uint64_t narrow = narrow_limit);

  // T is the array's own type.
  template <class T>
  Result<void> append(size_t array, std::span<const T> values) {
    return append_bytes(array, npy_type<T>(),
                        {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  Result<void> commit();  // an error where an array lacks numbers

 private:
  struct Entry {
    Array array;
    ZipEntry zip;
    uint64_t end = 0, next = 0;  // of the numbers in the file; where the next ones go
  };
  NpzWriter(AtomicFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  Result<void> append_bytes(size_t array, NpyType type, std::string_view bytes);

  AtomicFile file_;
  std::string path_;
  std::vector<Entry> entries_;
  bool wide_ = false;
  uint64_t directory_ = 0;  // where it begins
};

}  // namespace sinew::io
