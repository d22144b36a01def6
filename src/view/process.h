#pragma once
// Other programs: a Child runs while the object lives and never outlives this process, however it ends. What it prints to
// stderr is kept for messages.
//
//     auto child = Child::start({"ffmpeg", "-i", "-", "film.mp4"});
//     (*child)->write(png);   ...   (*child)->finish(seconds(60));
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.h"
#include "base/result.h"

namespace sinew::view {

// The first of the names that is an executable on PATH, as a path; nothing: none is.
std::optional<std::string> find_program(const std::vector<std::string>& names);

class Child {
 public:
  // Starts a child in a process group of its own, stdin fed by write(), stdout thrown away. The calling thread must live as long as
  // the child: the system ends the child with it.
  static Result<std::unique_ptr<Child>> start(const std::vector<std::string>& command);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();  // kills it

  bool running();
  // Blocks while the child does not read. An error where it has ended.
  Result<void> write(std::string_view bytes);
  // Closes its stdin and waits. An error where it fails, is cancelled or takes longer.
  Result<void> finish(std::chrono::milliseconds limit, const Cancel* cancel);
  void kill();
  std::string last_lines(size_t bytes = 1500) const;  // of its stderr

 private:
  Child() = default;

  std::string name_;
  int pid_ = -1;
  int stdin_ = -1, stderr_ = -1;
  int status_ = 0;
};

// Starts a program and forgets it; that it cannot be started is no error.
void start_apart(const std::vector<std::string>& command);

}  // namespace sinew::view
