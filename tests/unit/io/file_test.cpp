#include "io/file.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

TEST(File, ReadsBackWhatWasWritten) {
  Scratch scratch;
  std::string bytes(3000000, 'a');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 2654435761u >> 13);
  const std::string path = scratch.path("a.bin");
  ASSERT_TRUE(write_atomically(path, bytes));
  EXPECT_EQ(*read_text(path), bytes);
  ASSERT_TRUE(write_atomically(path, "short"));
  EXPECT_EQ(*read_text(path), "short");
  ASSERT_TRUE(write_atomically(path, ""));
  EXPECT_EQ(*read_text(path), "");
  EXPECT_EQ(scratch.file_count(), 1u);
}

TEST(File, PlacesAreFilledInAnyOrder) {
  Scratch scratch;
  {
    Result<AtomicFile> file = AtomicFile::open(scratch.path("a"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("head"));
    ASSERT_TRUE(file->write_at(8, "tail"));
    ASSERT_TRUE(file->write_at(4, "body"));
    ASSERT_TRUE(file->write("s"));
    ASSERT_TRUE(file->write_at(0, "H"));
    ASSERT_TRUE(file->commit());
  }
  EXPECT_EQ(*read_text(scratch.path("a")), "Headbodytails");
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_FALSE(AtomicFile::open("/dev/full")->write_at(0, "x"));
  }
}

TEST(File, ReadingStopsAtTheLimit) {
  Scratch scratch;
  ASSERT_TRUE(write_atomically(scratch.path("a"), "0123456789"));
  EXPECT_TRUE(read_text(scratch.path("a"), 10));
  const auto text = read_text(scratch.path("a"), 9);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::io);
  EXPECT_NE(text.error().text().find("longer than 9 bytes"), std::string::npos);
  EXPECT_FALSE(read_text("/dev/zero", 5000000));  // endless, and of unknown size
}

TEST(File, MissingFilesAndFoldersAreIoErrors) {
  Scratch scratch;
  EXPECT_NE(read_text(scratch.path("none")).error().text().find("No such file"), std::string::npos);
  EXPECT_NE(read_text(scratch.path("")).error().text().find("folder"), std::string::npos);
  EXPECT_EQ(write_atomically(scratch.path("no/such/folder"), "x").error().kind, ErrorKind::io);
  EXPECT_NE(write_atomically(scratch.path(""), "x").error().text().find("folder"), std::string::npos);
}

TEST(File, AFullDiskIsAnErrorAndTheDeviceStays) {
  struct stat before, after;
  if (::stat("/dev/full", &before) != 0) GTEST_SKIP() << "there is no /dev/full here";
  const auto result = write_atomically("/dev/full", "some bytes");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::io);
  EXPECT_NE(result.error().text().find("No space left"), std::string::npos);
  ASSERT_EQ(::stat("/dev/full", &after), 0);
  EXPECT_TRUE(S_ISCHR(after.st_mode));
}

// A file size limit makes a write come up short and the next one fail, as a disk that fills up does.
TEST(File, AFailureHalfWayKeepsTheOldFileAndLeavesNothing) {
  Scratch scratch;
  const std::string path = scratch.path("a");
  ASSERT_TRUE(write_atomically(path, "old"));
  struct rlimit old_limit;
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 1000, old_limit.rlim_max };
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto result = write_atomically(path, std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("cannot write: File too large"), std::string::npos);
  EXPECT_EQ(*read_text(path), "old");
  EXPECT_EQ(scratch.file_count(), 1u);
}

TEST(File, NothingIsVisibleBeforeCommit) {
  Scratch scratch;
  {
    auto file = AtomicFile::open(scratch.path("a"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half"));
    EXPECT_FALSE(std::filesystem::exists(scratch.path("a")));
  }
  EXPECT_EQ(scratch.file_count(), 0u);
  auto file = AtomicFile::open(scratch.path("a"));
  ASSERT_TRUE(file->write("whole"));
  ASSERT_TRUE(file->commit());
  EXPECT_FALSE(file->write("more"));
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(*read_text(scratch.path("a")), "whole");
}

TEST(File, AFolderIsListedInOrder) {
  Scratch scratch;
  for (const char* name : {"b", "a", "c.txt"}) ASSERT_TRUE(write_atomically(scratch.path(name), ""));
  std::filesystem::create_directory(scratch.path("folder"));
  std::filesystem::create_symlink(scratch.path("a"), scratch.path("link"));
  std::filesystem::create_symlink(scratch.path("nothing"), scratch.path("broken"));
  std::filesystem::create_symlink(scratch.path("folder"), scratch.path("other"));
  const FolderContent content = read_folder(scratch.path("."));
  EXPECT_EQ(content.files, (std::vector<std::string>{"a", "b", "c.txt", "link"}));
  EXPECT_EQ(content.folders, std::vector<std::string>{"folder"});
  EXPECT_TRUE(read_folder(scratch.path("nowhere")).files.empty());
}

TEST(File, PipesAndDevicesAreRefusedAtOnce) {
  Scratch scratch;
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);  // nobody writes to it
  const auto pipe = read_text(scratch.path("pipe"));
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().kind, ErrorKind::io);
  EXPECT_NE(pipe.error().text().find("is a pipe, expected a file"), std::string::npos) << pipe.error().text();
  const auto device = read_text("/dev/zero");
  ASSERT_FALSE(device);
  EXPECT_NE(device.error().text().find("is a device, expected a file"), std::string::npos);
  std::filesystem::create_symlink(scratch.path("pipe"), scratch.path("link"));
  EXPECT_FALSE(open_to_read(scratch.path("link")));
  EXPECT_FALSE(read_text("/proc/self/stat")->empty());  // a file of unknown length
}

TEST(File, WhatKilledProcessesLeftIsRemoved) {
  Scratch scratch;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const std::string ended = ".tmp." + std::to_string(child);
  for (const std::string& name :
       {"a.obj" + ended, "b.obj" + ended, "notes.tmp.txt" + std::string(), "a.obj.tmp.1" + std::string()})
    std::ofstream(scratch.path(name)) << "half";
  auto mine = AtomicFile::open(scratch.path("a.obj"));  // a.obj.tmp.PID
  ASSERT_TRUE(mine);
  // Of a process of another system that still writes.
  std::ofstream(scratch.path("a.obj.tmp.999999999")) << "half";
  const Descriptor held(::open(scratch.path("a.obj.tmp.999999999").c_str(), O_RDONLY));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  remove_unfinished(scratch.path("a.obj"));
  const std::vector<std::string> left = read_folder(scratch.path("")).files;
  std::vector<std::string> wanted = {"a.obj.tmp.1", "a.obj.tmp.999999999", "b.obj" + ended, "notes.tmp.txt",
                                     "a.obj.tmp." + std::to_string(::getpid())};
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(left, wanted);
  ASSERT_TRUE(mine->write("whole"));
  EXPECT_TRUE(mine->commit());
  EXPECT_EQ(unfinished_file("a.obj.tmp.12"), "a.obj");
  for (const char* other : {"a.obj.tmp.", "a.obj.tmp.1x", "a.obj"}) EXPECT_FALSE(unfinished_file(other));
}

TEST(File, ALinkIsFollowed) {
  Scratch scratch;
  ASSERT_TRUE(write_atomically(scratch.path("real"), "old"));
  std::filesystem::create_symlink(scratch.path("real"), scratch.path("link"));
  ASSERT_TRUE(write_atomically(scratch.path("link"), "new"));
  EXPECT_EQ(*read_text(scratch.path("real")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link")));
}

}  // namespace
}  // namespace sinew::io
