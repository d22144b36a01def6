#include "io/npz.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "io/base64.h"
#include "io/file.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

// numpy.savez(x=arange(6).reshape(2,3)/4, i=int32 [1,-2,3], s=int64 7, u=uint8 [[1],[255]],
//             f=float32 [1.5,-2.5])
const char* numpy_stored =
    "UEsDBBQAAAAAAAAAIQA0MXjIsAAAALAAAAAFABQAeC5ucHkBABAAsAAAAAAAAACwAAAAAAAAAJNOVU1QWQEAdgB7J2Rlc2NyJzog"
    "JzxmOCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgyLCAzKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAAAAAAAAAAAAAAAAAADQPwAAAAAAAOA/AAAAAAAA6D8AAAAAAADwPwAA"
    "AAAAAPQ/UEsDBBQAAAAAAAAAIQCe53kQjAAAAIwAAAAFABQAaS5ucHkBABAAjAAAAAAAAACMAAAAAAAAAJNOVU1QWQEAdgB7J2Rl"
    "c2NyJzogJzxpNCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgzLCksIH0gICAgICAgICAgICAgICAgICAgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAQAAAP7///8DAAAAUEsDBBQAAAAAAAAAIQAjuPBsiAAAAIgA"
    "AAAFABQAcy5ucHkBABAAiAAAAAAAAACIAAAAAAAAAJNOVU1QWQEAdgB7J2Rlc2NyJzogJzxpOCcsICdmb3J0cmFuX29yZGVyJzog"
    "RmFsc2UsICdzaGFwZSc6ICgpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
    "ICAgICAgICAKBwAAAAAAAABQSwMEFAAAAAAAAAAhANn5rKaCAAAAggAAAAUAFAB1Lm5weQEAEACCAAAAAAAAAIIAAAAAAAAAk05V"
    "TVBZAQB2AHsnZGVzY3InOiAnfHUxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDEpLCB9ICAgICAgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoB/1BLAwQUAAAAAAAAACEAdGfPkIgAAACI"
    "AAAABQAUAGYubnB5AQAQAIgAAAAAAAAAiAAAAAAAAACTTlVNUFkBAHYAeydkZXNjcic6ICc8ZjQnLCAnZm9ydHJhbl9vcmRlcic6"
    "IEZhbHNlLCAnc2hhcGUnOiAoMiwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
    "ICAgICAgICAgCgAAwD8AACDAUEsBAhQDFAAAAAAAAAAhADQxeMiwAAAAsAAAAAUAAAAAAAAAAAAAAIABAAAAAHgubnB5UEsBAhQD"
    "FAAAAAAAAAAhAJ7neRCMAAAAjAAAAAUAAAAAAAAAAAAAAIAB5wAAAGkubnB5UEsBAhQDFAAAAAAAAAAhACO48GyIAAAAiAAAAAUA"
    "AAAAAAAAAAAAAIABqgEAAHMubnB5UEsBAhQDFAAAAAAAAAAhANn5rKaCAAAAggAAAAUAAAAAAAAAAAAAAIABaQIAAHUubnB5UEsB"
    "AhQDFAAAAAAAAAAhAHRnz5CIAAAAiAAAAAUAAAAAAAAAAAAAAIABIgMAAGYubnB5UEsFBgAAAAAFAAUA/wAAAOEDAAAAAA==";
// numpy.savez_compressed(x=zeros((40,3)), i=int32 [1,-2,3])
const char* numpy_compressed =
    "UEsDBBQAAAAIAAAAIQCf+korTwAAAEAEAAAFABQAeC5ucHkBABAAQAQAAAAAAABPAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6l"
    "oG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GiYGOgrGmjoKtQrkAi6GUTAKRsGQBQBQSwMEFAAAAAgAAAAhAJ7n"
    "eRBPAAAAjAAAAAUAFABpLm5weQEAEACMAAAAAAAAAE8AAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNpoq6joJ6WX1RSlJgX"
    "n1+UkgoSd0vMKU4FihdnJBakAvkaxjqaOgq1ChQALkYGBoZ/////ZwbSAFBLAQIUAxQAAAAIAAAAIQCf+korTwAAAEAEAAAFAAAA"
    "AAAAAAAAAACAAQAAAAB4Lm5weVBLAQIUAxQAAAAIAAAAIQCe53kQTwAAAIwAAAAFAAAAAAAAAAAAAACAAYYAAABpLm5weVBLBQYA"
    "AAAAAgACAGYAAAAMAQAAAAA=";

