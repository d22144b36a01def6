#include "io/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "io/file.h"

namespace sinew::io {

Result<Source> Source::open(const std::string& path) {
  const auto failed = [&] {
    return io_error(path, fmt::format("cannot open: {}", std::generic_category().message(errno)));
  };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failed();
  const std::shared_ptr<const int> file(new int(fd), [](const int* f) {
    ::close(*f);
    delete f;
  });
  struct stat info;
  if (::fstat(fd, &info) != 0) return failed();
  if (S_ISDIR(info.st_mode)) return io_error(path, "is a folder, expected a file");
  if (!S_ISREG(info.st_mode)) {
    const auto owned = std::make_shared<std::string>();
    char buffer[1 << 16];
    for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) != 0;) {
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failed();
      owned->append(buffer, static_cast<size_t>(got));
      if (static_cast<int64_t>(owned->size()) > default_read_limit)
        return io_error(path, fmt::format("is longer than {} bytes", default_read_limit));
    }
    Source source{std::string_view(*owned)};
    source.owned_ = owned;
    return source;
  }
  Source source{std::string_view()};
  source.size_ = info.st_size;
  source.file_ = file;
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
    const ssize_t got = ::pread(*file_, out + done, count - done, offset + static_cast<off_t>(done));
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
