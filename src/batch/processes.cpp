#include "batch/processes.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sinew::batch {
namespace {

constexpr int max_deaths = 5;  // in a row, without a sample finished in between

struct Worker {
  pid_t pid = -1;
  int pipe = -1;
  std::string text;  // of the line that is not whole yet
};

class Workers {
 public:
  Workers(const std::vector<std::string>& command, const std::function<void(int64_t, bool)>& on_sample,
          const std::function<void()>& on_wait, const Cancel& cancel)
      : command_(command), on_sample_(on_sample), on_wait_(on_wait), cancel_(cancel) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (Worker& worker : running_) {
      ::kill(worker.pid, SIGTERM);
      ::waitpid(worker.pid, nullptr, 0);
      ::close(worker.pipe);
    }
  }

  Result<WorkersReport> operator()(int count) {
    for (int i = 0; i < count; ++i)
      if (auto ok = start(); !ok) return ok.error();
    while (!running_.empty()) {
      listen();
      if (on_wait_) on_wait_();
      if ((cancel_.requested() || report_.code != 0) && !stopping_) stop();
      if (auto ok = reap(); !ok) return ok.error();
    }
    return report_;
  }

 private:
  Result<void> start() {
    int ends[2];
    const auto failure = [](const char* what) {
      return io_error("worker",
                      std::string("cannot ") + what + ": " + std::generic_category().message(errno));
    };
    if (::pipe(ends) != 0) return failure("make a pipe");
    // Arguments are made before the fork: after it nothing may allocate.
    std::vector<std::string> words = command_;
    words.insert(words.end(), {"--worker-pipe", std::to_string(ends[1])});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) {
      const Error error = failure("start a process");
      ::close(ends[0]);
      ::close(ends[1]);
      return error;
    }
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // without a parent nobody would wait for it
      if (::getppid() != parent) ::_exit(130);
      ::close(ends[0]);
      for (const Worker& other : running_) ::close(other.pipe);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    running_.push_back({pid, ends[0], {}});
    return {};
  }

  // Lines that have come, for a tenth of a second at most.
  void listen() {
    std::vector<pollfd> waits;
    for (const Worker& worker : running_) waits.push_back({worker.pipe, POLLIN, 0});
    if (::poll(waits.data(), waits.size(), 100) <= 0) return;
    for (size_t i = 0; i < waits.size(); ++i)
      if (waits[i].revents & POLLIN) drain(running_[i]);
    // A pipe whose other end is closed is ready at once, every time: its worker is about to end.
    if (std::all_of(waits.begin(), waits.end(), [](const pollfd& w) { return !(w.revents & POLLIN); }))
      ::poll(nullptr, 0, 20);
  }

  void drain(Worker& worker) {
    char buffer[4096];
    const ssize_t got = ::read(worker.pipe, buffer, sizeof buffer);
    if (got > 0) worker.text.append(buffer, static_cast<size_t>(got));
    for (size_t end; (end = worker.text.find('\n')) != std::string::npos; worker.text.erase(0, end + 1)) {
      int64_t index = 0;
      if (end < 3 ||
          std::from_chars(worker.text.data() + 2, worker.text.data() + end, index).ec != std::errc())
        continue;
      deaths_ = 0;
      if (on_sample_) on_sample_(index, worker.text[0] == '1');
    }
  }

  void stop() {
    stopping_ = true;
    for (const Worker& worker : running_) ::kill(worker.pid, SIGTERM);
  }

  Result<void> reap() {
    for (size_t i = 0; i < running_.size();) {
      int status = 0;
      if (::waitpid(running_[i].pid, &status, WNOHANG) != running_[i].pid) {
        ++i;
        continue;
      }
      drain(running_[i]);
      ::close(running_[i].pipe);
      running_.erase(running_.begin() + static_cast<int64_t>(i));
      if (WIFEXITED(status)) {
        const int code = WEXITSTATUS(status);
        if (code != 0 && !(stopping_ && code == 130) && report_.code == 0) report_.code = code;
      } else if (!stopping_) {
        ++report_.restarted;
        if (++deaths_ > max_deaths)
          return io_error("workers", "died " + std::to_string(deaths_) +
                                         " times without finishing a sample, the last by signal " +
                                         std::to_string(WTERMSIG(status)));
        if (auto ok = start(); !ok) return ok;
      }
    }
    return {};
  }

  const std::vector<std::string>& command_;
  const std::function<void(int64_t, bool)>& on_sample_;
  const std::function<void()>& on_wait_;
  const Cancel& cancel_;
  std::vector<Worker> running_;
  WorkersReport report_;
  int deaths_ = 0;
  bool stopping_ = false;
};

}  // namespace

Result<WorkersReport> run_workers(const std::vector<std::string>& command, int count,
                                  const std::function<void(int64_t, bool)>& on_sample,
                                  const std::function<void()>& on_wait, const Cancel& cancel) {
  return Workers(command, on_sample, on_wait, cancel)(count);
}

}  // namespace sinew::batch