std::string decoded(const char* text) {
  std::string bytes;
  EXPECT_EQ(Base64Decoder().decode(text, bytes), std::string_view(text).size());
  return bytes;
}

Npz sample() {
  Npz arrays;
  const std::vector<double> x = {1.0 / 3, -0.0, 1e300, 5e-324, 2, 3};
  const std::vector<int32_t> i = {1, -2, 3};
  const std::vector<uint8_t> u(5000, 7);
  arrays["x"] = npy_array<double>(x, {2, 3});
  arrays["deep/i"] = npy_array<int32_t>(i, {3});
  arrays["u"] = npy_array<uint8_t>(u, {50, 100});
  arrays["empty"] = npy_array<float>({}, {0, 3});
  const int64_t scalar = -7;
  arrays["scalar"] = npy_array<int64_t>({&scalar, 1}, {});
  return arrays;
}

TEST(Npz, ReadsWhatNumpyWrites) {
  const auto arrays = parse_npz(decoded(numpy_stored), "a.npz");
  ASSERT_TRUE(arrays) << arrays.error().text();
  ASSERT_EQ(arrays->size(), 5u);
  EXPECT_EQ(arrays->at("x").shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(arrays->at("x").view<double>()[5], 1.25);
  EXPECT_TRUE(arrays->at("x").view<float>().empty());
  EXPECT_EQ(arrays->at("i").view<int32_t>()[1], -2);
  EXPECT_EQ(arrays->at("s").view<int64_t>()[0], 7);
  EXPECT_TRUE(arrays->at("s").shape.empty());
  EXPECT_EQ(arrays->at("u").view<uint8_t>()[1], 255);
  EXPECT_EQ(arrays->at("f").view<float>()[1], -2.5f);
  const auto packed = parse_npz(decoded(numpy_compressed), "b.npz");
  ASSERT_TRUE(packed) << packed.error().text();
  EXPECT_EQ(packed->at("x").view<double>().size(), 120u);
  EXPECT_EQ(packed->at("i").view<int32_t>()[2], 3);
}

TEST(Npz, ComesBackBitForBit) {
  Scratch scratch;
  const Npz arrays = sample();
  for (bool deflate : {false, true}) {
    ASSERT_TRUE(write_npz(scratch.path("a.npz"), arrays, deflate));
    const auto back = read_npz(scratch.path("a.npz"));
    ASSERT_TRUE(back) << back.error().text();
    ASSERT_EQ(back->size(), arrays.size());
    for (const auto& [name, array] : arrays) {
      EXPECT_EQ(back->at(name).type, array.type);
      EXPECT_EQ(back->at(name).shape, array.shape);
      EXPECT_EQ(back->at(name).bytes, array.bytes);
    }
  }
  EXPECT_LT(format_npz(arrays, true)->size(), format_npz(arrays, false)->size() / 2);
  EXPECT_EQ(*format_npz(arrays), *format_npz(arrays));
  EXPECT_TRUE(parse_npz(*format_npz({}), "none")->empty());
}

TEST(Npz, ShapesMustMatchTheBytes) {
  Npz arrays;
  const double x[2] = {1, 2};
  arrays["x"] = npy_array<double>(x, {3});
  EXPECT_FALSE(format_npz(arrays));
}

TEST(Npz, EveryTruncationAndEveryFlippedByteIsRefusedOrHarmless) {
  const Npz expected = sample();
  const std::string good = *format_npz(expected);
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(parse_npz(std::string_view(good).substr(0, length), "a")) << length;
  for (size_t i = 0; i < good.size(); ++i)
    for (int bit : {0, 3, 7}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 1 << bit);
      const auto arrays = parse_npz(bad, "a", 1 << 20);
      // The checksum protects the data; only names and unused header fields may change unseen.
      if (!arrays) continue;
      for (const auto& [name, array] : *arrays) {
        const auto original = expected.find(name);
        EXPECT_TRUE(original == expected.end() || array.bytes == original->second.bytes);
      }
    }
}

