#include "view/live.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mutex>

#include "../run/sample_run.h"
#include "io/json_file.h"
#include "view/scene_description.h"

namespace sinew::view {
namespace {

// What the simulation told, and waiting for it.
struct Ear {
  std::mutex mutex;
  std::condition_variable heard;
  int frames = 0;
  std::vector<Json> texts;

  Live::Ears ears() {
    return {[this] {
              const std::lock_guard lock(mutex);
              ++frames;
              heard.notify_all();
            },
            [this](const Json& text) {
              const std::lock_guard lock(mutex);
              texts.push_back(text);
              heard.notify_all();
            }};
  }
  template <class F>
  bool wait(F&& f) {
    std::unique_lock lock(mutex);
    return heard.wait_for(lock, std::chrono::seconds(30), f);
  }
  bool said(const std::string& kind, const std::string& word = {}) {
    for (const Json& text : texts)
      if (text["say"].text() == kind && text.compact().find(word) != std::string::npos) return true;
    return false;
  }
};

class LiveTest : public testing::Test {
 protected:
  void SetUp() override { open({}); }
  void open(const std::vector<std::string>& overrides) {
    put(folder / "beam.json", run::swinging_beam);
    auto result = open_live((folder / "beam.json").string(), overrides,
                            {.session = folder / "session.json", .on_note = {}});
    ASSERT_TRUE(result) << result.error().text();
    opened = std::move(*result);
    opened.live->listen(ear.ears());
  }
  int64_t frame() { return (*opened.source->at(0))->index(); }

  ScratchFolder folder;
  Ear ear;
  OpenedLive opened;
};

TEST_F(LiveTest, steps_one_by_one_to_the_same_positions_as_a_run) {
  EXPECT_EQ(frame(), 0);
  EXPECT_FALSE(opened.live->playing());
  for (int k = 1; k <= 3; ++k) {
    opened.live->step();
    ASSERT_TRUE(ear.wait([&] { return ear.frames == k; }));
  }
  EXPECT_EQ(frame(), 3);
  const run::Loaded sample = run::load_sample();
  run::RunOptions options;
  options.folder = folder / "run";
  options.last_frame = 3;
  options.exports = std::vector<std::string>();
  const auto outcome = run::run(sample.scene, sample.built, options, {}, {});
  ASSERT_FALSE(outcome.error);
  const auto arrays = contents(folder / "run/frames/frame_00003.npz");
  const auto moment = *opened.source->at(0);
  const std::string bytes(reinterpret_cast<const char*>(moment->positions().data()),
                          moment->positions().size_bytes());
  EXPECT_NE(arrays.find(bytes), std::string::npos);  // stored as they are
  EXPECT_EQ(moment->line()["frame"].number(), 3);
}

TEST_F(LiveTest, plays_until_paused) {
  opened.live->play();
  ASSERT_TRUE(ear.wait([&] { return ear.frames >= 3; }));
  EXPECT_TRUE(opened.live->playing());
  opened.live->pause();
  ASSERT_TRUE(ear.wait([&] { return ear.said("state", "\"playing\":false"); }));
}

TEST_F(LiveTest, edits_and_their_errors) {
  const auto edit = [&](const std::string& text) { opened.live->edit(*json::parse_json(text, "edit")); };
  edit(R"({"do": "pose", "name": "nowhere", "translate": [0, 1, 0]})");
  ASSERT_TRUE(ear.wait([&] { return ear.said("error", "nowhere"); }));
  const std::string input = opened.live->describe()["attachments"].item(0)["input"].text();
  edit(R"({"do": "pose", "name": ")" + input + R"(", "translate": [0, 1, 0]})");
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return frame() == 1; }));
  const auto moment = *opened.source->at(0);
  const auto& model = moment->stage()->model;
  const int32_t node = model.attachments[0].nodes[0];
  EXPECT_NEAR(moment->positions()[node][1], model.X[node][1] + 1, 1e-9);
  EXPECT_EQ(moment->marks().constraints.size(), 4u);
  // A node that is pulled has a link to the hand.
  edit(R"({"do": "grab", "node": 2, "to": [2, 1, 0]})");
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return frame() == 2; }));
  EXPECT_EQ((*opened.source->at(0))->marks().constraints.size(), 5u);
  edit(R"({"do": "set", "path": "bodies.beam.density", "value": 500})");
  ASSERT_TRUE(ear.wait([&] { return ear.said("state", "numbers"); }));
  const Json described = opened.live->describe();
  for (const Json& number : described["numbers"].items())
    EXPECT_TRUE(number["path"].text() != "bodies.beam.density" || number["value"].number() == 500);
  edit(R"({"do": "set", "path": "bodies.beam.density", "value": -1})");
  ASSERT_TRUE(ear.wait([&] { return ear.said("error", "density"); }));
  edit(R"({"do": "reset"})");
  ASSERT_TRUE(ear.wait([&] { return ear.said("state", "\"reset\":true"); }));
  EXPECT_EQ(frame(), 0);
}

