#include "json/json.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace sinew::json {
namespace {

TEST(Json, KeepsOrderAndPlaces) {
  const auto json = parse_json("// a comment\n{\"b\": 1, /* x */ \"a\": [true,\n  \"t\"]}", "f");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->key(0), "b");
  EXPECT_EQ(json->key(1), "a");
  EXPECT_EQ(json->key_place(1).line, 2);
  EXPECT_EQ(json->key_place(1).column, 18);
  const Json& list = (*json)["a"];
  EXPECT_EQ(list.place().column, 23);
  EXPECT_EQ(list.item(0).place().column, 24);
  EXPECT_EQ(list.item(1).place().line, 3);
  EXPECT_EQ(list.item(1).place().column, 3);
}

TEST(Json, ColumnsCountBytes) {
  const auto json = parse_json("{\"\xc3\xa4\": 1, \"x\": 2}", "f");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->key_place(1).column, 11);
}

TEST(Json, WritesWhatItReads) {
  const std::string text =
      R"({"a":[1,-0.5,1e-7,1.7976931348623157e308,true,false,null],"b":{"c":"x\"\\\n\u0001"},"d":{}})";
  const auto json = parse_json(text, "f");
  ASSERT_TRUE(json);
  const auto again = parse_json(json->compact(), "f"), pretty = parse_json(json->pretty(), "f");
  ASSERT_TRUE(again);
  ASSERT_TRUE(pretty);
  EXPECT_TRUE(*again == *json);
  EXPECT_TRUE(*pretty == *json);
  EXPECT_EQ(json->compact(), text);
}

TEST(Json, NumbersComeBackBitForBit) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, 8);
    if (!std::isfinite(value)) continue;
    const auto back = parse_json(number_text(value), "f");
    ASSERT_TRUE(back) << number_text(value);
    ASSERT_EQ(back->number(), value);
  }
  EXPECT_EQ(number_text(100000), "100000");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1e9), "1e9");
  EXPECT_EQ(number_text(1e-6), "1e-6");
  EXPECT_EQ(number_text(1e100), "1e100");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(123456789), "123456789");
}

TEST(Json, BuildsForWriting) {
  Json json = Json::object();
  json.set("frames", 60);
  json.set("name", "block");
  json.set("frames", 61);
  const double values[] = {1, 2.5};
  json.set("list", Json::numbers(values));
  EXPECT_EQ(json.compact(), R"({"frames":61,"name":"block","list":[1,2.5]})");
  EXPECT_EQ(Json("\xff"
                 "a")
                .compact(),
            "\"\\ufffda\"");
}

TEST(Json, PrettyBreaksLongLinesOnly) {
  Json json = Json::object();
  json.set("short", Json::object()).set("x", 1);
  Json list = Json::list();
  for (int i = 0; i < 60; ++i) list.add(i);
  json.set("long", list);
  const std::string text = json.pretty();
  EXPECT_NE(text.find("  \"short\": {\"x\": 1},\n"), std::string::npos);
  EXPECT_NE(text.find("\n    59\n"), std::string::npos);
}

struct Broken {
  std::string text;
  const char* place;
  const char* fragment;
};

TEST(Json, SyntaxErrorsSayWhereAndWhat) {
  const Broken cases[] = {
      {"", ":1:1", "the end of the file"},
      {"{", ":1:2", "object that begins at line 1, column 1 is not closed"},
      {"{\"a\": [1, 2}", ":1:12", "found '}', expected ',' or ']'"},
      {"{\"a\":1,\n}", ":1:7", "no trailing commas"},
      {"[1,]", ":1:3", "no trailing commas"},
      {"{\"a\" 1}", ":1:6", "expected ':' after the key \"a\""},
      {"{'a':1}", ":1:2", "a key in double quotes"},
      {"{a:1}", ":1:2", "a key in double quotes"},
      {"{\"a\": NaN}", ":1:7", "found \"NaN\""},
      {"{\"a\": 1e999}", ":1:7", "beyond what a double can hold"},
      {"{\"a\": \"x\n\"}", ":1:7", "no closing"},
      {"{\"a\": 1,\n  \"a\": 2}", ":2:3", "the key \"a\" stands here a second time"},
      {"[1 2]", ":1:4", "found \"2\", expected ',' or ']'"},
      {"[01]", ":1:3", "expected ',' or ']'"},
      {"[1x]", ":1:3", "expected ',' or ']'"},
      {"[+1]", ":1:2", "no sign '+'"},
      {"[1] x", ":1:5", "expected nothing more"},
      {std::string("{}\0x", 4), ":1:3", "the byte 0x00"},
      {"[1, /* x", ":1:5", "is not closed by */"},
      {"[\"\\q\"]", ":1:3", "unknown escape"},
      {"[\"\xff\"]", ":1:2", "not valid UTF-8"},
      {"\x01\x02", ":1:1", "the byte 0x01"},
      {std::string(1000, '['), ":1:65", "more than 64 deep"},
  };
  for (const Broken& c : cases) {
    const auto json = parse_json(c.text, "f");
    ASSERT_FALSE(json) << c.text;
    EXPECT_NE(json.error().where.find(c.place), std::string::npos) << json.error().text();
    EXPECT_NE(json.error().what.find(c.fragment), std::string::npos) << json.error().text();
    EXPECT_EQ(json.error().kind, ErrorKind::input);
  }
}

TEST(Json, LimitsHold) {
  EXPECT_FALSE(parse_json("[1,2,3]", "f", {.bytes = 3}));
  EXPECT_FALSE(parse_json("[1,2,3]", "f", {.values = 3}));
  EXPECT_TRUE(parse_json("[1,2,3]", "f", {.values = 4}));
}

// Any damage to a valid text gives a value or an error inside the text.
TEST(Json, SurvivesDamage) {
  const std::string good = R"({"a": [1, -2.5e3, "x\u00e4\n"], /* c */ "b": {"c": true, "d": null}} // end)";
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (int k = 0; k < 1 + i % 3; ++k) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1);
      else
        text[at] = static_cast<char>(random() % 2 ? good[random() % good.size()] : random() % 256);
    }
    const auto json = parse_json(text, "f");
    if (json)
      EXPECT_TRUE(parse_json(json->compact(), "f")) << text;
    else
      EXPECT_FALSE(json.error().what.empty());
  }
}

}  // namespace
}  // namespace sinew::json
