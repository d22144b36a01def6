#include "plot/image.h"

#include <cstring>
#include <gtest/gtest.h>
#include <zlib.h>

namespace sinew::plot {
namespace {

struct Chunk {
  std::string name, content;
};

uint32_t number(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<uint8_t>(bytes[at + k]);
  return value;
}

// The chunks of a PNG, with their sums checked.
std::vector<Chunk> chunks(const std::string& png) {
  EXPECT_EQ(png.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
  std::vector<Chunk> list;
  for (size_t at = 8; at + 12 <= png.size();) {
    const size_t length = number(png, at);
    list.push_back({png.substr(at + 4, 4), png.substr(at + 8, length)});
    const std::string summed = png.substr(at + 4, length + 4);
    EXPECT_EQ(number(png, at + 8 + length),
              crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size())));
    at += 12 + length;
  }
  return list;
}

// Decoded by the rules of the standard, for pictures with opacity.
Image decoded(const std::string& png) {
  const std::vector<Chunk> list = chunks(png);
  EXPECT_EQ(list.front().name, "IHDR");
  EXPECT_EQ(list.back().name, "IEND");
  Image image(static_cast<int>(number(list[0].content, 0)), static_cast<int>(number(list[0].content, 4)));
  const size_t row = size_t{4} * static_cast<size_t>(image.width);
  std::string plain((row + 1) * static_cast<size_t>(image.height), '\0');
  uLongf size = plain.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                       reinterpret_cast<const Bytef*>(list[1].content.data()), list[1].content.size()),
            Z_OK);
  EXPECT_EQ(size, plain.size());
  for (int y = 0; y < image.height; ++y) {
    const char filter = plain[static_cast<size_t>(y) * (row + 1)];
    for (size_t i = 0; i < row; ++i) {
      const uint8_t left = i >= 4 ? image.at(0, y)[i - 4] : 0, above = y > 0 ? image.at(0, y - 1)[i] : 0;
      const auto stored = static_cast<uint8_t>(plain[static_cast<size_t>(y) * (row + 1) + 1 + i]);
      EXPECT_LE(filter, 2);
      image.at(0, y)[i] = static_cast<uint8_t>(stored + (filter == 1 ? left : filter == 2 ? above : 0));
    }
  }
  return image;
}

Image noise(int width, int height) {
  Image image(width, height);
  uint32_t seed = 1;
  for (uint8_t& byte : image.rgba) byte = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return image;
}

TEST(Png, ReadsBackAsThePixels) {
  Image ramps(37, 23);  // rows that go on from the left, and rows that repeat the one above
  for (int y = 0; y < ramps.height; ++y)
    for (int x = 0; x < ramps.width; ++x)
      for (int c = 0; c < 4; ++c)
        ramps.at(x, y)[c] = static_cast<uint8_t>(y % 5 == 0 ? 7 * x : 3 * x * x + c);
  for (const Image& image : {ramps, noise(5, 3), Image(1, 1), noise(64, 2)}) {
    const Image back = decoded(to_png(image));
    EXPECT_EQ(back.width, image.width);
    EXPECT_EQ(back.rgba, image.rgba);
  }
}

TEST(Png, IsMadeSmallerUntilItFits) {
  const Image image = noise(512, 400);
  const std::string small = png_within(image, 60000);
  EXPECT_LE(small.size(), 60000u);
  const Image back = decoded(small);
  EXPECT_EQ(back.width, 64 << (back.width / 128));
  EXPECT_EQ(decoded(png_within(image, 1000000)).width, 512);
  EXPECT_GE(decoded(png_within(image, 10)).width, 64);
}

TEST(Image, HalvingTakesTheMeanOfWhatIsThere) {
  Image image(3, 2);  // the last column is dropped
  const uint8_t pixels[4][4] = {{200, 0, 0, 255}, {100, 0, 0, 255}, {9, 9, 9, 0}, {9, 9, 9, 0}};
  for (int k = 0; k < 4; ++k) std::memcpy(image.at(k % 2, k / 2), pixels[k], 4);
  const Image half = halved(image);
  EXPECT_EQ(half.width, 1);
  EXPECT_EQ(half.rgba, (std::vector<uint8_t>{150, 0, 0, 128}));
}

}  // namespace
}  // namespace sinew::plot