TEST(Npz, BrokenArchivesAreExplained) {
  const std::string good = *format_npz(sample(), false);
  const auto expect_error = [](const std::string& bytes, const char* part) {
    const auto arrays = parse_npz(bytes, "a.npz");
    ASSERT_FALSE(arrays) << part;
    EXPECT_NE(arrays.error().text().find(part), std::string::npos) << arrays.error().text();
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size())
      bytes.replace(at, from.size(), to);
    return bytes;
  };
  expect_error("", "too short");
  expect_error(std::string(100, 'x'), "not a zip archive");
  expect_error(changed("x.npy", "x.txt"), "more than .npy");
  expect_error(changed("'<f8'", "'>f8'"), "checksum");
  expect_error(changed("scalar", "deep/i"), "used twice");
  EXPECT_NE(parse_npz(good, "a", 100).error().text().find("limit"), std::string::npos);
}

template <class T>
std::string word(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// An archive of one stored entry with a right checksum, written out by hand.
std::string zip_of(const std::string& content, uint16_t method = 0, uint16_t flags = 0) {
  const auto size = static_cast<uint32_t>(content.size());
  const auto crc = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), size));
  const std::string name = "a.npy";
  const std::string fields = word<uint16_t>(20) + word(flags) + word(method) + word<uint32_t>(0) + word(crc) +
                             word(size) + word(size) + word(static_cast<uint16_t>(name.size())) +
                             word<uint16_t>(0);
  const std::string local = "PK\x03\x04" + fields + name + content;
  const std::string central = "PK\x01\x02" + word<uint16_t>(20) + fields + std::string(14, '\0') + name;
  return local + central + "PK\x05\x06" + word<uint32_t>(0) + word<uint16_t>(1) + word<uint16_t>(1) +
         word(static_cast<uint32_t>(central.size())) + word(static_cast<uint32_t>(local.size())) +
         word<uint16_t>(0);
}

std::string npy_of(const std::string& header, size_t data) {
  return std::string("\x93NUMPY\x01\0", 8) + word(static_cast<uint16_t>(header.size())) + header +
         std::string(data, '\0');
}

void expect_explained(std::span<const std::pair<std::string, const char*>> table) {
  for (const auto& [bytes, part] : table) {
    const auto arrays = parse_npz(bytes, "a.npz");
    ASSERT_FALSE(arrays) << part;
    EXPECT_NE(arrays.error().text().find(part), std::string::npos) << arrays.error().text();
    EXPECT_TRUE(arrays.error().text().starts_with("a.npz: ")) << arrays.error().text();
  }
}

