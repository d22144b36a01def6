#include "view/browser.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch_folder.h"

namespace sinew::view {
namespace {

// A process that existed and has ended.
int ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST(BrowserFolder, those_of_ended_processes_are_removed) {
  const ScratchFolder folder;
  const auto add = [&](const std::string& name) {
    std::filesystem::create_directories(folder.path() / name / "Default");
    return folder.path() / name;
  };
  const std::string ended = std::to_string(ended_process());
  const auto old = add("sinew-browser-" + ended + "-abcdef"), other = add("other-" + ended),
             nameless = add("sinew-browser-abcdef"),
             own = add("sinew-browser-" + std::to_string(::getpid()) + "-abcdef");
  std::filesystem::create_directory_symlink(other, folder.path() / ("sinew-browser-" + ended + "-link"));
  remove_old_folders(folder.path());
  EXPECT_FALSE(std::filesystem::exists(old));
  for (const auto& kept : {other, nameless, own})
    EXPECT_TRUE(std::filesystem::exists(kept / "Default")) << kept;
  remove_old_folders(folder.path() / "missing");
}

TEST(BrowserFolder, its_page_leads_to_the_address_for_this_user_alone) {
  std::filesystem::path path;
  {
    const auto folder = BrowserFolder::make();
    ASSERT_TRUE(folder) << folder.error().text();
    path = (*folder)->path();
    const auto page = (*folder)->start_page("http://127.0.0.1:8000/?token=abc&field=x");
    ASSERT_TRUE(page) << page.error().text();
    EXPECT_EQ(std::filesystem::path(*page).parent_path(), path);
    EXPECT_NE(contents(*page).find("url=http://127.0.0.1:8000/?token=abc&amp;field=x\""), std::string::npos);
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace sinew::view