TEST_F(LiveTest, frames_say_where_poses_are) {
  const auto edit = [&](const std::string& text) { opened.live->edit(*json::parse_json(text, "edit")); };
  edit(R"({"do": "pose", "name": "attach.wall", "translate": [0, 0.5, 0]})");
  edit(R"({"do": "grab", "node": 19, "to": [2, 1, 0]})");
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return frame() == 1; }));
  const std::shared_ptr<Moment> moment = *opened.source->at(0);
  EXPECT_EQ(moment->inputs()["attach.wall"].item(10).number(), 0.5);  // in the last column of the 3x4 map
  EXPECT_FALSE(moment->inputs().has("hand"));
}

// Another page sees an edit before the scene steps: the state of before, inputs as they will be.
TEST_F(LiveTest, edits_of_inputs_are_published_while_paused) {
  opened.live->edit(*json::parse_json(R"({"do": "input", "name": "gravity", "value": [0, 5, 0]})", "edit"));
  ASSERT_TRUE(ear.wait([&] { return ear.frames == 1; }));
  const std::shared_ptr<Moment> moment = *opened.source->at(0);
  EXPECT_EQ(moment->index(), 0);
  EXPECT_EQ(moment->inputs()["gravity"].item(1).number(), 5);
  EXPECT_EQ(moment->line()["status"].text(), "start");
}

TEST_F(LiveTest, the_box_grows_with_the_body_and_is_small_again_after_a_reset) {
  const mesh::Bounds start = opened.source->box();
  opened.live->edit(
      *json::parse_json(R"({"do": "pose", "name": "attach.wall", "translate": [0, 50, 0]})", "edit"));
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return frame() == 1; }));
  EXPECT_GT(opened.source->box().high[1], start.high[1] + 40);
  EXPECT_EQ(opened.source->box().low[0], start.low[0]);
  opened.live->edit(*json::parse_json(R"({"do": "reset"})", "edit"));
  ASSERT_TRUE(ear.wait([&] { return ear.said("state", "\"reset\":true"); }));
  EXPECT_EQ(opened.source->box().high[1], start.high[1]);
}

// A hand that pulls further than a step can follow.
TEST_F(LiveTest, a_step_that_fails_takes_the_hand_away_and_the_scene_goes_on) {
  const std::vector<std::string> still = {"solve.mode=quasistatic"};
  open(still);
  const auto edit = [&](const std::string& text) { opened.live->edit(*json::parse_json(text, "edit")); };
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return ear.frames == 1; }));
  const std::shared_ptr<Moment> before = *opened.source->at(0);
  edit(R"({"do": "grab", "node": 19, "to": [2, 0, 0]})");
  edit(R"({"do": "move", "to": [-8e5, 5e5, 0]})");
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return ear.said("error", "the hand let go"); }));
  EXPECT_TRUE(ear.said("state", "\"released\":true"));
  const auto after = (*opened.source->at(0))->positions();
  ASSERT_EQ(after.size(), before->positions().size());
  EXPECT_EQ(std::memcmp(after.data(), before->positions().data(), after.size_bytes()), 0);
  edit(R"({"do": "move", "to": [3, 0, 0]})");  // of a page that does not know yet
  edit(R"({"do": "release"})");
  opened.live->step();
  ASSERT_TRUE(ear.wait([&] { return frame() == 2; }));
  EXPECT_EQ(frame(), 2);
  EXPECT_FALSE(ear.said("error", "nothing is held"));
  // What was saved leads to the same bits.
  opened.live->save();
  ASSERT_TRUE(ear.wait([&] { return ear.said("note", "session.json"); }));
  const Result<run::Session> session = run::read_session(folder / "session.json");
  ASSERT_TRUE(session) << session.error().text();
  const run::Loaded sample = run::load_sample(still);
  Result<run::Simulation> again = run::Simulation::make(sample.scene, sample.built);
  ASSERT_TRUE(again);
  size_t next = 0;
  for (int64_t f = 0; f < 2; ++f) {
    for (; next < session->edits.size() && run::frame_of(session->edits[next]) == f; ++next)
      ASSERT_TRUE(again->apply(session->edits[next]));
    run::FrameTotals totals;
    ASSERT_EQ(again->advance(totals, {}), run::Advanced::taken);
  }
  const std::span<const Vec3d> x = (*opened.source->at(0))->positions();
  ASSERT_EQ(again->state().x().size(), x.size());
  EXPECT_EQ(std::memcmp(again->state().x().data(), x.data(), x.size_bytes()), 0);
}

