#pragma once
// Messages to stderr, in colour on a terminal unless NO_COLOR is set. Data goes to stdout by fmt::print.
#include <filesystem>
#include <string>

#include "base/count_text.h"
#include "base/result.h"
#include "json/diagnostics.h"
#include "scene/scene.h"

namespace sinew::cli {

bool is_terminal(int fd);
bool colour();  // on stderr

void say(const std::string& text);  // as it is, with a newline
void hint(const std::string& text);
void warn(const std::string& text);  // "warning: ..."
int complain(const Error& error);    // "error: ..."; returns the exit code
int complain(const json::Diagnostics& diagnostics);

// The scene, or nothing after complaining: `code` is then the exit code.
std::optional<scene::Scene> load(const std::string& path, const std::vector<std::string>& overrides,
                                 int& code);
std::optional<scene::Built> build(const scene::Scene& scene, int& code);

// The folder for the results of a scene: examples/02_twist/scene.json -> 02_twist-out; bar.json -> bar-out.
std::filesystem::path default_folder(const std::filesystem::path& scene, const std::string& ending);

std::string bytes_text(double bytes);   // "3.2 GB"
std::string time_text(double seconds);  // "0:42", "1:02:03"

}  // namespace sinew::cli
