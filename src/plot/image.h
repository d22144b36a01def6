#pragma once
// Pictures in memory and as PNG (ISO/IEC 15948). The compressed part is zlib's, which the program has for other files;
// chunks and filters are few enough lines that a library of their own would be one more to install.
//
//     std::string bytes = to_png(image);
//     std::string small = png_within(image, 75000);
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::plot {

// Four bytes a pixel: red, green, blue, opacity; rows from the top, opacity not multiplied in.
struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;

  Image() = default;
  Image(int w, int h)
      : width(w), height(h), rgba(size_t{4} * static_cast<size_t>(w) * static_cast<size_t>(h)) {}
  uint8_t* at(int x, int y) {
    return rgba.data() +
           size_t{4} * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x));
  }
  const uint8_t* at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }
};

// The mean of two by two pixels; a last odd row or column is dropped.
Image halved(const Image& image);

std::string to_png(const Image& image);
// Halved until it takes at most so many bytes, or is 64 pixels wide or high.
std::string png_within(const Image& image, size_t bytes);

}  // namespace sinew::plot
