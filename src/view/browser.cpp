#include "view/browser.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace sinew::view {

namespace fs = std::filesystem;

std::vector<std::string> chromium_names() {
  return {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
}

namespace {

Result<std::string> find_chromium() {
  if (const char* given = std::getenv("SINEW_CHROMIUM"); given && *given) {
    if (const auto found = find_program({given})) return *found;
    return usage_error(fmt::format("SINEW_CHROMIUM: \"{}\" is no program", given));
  }
  if (const auto found = find_program(chromium_names())) return *found;
  return Error{
      ErrorKind::not_built_in,
      {},
      {},
      "pictures are drawn by chromium, which is not here: install the package chromium, or name the program "
      "in SINEW_CHROMIUM"};
}

Result<fs::path> make_profile() {
  std::error_code code;
  const fs::path parent = fs::temp_directory_path(code);
  std::string name = ((code ? fs::path("/tmp") : parent) / "sinew-browser-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    return io_error(name, fmt::format("cannot make a folder for the browser: {}", std::strerror(errno)));
  return fs::path(name);
}

}  // namespace

Result<std::unique_ptr<Browser>> Browser::open(const std::string& url, std::pair<int, int> size) {
  const Result<std::string> program = find_chromium();
  if (!program) return program.error();
  Result<fs::path> profile = make_profile();
  if (!profile) return profile.error();
  std::unique_ptr<Browser> browser(new Browser);
  browser->profile_ = std::move(*profile);
  std::vector<std::string> command = {
      *program, "--headless=new", "--user-data-dir=" + browser->profile_.string(),
      fmt::format("--window-size={},{}", size.first, size.second), "--force-device-scale-factor=1",
      "--hide-scrollbars", "--mute-audio", "--no-first-run", "--no-default-browser-check",
      // It talks to this server and to nobody else.
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-extensions", "--disable-default-apps", "--disable-breakpad", "--no-pings",
      "--disable-features=Translate,OptimizationHints",
      // Nobody looks, but it must draw at full speed, the same on every machine.
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--force-color-profile=srgb"};
  if (::geteuid() == 0) command.push_back("--no-sandbox");  // chromium refuses to start otherwise
  command.push_back(url);
  Result<std::unique_ptr<Child>> child = Child::start(command);
  if (!child) {
    std::error_code ignored;
    fs::remove_all(browser->profile_, ignored);
    return child.error();
  }
  browser->child_ = std::move(*child);
  return browser;
}

Browser::~Browser() {
  if (child_) child_->kill();
  std::error_code ignored;
  // Processes that are just ending may still write.
  for (int k = 0; k < 20; ++k) {
    fs::remove_all(profile_, ignored);
    if (!fs::exists(profile_, ignored)) return;
    ::usleep(50000);
  }
}

}  // namespace sinew::view