// A cloth that is held along one side follows a hand at its far corner, and the unknowns of its edges can neither be seen nor
// grabbed.
TEST(Live, sheets_are_dragged) {
  const ScratchFolder folder;
  put(folder / "cloth.json", R"({"sinew": 1, "bodies": {"cloth": {"type": "shell",
      "mesh": {"grid": {"size": [1, 0.5], "cells": [8, 4]}}, "thickness": 0.002, "density": 300,
      "material": {"model": "stvk", "young": 1e6, "poisson": 0.3}}},
      "attach": [{"what": "cloth.xmin"}], "gravity": [0, 0, -9.81], "solve": {"mode": "dynamic"}})");
  auto result =
      open_live((folder / "cloth.json").string(), {}, {.session = folder / "session.json", .on_note = {}});
  ASSERT_TRUE(result) << result.error().text();
  Ear ear;
  result->live->listen(ear.ears());
  Source& source = *result->source;
  const Json body = source.describe()["bodies"].item(0);
  EXPECT_EQ(body["nodes"].number(), 45);
  EXPECT_EQ(body["tets"].number(), 0);
  EXPECT_EQ(body["triangles"].number(), 64);
  const auto stage = source.stage();
  const model::Model& model = stage->model;
  ASSERT_EQ(model.bodies[0].hidden, 108);  // 45 - 108 + 64 = 1
  const ClipPlane half = {{1, 0, 0}, 0.5};
  for (const Topology& seen :
       {stage->surface.whole(), stage->surface.clipped(stage->surface.kept(half, model.X))}) {
    EXPECT_GT(seen.nodes.size(), 10u);
    for (const int32_t node : seen.nodes) EXPECT_LT(node, 45);
  }

  const auto edit = [&](const std::string& text) { result->live->edit(*json::parse_json(text, "edit")); };
  edit(R"({"do": "grab", "node": 45, "to": [0, 0, 0]})");
  ASSERT_TRUE(ear.wait([&] { return ear.said("error", "found 45"); }));
  EXPECT_TRUE(ear.said("error", "from 0 to 44"));
  const Vec3d corner = model.X[44], to = {0.8, corner[1], 0.4};
  edit(R"({"do": "grab", "node": 44, "to": [1, 0.25, 0]})");
  constexpr int steps = 12;
  for (int k = 1; k <= steps; ++k) {
    const Vec3d at = corner + (to - corner) * std::min(1.0, k / 8.0);
    edit(fmt::format(R"({{"do": "move", "to": [{}, {}, {}]}})", at[0], at[1], at[2]));
    result->live->step();
    ASSERT_TRUE(ear.wait([&] { return (*source.at(0))->index() == k; }));
    EXPECT_EQ((*source.at(0))->line()["status"].text(), "converged") << k;
  }
  const auto moment = *source.at(0);
  EXPECT_LT(norm(moment->positions()[44] - to), 0.02);
  EXPECT_EQ(norm(moment->positions()[0] - model.X[0]), 0);  // held
  edit(R"({"do": "release"})");
  result->live->step();
  ASSERT_TRUE(ear.wait([&] { return (*source.at(0))->index() == steps + 1; }));
}

TEST_F(LiveTest, saves_what_was_done) {
  opened.live->edit(*json::parse_json(R"({"do": "input", "name": "gravity", "value": [0, 5, 0]})", "edit"));
  opened.live->step();
  opened.live->save();
  ASSERT_TRUE(ear.wait([&] { return ear.said("note", "session.json"); }));
  const Json session = *io::read_json(folder / "session.json");
  EXPECT_EQ(session["edits"].size(), 1u);
}

TEST_F(LiveTest, describes_the_scene) {
  const Json scene = opened.live->describe();
  EXPECT_EQ(scene["attachments"].item(0)["name"].text(), "wall");
  EXPECT_EQ(scene["attachments"].item(0)["nodes"].number(), 4);
  bool young = false;
  for (const Json& number : scene["numbers"].items()) {
    const std::string& path = number["path"].text();
    EXPECT_EQ(path.find("mesh"), std::string::npos) << path;
    EXPECT_FALSE(number["doc"].text().empty()) << path;
    if (path == "bodies.beam.material.young") {
      young = true;
      EXPECT_EQ(number["value"].number(), 1e5);
      EXPECT_EQ(number["unit"].text(), "Pa");
      EXPECT_EQ(number["min"].number(), 0);
    }
  }
  EXPECT_TRUE(young);
  EXPECT_GT(scene["methods"].size(), 3u);
}

TEST(Live, broken_scenes_are_refused) {
  const ScratchFolder folder;
  put(folder / "a.json", "{");
  EXPECT_FALSE(open_live((folder / "a.json").string(), {}, {}));
  EXPECT_FALSE(open_live((folder / "missing.json").string(), {}, {}));
}

}  // namespace
}  // namespace sinew::view
