// sinew check: everything short of solving.
#include "scene/check.h"

#include <algorithm>
#include <fmt/format.h>

#include "command.h"
#include "print.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string scene;
  std::vector<std::string> overrides;
  bool json = false;
};

json::Json to_json(const std::vector<scene::Finding>& findings) {
  json::Json list = json::Json::list();
  for (const scene::Finding& finding : findings) {
    json::Json entry = json::Json::object();
    entry.set("severity", name_of(finding.severity));
    entry.set("text", finding.text);
    list.add(std::move(entry));
  }
  return list;
}

// The problems as findings too, for --json.
int print_problems(const json::Diagnostics& diagnostics, bool json) {
  const int code = complain(diagnostics);
  std::vector<scene::Finding> findings;
  for (const Error& error : diagnostics.list()) findings.push_back({scene::Severity::error, error.text()});
  if (json) fmt::print("{}\n", to_json(findings).compact());
  return code;
}

int check_scene(const Options& options) {
  json::Diagnostics diagnostics;
  const auto scene = scene::load_scene(options.scene, options.overrides, diagnostics);
  if (!scene) return print_problems(diagnostics, options.json);
  const auto built = scene::build(*scene, diagnostics);
  if (!built) return print_problems(diagnostics, options.json);
  const std::vector<scene::Finding> findings = scene::check(*built);
  if (options.json)
    fmt::print("{}\n", to_json(findings).compact());
  else
    for (const scene::Finding& finding : findings)
      fmt::print("{}: {}\n", name_of(finding.severity), finding.text);
  const bool bad = std::any_of(findings.begin(), findings.end(),
                               [](const scene::Finding& f) { return f.severity == scene::Severity::error; });
  if (!bad && !options.json) fmt::print("{}: ready to run\n", options.scene);
  return bad ? exit_usage : exit_done;
}

}  // namespace

const Command& command_check() {
  static const Command command = {
      "check", "Check a scene without solving it: free rigid modes, mesh quality, memory and cost.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->scene, "SCENE", "Scene file.");
        arguments.option(o->overrides, "--set", "PATH=VALUE",
                         "Change a value of the scene; may be repeated.");
        arguments.flag(o->json, "--json", "Print the findings as JSON.");
        return [o] { return check_scene(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
