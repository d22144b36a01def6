#include "print.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "command.h"

namespace sinew::cli {
namespace {

// Unlike fmt::print it does not throw where stderr is closed: there is nobody left to tell.
void put(const std::string& text) { std::fputs(text.c_str(), stderr); }

void line(const char* code, const char* word, const std::string& text) {
  put(colour() ? fmt::format("\033[{}m{}\033[0m{}\n", code, word, text) : fmt::format("{}{}\n", word, text));
}

}  // namespace

bool is_terminal(int fd) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(fd) == 1 && !(terminal && std::string(terminal) == "dumb");
}

bool colour() {
  static const bool wanted = [] {
    const char* refused = std::getenv("NO_COLOR");
    return is_terminal(STDERR_FILENO) && !(refused && *refused);
  }();
  return wanted;
}

void say(const std::string& text) { put(text + '\n'); }
void hint(const std::string& text) { put(fmt::format("  {}\n", text)); }
void warn(const std::string& text) { line("33", "warning: ", text); }

int complain(const Error& error) {
  line("31", "error: ", error.text());
  return exit_code(error.kind);
}

int complain(const json::Diagnostics& diagnostics) {
  int code = exit_usage;
  for (const Error& error : diagnostics.list()) code = std::max(code, complain(error));
  if (diagnostics.count() > diagnostics.list().size())
    say(fmt::format("and {} more problems", diagnostics.count() - diagnostics.list().size()));
  return code;
}

std::optional<scene::Scene> load(const std::string& path, const std::vector<std::string>& overrides,
                                 int& code) {
  json::Diagnostics diagnostics;
  std::optional<scene::Scene> scene = scene::load_scene(path, overrides, diagnostics);
  if (!scene) code = complain(diagnostics);
  return scene;
}

std::optional<scene::Built> build(const scene::Scene& scene, int& code) {
  json::Diagnostics diagnostics(scene.name);
  diagnostics.set_overrides(scene.overrides);
  std::optional<scene::Built> built = scene::build(scene, diagnostics);
  if (!built) code = complain(diagnostics);
  return built;
}

std::filesystem::path default_folder(const std::filesystem::path& scene, const std::string& ending) {
  std::string name = scene.stem().string();
  const std::string parent = scene.parent_path().filename().string();
  if (name == "scene" && !parent.empty() && parent != "." && parent != "..") name = parent;
  return name + ending;
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

std::string time_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::clamp(seconds, 0.0, 1e9)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace sinew::cli
