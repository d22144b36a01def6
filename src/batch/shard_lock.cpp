#include "batch/shard_lock.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "io/file.h"
#include "json/json.h"

namespace sinew::batch {
namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr auto heartbeat = std::chrono::seconds(5);
constexpr int64_t largest_lock = 4096;  // [bytes]

std::string first_line(const char* path) {
  Result<std::string> text = io::read_text(path, 65536);
  return text ? text->substr(0, text->find('\n')) : std::string();
}

// Field 22 of /proc/PID/stat; the name of the program before it may hold anything. Empty: there is no such process.
std::string start_of(int64_t pid) {
  const std::string line = first_line(("/proc/" + std::to_string(pid) + "/stat").c_str());
  size_t at = line.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at == std::string::npos) return {};
  // A zombie works no more.
  if (const size_t state = line.rfind(')') + 2; state < line.size() && line[state] == 'Z') return {};
  return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

std::string this_system() {
  std::array<char, 256> host{}, space{};
  ::gethostname(host.data(), host.size() - 1);
  [[maybe_unused]] const ssize_t length = ::readlink("/proc/self/ns/pid", space.data(), space.size() - 1);
  return std::string(host.data()) + " " + first_line("/proc/sys/kernel/random/boot_id") + " " + space.data();
}

std::string reason() { return std::generic_category().message(errno); }

// Held for the time of a claim. Where the file system has no such locks there is none.
class ClaimGuard {
 public:
  explicit ClaimGuard(const fs::path& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0)
      while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
      }
  }
  ClaimGuard(const ClaimGuard&) = delete;
  ClaimGuard& operator=(const ClaimGuard&) = delete;
  ~ClaimGuard() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  int fd_;
};

// Seconds since the file was touched, both times by the clock of its file system.
double silence_of(const fs::path& path) {
  struct stat lock, now;
  if (::stat(path.c_str(), &lock) != 0) return 0;
  const std::string probe = path.string() + ".now." + std::to_string(::getpid());
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return 0;
  const bool known = ::fstat(fd, &now) == 0;
  ::close(fd);
  ::unlink(probe.c_str());
  if (!known) return 0;
  return static_cast<double>(now.st_mtim.tv_sec - lock.st_mtim.tv_sec) +
         1e-9 * static_cast<double>(now.st_mtim.tv_nsec - lock.st_mtim.tv_nsec);
}

std::optional<Owner> owner_of(const fs::path& lock) {
  const Result<std::string> text = io::read_text(lock.string(), largest_lock);
  return text ? Owner::parse(*text) : std::nullopt;
}

}  // namespace

Owner Owner::self() {
  static const std::string system = this_system();
  return {::getpid(), system, start_of(::getpid())};
}

std::optional<Owner> Owner::parse(const std::string& text) {
  const Result<Json> json = json::parse_json(text, "lock");
  if (!json || !(*json)["pid"].is(Json::Kind::number) || !((*json)["pid"].number() < 1e15))
    return std::nullopt;
  return Owner{static_cast<int64_t>((*json)["pid"].number()), (*json)["system"].text(),
               (*json)["start"].text()};
}

std::string Owner::text() const {
  Json json = Json::object();
  json.set("pid", pid);
  json.set("system", system);
  json.set("start", start);
  return json.compact() + "\n";
}

bool is_stale(const fs::path& lock, double silence) {
  const std::optional<Owner> owner = owner_of(lock);
  // A lock that names nobody was being written, or its writer died.
  if (owner && owner->system == Owner::self().system) return start_of(owner->pid) != owner->start;
  return silence_of(lock) > silence;
}

Result<std::unique_ptr<ShardLock>> ShardLock::claim(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / name;
  const Owner self = Owner::self();
  const ClaimGuard guard(folder);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      const std::string text = self.text();
      const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
      const std::string why = written ? std::string() : reason();
      ::close(fd);
      if (!written) {
        ::unlink(path.c_str());
        return io_error(path.string(), "cannot write: " + why);
      }
      try {
        return std::unique_ptr<ShardLock>(new ShardLock(path, self));
      } catch (const std::system_error& error) {
        ::unlink(path.c_str());
        return io_error(path.string(),
                        std::string("cannot start the thread that touches it: ") + error.what());
      }
    }
    if (errno != EEXIST) return io_error(path.string(), "cannot create: " + reason());
    if (!is_stale(path)) return std::unique_ptr<ShardLock>();
    ::unlink(path.c_str());
  }
  return std::unique_ptr<ShardLock>();
}

ShardLock::ShardLock(fs::path path, Owner owner) : path_(std::move(path)), owner_(std::move(owner)) {
  heart_ = std::thread([this] {
    std::unique_lock hold(mutex_);
    while (!wake_.wait_for(hold, heartbeat, [this] { return ended_; })) touch();
  });
}

void ShardLock::touch() {
  if (still_mine()) ::utimensat(AT_FDCWD, path_.c_str(), nullptr, 0);
}

bool ShardLock::still_mine() const {
  const std::optional<Owner> owner = owner_of(path_);
  return owner && *owner == owner_;
}

ShardLock::~ShardLock() {
  {
    const std::lock_guard hold(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  heart_.join();
  if (still_mine()) ::unlink(path_.c_str());
}

}  // namespace sinew::batch
