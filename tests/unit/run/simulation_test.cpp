#include "run/simulation.h"

#include <gtest/gtest.h>

#include "run/runner.h"
#include "sample_run.h"

namespace sinew::run {
namespace {

using json::Json;
using math::Vec3d;

Json edit(const std::string& text) {
  const Result<Json> json = json::parse_json(text, "edit");
  EXPECT_TRUE(json) << text;
  return json ? *json : Json();
}

// The beam of 2 m, at rest under its weight within one frame.
const std::vector<std::string> at_rest = {"solve.mode=quasistatic", "solve.integrator=backward_euler",
                                          "solve.tolerance=1e-10"};

std::vector<std::string> with(std::vector<std::string> overrides, const std::string& more) {
  overrides.push_back(more);
  return overrides;
}

class Stage {
 public:
  explicit Stage(std::vector<std::string> overrides = at_rest)
      : loaded_(load_sample(std::move(overrides))), made_(Simulation::make(loaded_.scene, loaded_.built)) {
    EXPECT_TRUE(made_);
  }
  Simulation& operator*() { return *made_; }
  Simulation* operator->() { return &*made_; }
  void advance(int frames = 1) {
    for (int i = 0; i < frames; ++i) {
      FrameTotals totals;
      EXPECT_EQ(made_->advance(totals, {}), Advanced::taken);
    }
  }
  void apply(const std::string& text) {
    const Result<void> ok = made_->apply(edit(text));
    EXPECT_TRUE(ok) << text << ": " << ok.error().text();
  }
  std::string refusal(const std::string& text) {
    const Result<void> ok = made_->apply(edit(text));
    return ok ? "" : ok.error().text();
  }
  Vec3d x(int32_t node) { return made_->state().x()[node]; }
  const Loaded& loaded() const { return loaded_; }

