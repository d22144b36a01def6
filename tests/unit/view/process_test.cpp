#include "view/process.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "../scratch_folder.h"

namespace sinew::view {
namespace {

using std::chrono::seconds;

TEST(Process, programs_are_found) {
  EXPECT_EQ(find_program({"no-such-program", "sh"}).value_or("").substr(0, 1), "/");
  EXPECT_FALSE(find_program({"no-such-program"}));
  EXPECT_TRUE(find_program({"/bin/sh"}));
  EXPECT_FALSE(find_program({"/etc/passwd"}));
}

TEST(Process, a_child_is_fed_and_waited_for) {
  const ScratchFolder folder;
  const std::string out = (folder.path() / "out").string();
  auto child = Child::start({"sh", "-c", "cat > " + out});
  ASSERT_TRUE(child) << child.error().text();
  const std::string data(1 << 20, 'x');
  ASSERT_TRUE((*child)->write(data));
  ASSERT_TRUE((*child)->finish(seconds(20), nullptr));
  EXPECT_EQ(std::filesystem::file_size(out), data.size());
}

TEST(Process, failures_are_told_with_what_it_said) {
  auto child = Child::start({"sh", "-c", "echo this is why >&2; exit 3"});
  const auto ok = (*child)->finish(seconds(20), nullptr);
  ASSERT_FALSE(ok);
  EXPECT_NE(ok.error().text().find("this is why"), std::string::npos) << ok.error().text();
  EXPECT_FALSE(Child::start({"no-such-program"}));
}

TEST(Process, writing_to_one_that_has_ended_is_an_error) {
  auto child = Child::start({"sh", "-c", "exit 0"});
  while ((*child)->running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  Result<void> ok = (*child)->write("x");
  EXPECT_FALSE(ok);
}

TEST(Process, one_that_hangs_is_stopped) {
  auto child = Child::start({"sh", "-c", "sleep 100"});
  EXPECT_TRUE((*child)->running());
  EXPECT_FALSE((*child)->finish(std::chrono::milliseconds(50), nullptr));
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE((*child)->finish(seconds(20), &cancel));
}

// The whole family ends with the object.
TEST(Process, nothing_outlives_the_object) {
  const ScratchFolder folder;
  const std::string out = (folder.path() / "pid").string();
  pid_t grandchild = 0;
  {
    auto child = Child::start({"sh", "-c", "sleep 100 & echo $! > " + out + "; wait"});
    for (int k = 0; k < 500 && grandchild == 0; ++k) {
      std::ifstream(out) >> grandchild;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_GT(grandchild, 0);
  }
  bool gone = false;
  for (int k = 0; k < 500 && !gone; ++k) {
    std::string name, state;
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    gone = !(stat >> name >> name >> state) || state == "Z";
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(gone);
}

TEST(Process, last_lines_begin_with_a_whole_one) {
  auto child = Child::start({"sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo line $i >&2; done"});
  ASSERT_TRUE((*child)->finish(seconds(20), nullptr));
  EXPECT_EQ((*child)->last_lines(15), "line 8\nline 9");
}

}  // namespace
}  // namespace sinew::view
