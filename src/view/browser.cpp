#include "view/browser.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

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

constexpr std::string_view folder_begins = "sinew-browser-";

// The process that a folder "sinew-browser-PID-..." is named after has ended, and the folder is ours.
bool left_behind(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(folder_begins)) return false;
  struct stat what {};
  if (::lstat(folder.c_str(), &what) != 0 || !S_ISDIR(what.st_mode) || what.st_uid != ::geteuid())
    return false;
  const pid_t owner = std::atoi(name.c_str() + folder_begins.size());
  return owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH;
}

}  // namespace

void remove_old_folders(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator at(parent, ignored), end; at != end; at.increment(ignored)) {
    if (ignored) return;
    if (!left_behind(at->path())) continue;
    std::error_code gone;
    fs::remove_all(at->path(), gone);
  }
}

Result<std::unique_ptr<BrowserFolder>> BrowserFolder::make() {
  std::error_code code;
  const fs::path temporary = fs::temp_directory_path(code), parent = code ? fs::path("/tmp") : temporary;
  remove_old_folders(parent);
  std::string name = (parent / fmt::format("{}{}-XXXXXX", folder_begins, ::getpid())).string();
  if (!::mkdtemp(name.data()))
    return io_error(name, fmt::format("cannot make a folder for the browser: {}", std::strerror(errno)));
  std::unique_ptr<BrowserFolder> folder(new BrowserFolder);
  folder->path_ = name;
  return folder;
}

BrowserFolder::~BrowserFolder() {
  std::error_code ignored;
  // Processes that are just ending may still write.
  for (int k = 0; k < 20; ++k) {
    fs::remove_all(path_, ignored);
    if (!fs::exists(path_, ignored)) return;
    ::usleep(50000);
  }
}

Result<std::string> BrowserFolder::start_page(const std::string& url) const {
  std::string address;  // its values are percent-encoded already
  for (const char c : url) address += c == '&' ? std::string("&amp;") : std::string(1, c);
  std::string path = (path_ / "start.html").string();
  const std::string page = fmt::format(
      "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta http-equiv=\"refresh\" content=\"0; url={}\">\n<title>sinew</title>\n",
      address);
  if (auto ok = io::write_atomically(path, page); !ok) return ok.error();
  return path;
}

Result<std::unique_ptr<Browser>> Browser::open(const std::string& url, std::pair<int, int> size) {
  const Result<std::string> program = find_chromium();
  if (!program) return program.error();
  Result<std::unique_ptr<BrowserFolder>> folder = BrowserFolder::make();
  if (!folder) return folder.error();
  Result<std::string> start = (*folder)->start_page(url);
  if (!start) return start.error();
  std::unique_ptr<Browser> browser(new Browser);
  browser->folder_ = std::move(*folder);
  std::vector<std::string> command = {
      *program, "--headless=new", "--user-data-dir=" + browser->folder_->path().string(),
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
  command.push_back(std::move(*start));
  Result<std::unique_ptr<Child>> child = Child::start(command);
  if (!child) return child.error();
  browser->child_ = std::move(*child);
  return browser;
}

}  // namespace sinew::view
