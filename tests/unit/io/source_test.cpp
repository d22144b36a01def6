#include "io/source.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

void expect_letters(const Source& source) {
  char buffer[8] = {};
  EXPECT_EQ(source.size(), 6);
  EXPECT_EQ(source.read(2, buffer, 3), 3u);
  EXPECT_EQ(std::string(buffer, 3), "cde");
  EXPECT_EQ(source.read(4, buffer, 8), 2u);
  EXPECT_EQ(source.read(6, buffer, 8), 0u);
  EXPECT_EQ(source.read(-1, buffer, 8), 0u);
}

TEST(Source, FilesAndMemoryGiveTheSame) {
  Scratch scratch;
  expect_letters("abcdef");
  std::ofstream(scratch.path("a")) << "abcdef";
  const auto file = Source::open(scratch.path("a"));
  ASSERT_TRUE(file);
  expect_letters(*file);
}

TEST(Source, SaysWhatCannotBeOpened) {
  Scratch scratch;
  EXPECT_EQ(Source::open(scratch.path("none")).error().kind, ErrorKind::io);
  EXPECT_NE(Source::open(scratch.path("")).error().what.find("folder"), std::string::npos);
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);  // nobody writes to it
  EXPECT_NE(Source::open(scratch.path("pipe")).error().what.find("pipe"), std::string::npos);
}

}  // namespace
}  // namespace sinew::io