TEST(Npz, BrokenArraysAreExplained) {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  ASSERT_TRUE(parse_npz(zip_of(npy_of(good, 24)), "a"));
  const std::pair<std::string, const char*> table[] = {
      {zip_of(""), "does not start with"},
      {zip_of("this is text, not an array"), "does not start with"},
      {zip_of(std::string("\x93NUMPY\x09\0", 8) + "          "), ".npy version 9"},
      {zip_of(npy_of(good, 24).substr(0, 30)), "header is cut off"},
      {zip_of(npy_of(good, 23)), "23 bytes of data do not match"},
      {zip_of(npy_of("{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }", 48)), "'<c16'"},
      {zip_of(npy_of("{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }", 24)), "is not read"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': True, 'shape': (3,1), }", 24)), "Fortran"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }", 24)), "valid shape"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3", 24)), "valid shape"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, }", 24)), "valid shape"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,4), }", 0)),
       "match"},
      {zip_of(npy_of("{}", 24)), "is not read"},
      {zip_of(npy_of(good, 24), 12), "method 12"},
      {zip_of(npy_of(good, 24), 8), "does not decompress"},
      {zip_of(npy_of(good, 24), 0, 1), "encrypted"},
      {zip_of(npy_of(good, 25)), "25 bytes of data do not match"},
      {zip_of(npy_of(good, 0)), "0 bytes of data do not match"},
      {zip_of(npy_of("", 24)), "is not read"},
      {zip_of(npy_of("{'descr': ", 24)), "is not read"},
      {zip_of(npy_of("{'descr': '<f8', 'shape': (3,), }", 24)), "Fortran"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (3,), }", 24)), "Fortran"},
      {zip_of(npy_of("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }", 24)),
       "is not read"},
      {zip_of(npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", 24)), "'|O'"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': 3, }", 24)), "valid shape"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (a,), }", 24)), "valid shape"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", 24)),
       "valid shape"},
      {zip_of(npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000,), }", 24)),
       "match"},
      {zip_of(npy_of(
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
           "1,1,1,1,1,1,1,1,1,1,1,1,1), }",
           8)),
       "valid shape"},
      {zip_of(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff", 12)), "header is cut off"},
  };
  expect_explained(table);
}

// The records of the directory and of its end, each field wrong in turn.
TEST(Npz, BrokenDirectoriesAreExplained) {
  const std::string content = npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 24);
  const std::string good = zip_of(content);
  const size_t central = 30 + 5 + content.size(), end = central + 46 + 5;
  ASSERT_EQ(good.size(), end + 22);
  const auto with = [&](size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  const std::pair<std::string, const char*> table[] = {
      {good.substr(0, end), "cut off at its end"},
      {good.substr(0, good.size() - 1), "cut off at its end"},
      {good.substr(0, 21), "too short"},
      {with(end, "PK\x05\x07"), "not a zip archive"},
      {with(end + 10, word<uint16_t>(2)), "entry 1 of the archive's directory"},
      {with(end + 10, word<uint16_t>(0xffff)), "zip64"},
      {with(end + 16, word<uint32_t>(0xffffffff)), "zip64"},
      {with(end + 16, word<uint32_t>(0xfffffff0)), "entry 0 of the archive's directory"},
      {with(end + 16, word<uint32_t>(1)), "entry 0 of the archive's directory"},
      {with(central, "PK\x01\x03"), "entry 0 of the archive's directory"},
      {with(central + 8, word<uint16_t>(1)), "encrypted"},
      {with(central + 10, word<uint16_t>(99)), "method 99"},
      {with(central + 16, word<uint32_t>(1)), "checksum"},
      {with(central + 20, word<uint32_t>(0xfffffff0)), "cut off"},
      {with(central + 20, word<uint32_t>(5)), "sizes of a stored entry differ"},
      {with(central + 24, word<uint32_t>(5)), "sizes of a stored entry differ"},
      {with(central + 28, word<uint16_t>(0xffff)), "is cut off"},
      {with(central + 28, word<uint16_t>(0)), "more than .npy"},
      {with(central + 30, word<uint16_t>(0xffff)), "is cut off"},
      {with(central + 32, word<uint16_t>(1)), "is cut off"},
      {with(central + 42, word<uint32_t>(0xffffffff)), "does not start where the directory says"},
      {with(central + 42, word<uint32_t>(1)), "does not start where the directory says"},
      {with(0, "PK\x03\x05"), "does not start where the directory says"},
      {with(26, word<uint16_t>(0xffff)), "cut off"},
      {with(28, word<uint16_t>(0xffff)), "cut off"},
      {with(central + 46, "a.txt"), "more than .npy"},
  };
  expect_explained(table);
  // 100 bytes that claim to unpack to 4 GiB.
  std::string bomb = with(central + 10, word<uint16_t>(8));
  bomb.replace(central + 24, 4, word<uint32_t>(0xfffffff0));
  EXPECT_NE(parse_npz(bomb, "a").error().text().find("cannot unpack to"), std::string::npos);
}

}  // namespace
}  // namespace sinew::io
