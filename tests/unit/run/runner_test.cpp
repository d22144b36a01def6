#include "run/runner.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "io/npz.h"
#include "io/vtu.h"
#include "run/difference.h"
#include "sample_run.h"

namespace sinew::run {
namespace {

RunOutcome run_sample(const std::filesystem::path& folder, const RunOptions& wanted = {},
                      std::vector<std::string> overrides = {}, const Control& control = {}) {
  const Loaded loaded = load_sample(std::move(overrides));
  RunOptions options = wanted;
  options.folder = folder;
  return run(loaded.scene, loaded.built, options, {}, control);
}

TEST(Runner, WritesAWholeFolder) {
  const ScratchFolder folder;
  const RunOutcome outcome = run_sample(folder / "out");
  ASSERT_FALSE(outcome.error) << outcome.error->text();
  EXPECT_EQ(outcome.status, RunStatus::done);
  EXPECT_EQ(outcome.frame, 10);
  ASSERT_EQ(outcome.expectations.size(), 2u);
  EXPECT_TRUE(outcome.expectations_met());
  EXPECT_EQ(outcome.expectations[0].text, "beam.volume");
  EXPECT_NEAR(outcome.expectations[0].value, 0.5, 1e-12);

  const Result<json::Json> json = read_run(folder / "out");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["status"].text(), "done");
  EXPECT_EQ((*json)["state_hash"].text(), outcome.state_hash);
  EXPECT_EQ((*json)["scene"]["solve"]["mode"].text(), "dynamic");
  // 11 frames, 11 .vtu, .pvd, checkpoint and statistics.
  EXPECT_EQ((*json)["files"].size(), 25u);

  const std::string stats = contents(folder / "out/stats.jsonl");
  EXPECT_EQ(std::count(stats.begin(), stats.end(), '\n'), 11);
  const Result<json::Json> last =
      json::parse_json(stats.substr(stats.rfind('\n', stats.size() - 2) + 1), "stats.jsonl");
  ASSERT_TRUE(last);
  for (const char* key :
       {"frame", "time", "increments", "iterations", "linear_iterations", "residual", "relative_residual",
        "energy", "seconds", "min_det_F", "inverted", "linear_solver", "reactions", "phases"})
    EXPECT_TRUE(last->has(key)) << key;
  EXPECT_EQ((*last)["reactions"]["wall"]["force"].size(), 3u);
  EXPECT_LE((*last)["relative_residual"].number(), 1e-6);

  const Result<io::Npz> frame = io::read_npz((folder / "out" / frame_file(10)).string());
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->at("x").shape, (std::vector<int64_t>{20, 3}));
  EXPECT_EQ(frame->at("v").shape, (std::vector<int64_t>{20, 3}));
  const Result<mesh::TetMesh> vtu =
      io::parse_vtu_tets(contents(folder / "out/vtk/beam_00010.vtu"), "beam_00010.vtu");
  ASSERT_TRUE(vtu) << vtu.error().text();
  EXPECT_EQ(vtu->vertices[19][1], frame->at("x").view<double>()[58]);
  for (const char* field : {"stress", "strain", "det_F", "energy_density", "von_mises"})
    EXPECT_TRUE(vtu->element_data.contains(field)) << field;
  EXPECT_TRUE(vtu->vertex_data.contains("displacement"));
}

