#include "view/request.h"

#include <gtest/gtest.h>

namespace sinew::view {
namespace {

using Kind = Request::Kind;

TEST(Request, kinds) {
  const struct {
    const char* text;
    Kind kind;
  } cases[] = {
      {R"({"do": "ready"})", Kind::ready},
      {R"({"do": "frame", "pane": 1, "index": 12})", Kind::frame},
      {R"({"do": "show", "pane": 0, "field": "stress", "component": "xy"})", Kind::show},
      {R"({"do": "show", "pane": 0, "field": null, "component": null})", Kind::show},
      {R"({"do": "clip", "pane": 0, "plane": [1, 0, 0, 0.5]})", Kind::clip},
      {R"({"do": "clip", "pane": 0, "plane": null})", Kind::clip},
      {R"({"do": "play"})", Kind::play},
      {R"({"do": "pause"})", Kind::pause},
      {R"({"do": "step"})", Kind::step},
      {R"({"do": "save"})", Kind::save},
      {R"({"do": "reset"})", Kind::edit},
      {R"({"do": "grab", "node": 3, "to": [0, 1, 2]})", Kind::edit},
      {R"({"do": "move", "to": [0, 1, 2]})", Kind::edit},
      {R"({"do": "release"})", Kind::edit},
      {R"({"do": "pose", "name": "wall", "translate": [0, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": 5}})",
       Kind::edit},
      {R"({"do": "input", "name": "load", "value": [0.5]})", Kind::edit},
      {R"({"do": "set", "path": "bodies.beam.density", "value": 10})", Kind::edit},
      {R"({"do": "method", "name": "pbng"})", Kind::edit},
  };
  for (const auto& c : cases) {
    const auto request = parse_request(c.text, 2);
    ASSERT_TRUE(request) << c.text << ": " << request.error().text();
    EXPECT_EQ(static_cast<int>(request->kind), static_cast<int>(c.kind)) << c.text;
  }
}

TEST(Request, values) {
  const auto frame = parse_request(R"({"do": "frame", "pane": 1, "index": 12})", 2);
  EXPECT_EQ(frame->pane, 1);
  EXPECT_EQ(frame->frame, 12);
  const auto show =
      parse_request(R"({"do": "show", "field": "stress", "component": "xy", "range": "run"})", 1);
  EXPECT_EQ(show->field, "stress");
  EXPECT_EQ(show->component, "xy");
  EXPECT_TRUE(show->over_run);
  const auto clip = parse_request(R"({"do": "clip", "plane": [0, 2, 0, 1]})", 1);
  ASSERT_TRUE(clip->clip);
  EXPECT_TRUE(clip->clip->keeps({5, 0.5, 9}));
  EXPECT_FALSE(clip->clip->keeps({5, 0.51, 9}));
  const auto set = parse_request(R"({"do": "set", "path": "a.b", "value": 3})", 1);
  EXPECT_EQ(set->edit["value"].number(), 3);
}

TEST(Request, refused) {
  for (const char* text : {
           "",
           "ready",
           "[]",
           "null",
           "{}",
           R"({"do": 1})",
           R"({"do": "dance"})",
           R"({"do": "frame"})",
           R"({"do": "frame", "index": -1})",
           R"({"do": "frame", "index": 1.5})",
           R"({"do": "frame", "index": 1e300})",
           R"({"do": "frame", "index": "1"})",
           R"({"do": "frame", "pane": 2, "index": 1})",
           R"({"do": "frame", "pane": -1, "index": 1})",
           R"({"do": "frame", "pane": 0.5, "index": 1})",
           R"({"do": "frame", "pane": "0", "index": 1})",
           R"({"do": "show"})",
           R"({"do": "show", "field": 3})",
           R"({"do": "show", "field": "a", "component": []})",
           R"({"do": "show", "field": "a", "range": "all"})",
           R"({"do": "clip"})",
           R"({"do": "clip", "plane": [1, 2, 3]})",
           R"({"do": "clip", "plane": [0, 0, 0, 1]})",
           R"({"do": "clip", "plane": ["1", 0, 0, 1]})",
           R"({"do": "grab", "node": 1})",
           R"({"do": "grab", "node": 1, "to": [1, 2]})",
           R"({"do": "grab", "node": "1", "to": [1, 2, 3]})",
           R"({"do": "move", "to": 3})",
           R"({"do": "pose"})",
           R"({"do": "pose", "name": 3})",
           R"({"do": "pose", "name": "a", "rotate": {"axis": [1, 2], "degrees": 3}})",
           R"({"do": "pose", "name": "a", "rotate": 3})",
           R"({"do": "input", "name": "a"})",
           R"({"do": "input", "name": "a", "value": []})",
           R"({"do": "input", "name": "a", "value": ["1"]})",
           R"({"do": "set", "path": "a"})",
           R"({"do": "method"})",
           R"({"do": "ready")",
           R"({"do": "ready"} {})",
       })
    EXPECT_FALSE(parse_request(text, 2)) << text;
  const std::string name(300, 'a');
  EXPECT_FALSE(parse_request(R"({"do": "method", "name": ")" + name + "\"}", 1));
  EXPECT_FALSE(parse_request(std::string(longest_request + 1, ' '), 1));
  EXPECT_FALSE(parse_request(std::string(5000, '['), 1));
}

TEST(Request, an_unknown_word_names_the_nearest) {
  const auto request = parse_request(R"({"do": "redy"})", 1);
  ASSERT_FALSE(request);
  EXPECT_NE(request.error().text().find("ready"), std::string::npos) << request.error().text();
}

}  // namespace
}  // namespace sinew::view
