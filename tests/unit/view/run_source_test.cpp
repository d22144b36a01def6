#include "view/run_source.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "../run/sample_run.h"
#include "../scratch_folder.h"
#include "view/model_moment.h"
#include "view/open.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;

class RunSourceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new ScratchFolder;
    const run::Loaded sample = run::load_sample();
    run::RunOptions options;
    options.folder = folder->path() / "run";
    const run::RunOutcome outcome = run::run(sample.scene, sample.built, options, {}, {});
    ASSERT_FALSE(outcome.error) << outcome.error->text();
  }
  static void TearDownTestSuite() { delete folder; }
  static ScratchFolder* folder;
};
ScratchFolder* RunSourceTest::folder = nullptr;

TEST_F(RunSourceTest, frames_and_fields) {
  const auto source = open_run(folder->path() / "run");
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ((*source)->frames().size(), 11u);
  const auto moment = (*source)->at(7);
  ASSERT_TRUE(moment);
  EXPECT_EQ((*moment)->index(), 7);
  EXPECT_NEAR((*moment)->time(), 7.0 / 30, 1e-12);
  EXPECT_EQ((*moment)->line()["frame"].number(), 7);
  // The displacement from the positions themselves.
  const auto y = (*moment)->values("displacement", "y");
  ASSERT_TRUE(y);
  const auto& X = (*source)->stage()->model.X;
  for (size_t i = 0; i < X.size(); ++i) EXPECT_NEAR((*y)[i], (*moment)->positions()[i][1] - X[i][1], 1e-6);
  for (const FieldInfo& field : (*source)->stage()->fields)
    for (const std::string& component : field.components())
      EXPECT_TRUE((*moment)->values(field.name, component)) << field.name << " " << component;
  EXPECT_EQ((*moment)->marks().constraints.size(), 4u);  // the nodes at the wall
  EXPECT_FALSE((*source)->at(11));
}

TEST_F(RunSourceTest, describes_itself) {
  const auto source = open_run(folder->path() / "run");
  const Json pane = (*source)->describe();
  EXPECT_EQ(pane["name"].text(), "run");
  EXPECT_EQ(pane["frames"].size(), 11u);
  EXPECT_EQ(pane["stats"].size(), 11u);
  EXPECT_LT(pane["box"].item(0).item(1).number(), -0.001);  // it has sunk below its rest position
  EXPECT_TRUE((*source)->grow().is(Json::Kind::null));
}

TEST_F(RunSourceTest, a_run_that_grows) {
  const fs::path copy = folder->path() / "copy";
  fs::copy(folder->path() / "run", copy, fs::copy_options::recursive);
  const std::string last = "frames/frame_00010.npz";
  fs::remove(copy / last);
  const auto source = open_run(copy);
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->frames().size(), 10u);
  EXPECT_FALSE((*source)->at(10));
  fs::copy(folder->path() / "run" / last, copy / last);
  fs::last_write_time(copy / "frames", fs::last_write_time(copy / "frames") + std::chrono::seconds(1));
  const Json grown = (*source)->grow();
  ASSERT_EQ(grown["frames"].size(), 1u);
  EXPECT_EQ(grown["frames"].item(0)["index"].number(), 10);
  EXPECT_TRUE((*source)->at(10));
}

TEST_F(RunSourceTest, a_broken_frame_is_named) {
  const fs::path copy = folder->path() / "broken";
  fs::copy(folder->path() / "run", copy, fs::copy_options::recursive);
  put(copy / "frames/frame_00003.npz", "cut");
  const auto source = open_run(copy);
  ASSERT_TRUE(source);
  const auto moment = (*source)->at(3);
  ASSERT_FALSE(moment);
  EXPECT_NE(moment.error().text().find("frame_00003.npz"), std::string::npos);
  EXPECT_TRUE((*source)->at(4));
}

TEST_F(RunSourceTest, what_can_be_opened) {
  const std::string run = (folder->path() / "run").string();
  EXPECT_EQ(open_show({run})->kind, "run");
  EXPECT_EQ(open_show({run, run})->panes.size(), 2u);
  EXPECT_FALSE(open_show({}));
  EXPECT_FALSE(open_show({run, run, run}));
  EXPECT_FALSE(open_show({folder->path().string()}));
  EXPECT_FALSE(open_show({run}, {.overrides = {"a=1"}}));
  EXPECT_FALSE(open_show({run}, {.unit = 1e-3}));
  EXPECT_EQ(open_show({"no-such-thing"}).error().kind, ErrorKind::io);
}

// Rows of contact::Pair::key() made by hand.
TEST(ModelMoment, contacts_are_drawn_where_they_touch) {
  const run::Loaded sample = run::load_sample();
  model::StateLayout layout;
  layout.declare({"contact_key", model::ColumnType::i64, 6, model::On::contact});
  layout.declare({"contact_force", model::ColumnType::f64, 3, model::On::contact});
  model::State state = sample.built.model.make_state(layout);
  state.x()[0] = {0, 0, 0};
  state.x()[1] = {2, 0, 0};
  state.x()[2] = {1, -1, 1};
  state.x()[3] = {1, 1, 1};
  state.rows("contact_key").i64 = {1, 0, 1,  2,  3,      -1,  // edges that cross above (1, 0, 0)
                                   0, 2, -1, -1, -1,     0,   // a vertex and a collider
                                   0, 3, 4,  5,  6,      -1,  // a vertex and a triangle
                                   0, 1, 4,  5,  6,      -1,  // without force
                                   1, 0, 1,  2,  999999, -1, 0, -5, 0, 0, 0, 0};
  state.rows("contact_force").f64 = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1};
  const model::Model& model = sample.built.model;
  const Marks marks = find_marks(measure::Snapshot(model, model.params, state));
  ASSERT_EQ(marks.contacts.size(), 3u);
  EXPECT_EQ(marks.contacts[0], (std::array<float, 3>{1, 0, 0}));
  EXPECT_EQ(marks.contacts[1], (std::array<float, 3>{1, -1, 1}));
  EXPECT_EQ(marks.contacts[2], (std::array<float, 3>{1, 1, 1}));
  EXPECT_EQ(marks.contact_kind, (std::vector<uint8_t>{0, 1, 0}));
}

}  // namespace
}  // namespace sinew::view
