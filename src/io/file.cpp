#include "io/file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <new>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sinew::io {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

// The file that a link names, though it may not exist yet; other paths as they are.
std::string follow_links(const std::string& path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

std::string folder_of(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
}

// Between the name of a file and the process that writes it.
constexpr std::string_view middle = ".tmp.";

// The process is gone here, and none elsewhere, which may have the same number, holds the file.
bool is_abandoned(const std::string& path, const std::string& process) {
  const long pid = std::strtol(process.c_str(), nullptr, 10);
  if (pid > 0 && pid <= std::numeric_limits<pid_t>::max() &&
      (::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH))
    return false;
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return fd.get() >= 0 && (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

// The new name is on the disk only once its folder is.
int sync_folder(const std::string& file) {
  const Descriptor fd(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) return errno;
  // Some file systems cannot sync a folder and say so with EINVAL; there is nothing more to do there.
  return ::fsync(fd.get()) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Result<ReadableFile> open_to_read(const std::string& path) {
  const auto failed = [&] { return io_error(path, fmt::format("cannot open: {}", reason(errno))); };
  // Without O_NONBLOCK a pipe would wait here for somebody who writes to it.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return failed();
  ReadableFile file{std::make_shared<Descriptor>(fd), 0};
  struct stat info;
  if (::fstat(fd, &info) != 0) return failed();
  if (S_ISDIR(info.st_mode)) return io_error(path, "is a folder, expected a file");
  if (!S_ISREG(info.st_mode))
    return io_error(path, fmt::format("is a {}, expected a file; write what it gives into one first",
                                      S_ISFIFO(info.st_mode) ? "pipe" : "device"));
  file.size = info.st_size;
  return file;
}

Result<std::string> read_text(const std::string& path, int64_t limit) {
  const Result<ReadableFile> file = open_to_read(path);
  if (!file) return file.error();
  const auto too_long = [&] { return io_error(path, fmt::format("is longer than {} bytes", limit)); };
  if (file->size > limit) return too_long();

  std::string text;
  text.reserve(static_cast<size_t>(file->size) + 1);  // files of /proc say that they have no bytes
  constexpr size_t step = size_t{1} << 20;
  size_t used = 0;
  while (true) {
    text.resize(used + std::clamp(text.capacity() - used, size_t{1}, step));
    const ssize_t got = ::read(file->descriptor->get(), text.data() + used, text.size() - used);
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
    file.temporary_ = fmt::format("{}{}{}", file.target_, middle, ::getpid());
    file.fd_ = ::open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file.fd_ >= 0) ::flock(file.fd_, LOCK_EX | LOCK_NB);
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

std::optional<std::string> unfinished_file(const std::string& name) {
  const size_t at = name.rfind(middle), digits = at + middle.size();
  if (at == std::string::npos || digits >= name.size() ||
      name.find_first_not_of("0123456789", digits) != std::string::npos)
    return std::nullopt;
  return name.substr(0, at);
}

void remove_unfinished(const std::string& folder,
                       const std::function<bool(const std::string& name)>& wanted) {
  for (const std::string& file : read_folder(folder).files) {
    const std::optional<std::string> name = unfinished_file(file);
    const std::string path = folder + "/" + file;
    if (name && wanted(*name) && is_abandoned(path, file.substr(name->size() + middle.size())))
      ::unlink(path.c_str());
  }
}

void remove_unfinished(const std::string& path) {
  const std::string target = follow_links(path), name = target.substr(target.rfind('/') + 1);
  remove_unfinished(folder_of(target), [&](const std::string& other) { return other == name; });
}

}  // namespace sinew::io
