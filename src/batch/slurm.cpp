#include "batch/slurm.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "io/file.h"

extern char** environ;

namespace sinew::batch {
namespace {

namespace fs = std::filesystem;

constexpr const char* scripts_folder = "slurm";
constexpr size_t longest_output = 1 << 20;  // [bytes] that are read of what a program prints

fs::path array_path(const SlurmArray& array) { return array.folder / scripts_folder / "array.sh"; }
fs::path collect_path(const SlurmArray& array) { return array.folder / scripts_folder / "collect.sh"; }

// One word of a shell, whatever it holds.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// A word of an #SBATCH line. Slurm's own signs cannot be part of a log's name, quoted or not.
constexpr const char* not_in_log_names = "%\\\"";
std::string log_name(const SlurmArray& array, const char* pattern) {
  return fmt::format("\"{}/{}\"", (array.folder / scripts_folder).string(), pattern);
}

std::string extra_line(const SlurmArray& array) {
  return array.options.empty() ? std::string() : "#SBATCH " + array.options + "\n";
}

bool fits_line(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c); });
}

// A temporary file in memory.
class Caught {
 public:
  Caught() : fd_(::memfd_create("output", MFD_CLOEXEC)) {}
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;
  ~Caught() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }
  // Without the newline at the end.
  std::string text() const {
    std::string text(longest_output, '\0');
    const ssize_t count = ::pread(fd_, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

 private:
  int fd_;
};

// Returns what a program prints, or an error with the program's own words if it fails.
Result<std::string> output_of(const std::vector<std::string>& command) {
  const Caught out, err;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.fd(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.fd(), STDERR_FILENO);
  pid_t pid = 0;
  const int code = ::posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code == ENOENT)
    return Error{ErrorKind::not_built_in,
                 command[0],
                 {},
                 "program not found; Debian's package slurm-client has it, slurm-wlm the whole of Slurm"};
  if (code != 0) return io_error(command[0], fmt::format("cannot start: {}", std::strerror(code)));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out.text();
  return io_error(command[0], WIFEXITED(status)
                                  ? fmt::format("exit code {}: {}", WEXITSTATUS(status), err.text())
                                  : fmt::format("ended by signal {}", WTERMSIG(status)));
}

// "123" or "123;cluster".
Result<std::string> submit_script(std::vector<std::string> command, const fs::path& script) {
  command.insert(command.begin(), {"sbatch", "--parsable"});
  command.push_back(script.string());
  const Result<std::string> printed = output_of(command);
  if (!printed) return printed.error();
  const std::string id = printed->substr(0, printed->find(';'));
  if (!id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isdigit(c); }))
    return id;
  return io_error("sbatch", fmt::format("found \"{}\", expected the number of a job", *printed));
}

}  // namespace

std::string array_script(const SlurmArray& array) {
  return fmt::format(
      R"(#!/bin/bash
# Makes the data set of this folder: task i of {0} works on the shards i, i + {0}, i + 2 x {0}, ...
# Submitted again, it goes on with what is missing.
#SBATCH --job-name=sinew
#SBATCH --array=0-{1}
#SBATCH --ntasks=1 --cpus-per-task=1
#SBATCH --output={2}
{3}exec {4} batch work {5} --shard auto
)",
      array.tasks, array.tasks - 1, log_name(array, "%A_%a.log"), extra_line(array),
      shell_word(array.tool.string()), shell_word(array.folder.string()));
}

std::string collect_script(const SlurmArray& array) {
  return fmt::format(R"(#!/bin/bash
# Writes dataset.json, manifest.jsonl and failed.jsonl when all shards are there, and says what is missing otherwise.
#SBATCH --job-name=sinew-collect
#SBATCH --ntasks=1 --cpus-per-task=1
#SBATCH --output={}
{}exec {} batch collect {}
)",
                     log_name(array, "%j_collect.log"), extra_line(array), shell_word(array.tool.string()),
                     shell_word(array.folder.string()));
}

Result<void> write_scripts(const SlurmArray& array) {
  for (const std::string& text : {array.tool.string(), array.folder.string(), array.options})
    if (!fits_line(text))
      return usage_error(
          fmt::format("found \"{}\" with a control character, which no job script can hold", text));
  if (array.folder.string().find_first_of(not_in_log_names) != std::string::npos)
    return usage_error(
        fmt::format("{}: found one of {} in the folder's name, expected none: Slurm cannot write logs "
                    "there",
                    array.folder.string(), not_in_log_names));
  std::error_code code;
  fs::create_directories(array.folder / scripts_folder, code);
  if (code) return io_error((array.folder / scripts_folder).string(), "cannot create: " + code.message());
  if (auto ok = io::write_atomically(array_path(array).string(), array_script(array)); !ok) return ok;
  return io::write_atomically(collect_path(array).string(), collect_script(array));
}

Result<SlurmJobs> submit(const SlurmArray& array) {
  SlurmJobs jobs;
  Result<std::string> id = submit_script({}, array_path(array));
  if (!id) return id.error();
  jobs.array = *id;
  id = submit_script({"--dependency=afterany:" + jobs.array}, collect_path(array));
  if (!id) {
    Error error = id.error();
    error.what += fmt::format("; the array is in the queue as job {}", jobs.array);
    return error;
  }
  jobs.collect = *id;
  return jobs;
}

Result<Queued> queued(const SlurmJobs& jobs) {
  const Result<std::string> printed = output_of(
      {"squeue", "--noheader", "--array", "--format=%t", "--jobs=" + jobs.array + "," + jobs.collect});
  Queued count;
  if (!printed) {
    // Jobs that ended long ago are forgotten.
    if (printed.error().what.find("Invalid job id") != std::string::npos) return count;
    return printed.error();
  }
  for (size_t at = 0; at < printed->size();) {
    const size_t end = std::min(printed->find('\n', at), printed->size());
    const std::string state = printed->substr(at, end - at);
    (state.starts_with("PD") ? count.pending : count.running) += state.empty() ? 0 : 1;
    at = end + 1;
  }
  return count;
}

}  // namespace sinew::batch
