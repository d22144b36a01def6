#include "run/checkpoint.h"

#include <cstring>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "sample_run.h"

namespace sinew::run {
namespace {

using model::ColumnType;
using model::On;

model::StateLayout layout() {
  model::StateLayout layout;
  layout.declare({"history", ColumnType::i64, 2, On::element});
  return layout;
}

constexpr model::Counts counts{3, 2, 1, 0};

Checkpoint sample() {
  Checkpoint c{"scene", "binary", 7, json::Json::object(), model::State(layout(), counts)};
  c.note.set("lines", json::Json::list());
  for (size_t i = 0; i < 9; ++i)
    c.state.numbers("x")[i] = i == 4 ? -0.0 : 1.0 / (1.0 + static_cast<double>(i));
  c.state.set_time(0.25);
  c.state.mutable_columns().back().i64 = {1, -2, 3, -4};
  return c;
}

TEST(Checkpoint, ReadsBackEveryBit) {
  const ScratchFolder folder;
  const Checkpoint written = sample();
  ASSERT_TRUE(write_checkpoint((folder / "c.bin").string(), written));
  const Result<Checkpoint> read = read_checkpoint((folder / "c.bin").string());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->scene_hash, "scene");
  EXPECT_EQ(read->binary_id, "binary");
  EXPECT_EQ(read->frame, 7);
  EXPECT_TRUE(read->note.has("lines"));
  EXPECT_EQ(read->state, written.state);
  EXPECT_EQ(read->state.hash(), written.state.hash());
  EXPECT_EQ(std::memcmp(read->state.columns()[0].data(), written.state.columns()[0].data(), 72), 0);
}

TEST(Checkpoint, EveryShorterFileIsRefused) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_checkpoint((folder / "c.bin").string(), sample()));
  const std::string bytes = contents(folder / "c.bin");
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(parse_checkpoint(std::string_view(bytes).substr(0, n), "c.bin")) << n;
  EXPECT_FALSE(parse_checkpoint(bytes + "x", "c.bin"));
}

TEST(Checkpoint, EveryChangedByteIsRefused) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_checkpoint((folder / "c.bin").string(), sample()));
  const std::string bytes = contents(folder / "c.bin");
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int bit : {0, 3, 7}) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ (1 << bit));
      EXPECT_FALSE(parse_checkpoint(broken, "c.bin")) << i;
    }
}

TEST(Checkpoint, SaysWhatIsWrong) {
  EXPECT_EQ(parse_checkpoint("PK\3\4", "a.npz").error().text(), "a.npz: is not a checkpoint of sinew");
  std::string other = "sinew checkpoint 9\n";
  other.append(64, '\0');
  EXPECT_NE(parse_checkpoint(other, "c").error().what.find("another version"), std::string::npos);
  // A header that promises more than the memory of any machine.
  const std::string header =
      R"({"scene_hash":"","binary_id":"","frame":0,"note":null,"columns":[{"name":"x",)"
      R"("type":"f64","width":1000000,"on":"node","rows":1e12}]})";
  const uint64_t length = header.size();
  std::string bytes = "sinew checkpoint 1\n";
  bytes.append(reinterpret_cast<const char*>(&length), 8).append(header).append(8, '\0');
  EXPECT_NE(parse_checkpoint(bytes, "c").error().what.find("do not fit"), std::string::npos);
  EXPECT_EQ(read_checkpoint("no/such/file").error().kind, ErrorKind::io);
}

// A file with this header and these many bytes of numbers, and a checksum that holds.
std::string checkpoint_of(const std::string& header, size_t numbers) {
  const uint64_t length = header.size();
  std::string bytes = "sinew checkpoint 1\n";
  bytes.append(reinterpret_cast<const char*>(&length), 8).append(header);
  Hash hash;
  hash.add(bytes);
  hash.add(std::string(numbers, '\0'));
  const uint64_t sum = hash.value();
  return bytes.append(numbers, '\0').append(reinterpret_cast<const char*>(&sum), 8);
}

