#pragma once
// Whole files in and out. Reading takes regular files alone and stops at a limit. Writing is atomic: the bytes go to
// `name.tmp.<pid>` beside the target, are flushed and synced, and the file is renamed when whole; the
// folder is synced too. A failure at any step removes the temporary file and leaves the old one as it was. It is locked
// while it is written, so that others see whether its process lives.
// A target that is a device or a pipe is written directly; a symbolic link is followed.
//
//     if (auto ok = write_atomically(path, bytes); !ok) return ok.error();
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sinew::io {

constexpr int64_t default_read_limit = int64_t{4} << 30;  // [bytes]

// Closes what it holds; negative: nothing.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_;
};

struct ReadableFile {
  std::shared_ptr<const Descriptor> descriptor;
  int64_t size = 0;  // [bytes]
};
// What every reader opens. A pipe or a device is refused at once: it may never end, or never begin.
Result<ReadableFile> open_to_read(const std::string& path);

// A file longer than `limit` is an error, found before it is read where its size is known.
Result<std::string> read_text(const std::string& path, int64_t limit = default_read_limit);

// The folder and those above it, where they are not there yet.
Result<void> make_folder(const std::string& folder);

// The names in a folder, sorted; none where it cannot be read. The iterators of std::filesystem would end the program
// where memory runs out.
struct FolderContent {
  std::vector<std::string> files;    // links to files too
  std::vector<std::string> folders;  // not links
};
FolderContent read_folder(const std::string& path);

class AtomicFile {
 public:
  static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();  // without commit(): the temporary file is removed

  Result<void> write(std::string_view bytes);  // at the end
  // Writes at a place from the beginning, also beyond the end: the gap must be filled later. Does not work on pipes.
  Result<void> write_at(int64_t place, std::string_view bytes);
  Result<void> commit();

 private:
  AtomicFile() = default;
  Error failure(const char* step);  // closes and removes the temporary file

  std::string path_;       // as the caller named it
  std::string target_;     // links followed
  std::string temporary_;  // empty where the target is written directly
  int fd_ = -1;
};

Result<void> write_atomically(const std::string& path, std::string_view bytes);

// What "name.tmp.123" is an unfinished file of: "name"; nothing for other names.
std::optional<std::string> unfinished_file(const std::string& name);
// Removes unfinished files that processes left when they were killed: in the folder, of files for which wanted(name). What a
// process still writes is left alone.
void remove_unfinished(const std::string& folder, const std::function<bool(const std::string& name)>& wanted);
// Those of one file.
void remove_unfinished(const std::string& path);

}  // namespace sinew::io
