#include "plot/image.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string_view>
#include <zlib.h>

namespace sinew::plot {

namespace {

void append_number(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
}

void append_chunk(std::string& out, std::string_view name, std::string_view content) {
  append_number(out, static_cast<uint32_t>(content.size()));
  const size_t begin = out.size();
  out.append(name).append(content);
  append_number(out, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(out.data() + begin),
                                                 static_cast<uInt>(out.size() - begin))));
}

// Each row after the filter that leaves the smallest numbers: none, difference to the left, or to the row above.
std::string filtered(const Image& image) {
  const size_t length = size_t{4} * static_cast<size_t>(image.width);
  std::string out, best, row(length, '\0');
  out.reserve((length + 1) * static_cast<size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* here = image.at(0, y);
    const uint8_t* above = y > 0 ? image.at(0, y - 1) : nullptr;
    int64_t least = INT64_MAX;
    char kind = 0;
    for (char filter = 0; filter < 3; ++filter) {
      int64_t sum = 0;
      for (size_t i = 0; i < length; ++i) {
        const uint8_t left = i >= 4 ? here[i - 4] : 0, up = above ? above[i] : 0;
        const uint8_t before = filter == 0 ? 0 : filter == 1 ? left : up;
        row[i] = static_cast<char>(here[i] - before);
        sum += std::abs(static_cast<int>(static_cast<int8_t>(row[i])));
      }
      if (sum >= least) continue;
      least = sum;
      kind = filter;
      best = row;
    }
    out += kind;
    out += best;
  }
  return out;
}

}  // namespace

Image halved(const Image& image) {
  Image half(image.width / 2, image.height / 2);
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x) {
      // Colours count by their opacity, so that the empty background does not darken what stands before it.
      int sum[4] = {};
      for (int k = 0; k < 4; ++k) {
        const uint8_t* p = image.at(2 * x + k % 2, 2 * y + k / 2);
        for (int c = 0; c < 3; ++c) sum[c] += p[c] * p[3];
        sum[3] += p[3];
      }
      uint8_t* out = half.at(x, y);
      for (int c = 0; c < 3; ++c)
        out[c] = static_cast<uint8_t>(sum[3] > 0 ? (sum[c] + sum[3] / 2) / sum[3] : 0);
      out[3] = static_cast<uint8_t>((sum[3] + 2) / 4);
    }
  return half;
}

std::string to_png(const Image& image) {
  std::string out("\x89PNG\r\n\x1a\n", 8), header;
  append_number(header, static_cast<uint32_t>(image.width));
  append_number(header, static_cast<uint32_t>(image.height));
  header.append("\x08\x06\0\0\0", 5);  // eight bits, with opacity; zlib, filters by row, not interlaced
  append_chunk(out, "IHDR", header);
  const std::string plain = filtered(image);
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                static_cast<uLong>(plain.size()), 9) != Z_OK)
    throw std::bad_alloc();  // nothing else can go wrong with room enough
  packed.resize(size);
  append_chunk(out, "IDAT", packed);
  append_chunk(out, "IEND", {});
  return out;
}

std::string png_within(const Image& image, size_t bytes) {
  std::string png = to_png(image);
  if (png.size() <= bytes || std::min(image.width, image.height) < 128) return png;
  return png_within(halved(image), bytes);
}

}  // namespace sinew::plot
