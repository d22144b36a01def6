#include "batch/shard_lock.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/scratch_folder.h"

namespace sinew::batch {
namespace {

namespace fs = std::filesystem;

TEST(ShardLock, IsHeldByOneAndRemovedAtTheEnd) {
  const ScratchFolder scratch;
  {
    auto first = ShardLock::claim(scratch.path(), "0.lock");
    ASSERT_TRUE(first);
    ASSERT_TRUE(*first);
    EXPECT_TRUE((*first)->still_mine());
    auto second = ShardLock::claim(scratch.path(), "0.lock");
    ASSERT_TRUE(second);
    EXPECT_FALSE(*second);
  }
  EXPECT_FALSE(fs::exists(scratch.path() / "0.lock"));
}

TEST(ShardLock, OfADeadProcessIsTakenOver) {
  const ScratchFolder scratch;
  const fs::path path = scratch.path() / "0.lock";
  const pid_t child = ::fork();
  if (child == 0) {
    std::ofstream(path) << Owner::self().text();
    ::pause();
    ::_exit(0);
  }
  while (!fs::exists(path) || fs::file_size(path) == 0) ::usleep(1000);
  ::usleep(1000);
  EXPECT_FALSE(is_stale(path));
  auto refused = ShardLock::claim(scratch.path(), "0.lock");
  ASSERT_TRUE(refused);
  EXPECT_FALSE(*refused);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_stale(path));
  auto taken = ShardLock::claim(scratch.path(), "0.lock");
  ASSERT_TRUE(taken);
  ASSERT_TRUE(*taken);
  EXPECT_TRUE((*taken)->still_mine());
}

// A process number that was given to another since.
TEST(ShardLock, TheStartTimeTellsProcessesOfOneNumberApart) {
  const ScratchFolder scratch;
  const fs::path path = scratch.path() / "0.lock";
  Owner owner = Owner::self();
  std::ofstream(path) << owner.text();
  EXPECT_FALSE(is_stale(path));
  owner.start += "1";
  std::ofstream(path) << owner.text();
  EXPECT_TRUE(is_stale(path));
}

TEST(ShardLock, OfAnotherSystemIsStaleWhenItIsSilent) {
  const ScratchFolder scratch;
  const fs::path path = scratch.path() / "0.lock";
  Owner owner = Owner::self();
  owner.system = "elsewhere";
  std::ofstream(path) << owner.text();
  EXPECT_FALSE(is_stale(path));
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::seconds(90));
  EXPECT_TRUE(is_stale(path));
  EXPECT_FALSE(is_stale(path, 120));
}

TEST(ShardLock, ALostLockIsKnownAndLeftAlone) {
  const ScratchFolder scratch;
  const fs::path path = scratch.path() / "0.lock";
  {
    auto lock = ShardLock::claim(scratch.path(), "0.lock");
    ASSERT_TRUE(lock);
    ASSERT_TRUE(*lock);
    Owner other = Owner::self();
    other.system = "elsewhere";
    std::ofstream(path) << other.text();
    EXPECT_FALSE((*lock)->still_mine());
  }
  EXPECT_TRUE(fs::exists(path));
}

}  // namespace
}  // namespace sinew::batch
