#include "view/viewer.h"

#include <cmath>
#include <gtest/gtest.h>

#include "sample_show.h"
#include "view/message.h"

namespace sinew::view {
namespace {

struct Received {
  std::vector<Json> texts;
  std::vector<std::string> bytes;
  std::vector<Message> messages;
};

Received receive(Viewer& viewer) {
  Received received;
  for (Outgoing& out : viewer.due()) {
    if (!out.binary) {
      received.texts.push_back(*json::parse_json(out.bytes, "text"));
      continue;
    }
    received.bytes.push_back(std::move(out.bytes));
  }
  for (const std::string& bytes : received.bytes) received.messages.push_back(*parse_message(bytes));
  return received;
}

Received ask(Viewer& viewer, const std::string& text) {
  const auto ok = viewer.take(text);
  EXPECT_TRUE(ok) << ok.error().text();
  return receive(viewer);
}

TEST(Viewer, greets_and_waits) {
  Show show = growing_show(2);
  Viewer viewer(show);
  const Received first = receive(viewer);
  ASSERT_EQ(first.texts.size(), 1u);
  EXPECT_TRUE(first.messages.empty());
  const Json& hello = first.texts[0];
  EXPECT_EQ(hello["say"].text(), "hello");
  EXPECT_EQ(hello["protocol"].number(), 1);
  EXPECT_EQ(hello["kind"].text(), "run");
  EXPECT_FALSE(hello["live"].boolean());
  ASSERT_EQ(hello["panes"].size(), 2u);
  const Json& pane = hello["panes"].item(0);
  EXPECT_EQ(pane["frames"].item(1)["index"].number(), 2);
  EXPECT_EQ(pane["fields"].item(0)["components"].item(0).text(), "norm");
  EXPECT_EQ(pane["fields"].item(1)["on"].text(), "tet");
  EXPECT_EQ(pane["bodies"].item(0)["triangles"].number(), 48);
  EXPECT_EQ(pane["box"].item(1).item(2).number(), 1);
  EXPECT_TRUE(receive(viewer).texts.empty());
}

TEST(Viewer, ready_brings_every_pane_once) {
  Show show = growing_show(2);
  Viewer viewer(show);
  receive(viewer);
  const Received first = ask(viewer, R"({"do": "ready"})");
  ASSERT_EQ(first.messages.size(), 4u);
  EXPECT_EQ(first.messages[0].header["say"].text(), "topology");
  EXPECT_EQ(first.messages[1].header["say"].text(), "frame");
  EXPECT_EQ(first.messages[3].header["pane"].number(), 1);
  EXPECT_TRUE(ask(viewer, R"({"do": "ready"})").messages.empty());
}

TEST(Viewer, a_frame_by_its_number) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  const Received received = ask(viewer, R"({"do": "frame", "pane": 0, "index": 4})");
  ASSERT_EQ(received.messages.size(), 2u);
  const Message &topology = received.messages[0], &frame = received.messages[1];
  EXPECT_EQ(frame.header["index"].number(), 4);
  EXPECT_EQ(frame.header["time"].number(), 0.4);
  EXPECT_EQ(frame.header["generation"], topology.header["generation"]);
  EXPECT_TRUE(frame.header["field"].is(Json::Kind::null));
  EXPECT_EQ(frame.header["line"]["frame"].number(), 4);
  const auto nodes = topology.values<int32_t>("nodes");
  const auto positions = frame.values<float>("positions");
  ASSERT_EQ(positions.size(), 3 * nodes.size());
  const auto& X = show.panes[0]->stage()->model.X;
  for (size_t i = 0; i < nodes.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_FLOAT_EQ(positions[3 * i + k], static_cast<float>(5 * X[nodes[i]][k]));
  EXPECT_EQ(frame.values<float>("contacts"), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(frame.values<uint8_t>("contact_kind"), (std::vector<uint8_t>{1}));
  EXPECT_EQ(frame.find("constraints")->shape, (std::vector<int64_t>{1, 2, 3}));
  // The topology is not sent again.
  EXPECT_EQ(ask(viewer, R"({"do": "frame", "pane": 0, "index": 6})").messages.size(), 1u);
}

// A page may ask ahead; every answer comes, in order, one at a time.
TEST(Viewer, frames_are_answered_in_order) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  for (const int index : {2, 4, 6})
    ASSERT_TRUE(viewer.take(R"({"do": "frame", "index": )" + std::to_string(index) + "}"));
  EXPECT_EQ(receive(viewer).messages.back().header["index"].number(), 2);
  EXPECT_EQ(receive(viewer).messages.back().header["index"].number(), 4);
  EXPECT_EQ(receive(viewer).messages.back().header["index"].number(), 6);
  EXPECT_TRUE(receive(viewer).messages.empty());
  // Of too many the last ones.
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(viewer.take(R"({"do": "frame", "index": 0})"));
  int answers = 0;
  while (!receive(viewer).messages.empty()) ++answers;
  EXPECT_LE(answers, 10);
}

TEST(Viewer, what_does_not_exist_is_told) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  const Received missing = ask(viewer, R"({"do": "frame", "index": 3})");
  ASSERT_EQ(missing.texts.size(), 1u);
  EXPECT_EQ(missing.texts[0]["say"].text(), "error");
  EXPECT_NE(missing.texts[0]["text"].text().find("frame 3"), std::string::npos);
  ask(viewer, R"({"do": "frame", "index": 2})");
  const Received field = ask(viewer, R"({"do": "show", "field": "displacment"})");
  ASSERT_EQ(field.texts.size(), 1u);
  EXPECT_NE(field.texts[0]["text"].text().find("\"displacement\""), std::string::npos);
  EXPECT_EQ(field.messages.size(), 1u);  // shown without a field
  EXPECT_EQ(ask(viewer, R"({"do": "show", "field": "displacement", "component": "xy"})").texts.size(), 1u);
  EXPECT_EQ(ask(viewer, R"({"do": "show", "field": "number", "component": "x"})").texts.size(), 1u);
  EXPECT_EQ(ask(viewer, R"({"do": "play"})").texts[0]["say"].text(), "error");
  EXPECT_FALSE(viewer.take("nonsense"));
}

TEST(Viewer, fields) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  ask(viewer, R"({"do": "frame", "index": 2})");
  Received received = ask(viewer, R"({"do": "show", "field": "displacement", "component": "y"})");
  ASSERT_EQ(received.messages.size(), 1u);
  const Json& field = received.messages[0].header["field"];
  EXPECT_EQ(field["name"].text(), "displacement");
  EXPECT_EQ(field["component"].text(), "y");
  EXPECT_EQ(field["unit"].text(), "m");
  EXPECT_EQ(field["on"].text(), "node");
  EXPECT_EQ(field["min"].number(), 0);
  EXPECT_EQ(field["max"].number(), 2);
  auto positions = received.messages[0].values<float>("positions"),
       values = received.messages[0].values<float>("values");
  ASSERT_EQ(3 * values.size(), positions.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_FLOAT_EQ(values[i], positions[3 * i + 1] * 2 / 3);
  received = ask(viewer, R"({"do": "show", "field": "displacement"})");
  EXPECT_EQ(received.messages[0].header["field"]["component"].text(), "norm");
  EXPECT_FLOAT_EQ(static_cast<float>(received.messages[0].header["field"]["max"].number()), std::sqrt(12.0f));
  received = ask(viewer, R"({"do": "show", "field": "number"})");
  values = received.messages[0].values<float>("values");
  EXPECT_EQ(values.size(), 48u);
  EXPECT_EQ(received.messages[0].header["field"]["component"].text(), "");
  received = ask(viewer, R"({"do": "show", "field": null})");
  EXPECT_EQ(received.messages[0].find("values"), nullptr);
}

TEST(Viewer, the_range_of_the_run) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  ask(viewer, R"({"do": "frame", "index": 2})");
  Received received =
      ask(viewer, R"({"do": "show", "field": "displacement", "component": "x", "range": "run"})");
  EXPECT_EQ(received.messages[0].header["field"]["over"].text(), "frame");  // not known yet
  EXPECT_EQ(received.messages[0].header["field"]["max"].number(), 2);
  while (show.panes[0]->advance()) viewer.ranges_changed();
  received = receive(viewer);
  ASSERT_EQ(received.messages.size(), 1u);
  EXPECT_EQ(received.messages[0].header["field"]["over"].text(), "run");
  EXPECT_EQ(received.messages[0].header["field"]["max"].number(), 8);
  EXPECT_TRUE(receive(viewer).messages.empty());
}

