#include "run/run_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

#include "base/machine.h"
#include "sample_run.h"

namespace sinew::run {
namespace {

json::Json line(int64_t frame) {
  json::Json json = json::Json::object();
  json.set("frame", frame);
  return json;
}

json::Json summary(const std::string& hash) {
  json::Json json = json::Json::object();
  json.set("scene_hash", hash);
  return json;
}

model::State sample_state() { return model::State(model::StateLayout(), {2, 1, 1, 0}); }

std::string refusal(const std::filesystem::path& folder, const std::string& hash,
                    const FolderOptions& options) {
  const Result<RunFolder> run = RunFolder::open(folder, hash, options);
  return run ? "" : run.error().text();
}

TEST(RunFolder, BelongsToOneScene) {
  const ScratchFolder folder;
  {
    Result<RunFolder> run = RunFolder::open(folder.path(), "mine", {});
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_NE(refusal(folder.path(), "mine", {}).find("another process is writing"), std::string::npos);
    ASSERT_TRUE(run->write_summary(summary("mine")));
  }
  EXPECT_NE(refusal(folder.path(), "mine", {}).find("--resume"), std::string::npos);
  EXPECT_NE(refusal(folder.path(), "other", {}).find("--force"), std::string::npos);
  EXPECT_NE(refusal(folder.path(), "other", {.resume = true}).find("--force"), std::string::npos);
  EXPECT_EQ(refusal(folder.path(), "other", {.force = true}), "");
}

TEST(RunFolder, AFolderOfSomethingElseIsLeftAlone) {
  const ScratchFolder folder;
  put(folder / "thesis.tex", "text");
  put(folder / "run.txt", "text");
  EXPECT_NE(refusal(folder.path(), "mine", {}).find("not empty"), std::string::npos);
  EXPECT_NE(refusal(folder.path(), "mine", {.resume = true}).find("not empty"), std::string::npos);
  put(folder / "frames/frame_00001.npz", "old");
  ASSERT_EQ(refusal(folder.path(), "mine", {.force = true}), "");
  EXPECT_EQ(contents(folder / "thesis.tex"), "text");
  EXPECT_FALSE(std::filesystem::exists(folder / "frames/frame_00001.npz"));
}

TEST(RunFolder, LinesSurviveWithTheCheckpoint) {
  const ScratchFolder folder;
  {
    Result<RunFolder> run = RunFolder::open(folder.path(), "mine", {});
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->write_summary(summary("mine")));
    for (int64_t f = 0; f <= 40; ++f) ASSERT_TRUE(run->add_line(line(f)));
    ASSERT_TRUE(run->write_checkpoint(38, sample_state()));
  }
  // What a killed process leaves.
  put(folder / "stats.jsonl.tmp.123", "half a li");
  put(folder / "notes.tmp.123", "not ours");
  Result<RunFolder> run = RunFolder::open(folder.path(), "mine", {.resume = true});
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_FALSE(std::filesystem::exists(folder / "stats.jsonl.tmp.123"));
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.tmp.123"));
  ASSERT_EQ(run->lines().size(), 39u);
  for (int64_t f = 0; f <= 38; ++f) EXPECT_EQ(run->lines()[static_cast<size_t>(f)]["frame"].number(), f);
  ASSERT_TRUE(run->checkpoint());
  EXPECT_EQ(run->checkpoint()->frame, 38);
  ASSERT_TRUE(run->add_line(line(39)));
  ASSERT_TRUE(run->write_lines());
  const std::string text = contents(folder / "stats.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 40);
}

TEST(RunFolder, FramesThatAreKeptAreThoseThatWereWritten) {
  const ScratchFolder folder;
  {
    Result<RunFolder> run = RunFolder::open(folder.path(), "mine", {});
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->write_summary(summary("mine")));
    for (int64_t f = 0; f <= 3; ++f) {
      const Result<std::string> hash = run->write_frame(f, sample_state(), false);
      ASSERT_TRUE(hash) << hash.error().text();
      json::Json json = line(f);
      json.set("frame_hash", *hash);
      ASSERT_TRUE(run->add_line(std::move(json)));
    }
    ASSERT_TRUE(run->write_checkpoint(2, sample_state()));
  }
  put(folder / frame_file(3), "after the checkpoint: it is written again");
  ASSERT_EQ(refusal(folder.path(), "mine", {.resume = true}), "");
  std::string bytes = contents(folder / frame_file(1));
  bytes[bytes.size() / 2] ^= 1;
  put(folder / frame_file(1), bytes);
  std::filesystem::remove(folder / frame_file(2));
  const std::string text = refusal(folder.path(), "mine", {.resume = true});
  EXPECT_NE(text.find("frames/frame_00001.npz (and 1 other frames)"), std::string::npos) << text;
  EXPECT_NE(text.find("--resume --force"), std::string::npos) << text;
  const Result<RunFolder> run = RunFolder::open(folder.path(), "mine", {.resume = true, .force = true});
  ASSERT_TRUE(run) << run.error().text();
  ASSERT_EQ(run->warnings().size(), 1u);
  EXPECT_NE(run->warnings()[0].find("frame_00001.npz"), std::string::npos);
}

TEST(FolderLock, IsHeldAloneOrShared) {
  const ScratchFolder folder;
  FolderLock first, second;
  ASSERT_TRUE(first.share(folder.path()));
  ASSERT_TRUE(second.share(folder.path()));
  ASSERT_FALSE(second.take(folder.path()));
  first = {};
  ASSERT_TRUE(second.take(folder.path()));
  EXPECT_FALSE(first.take(folder.path()));
  // Whoever shares waits for one who holds it alone for a moment.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    second = {};
  });
  EXPECT_TRUE(first.share(folder.path()));
  other.join();
  const auto missing = FolderLock().share(folder / "nowhere");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::io);
}

