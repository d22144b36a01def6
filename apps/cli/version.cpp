// sinew version: which program this is.
#include <fmt/format.h>

#include "base/machine.h"
#include "command.h"
#include "json/json.h"
#include "solve/linear_solver.h"

namespace sinew::cli {
namespace {

int print_version(bool as_json) {
  const BuildInfo& info = build_info();
  if (!as_json) {
    fmt::print("sinew {}\n", info.version);
    return exit_done;
  }
  json::Json json = json::Json::object(), solvers = json::Json::list();
  for (std::string_view name : solve::linear_solver_names()) solvers.add(name);
  json.set("sinew", info.version);
  json.set("scene", 1);
  json.set("binary_id", binary_id());
  json.set("compiler", info.compiler);
  json.set("flags", info.flags);
  json.set("portable", info.portable);
  json.set("linear_solvers", std::move(solvers));
  fmt::print("{}\n", json.compact());
  return exit_done;
}

}  // namespace

const Command& command_version() {
  static const Command command = {"version", "Print the version, and how it was built.",
                                  [](Arguments& arguments) -> Action {
                                    auto json = std::make_shared<bool>(false);
                                    arguments.flag(*json, "--json", "Print everything as one JSON object.");
                                    return [json] { return print_version(*json); };
                                  }};
  return command;
}

}  // namespace sinew::cli