 private:
  Loaded loaded_;
  Result<Simulation> made_;
};

// The node of the free end at y = z = 0.
int32_t tip(const model::Model& model) {
  for (size_t i = 0; i < model.X.size(); ++i)
    if (norm(model.X[i] - Vec3d{2, 0, 0}) < 1e-9) return static_cast<int32_t>(i);
  ADD_FAILURE() << "no such node";
  return 0;
}

TEST(Simulation, APoseArrivesAtTheEndOfTheFrame) {
  Stage stage;
  stage.advance();
  const model::Attachment& wall = stage->built().model.attachments[0];
  stage.apply(R"({"do": "pose", "name": "attach.wall", "translate": [0.5, 0.25, 0]})");
  EXPECT_EQ(stage.x(wall.nodes[0])[0], stage->built().model.X[wall.nodes[0]][0]);
  stage.advance();
  for (const int32_t node : stage->built().model.attachments[0].nodes) {
    const Vec3d moved = stage->built().model.X[node] + Vec3d{0.5, 0.25, 0};
    EXPECT_LT(norm(stage.x(node) - moved), 1e-14);
  }
  stage.advance();  // and stays there
  const int32_t node = stage->built().model.attachments[0].nodes[0];
  EXPECT_LT(norm(stage.x(node) - stage->built().model.X[node] - Vec3d{0.5, 0.25, 0}), 1e-14);
}

TEST(Simulation, ATurnIsAboutTheCentreOfTheAttachment) {
  Stage stage;
  stage.apply(
      R"({"do": "pose", "name": "attach.wall", "translate": [0, 0, 0], "rotate": {"axis": [2, 0, 0], "degrees": 180}})");
  stage.advance();
  for (const int32_t node : stage->built().model.attachments[0].nodes) {
    const Vec3d X = stage->built().model.X[node];
    EXPECT_LT(norm(stage.x(node) - Vec3d{X[0], 0.5 - X[1], 0.5 - X[2]}), 1e-14);
  }
}

// Small strains: the equilibrium is linear in gravity and in 1 / E.
TEST(Simulation, InputsAndNumbersChangeTheEquilibrium) {
  Stage stage(with(with(at_rest, "bodies.beam.material.model=linear"), "gravity=[0,-1,0]"));
  const int32_t node = tip(stage->built().model);
  stage.advance();
  const double sag = stage.x(node)[1];
  EXPECT_LT(sag, -1e-4);
  stage.apply(R"({"do": "input", "name": "gravity", "value": [0, -3, 0]})");
  stage.advance();
  EXPECT_NEAR(stage.x(node)[1], 3 * sag, 1e-7 * -sag);
  stage.apply(R"({"do": "set", "path": "bodies.beam.material.young", "value": 3e5})");
  stage.advance();
  EXPECT_NEAR(stage.x(node)[1], sag, 1e-7 * -sag);
  EXPECT_EQ(stage->frame(), 3);
}

TEST(Simulation, AHandPullsANodeAndLetsGo) {
  Stage stage;
  const int32_t node = tip(stage->built().model);
  stage.advance();
  const model::State rest = stage->state();
  stage.apply(R"({"do": "grab", "node": )" + std::to_string(node) + R"(, "to": [1.5, 1, 0]})");
  const Vec3d to = {1.5, 1, 0};
  const double before = norm(stage.x(node) - to);
  stage.advance();
  EXPECT_LT(norm(stage.x(node) - to), 0.7 * before);
  stage.apply(R"({"do": "move", "to": [1.5, 0.5, 0.5]})");
  stage.advance();
  EXPECT_GT(stage.x(node)[2], 0.1);
  stage.apply(R"({"do": "release"})");
  stage.advance();
  for (size_t i = 0; i < rest.x().size(); ++i) EXPECT_LT(norm(stage->state().x()[i] - rest.x()[i]), 1e-6);
  EXPECT_TRUE(stage->built().model.links.empty());
}

TEST(Simulation, AnotherMethodFindsTheSameEquilibrium) {
  Stage stage;
  stage.advance();
  const model::State newton = stage->state();
  stage.apply(R"({"do": "method", "name": "hybrid"})");
  stage.apply(R"({"do": "input", "name": "gravity", "value": [0, -20, 0]})");
  stage.advance();
  stage.apply(R"({"do": "input", "name": "gravity", "value": [0, -9.81, 0]})");
  stage.advance();
  EXPECT_EQ(stage->built().method->name, "hybrid");
  for (size_t i = 0; i < newton.x().size(); ++i) EXPECT_LT(norm(stage->state().x()[i] - newton.x()[i]), 1e-7);
}

TEST(Simulation, WhatIsRefusedChangesNothing) {
  Stage stage;
  stage.advance();
  const uint64_t hash = stage->state().hash();
  const int64_t models = stage->models();
  const std::pair<const char*, const char*> cases[] = {
      {R"([1])", "expected an object"},
      {R"({"do": "dance"})", "unknown"},
      {R"({"do": "pose", "name": "attach.wal", "translate": [0,0,0]})", "attach.wall"},
      {R"({"do": "pose", "name": "gravity", "translate": [0,0,0]})", "unknown pose"},
      {R"({"do": "pose", "name": "attach.wall", "translate": [0,0]})", "/translate"},
      {R"({"do": "pose", "name": "attach.wall", "translate": [0,0,1e300]})", "/translate"},
      {R"({"do": "pose", "name": "attach.wall", "translate": [0,0,0], "rotate": {"axis": [0,0,0], "degrees": 1}})",
       "/rotate"},
      {R"({"do": "input", "name": "gravity", "value": [0,0]})", "3 numbers"},
      {R"({"do": "input", "name": "gravity", "value": [0,0,"x"]})", "3 numbers"},
      {R"({"do": "grab", "node": 20, "to": [0,0,0]})", "from 0 to 19"},
      {R"({"do": "grab", "node": -1, "to": [0,0,0]})", "from 0 to 19"},
      {R"({"do": "grab", "node": 0, "to": [0,0,0]})", "held by the attachment \"wall\""},
      {R"({"do": "move", "to": [0,0,0]})", "grab"},
      {R"({"do": "release"})", "nothing is held"},
      {R"({"do": "set", "path": "bodies.beam.density", "value": -1})", "density"},
      {R"({"do": "set", "path": "bodies.beam.densty", "value": 1})", "density"},
      {R"({"do": "method", "name": "newtn"})", "newton"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(stage.refusal(text).find(expected), std::string::npos) << text << "\n" << stage.refusal(text);
  EXPECT_EQ(stage->state().hash(), hash);
  EXPECT_EQ(stage->models(), models);
  EXPECT_TRUE(stage->edits().empty());
  stage.advance();
}

TEST(Simulation, AnotherMeshBeginsAgain) {
  Stage stage;
  stage.advance(2);
  stage.apply(R"({"do": "pose", "name": "attach.wall", "translate": [1, 0, 0]})");
  stage.apply(R"({"do": "set", "path": "bodies.beam.mesh.box.cells", "value": [6, 1, 1]})");
  EXPECT_EQ(stage->frame(), 0);
  EXPECT_EQ(stage->state().x().size(), 28u);
  ASSERT_EQ(stage->edits().size(), 1u);
  stage.advance();
  EXPECT_EQ(stage.x(stage->built().model.attachments[0].nodes[0])[0], 0);
}

TEST(Simulation, ResetKeepsWhatWasSet) {
  Stage stage(with(at_rest, "bodies.beam.material.model=linear"));
  stage.advance();
  const double sag = stage.x(tip(stage->built().model))[1];
  stage.apply(R"({"do": "set", "path": "bodies.beam.material.young", "value": 2e5})");
  stage.apply(R"({"do": "pose", "name": "attach.wall", "translate": [1, 0, 0]})");
  stage.advance();
  ASSERT_TRUE(stage->reset());
  EXPECT_EQ(stage->frame(), 0);
  EXPECT_EQ(stage->edits().size(), 1u);
  stage.advance();
  EXPECT_NEAR(stage.x(tip(stage->built().model))[1], sag / 2, 1e-7 * -sag);
}

// A session of every kind of edit, and a run with what it saved: the same bits, resumed or not.
TEST(Simulation, ASessionCanBeRunAgain) {
  const ScratchFolder folder;
  Stage stage(std::vector<std::string>{});
  const std::string node = std::to_string(tip(stage->built().model));
  stage.apply(R"({"do": "input", "name": "gravity", "value": [0, -5, 0]})");
  stage.advance(2);
  stage.apply(R"({"do": "grab", "node": )" + node + R"(, "to": [2, 0.3, 0]})");
  stage.advance();
  stage.apply(R"({"do": "move", "to": [2.1, 0.4, 0.1]})");
  stage.apply(R"({"do": "set", "path": "bodies.beam.material.young", "value": 2e5})");
  stage.advance();
  stage.apply(R"({"do": "release"})");
  stage.apply(R"({"do": "pose", "name": "attach.wall", "translate": [0, 0.1, 0]})");
  stage.advance();
  stage.apply(R"({"do": "method", "name": "pbng"})");
  stage.advance();
  put(folder / "session.json", session_of(*stage).pretty());

  const Result<Session> session = read_session(folder / "session.json");
  ASSERT_TRUE(session) << session.error().text();
  EXPECT_EQ(session->frames, 6);
  RunOptions options;
  options.edits = session->edits;
  options.session_frames = session->frames;
  const auto run_to = [&](const std::string& name, int64_t last, bool resume) {
    options.folder = folder / name;
    options.last_frame = last;
    options.existing.resume = resume;
    const RunOutcome outcome = run(stage.loaded().scene, stage.loaded().built, options, {}, {});
    EXPECT_FALSE(outcome.error) << outcome.error->text();
    return outcome.state_hash;
  };
  char expected[17];
  std::snprintf(expected, sizeof expected, "%016lx", static_cast<unsigned long>(stage->state().hash()));
  EXPECT_EQ(run_to("whole", -1, false), expected);
  for (const int64_t half : {1, 3, 4}) {
    const std::string name = "half" + std::to_string(half);
    run_to(name, half, false);
    EXPECT_EQ(run_to(name, -1, true), expected) << half;
  }
}

TEST(Simulation, ABrokenSessionIsRefused) {
  const ScratchFolder folder;
  for (const char* text :
       {"{}", "[]", R"({"sinew_session": 2, "scene": "a", "frames": 1})",
        R"({"sinew_session": 1, "frames": 1})", R"({"sinew_session": 1, "scene": "a", "frames": -1})",
        R"({"sinew_session": 1, "scene": "a", "frames": 9, "edits": [{"frame": 2}, {"frame": 1}]})",
        R"({"sinew_session": 1, "scene": "a", "frames": 9, "edits": [{"do": "release"}]})"}) {
    put(folder / "session.json", text);
    EXPECT_FALSE(read_session(folder / "session.json")) << text;
  }
}

}  // namespace
}  // namespace sinew::run
