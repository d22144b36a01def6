#include "io/json_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "unit/scratch_folder.h"

namespace sinew::io {
namespace {

TEST(JsonFile, ReadsWithPlacesAndNamesTheFile) {
  const ScratchFolder folder;
  const std::filesystem::path good = folder.path() / "good.json", bad = folder.path() / "bad.json";
  std::ofstream(good) << "{\n  \"a\": 1\n}";
  std::ofstream(bad) << "{\n  \"a\": }";
  const auto json = read_json(good);
  ASSERT_TRUE(json) << json.error().text();
  EXPECT_EQ((*json)["a"].number(), 1);
  EXPECT_EQ((*json)["a"].place().line, 2);
  EXPECT_EQ(read_json(bad).error().where, bad.string() + ":2:8");
  EXPECT_FALSE(read_json(good, {.bytes = 3}));
  EXPECT_EQ(read_json("no-such-file.json").error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace sinew::io