TEST(Runner, TellsHowFarTheFormatsAtTheEndAre) {
  const ScratchFolder folder;
  const Loaded loaded = load_sample();
  RunOptions options;
  options.folder = folder / "out";
  options.exports = std::vector<std::string>{"pc2", "pvd", "mdd"};
  Progress progress;
  std::vector<int64_t> told;
  bool ended = false;
  progress.on_frame = [&](const FrameDone& done) { ended = done.frame == done.last; };
  progress.on_export = [&](const std::string& formats, int64_t done, int64_t frames) {
    EXPECT_TRUE(ended);
    EXPECT_EQ(formats, "pc2,mdd");
    EXPECT_EQ(frames, 11);
    told.push_back(done);
  };
  ASSERT_FALSE(run(loaded.scene, loaded.built, options, progress, {}).error);
  EXPECT_EQ(told, (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

// The first half, a new process as far as the library can tell, and the second half.
TEST(Runner, ResumedIsTheSameBits) {
  const ScratchFolder folder;
  const RunOutcome whole = run_sample(folder / "whole");
  RunOptions half;
  half.last_frame = 5;
  const RunOutcome first = run_sample(folder / "halves", half);
  EXPECT_EQ(first.frame, 5);
  EXPECT_EQ(first.expectations.size(), 1u);
  RunOptions rest;
  rest.existing.resume = true;
  const RunOutcome second = run_sample(folder / "halves", rest);
  ASSERT_FALSE(second.error) << second.error->text();
  EXPECT_EQ(second.state_hash, whole.state_hash);
  EXPECT_EQ(second.expectations.size(), 2u);
  const Result<Difference> difference = compare_runs(folder / "whole", folder / "halves");
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->within(0));
  EXPECT_EQ(difference->frames, 11);
  for (const char* name : {"frames/frame_00010.npz", "vtk/beam_00010.vtu", "vtk/beam.pvd"})
    EXPECT_EQ(contents(folder / "whole" / name), contents(folder / "halves" / name)) << name;
  // Nothing is left to do: the same outcome again.
  EXPECT_EQ(run_sample(folder / "halves", rest).state_hash, whole.state_hash);
}

TEST(Runner, CancelledLeavesACheckpoint) {
  const ScratchFolder folder;
  const RunOutcome whole = run_sample(folder / "whole");
  for (int after : {1, 7, 23}) {
    const std::filesystem::path out = folder / ("out" + std::to_string(after));
    Cancel cancel;
    int iterations = 0;
    const Control control{&cancel, [&](double) {
                            if (++iterations == after) cancel.request();
                          }};
    const RunOutcome stopped = run_sample(out, {}, {}, control);
    EXPECT_EQ(stopped.status, RunStatus::interrupted);
    EXPECT_LT(stopped.frame, 10);
    EXPECT_EQ((*read_run(out))["status"].text(), "interrupted");
    RunOptions rest;
    rest.existing.resume = true;
    EXPECT_EQ(run_sample(out, rest).state_hash, whole.state_hash) << after;
  }
}

TEST(Runner, ExpectationsThatFailAreToldWithTheirNumbers) {
  const ScratchFolder folder;
  const RunOutcome outcome =
      run_sample(folder / "out", {}, {"expect={\"beam.volume\":{\"max\":0.1,\"frame\":0}}"});
  EXPECT_EQ(outcome.status, RunStatus::done);
  EXPECT_FALSE(outcome.expectations_met());
  EXPECT_EQ(outcome.expectations[0].sentence(), "beam.volume at frame 0: found 0.5, expected at most 0.1");
}

TEST(Runner, AChangedSceneIsNotContinued) {
  const ScratchFolder folder;
  RunOptions options;
  options.last_frame = 1;
  ASSERT_FALSE(run_sample(folder / "out", options).error);
  options.existing.resume = true;
  const RunOutcome refused = run_sample(folder / "out", options, {"gravity=[0,-1,0]"});
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->kind, ErrorKind::usage);
  // More frames of the same scene, by force.
  options.existing.force = true;
  options.last_frame = -1;
  const RunOutcome longer = run_sample(folder / "out", options, {"time.frames=12"});
  ASSERT_FALSE(longer.error) << longer.error->text();
  EXPECT_EQ(longer.frame, 12);
  EXPECT_FALSE(longer.warnings.empty());
  // Another mesh cannot go on.
  const RunOutcome other = run_sample(folder / "out", options, {"bodies.beam.mesh.box.cells=[5,1,1]"});
  ASSERT_TRUE(other.error);
  EXPECT_NE(other.error->what.find("rows"), std::string::npos);
}

TEST(Runner, WritesOnlyTheFramesAskedFor) {
  const ScratchFolder folder;
  RunOptions options;
  options.first_frame = 4;
  options.last_frame = 6;
  options.exports = std::vector<std::string>();
  const RunOutcome outcome = run_sample(folder / "out", options);
  EXPECT_EQ(outcome.frame, 6);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/frames/frame_00003.npz"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/frames/frame_00004.npz"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/vtk"));
}

// A beam that falls onto a floor much softer than it sinks in, and the run says how far.
TEST(Runner, WarnsOfDeepContacts) {
  const ScratchFolder folder;
  const std::vector<std::string> soft = {
      R"(colliders={"floor":{"shape":{"plane":{"point":[0,0,0],"normal":[0,1,0]}}}})",
      R"(contact={"stiffness":1})", "attach=[]", "expect={}"};
  RunOptions options;
  options.last_frame = 6;
  const RunOutcome outcome = run_sample(folder / "out", options, soft);
  ASSERT_FALSE(outcome.error) << outcome.error->text();
  ASSERT_FALSE(outcome.warnings.empty());
  EXPECT_NE(outcome.warnings.back().find("frame 6: surfaces enter each other by 0."), std::string::npos)
      << outcome.warnings.back();
  EXPECT_NE(outcome.warnings.back().find("raise the stiffness of the contact"), std::string::npos);
}

TEST(Runner, RefusesAnUnknownExport) {
  const ScratchFolder folder;
  RunOptions options;
  options.exports = std::vector<std::string>{"pdv"};
  const RunOutcome outcome = run_sample(folder / "out", options);
  ASSERT_TRUE(outcome.error);
  EXPECT_NE(outcome.error->what.find("did you mean \"pvd\"?"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Compare, FindsTheFrameAndTheNode) {
  const ScratchFolder folder;
  ASSERT_FALSE(run_sample(folder / "a").error);
  std::filesystem::copy(folder / "a", folder / "b", std::filesystem::copy_options::recursive);
  const std::string file = (folder / "b" / frame_file(3)).string();
  io::Npz arrays = *io::read_npz(file);
  double value = arrays["x"].view<double>()[3 * 5 + 1] + 0.25;
  std::memcpy(arrays["x"].bytes.data() + 8 * (3 * 5 + 1), &value, 8);
  ASSERT_TRUE(io::write_npz(file, arrays));
  std::filesystem::remove(folder / "b" / frame_file(10));
  const Result<Difference> found = compare_runs(folder / "a", folder / "b");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->same_bits);
  EXPECT_NEAR(found->largest, 0.25, 1e-12);
  EXPECT_EQ(found->where, "frame_00003, node 5");
  EXPECT_EQ(found->shape.size(), 1u);
  EXPECT_FALSE(found->within(1));
}

}  // namespace
}  // namespace sinew::run
