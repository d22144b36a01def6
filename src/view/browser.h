#pragma once
// A chromium without a window that shows one page, with a profile of its own that is removed at the end; after a crash,
// by the next one.
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

// Profiles that processes which were killed have left in that folder.
void remove_old_profiles(const std::filesystem::path& parent);

class Browser {
 public:
  // Looks for these on PATH, or takes $SINEW_CHROMIUM.
  static Result<std::unique_ptr<Browser>> open(const std::string& url, std::pair<int, int> size);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  bool running() { return child_->running(); }
  std::string last_lines() const { return child_->last_lines(); }

 private:
  Browser() = default;
  std::filesystem::path profile_;
  std::unique_ptr<Child> child_;
};

}  // namespace sinew::view
