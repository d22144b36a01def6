#pragma once
// A subcommand of the tool. Each file of this folder that defines const Command& command_<stem>() adds one:
// it says which arguments it takes and returns what to do with them.
//
//     const Command& command_hello() {
//       static const Command command = {"hello", "Says hello.", [](Arguments& arguments) -> Action {
//         auto name = std::make_shared<std::string>("you");
//         arguments.positional(*name, "NAME", "Who is greeted.", false);
//         return [name] { fmt::print("hello, {}\n", *name); return exit_done; };
//       }};
//       return command;
//     }
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace sinew::cli {

enum ExitCode : int {
  exit_done = 0,
  exit_failed_check = 1,  // an expectation was not met, two runs differ, a verification failed
  exit_usage = 2,         // wrong command line, scene or file content
  exit_not_converged = 3,
  exit_io = 4,
  exit_not_built_in = 5,
  exit_interrupted = 130,
};

constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::io:
      return exit_io;
    case ErrorKind::not_built_in:
      return exit_not_built_in;
    default:
      return exit_usage;
  }
}

// The arguments of a subcommand. Values are filled in before the action runs.
class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(app) {}

  void positional(std::string& value, const std::string& name, const std::string& doc, bool required = true);
  void positionals(std::vector<std::string>& values, const std::string& name, const std::string& doc);
  // `flags` as "-o,--output".
  void flag(bool& value, const std::string& flags, const std::string& doc);
  void option(std::string& value, const std::string& flags, const std::string& name, const std::string& doc);
  void option(std::vector<std::string>& values, const std::string& flags, const std::string& name,
              const std::string& doc);  // may be given several times
  void option(double& value, const std::string& flags, const std::string& name, const std::string& doc,
              double min, double max);
  void threads();  // --threads N, set before the action runs
  // Printed below the options.
  void footer(const std::string& text);

 private:
  CLI::App& app_;
};

using Action = std::function<int()>;

struct Command {
  std::string_view name;
  std::string_view doc;
  Action (*prepare)(Arguments&);
};

// All subcommands, by name in ascending order.
std::span<const Command* const> commands();

// The command line as it was given.
std::vector<std::string> command_line();

}  // namespace sinew::cli