TEST(Viewer, clip_planes_send_a_topology_when_it_changes) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  ask(viewer, R"({"do": "frame", "index": 0})");
  Received received = ask(viewer, R"({"do": "clip", "plane": [1, 0, 0, 0.5]})");
  ASSERT_EQ(received.messages.size(), 2u);
  EXPECT_EQ(received.messages[0].header["generation"].number(), 2);
  // The box grows through the plane: fewer tets are left.
  const size_t before = received.messages[0].find("tets")->bytes.size();
  received = ask(viewer, R"({"do": "frame", "index": 4})");
  ASSERT_EQ(received.messages.size(), 2u);
  EXPECT_LT(received.messages[0].find("tets")->bytes.size(), before);
  received = ask(viewer, R"({"do": "show", "field": "number"})");
  ASSERT_EQ(received.messages.size(), 1u);  // the same tets
  received = ask(viewer, R"({"do": "clip", "plane": null})");
  ASSERT_EQ(received.messages.size(), 2u);
  EXPECT_EQ(received.messages[0].find("tets")->shape, (std::vector<int64_t>{48}));
}

// A page that does not say that it is ready gets one frame however many there were.
TEST(Viewer, live_frames_are_pulled) {
  Show show = growing_show();
  Viewer viewer(show);
  receive(viewer);
  ask(viewer, R"({"do": "ready"})");
  for (int i = 0; i < 10; ++i) viewer.newer();
  EXPECT_EQ(receive(viewer).messages.size(), 1u);  // the ready of before was not used by the first frame
  viewer.newer();
  EXPECT_TRUE(receive(viewer).messages.empty());
  EXPECT_EQ(ask(viewer, R"({"do": "ready"})").messages.size(), 1u);
}