TEST(RunFolder, AnotherBuildNeedsForce) {
  const ScratchFolder folder;
  put(folder / "run.json", summary("mine").pretty());
  ASSERT_TRUE(write_checkpoint((folder / "checkpoint.bin").string(),
                               {"mine", "another", 1, json::Json::object(), sample_state()}));
  const std::string text = refusal(folder.path(), "mine", {.resume = true});
  EXPECT_NE(text.find("another build"), std::string::npos);
  EXPECT_NE(text.find("--resume --force"), std::string::npos);
  const Result<RunFolder> run = RunFolder::open(folder.path(), "mine", {.resume = true, .force = true});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->warnings().size(), 1u);
  EXPECT_TRUE(run->checkpoint());
}

TEST(RunFolder, ABrokenCheckpointIsNamed) {
  const ScratchFolder folder;
  put(folder / "run.json", summary("mine").pretty());
  put(folder / "checkpoint.bin", "sinew checkpoint 1\nxx");
  EXPECT_NE(refusal(folder.path(), "mine", {.resume = true}).find("checkpoint.bin"), std::string::npos);
  EXPECT_EQ(refusal(folder.path(), "mine", {.force = true}), "");
}

TEST(RunFolder, AFolderThatCannotBeMade) {
  const ScratchFolder folder;
  put(folder / "file", "text");
  const Result<RunFolder> run = RunFolder::open(folder / "file/out", "mine", {});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::io);
}

TEST(Rewrite, CostsAMultipleOfTheEntries) {
  io::Rewrite rewrite;
  int64_t cost = 0, largest_gap = 0;
  for (int64_t n = 1; n <= 10000; ++n) {
    if (rewrite.due(n)) {
      cost += n;
      rewrite.written = n;
    }
    largest_gap = std::max(largest_gap, n - rewrite.written);
    if (n <= 16) {
      EXPECT_EQ(rewrite.written, n);
    }
  }
  EXPECT_LT(cost, 20 * 10000);
  EXPECT_LE(largest_gap, 10000 / 16);
}

TEST(Machine, NamesTheBinary) {
  EXPECT_EQ(binary_id().size(), 16u);
  EXPECT_EQ(binary_id(), binary_id());
  EXPECT_FALSE(build_info().version.empty());
  EXPECT_FALSE(machine().cpu.empty());
  EXPECT_GT(machine().memory, 0);
}

}  // namespace
}  // namespace sinew::run
