// sinew examples: lists the examples, or copies one to start from.
#include "examples.h"

#include <algorithm>
#include <fmt/format.h>

#include "command.h"
#include "io/json_file.h"
#include "json/json.h"
#include "json/words.h"
#include "print.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string name, folder;
  bool list = false;
};

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(examples_folder(), code), end; !code && at != end; at.increment(code))
    if (fs::exists(at->path() / "scene.json", code)) names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string title_of(const std::string& name) {
  const Result<json::Json> json = io::read_json(examples_folder() / name / "scene.json");
  return json ? (*json)["title"].text() : std::string();
}

int list_examples() {
  for (const std::string& name : example_names()) fmt::print("{:<20} {}\n", name, title_of(name));
  return exit_done;
}

// "02_twist", "02" and "twist" are the same one.
std::optional<std::string> find_example(const std::string& word) {
  for (const std::string& name : example_names()) {
    const size_t bar = name.find('_');
    if (name == word ||
        (bar != std::string::npos && (name.substr(0, bar) == word || name.substr(bar + 1) == word)))
      return name;
  }
  return std::nullopt;
}

int copy_example(const Options& options) {
  const std::vector<std::string> names = example_names();
  if (names.empty()) return complain(io_error("", "the examples are not installed beside this tool"));
  const std::optional<std::string> found = find_example(options.name);
  if (!found) {
    const std::vector<std::string_view> words(names.begin(), names.end());
    return complain(usage_error(json::unknown_word("example", options.name, words)));
  }
  const fs::path target = options.folder.empty() ? fs::path(*found) : fs::path(options.folder);
  std::error_code code;
  if (fs::exists(target, code) && !fs::is_empty(target, code))
    return complain(usage_error(target.string() + ": exists already; name another folder with -o"));
  fs::create_directories(target, code);
  if (code) return complain(io_error(target.string(), "cannot make the folder: " + code.message()));
  fs::copy(examples_folder() / *found, target, fs::copy_options::recursive, code);
  if (code) return complain(io_error(target.string(), "cannot copy the example: " + code.message()));
  say(fmt::format("run it with: sinew run {}", (target / "scene.json").string()));
  fmt::print("{}\n", (target / "scene.json").string());
  return exit_done;
}

}  // namespace

fs::path examples_folder() {
  std::error_code code;
  const fs::path tool = fs::read_symlink("/proc/self/exe", code);
  if (!code) {
    const fs::path installed = tool.parent_path().parent_path() / "share" / "sinew" / "examples";
    if (fs::is_directory(installed, code)) return installed;
  }
  return SINEW_SOURCE_EXAMPLES;
}

const Command& command_examples() {
  static const Command command = {
      "examples", "List the examples, or copy one to start from.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->name, "NAME", "Example to copy, such as 02_twist or twist.", false);
        arguments.option(o->folder, "-o,--output", "DIR", "Where to; a folder of its name by default.");
        arguments.flag(o->list, "--list", "List them, which is also the default.");
        return [o] { return o->list || o->name.empty() ? list_examples() : copy_example(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
