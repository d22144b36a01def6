#include "view/browser.h"

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

TEST(Browser, profiles_of_ended_processes_are_removed) {
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
  remove_old_profiles(folder.path());
  EXPECT_FALSE(std::filesystem::exists(old));
  for (const auto& kept : {other, nameless, own})
    EXPECT_TRUE(std::filesystem::exists(kept / "Default")) << kept;
  remove_old_profiles(folder.path() / "missing");
}

}  // namespace
}  // namespace sinew::view
