#include "io/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sinew::io {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// The file that a link names, though it may not exist yet; other paths as they are.
std::string follow_links(const std::string& path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

// The new name is on the disk only once its folder is.
int sync_folder(const std::string& file) {
  const size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) return errno;
  // Some file systems cannot sync a folder and say so with EINVAL; there is nothing more to do there.
  return ::fsync(fd.get()) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

}  // namespace

Result<std::string> read_text(const std::string& path, int64_t limit) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return io_error(path, fmt::format("cannot open: {}", reason(errno)));
  struct stat info;
  if (::fstat(fd.get(), &info) != 0) return io_error(path, fmt::format("cannot read: {}", reason(errno)));
  if (S_ISDIR(info.st_mode)) return io_error(path, "is a folder, expected a file");
  const auto too_long = [&] { return io_error(path, fmt::format("is longer than {} bytes", limit)); };
  if (info.st_size > limit) return too_long();

  std::string text;
  if (S_ISREG(info.st_mode)) text.reserve(static_cast<size_t>(info.st_size) + 1);
  constexpr size_t step = size_t{1} << 20;
  size_t used = 0;
  while (true) {
    text.resize(used + std::clamp(text.capacity() - used, size_t{1}, step));
    const ssize_t got = ::read(fd.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error(path, fmt::format("cannot read: {}", reason(errno)));
    if (got == 0) break;
    used += static_cast<size_t>(got);
    if (static_cast<int64_t>(used) > limit) return too_long();
    if (used == text.capacity()) text.reserve(std::max(2 * used, step));
  }
  text.resize(used);
  return text;
}

Result<void> make_folder(const std::string& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (!code && std::filesystem::is_directory(folder, code)) return {};
  return io_error(folder, "cannot make the folder: " + (code ? code.message() : "a file has its name"));
}

FolderContent read_folder(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), &::closedir);
  if (!folder && errno == ENOMEM) throw std::bad_alloc();
  FolderContent content;
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const std::string name = entry->d_name;
    struct stat info;
    if (name == "." || name == "..") continue;
    if (::fstatat(::dirfd(folder.get()), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(info.st_mode)) content.folders.push_back(name);
    if (S_ISLNK(info.st_mode) && ::fstatat(::dirfd(folder.get()), entry->d_name, &info, 0) != 0) continue;
    if (S_ISREG(info.st_mode)) content.files.push_back(name);
  }
  std::sort(content.files.begin(), content.files.end());
  std::sort(content.folders.begin(), content.folders.end());
  return content;
}

Result<AtomicFile> AtomicFile::open(const std::string& path) {
  AtomicFile file;
  file.path_ = path;
  file.target_ = follow_links(path);
  struct stat info;
  const bool exists = ::stat(file.target_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return io_error(path, "is a folder, cannot write a file of this name");
  if (exists && !S_ISREG(info.st_mode)) {
    file.fd_ = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    file.temporary_ = fmt::format("{}.tmp.{}", file.target_, ::getpid());
    file.fd_ = ::open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (file.fd_ < 0) {
    const int code = errno;
    file.temporary_.clear();
    return io_error(path, fmt::format("cannot open for writing: {}", reason(code)));
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Error AtomicFile::failure(const char* step) {
  const int code = errno;
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  if (!temporary_.empty()) ::unlink(std::exchange(temporary_, {}).c_str());
  return io_error(path_, fmt::format("cannot {}: {}", step, reason(code)));
}

Result<void> AtomicFile::write(std::string_view bytes) {
  if (fd_ < 0) return io_error(path_, "cannot write: the file is closed");
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failure("write");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

Result<void> AtomicFile::write_at(int64_t place, std::string_view bytes) {
  if (fd_ < 0) return io_error(path_, "cannot write: the file is closed");
  if (::lseek(fd_, place, SEEK_SET) < 0) return failure("write");
  if (auto ok = write(bytes); !ok) return ok;
  return ::lseek(fd_, 0, SEEK_END) < 0 ? failure("write") : Result<void>();
}

Result<void> AtomicFile::commit() {
  if (fd_ < 0) return io_error(path_, "cannot write: the file is closed");
  // Devices and pipes have nothing to sync.
  if (!temporary_.empty() && ::fsync(fd_) != 0) return failure("sync");
  if (::close(std::exchange(fd_, -1)) != 0) return failure("close");
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure("rename the finished file");
  temporary_.clear();
  if (const int code = sync_folder(target_))
    return io_error(path_, fmt::format("written, but its folder cannot be synced: {}", reason(code)));
  return {};
}

Result<void> write_atomically(const std::string& path, std::string_view bytes) {
  Result<AtomicFile> file = AtomicFile::open(path);
  if (!file) return file.error();
  if (auto ok = file->write(bytes); !ok) return ok;
  return file->commit();
}

}  // namespace sinew::io
