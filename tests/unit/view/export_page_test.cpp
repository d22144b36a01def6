#include "view/export_page.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <zlib.h>

#include "../scratch_folder.h"
#include "io/base64.h"
#include "sample_show.h"
#include "view/message.h"

namespace sinew::view {
namespace {

const std::string page = "<html><body><p>viewer</p></body></html>\n";

// The messages of a page, by the description in the header of view/export_page.h.
std::vector<std::string> messages_of(const std::string& html) {
  const std::string begin = "<script type=\"application/octet-stream\" id=\"sinew-data\">";
  const size_t from = html.find(begin) + begin.size(), to = html.find("</script>", from);
  std::string packed;
  io::Base64Decoder decoder;
  EXPECT_EQ(decoder.decode(std::string_view(html).substr(from, to - from), packed), to - from);
  EXPECT_TRUE(decoder.between_groups());
  std::string data(50 << 20, '\0');
  uLongf length = data.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(data.data()), &length,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  data.resize(length);
  std::vector<std::string> messages;
  for (size_t at = 0; at < data.size();) {
    uint32_t size = 0;
    std::memcpy(&size, &data[at], 4);
    messages.push_back(data.substr(at + 4, size));
    at += 4 + size;
  }
  return messages;
}

std::vector<double> unpacked(const Message& message, const std::string& name, std::vector<uint16_t>& sums,
                             const std::vector<double>& origin, const std::vector<double>& scale) {
  const std::string_view planes = message.find(name)->bytes;
  const size_t n = planes.size() / 2;
  sums.resize(n);
  std::vector<double> out;
  for (size_t i = 0; i < n; ++i) {
    sums[i] = static_cast<uint16_t>(sums[i] + static_cast<unsigned char>(planes[i]) +
                                    256 * static_cast<unsigned char>(planes[n + i]));
    out.push_back(origin[i % origin.size()] + scale[i % scale.size()] * sums[i]);
  }
  return out;
}

std::vector<double> numbers(const Json& json) {
  if (json.is(Json::Kind::number)) return {json.number()};
  std::vector<double> out;
  for (const Json& item : json.items()) out.push_back(item.number());
  return out;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExportPage, positions_and_values_within_the_quantisation) {
  const ScratchFolder folder;
  Show show = growing_show(1, 3);
  PageOptions options;
  options.path = (folder.path() / "page.html").string();
  options.field = "displacement";
  options.component = "x";
  const auto size = export_page(show, page, options);
  ASSERT_TRUE(size) << size.error().text();
  const std::string html = contents(options.path);
  EXPECT_EQ(size->bytes, static_cast<int64_t>(html.size()));
  EXPECT_EQ(size->frames, 5);
  EXPECT_TRUE(html.starts_with("<html><body><p>viewer</p><script"));
  EXPECT_TRUE(html.ends_with("</script>\n</body></html>\n"));
  const std::vector<std::string> messages = messages_of(html);
  ASSERT_EQ(messages.size(), 7u);
  const Json hello = *json::parse_json(messages[0], "hello");
  EXPECT_EQ(hello["panes"].item(0)["frames"].size(), 5u);
  ASSERT_EQ(hello["panes"].item(0)["fields"].size(), 1u);
  EXPECT_EQ(hello["panes"].item(0)["fields"].item(0)["components"].item(0).text(), "x");
  const auto nodes = parse_message(messages[1])->values<int32_t>("nodes");
  const auto& X = show.panes[0]->stage()->model.X;
  std::vector<uint16_t> position_sums, value_sums;
  for (int k = 0; k < 5; ++k) {
    const Message frame = *parse_message(messages[2 + k]);
    EXPECT_EQ(frame.header["index"].number(), 2 * k);
    const Json& packed = frame.header["packed"];
    const auto x =
        unpacked(frame, "positions", position_sums, numbers(packed["origin"]), numbers(packed["scale"]));
    const auto u = unpacked(frame, "values", value_sums, numbers(packed["values"]["origin"]),
                            numbers(packed["values"]["scale"]));
    ASSERT_EQ(x.size(), 3 * nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(x[3 * i + c], (1 + 2 * k) * X[nodes[i]][c], 0.51 * 9 / 65535.0);
      EXPECT_NEAR(u[i], 2 * k * X[nodes[i]][0], 0.51 * 8 / 65534.0);
    }
    EXPECT_EQ(frame.header["field"]["max"].number(), 8);
  }
}

TEST(ExportPage, colliders_go_along) {
  const ScratchFolder folder;
  Show show;
  show.panes.push_back(std::make_unique<WithColliders>());
  PageOptions options;
  options.path = (folder.path() / "page.html").string();
  ASSERT_TRUE(export_page(show, page, options));
  const std::vector<std::string> messages = messages_of(contents(options.path));
  ASSERT_EQ(messages.size(), 5u);  // hello, colliders, topology, two frames
  EXPECT_EQ(json::parse_json(messages[0], "hello")->find("panes")->item(0)["colliders"].size(), 2u);
  EXPECT_EQ(parse_message(messages[1])->header["say"].text(), "colliders");
  const auto poses = parse_message(messages[4])->values<float>("collider_poses");
  ASSERT_EQ(poses.size(), 24u);
  EXPECT_FLOAT_EQ(poses[10], 0.5f);  // the floor has risen
  EXPECT_FLOAT_EQ(poses[21], 7.0f);
}

TEST(ExportPage, some_frames_of_two_panes_without_a_field) {
  const ScratchFolder folder;
  Show show = growing_show(2);
  PageOptions options;
  options.path = (folder.path() / "page.html").string();
  options.first = 2;
  options.last = 5;
  ASSERT_TRUE(options.settings.set("camera", "10,20,1"));
  ASSERT_TRUE(export_page(show, page, options));
  const auto messages = messages_of(contents(options.path));
  ASSERT_EQ(messages.size(), 7u);  // hello, and twice a topology and two frames
  EXPECT_EQ(parse_message(messages[2])->header["index"].number(), 2);
  EXPECT_EQ(parse_message(messages[6])->header["pane"].number(), 1);
  EXPECT_TRUE(parse_message(messages[2])->header["field"].is(Json::Kind::null));
  const Json hello = *json::parse_json(messages[0], "hello");
  EXPECT_EQ(hello["panes"].item(1)["fields"].size(), 0u);
  EXPECT_EQ(hello["settings"]["camera"].text(), "10,20,1");
}

TEST(ExportPage, refusals_leave_no_file) {
  const ScratchFolder folder;
  Show show = growing_show();
  PageOptions options;
  options.path = (folder.path() / "page.html").string();
  options.field = "nothing";
  EXPECT_FALSE(export_page(show, page, options));
  options.field = "";
  options.first = 100;
  EXPECT_FALSE(export_page(show, page, options));
  options.first = 0;
  EXPECT_FALSE(export_page(show, "<html>", options));
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE(export_page(show, page, options, &cancel));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  options.path = (folder.path() / "no/such/folder/page.html").string();
  EXPECT_EQ(export_page(show, page, options).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace sinew::view
