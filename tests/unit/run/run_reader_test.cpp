#include "run/run_reader.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "base/machine.h"
#include "io/npz.h"
#include "measure/stored_contacts.h"
#include "sample_run.h"

namespace sinew::run {
namespace {

namespace fs = std::filesystem;

void run_into(const fs::path& folder, std::vector<std::string> overrides = {}, int64_t first = 0) {
  const Loaded loaded = load_sample(std::move(overrides));
  RunOptions options;
  options.folder = folder;
  options.first_frame = first;
  const RunOutcome outcome = run(loaded.scene, loaded.built, options, {}, {});
  ASSERT_FALSE(outcome.error) << outcome.error->text();
}

std::string refusal(const fs::path& folder) {
  const Result<RunReader> run = RunReader::open(folder);
  return run ? "" : run.error().text();
}

TEST(RunReader, ReadsWhatWasRun) {
  const ScratchFolder folder;
  run_into(folder / "out");
  const Result<RunReader> run = RunReader::open(folder / "out");
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(run->summary()["status"].text(), "done");
  ASSERT_EQ(run->frames().size(), 11u);
  EXPECT_EQ(run->lines().size(), 11u);
  EXPECT_TRUE(run->warnings().empty());
  EXPECT_EQ(run->frames()[6].index, 6);
  EXPECT_DOUBLE_EQ(run->frames()[6].time, 0.2);
  EXPECT_EQ(run->built().model.bodies[0].name, "beam");
  const Result<io::Npz> stored = io::read_npz((folder / "out" / frame_file(6)).string());
  const Result<model::State> state = run->state(6);
  ASSERT_TRUE(stored && state);
  const std::span<const double> x = stored->at("x").view<double>(), v = stored->at("v").view<double>();
  EXPECT_TRUE(std::equal(x.begin(), x.end(), state->numbers("x").begin(), state->numbers("x").end()));
  EXPECT_TRUE(std::equal(v.begin(), v.end(), state->numbers("v").begin(), state->numbers("v").end()));
  EXPECT_DOUBLE_EQ(state->time(), 0.2);
}

// A mesh from a file is kept with the run: the original may go, and the folder may move.
TEST(RunReader, NeedsNothingOutsideTheFolder) {
  const ScratchFolder folder;
  put(folder / "in/tet.mesh",
      "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
      "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  put(folder / "in/scene.json", R"({"sinew": 1, "bodies": {"tet": {"mesh": {"file": "tet.mesh"},
      "material": {"model": "neo_hookean", "young": 1e5, "poisson": 0.3}}}, "solve": {"mode": "dynamic"}})");
  json::Diagnostics diagnostics;
  const auto scene = scene::load_scene(folder / "in/scene.json", {}, diagnostics);
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  ASSERT_TRUE(built) << diagnostics.text();
  RunOptions options;
  options.folder = folder / "out";
  ASSERT_FALSE(run(*scene, *built, options, {}, {}).error);
  fs::remove_all(folder / "in");
  fs::rename(folder / "out", folder / "moved");
  const Result<RunReader> run = RunReader::open(folder / "moved");
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(run->built().model.X.size(), 4u);
  fs::remove_all(folder / "moved/scene_files");
  EXPECT_NE(refusal(folder / "moved").find("copy the whole folder"), std::string::npos);
}

TEST(RunReader, ContactsAreStored) {
  const ScratchFolder folder;
  run_into(folder / "out",
           {"attach=[]",
            R"(colliders={"floor": {"shape": {"plane": {"point": [0, -0.01, 0], "normal": [0, 1, 0]}}}})",
            "expect={}"});
  const Result<RunReader> run = RunReader::open(folder / "out");
  ASSERT_TRUE(run) << run.error().text();
  const Result<model::State> state = run->state(run->frames().size() - 1);
  ASSERT_TRUE(state);
  const measure::Snapshot snapshot(run->built().model, run->built().model.params, *state);
  ASSERT_FALSE(measure::contacts(snapshot).empty());
  math::Vec3d sum = {0, 0, 0};
  for (const measure::Contact& contact : measure::contacts(snapshot)) sum += contact.force;
  EXPECT_GT(sum[1], 0);
  for (const math::Vec3d& force : measure::contact_node_forces(snapshot)) sum += force * -1.0;
  EXPECT_LT(norm(sum), 1e-9 * 9810);
}

TEST(RunReader, TellsOfMissingFrames) {
  const ScratchFolder folder;
  run_into(folder / "out");
  fs::remove(folder / "out" / frame_file(3));
  Result<RunReader> run = RunReader::open(folder / "out");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->frames().size(), 10u);
  ASSERT_EQ(run->warnings().size(), 1u);
  EXPECT_NE(run->warnings()[0].find("frames 3 are missing"), std::string::npos);
  put(folder / "out" / frame_file(4), "PK");
  EXPECT_FALSE(run->state(3));
  EXPECT_TRUE(run->state(4));
  // Frames that were never meant to be written are not missing.
  run_into(folder / "late", {}, 5);
  const Result<RunReader> late = RunReader::open(folder / "late");
  ASSERT_TRUE(late);
  EXPECT_EQ(late->frames().front().index, 5);
  EXPECT_TRUE(late->warnings().empty());
}

TEST(RunReader, RefusesWhatItCannotRead) {
  const ScratchFolder folder;
  EXPECT_NE(refusal(folder / "nowhere").find("no run.json"), std::string::npos);
  put(folder / "a/run.json", "{");
  EXPECT_NE(refusal(folder / "a"), "");
  put(folder / "a/run.json", "{}");
  EXPECT_NE(refusal(folder / "a"), "");
  put(folder / "a/run.json", R"({"sinew": "999.0.0"})");
  EXPECT_NE(refusal(folder / "a").find("update sinew"), std::string::npos);
  run_into(folder / "out");
  std::string stats = contents(folder / "out/stats.jsonl");
  put(folder / "out/stats.jsonl", stats.substr(0, stats.size() / 2));
  EXPECT_NE(refusal(folder / "out"), "");
}

TEST(RunReader, FollowsARunThatGoesOn) {
  const ScratchFolder folder;
  run_into(folder / "out");
  fs::rename(folder / "out" / frame_file(10), folder / "later");
  Result<RunReader> run = RunReader::open(folder / "out");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->frames().size(), 10u);
  fs::rename(folder / "later", folder / "out" / frame_file(10));
  ASSERT_TRUE(run->refresh());
  EXPECT_EQ(run->frames().size(), 11u);
  EXPECT_TRUE(run->warnings().empty());
}

}  // namespace
}  // namespace sinew::run
