#include "io/npz_writer.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

template <class T>
T number(const std::string& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// Two arrays, filled in turns.
Result<void> write_sample(const std::string& path, uint64_t narrow) {
  Result<NpzWriter> out = NpzWriter::open(
      path, {{"x", NpyType::f4, {3, 2}}, {"n", NpyType::i8, {3}}, {"none", NpyType::u1, {0}}}, narrow);
  if (!out) return out.error();
  for (int64_t k = 0; k < 3; ++k) {
    const float x[] = {static_cast<float>(k) + 0.5F, -1.0F};
    if (auto ok = out->append<float>(0, x); !ok) return ok;
    if (auto ok = out->append<int64_t>(1, {&k, 1}); !ok) return ok;
  }
  return out->commit();
}

TEST(NpzWriter, IsReadBack) {
  const Scratch scratch;
  ASSERT_TRUE(write_sample(scratch.path("a.npz"), narrow_limit));
  const Result<Npz> arrays = read_npz(scratch.path("a.npz"));
  ASSERT_TRUE(arrays) << arrays.error().text();
  EXPECT_EQ(arrays->at("x").shape, (std::vector<int64_t>{3, 2}));
  const std::vector<float> x(arrays->at("x").view<float>().begin(), arrays->at("x").view<float>().end());
  EXPECT_EQ(x, (std::vector<float>{0.5, -1, 1.5, -1, 2.5, -1}));
  EXPECT_EQ(arrays->at("n").view<int64_t>()[2], 2);
  EXPECT_EQ(arrays->at("none").bytes.size(), 0u);
}

// The records of PKWARE's specification, section 4.3, by hand.
TEST(NpzWriter, LargeArchivesAreZip64) {
  const Scratch scratch;
  ASSERT_TRUE(write_sample(scratch.path("a.npz"), 0));
  const std::string zip = *read_text(scratch.path("a.npz"));
  const size_t end = zip.size() - 22, locator = end - 20;
  ASSERT_EQ(number<uint32_t>(zip, end), 0x06054b50u);
  EXPECT_EQ(number<uint32_t>(zip, end + 16), 0xffffffffu);
  ASSERT_EQ(number<uint32_t>(zip, locator), 0x07064b50u);
  const auto wide_end = number<uint64_t>(zip, locator + 8);
  ASSERT_EQ(number<uint32_t>(zip, wide_end), 0x06064b50u);
  EXPECT_EQ(number<uint64_t>(zip, wide_end + 4), locator - wide_end - 12);
  EXPECT_EQ(number<uint64_t>(zip, wide_end + 32), 3u);
  EXPECT_EQ(number<uint64_t>(zip, wide_end + 40) + number<uint64_t>(zip, wide_end + 48), wide_end);
  auto at = number<uint64_t>(zip, wide_end + 48);
  for (const char* name : {"x.npy", "n.npy", "none.npy"}) {
    ASSERT_EQ(number<uint32_t>(zip, at), 0x02014b50u);
    const auto name_size = number<uint16_t>(zip, at + 28), extra_size = number<uint16_t>(zip, at + 30);
    EXPECT_EQ(zip.substr(at + 46, name_size), name);
    const size_t extra = at + 46 + name_size;
    EXPECT_EQ(number<uint16_t>(zip, extra), 1);
    ASSERT_EQ(number<uint16_t>(zip, extra + 2), 24);
    const auto plain = number<uint64_t>(zip, extra + 4), local = number<uint64_t>(zip, extra + 20);
    EXPECT_EQ(number<uint64_t>(zip, extra + 12), plain);
    ASSERT_EQ(number<uint32_t>(zip, local), 0x04034b50u);
    const size_t local_extra = local + 30 + name_size;
    EXPECT_EQ(number<uint64_t>(zip, local_extra + 4), plain);
    const std::string content =
        zip.substr(local_extra + number<uint16_t>(zip, local + 28), static_cast<size_t>(plain));
    EXPECT_EQ(content.substr(0, 6), "\x93NUMPY");
    const uLong crc =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    EXPECT_EQ(number<uint32_t>(zip, at + 16), crc);
    EXPECT_EQ(number<uint32_t>(zip, local + 14), crc);
    at = extra + extra_size;
  }
  EXPECT_EQ(at, wide_end);
}

TEST(NpzWriter, WhatIsNotWholeIsNotThere) {
  const Scratch scratch;
  const float values[] = {1, 2, 3};
  {
    Result<NpzWriter> out = NpzWriter::open(scratch.path("a.npz"), {{"x", NpyType::f4, {2}}});
    ASSERT_TRUE(out);
    EXPECT_FALSE(out->append<float>(0, values));
    ASSERT_TRUE(out->append<float>(0, std::span(values).first(1)));
    const Result<void> committed = out->commit();
    ASSERT_FALSE(committed);
    EXPECT_NE(committed.error().text().find("lacks 4 bytes"), std::string::npos);
  }
  EXPECT_EQ(scratch.file_count(), 0u);
  EXPECT_FALSE(
      NpzWriter::open(scratch.path("b.npz"), {{"x", NpyType::f8, {int64_t{1} << 40, int64_t{1} << 40}}}));
  EXPECT_FALSE(NpzWriter::open(scratch.path("b.npz"), {{"x", NpyType::f8, {-1}}}));
  EXPECT_EQ(scratch.file_count(), 0u);
}

}  // namespace
}  // namespace sinew::io
