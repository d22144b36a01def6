#pragma once
// A file that is written in small pieces: they are gathered and go to an AtomicFile by the megabyte. The first
// error is kept and told by commit().
//
//     BufferedFile file(path);
//     file.text += "...";
//     file.flush_if_full();
//     return file.commit();
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file.h"

namespace sinew::io {

class BufferedFile {
 public:
  explicit BufferedFile(const std::string& path) : file_(AtomicFile::open(path)) {
    if (!file_) ok_ = file_.error();
  }

  std::string text;  // what is still to be written
  void flush_if_full() {
    if (text.size() >= full) flush();
  }
  template <class T>
  void binary(const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class T>
  void array(std::span<const T> values) {
    text.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    flush_if_full();
  }
  // Overwrites bytes that are written already.
  void write_at(int64_t place, std::string_view bytes) {
    flush();
    if (ok_) ok_ = file_->write_at(place, bytes);
  }
  const Result<void>& state() const { return ok_; }  // so far, for who would rather stop early
  Result<void> commit() {
    flush();
    return ok_ ? file_->commit() : ok_;
  }

 private:
  static constexpr size_t full = size_t{1} << 20;
  void flush() {
    if (ok_) ok_ = file_->write(text);
    text.clear();
  }

  Result<AtomicFile> file_;
  Result<void> ok_;
};

}  // namespace sinew::io
