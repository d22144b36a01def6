#include "view/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sinew::view {
namespace {

// A program does not run with the ears of this one: it gets the signals' own effects back.
void forget_signals() {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

bool is_program(const std::string& path) {
  struct stat what {};
  return ::stat(path.c_str(), &what) == 0 && S_ISREG(what.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

}  // namespace

std::optional<std::string> find_program(const std::vector<std::string>& names) {
  const char* set = std::getenv("PATH");
  const std::string_view path = set ? set : "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) {
      if (is_program(name)) return name;
      continue;
    }
    for (size_t begin = 0; begin <= path.size();) {
      const size_t end = std::min(path.find(':', begin), path.size());
      const std::string candidate = std::string(path.substr(begin, end - begin)) + "/" + name;
      if (end > begin && is_program(candidate)) return candidate;
      begin = end + 1;
    }
  }
  return std::nullopt;
}

Result<std::unique_ptr<Child>> Child::start(const std::vector<std::string>& command) {
  std::unique_ptr<Child> child(new Child);
  child->name_ = command[0];
  const auto fail = [&](const char* step) {
    return io_error(command[0], fmt::format("cannot {}: {}", step, std::strerror(errno)));
  };
  // A socket instead of a pipe: writing to a child that has ended is then an error without a signal.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail("make a socket");
  child->stdin_ = ends[0];
  int theirs = ends[1];
  child->stderr_ = ::memfd_create("stderr", MFD_CLOEXEC);
  int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  int told[2] = {-1, -1};  // closed by a successful exec, or holds its errno
  if (child->stderr_ < 0 || null < 0 || ::pipe2(told, O_CLOEXEC) != 0) {
    const Error error = fail("prepare");
    close_fd(theirs);
    close_fd(null);
    return error;
  }
  const std::vector<char*> arguments = pointers(command);
  const pid_t parent = ::getpid();
  child->pid_ = ::fork();
  if (child->pid_ == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    forget_signals();
    ::dup2(theirs, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(child->stderr_, STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    const int code = errno;
    [[maybe_unused]] const ssize_t written = ::write(told[1], &code, sizeof code);
    ::_exit(127);
  }
  const int fork_code = errno;
  close_fd(theirs);
  close_fd(null);
  close_fd(told[1]);
  int code = 0;
  const bool refused = child->pid_ > 0 && ::read(told[0], &code, sizeof code) == sizeof code;
  close_fd(told[0]);
  if (child->pid_ < 0 || refused) {
    errno = child->pid_ < 0 ? fork_code : code;
    return fail("start");
  }
  return child;
}

Child::~Child() {
  kill();
  close_fd(stdin_);
  close_fd(stderr_);
}

bool Child::running() {
  if (pid_ <= 0) return false;
  const pid_t ended = ::waitpid(pid_, &status_, WNOHANG);
  if (ended == 0) return true;
  ::kill(-pid_, SIGKILL);  // what it may have left behind
  pid_ = -1;
  return false;
}

void Child::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

Result<void> Child::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(stdin_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      const std::string why = std::strerror(errno);
      return io_error(name_, fmt::format("it takes no more data ({})\n{}", why, last_lines()));
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

Result<void> Child::finish(std::chrono::milliseconds limit, const Cancel* cancel) {
  close_fd(stdin_);
  const auto end = std::chrono::steady_clock::now() + limit;
  while (running()) {
    if (cancel && cancel->requested()) return usage_error("interrupted");
    if (std::chrono::steady_clock::now() > end)
      return io_error(name_, fmt::format("it did not end within {:.0f} s\n{}",
                                         std::chrono::duration<double>(limit).count(), last_lines()));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return {};
  return io_error(name_, fmt::format("it failed\n{}", last_lines()));
}

std::string Child::last_lines(size_t bytes) const {
  struct stat what {};
  if (stderr_ < 0 || ::fstat(stderr_, &what) != 0 || what.st_size == 0) return {};
  const auto size = static_cast<size_t>(what.st_size), count = std::min(size, bytes);
  std::string text(count, '\0');
  const ssize_t got = ::pread(stderr_, text.data(), count, static_cast<off_t>(size - count));
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  if (count < size) text.erase(0, std::min(text.find('\n') + 1, text.size()));  // begins with a whole line
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void start_apart(const std::vector<std::string>& command) {
  const std::vector<char*> arguments = pointers(command);
  const pid_t first = ::fork();
  if (first == 0) {
    // A grandchild belongs to nobody here: no one has to wait for it.
    if (::fork() != 0) ::_exit(0);
    ::setsid();
    forget_signals();
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  if (first > 0) ::waitpid(first, nullptr, 0);
}

}  // namespace sinew::view