TEST(Checkpoint, EveryWrongFieldIsRefused) {
  const std::string good = R"({"scene_hash":"a","binary_id":"b","frame":3,"note":null,"columns":[)"
                           R"({"name":"x","type":"f64","width":3,"on":"node","rows":2}]})";
  ASSERT_TRUE(parse_checkpoint(checkpoint_of(good, 48), "c"));
  const auto with = [&](const std::string& from, const std::string& to) {
    const size_t at = good.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return checkpoint_of(std::string(good).replace(at, from.size(), to), 48);
  };
  const char *lacks = "lacks what it should say", *unfit = "do not fit into the file",
             *unread = "header cannot be read";
  const std::pair<std::string, const char*> table[] = {
      {checkpoint_of("", 48), unread},
      {checkpoint_of("null", 48), unread},
      {checkpoint_of("[]", 48), unread},
      {checkpoint_of("{", 48), unread},
      {checkpoint_of(good + "}", 48), unread},
      {checkpoint_of(std::string(100000, '['), 48), unread},
      {checkpoint_of(good.substr(0, 40), 48), unread},
      {checkpoint_of("{}", 0), lacks},
      {with("\"a\"", "1"), lacks},
      {with("\"scene_hash\"", "\"other\""), lacks},
      {with("\"b\"", "null"), lacks},
      {with("\"frame\":3", "\"frame\":-1"), lacks},
      {with("\"frame\":3", "\"frame\":1.5"), lacks},
      {with("\"frame\":3", "\"frame\":1e18"), lacks},
      {with("\"frame\":3", "\"frame\":\"3\""), lacks},
      {with("\"columns\"", "\"rows\""), lacks},
      {checkpoint_of(R"({"scene_hash":"a","binary_id":"b","frame":3,"columns":7})", 0), lacks},
      {checkpoint_of(R"({"scene_hash":"a","binary_id":"b","frame":3,"columns":[7]})", 0), unfit},
      {with("\"name\":\"x\"", "\"name\":4"), unfit},
      {with("\"f64\"", "\"f32\""), unfit},
      {with("\"node\"", "\"edge\""), unfit},
      {with("\"width\":3", "\"width\":0"), unfit},
      {with("\"width\":3", "\"width\":-3"), unfit},
      {with("\"width\":3", "\"width\":2.5"), unfit},
      {with("\"width\":3", "\"width\":1e18"), unfit},
      {with("\"width\":3", "\"width\":4"), unfit},
      {with("\"rows\":2", "\"rows\":3"), unfit},
      {with("\"rows\":2", "\"rows\":1e12"), unfit},
      {with("\"rows\":2", "\"rows\":1e18"), unfit},
      {with("\"rows\":2", "\"rows\":1e999"), unread},
      {with("\"rows\":2", "\"rows\":null"), unfit},
      {with("\"rows\":2", "\"rows\":1"), "longer than its columns"},
      {checkpoint_of(good, 56), "longer than its columns"},
      {checkpoint_of(good, 47), unfit},
      {checkpoint_of(good, 0), unfit},
  };
  for (const auto& [bytes, part] : table) {
    const Result<Checkpoint> read = parse_checkpoint(bytes, "c");
    ASSERT_FALSE(read) << part << "\n" << bytes.substr(27, 200);
    EXPECT_NE(read.error().text().find(part), std::string::npos) << read.error().text() << "\n"
                                                                 << bytes.substr(27, 200);
  }
}

TEST(Checkpoint, ColumnsMustBeThoseOfTheMethod) {
  const model::State state = sample().state;
  EXPECT_TRUE(check_columns(state, layout(), counts, "c"));
  const auto message = [&](const model::StateLayout& wanted, const model::Counts& rows) {
    const Result<void> ok = check_columns(state, wanted, rows, "c");
    return ok ? "" : ok.error().what;
  };
  EXPECT_NE(message(layout(), {4, 2, 1, 0}).find("\"x\" has 3 rows, expected 4"), std::string::npos);
  model::StateLayout more = layout();
  more.declare({"x_old", ColumnType::f64, 3, On::node});
  EXPECT_NE(message(more, counts).find("has no column \"x_old\""), std::string::npos);
  EXPECT_NE(message(model::StateLayout(), counts).find("does not know"), std::string::npos);
}

}  // namespace
}  // namespace sinew::run