TEST(Viewer, colliders_come_once_and_move_with_the_frames) {
  Show show;
  auto source = std::make_unique<WithColliders>();
  WithColliders& shown = *source;
  show.panes.push_back(std::move(source));
  Viewer viewer(show);
  const Received hello = receive(viewer);
  EXPECT_EQ(hello.texts[0]["panes"].item(0)["colliders"].item(1)["name"].text(), "ball");
  const Received first = ask(viewer, R"({"do": "frame", "index": 0})");
  ASSERT_EQ(first.messages.size(), 3u);
  EXPECT_EQ(first.messages[0].header["say"].text(), "colliders");
  const auto points = first.messages[0].values<float>("points");
  const auto triangles = first.messages[0].values<int32_t>("triangles");
  const auto collider = first.messages[0].values<int32_t>("collider");
  ASSERT_EQ(triangles.size(), 3 * collider.size());
  EXPECT_EQ(collider[1], 0);
  EXPECT_EQ(collider[2], 1);
  // In the world: the square of the floor is below the middle of the box, the ball around its own.
  const auto at = [&](const Message& frame, size_t point, size_t of) {
    const auto p = frame.values<float>("collider_poses");
    Vec3d out;
    for (size_t k = 0; k < 3; ++k)
      out[static_cast<int>(k)] = p[12 * of + 9 + k] + p[12 * of + k] * points[3 * point] +
                                 p[12 * of + 3 + k] * points[3 * point + 1] +
                                 p[12 * of + 6 + k] * points[3 * point + 2];
    return out;
  };
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(at(first.messages[2], k, 0)[1], 0, 1e-5);
    EXPECT_NEAR(std::abs(at(first.messages[2], k, 0)[0] - 1.5), 0.5 * 1.3 * 5, 1e-5);
  }
  for (size_t k = 4; k < points.size() / 3; ++k)
    EXPECT_NEAR(norm(at(first.messages[2], k, 1) - Vec3d{7, 0, 0}), 2, 1e-5);
  const Received next = ask(viewer, R"({"do": "frame", "index": 1})");
  ASSERT_EQ(next.messages.size(), 1u);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(at(next.messages[0], k, 0)[1], 0.5, 1e-5);
    EXPECT_NEAR(std::abs(at(next.messages[0], k, 0)[0] - 1.5), 0.5 * 1.3 * 5, 1e-5);
  }
  // A larger box is told, and the squares of planes grow with it.
  shown.box_.high[1] = 40;
  const Received grown = ask(viewer, R"({"do": "frame", "index": 1})");
  ASSERT_EQ(grown.texts.size(), 1u);
  EXPECT_EQ(grown.texts[0]["say"].text(), "box");
  EXPECT_EQ(grown.texts[0]["box"].item(1).item(1).number(), 40);
  ASSERT_EQ(grown.messages.size(), 2u);
  EXPECT_GT(std::abs(grown.messages[0].values<float>("points")[0]), 20);
}

class Recorder final : public Live {
 public:
  void play() override { calls += "play "; }
  void pause() override { calls += "pause "; }
  void step() override { calls += "step "; }
  void save() override { calls += "save "; }
  void edit(Json edit) override { calls += edit["do"].text() + " "; }
  bool playing() const override { return true; }
  Json describe() const override { return Json::object(); }
  void listen(Ears) override {}
  std::string calls;
};

TEST(Viewer, a_live_scene_is_told) {
  Show show = growing_show();
  auto recorder = std::make_unique<Recorder>();
  const Recorder& heard = *recorder;
  show.live = std::move(recorder);
  Viewer viewer(show);
  EXPECT_TRUE(receive(viewer).texts[0]["live"].boolean());
  for (const char* text :
       {R"({"do": "play"})", R"({"do": "pause"})", R"({"do": "step"})", R"({"do": "save"})",
        R"({"do": "reset"})", R"({"do": "method", "name": "newton"})"})
    EXPECT_TRUE(ask(viewer, text).texts.empty());
  EXPECT_EQ(heard.calls, "play pause step save reset method ");
  EXPECT_TRUE(ask(viewer, R"({"do": "ready"})").messages[1].header["playing"].boolean());
}

TEST(Source, recent_moments_are_kept) {
  GrowingBox box;
  for (int k = 0; k < 3; ++k)
    for (const int64_t index : {0, 2, 4}) EXPECT_EQ((*box.at(index))->index(), index);
  EXPECT_EQ(box.loads, 3);
}

}  // namespace
}  // namespace sinew::view
