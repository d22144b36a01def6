#include "io/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace sinew::io {

Result<Source> Source::open(const std::string& path) {
  Result<ReadableFile> file = open_to_read(path);
  if (!file) return file.error();
  Source source{std::string_view()};
  source.size_ = file->size;
  source.file_ = std::move(file->descriptor);
  return source;
}

size_t Source::read(int64_t offset, char* out, size_t count) const {
  if (offset < 0 || offset >= size_) return 0;
  count = std::min(count, static_cast<size_t>(size_ - offset));
  if (!file_) {
    std::memcpy(out, bytes_.data() + offset, count);
    return count;
  }
  size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(file_->get(), out + done, count - done, offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

Result<void> copy_atomically(const std::string& from, const std::string& to) {
  const Result<Source> source = Source::open(from);
  if (!source) return source.error();
  Result<AtomicFile> file = AtomicFile::open(to);
  if (!file) return file.error();
  std::string piece(size_t{1} << 20, '\0');
  for (int64_t at = 0; at < source->size();) {
    const size_t got = source->read(at, piece.data(), piece.size());
    if (got == 0) return io_error(from, "cannot read: it ended while it was copied");
    if (auto ok = file->write(std::string_view(piece).substr(0, got)); !ok) return ok;
    at += static_cast<int64_t>(got);
  }
  return file->commit();
}

}  // namespace sinew::io
