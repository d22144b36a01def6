#include "view/message.h"

#include <cstring>
#include <gtest/gtest.h>

namespace sinew::view {
namespace {

std::string sample() {
  Json header = Json::object();
  header.set("say", "frame");
  header.set("pane", 1);
  static const std::vector<float> positions = {1, 2, 3, -4, 5.5f, 6};
  static const std::vector<uint8_t> kinds = {7, 8, 9};
  MessageWriter message(header);
  message.add<float>("positions", positions, {2, 3});
  message.add<uint8_t>("kinds", kinds, {3});
  message.add<int32_t>("none", {}, {0});
  return message.bytes();
}

// Decoded by hand, from the description in the header of view/message.h.
TEST(Message, layout) {
  const std::string bytes = sample();
  uint32_t length = 0;
  std::memcpy(&length, bytes.data(), 4);
  EXPECT_EQ((4 + length) % 8, 0u);
  const auto header = json::parse_json(bytes.substr(4, length), "header");
  ASSERT_TRUE(header);
  EXPECT_EQ((*header)["say"].text(), "frame");
  const Json& arrays = (*header)["arrays"];
  ASSERT_EQ(arrays.size(), 3u);
  EXPECT_EQ(arrays.item(0)["type"].text(), "f4");
  EXPECT_EQ(arrays.item(0)["offset"].number(), 0);
  EXPECT_EQ(arrays.item(1)["offset"].number(), 24);
  EXPECT_EQ(arrays.item(2)["offset"].number(), 32);
  float value = 0;
  std::memcpy(&value, &bytes[4 + length + 16], 4);
  EXPECT_EQ(value, 5.5f);
  EXPECT_EQ(bytes[4 + length + 24 + 2], 9);
  EXPECT_EQ(bytes.size(), 4 + length + 32);
}

TEST(Message, round_trip) {
  const std::string bytes = sample();
  const auto message = parse_message(bytes);
  ASSERT_TRUE(message) << message.error().text();
  EXPECT_EQ(message->header["pane"].number(), 1);
  EXPECT_EQ(message->values<float>("positions"), (std::vector<float>{1, 2, 3, -4, 5.5f, 6}));
  EXPECT_EQ(message->find("positions")->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(message->values<uint8_t>("kinds"), (std::vector<uint8_t>{7, 8, 9}));
  EXPECT_TRUE(message->values<int32_t>("kinds").empty());
  EXPECT_TRUE(message->values<int32_t>("none").empty());
  EXPECT_EQ(message->find("missing"), nullptr);
}

TEST(Message, every_prefix_is_refused) {
  const std::string bytes = sample();
  for (size_t n = 0; n + 8 < bytes.size(); ++n)
    EXPECT_FALSE(parse_message(std::string_view(bytes).substr(0, n))) << n;
}

std::string with_header(const std::string& text, size_t room = 64) {
  std::string padded = text;
  while ((4 + padded.size()) % 8 != 0) padded += ' ';
  const auto length = static_cast<uint32_t>(padded.size());
  std::string bytes(reinterpret_cast<const char*>(&length), 4);
  return bytes + padded + std::string(room, '\0');
}

TEST(Message, broken_headers) {
  for (const char* text : {
           "",
           "null",
           "[]",
           "{}",
           R"({"arrays": 1})",
           R"({"arrays": [1]})",
           R"({"arrays": [{"name": "a", "type": "f8", "shape": [1], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "f4", "shape": [17], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "f4", "shape": [1], "offset": 64}]})",
           R"({"arrays": [{"name": "a", "type": "f4", "shape": [1], "offset": 4}]})",
           R"({"arrays": [{"name": "a", "type": "f4", "shape": [-1], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "f4", "shape": [1.5], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "u1", "shape": [60, 60, 60, 60], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "u1", "shape": [1, 1, 1, 1, 1], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "u1", "shape": [1e300], "offset": 0}]})",
           R"({"arrays": [{"name": "a", "type": "u1", "shape": [1], "offset": 1e300}]})",
           R"({"arrays": [{"name": "a", "type": "u1", "shape": 3, "offset": 0}]})",
       })
    EXPECT_FALSE(parse_message(with_header(text))) << text;
  EXPECT_TRUE(
      parse_message(with_header(R"({"arrays": [{"name": "a", "type": "f4", "shape": [16], "offset": 0}]})")));
}

TEST(Message, nothing_in_a_wide_array) {
  for (const char* shape : {"[0, 3]", "[3, 0]", "[0]", "[4294967296, 0]"})
    EXPECT_TRUE(parse_message(with_header(
        std::string(R"({"arrays": [{"name": "a", "type": "f4", "offset": 0, "shape": )") + shape + "}]}", 0)))
        << shape;
}

TEST(Message, a_header_longer_than_the_message) {
  EXPECT_FALSE(parse_message(std::string("\xff\xff\xff\xff{}", 6)));
  EXPECT_FALSE(parse_message(std::string("\x03\0\0\0{}", 6)));
}

}  // namespace
}  // namespace sinew::view
