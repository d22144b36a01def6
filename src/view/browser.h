#pragma once
// A chromium without a window that shows one page, with a profile of its own, and the page by which any browser is led to an
// address whose token must stand in no list of processes.
//
//     Result<std::unique_ptr<Browser>> browser = Browser::open(url, {1280, 800});
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "view/process.h"

namespace sinew::view {

// The names that the program may have.
std::vector<std::string> chromium_names();

// A folder that this user alone can read, with the system's temporary files; removed with the object, or after a crash when
// the next one is made.
class BrowserFolder {
 public:
  static Result<std::unique_ptr<BrowserFolder>> make();
  BrowserFolder(const BrowserFolder&) = delete;
  BrowserFolder& operator=(const BrowserFolder&) = delete;
  ~BrowserFolder();

  const std::filesystem::path& path() const { return path_; }
  // The path of a page in it that leads to the address. Other users can read the words of a command, but not this file.
  Result<std::string> start_page(const std::string& url) const;

 private:
  BrowserFolder() = default;
  std::filesystem::path path_;
};

// Folders of this kind in `parent` whose processes were killed.
void remove_old_folders(const std::filesystem::path& parent);

class Browser {
 public:
  // Looks for these on PATH, or takes $SINEW_CHROMIUM.
  static Result<std::unique_ptr<Browser>> open(const std::string& url, std::pair<int, int> size);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  bool running() { return child_->running(); }
  std::string last_lines() const { return child_->last_lines(); }

 private:
  Browser() = default;
  std::unique_ptr<BrowserFolder> folder_;
  std::unique_ptr<Child> child_;  // ends before the folder goes
};

}  // namespace sinew::view
