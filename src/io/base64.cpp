#include "io/base64.h"

#include <array>
#include <cstdint>

namespace sinew::io {
namespace {

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> make_values() {
  std::array<int8_t, 256> values{};
  for (auto& v : values) v = -1;
  for (int i = 0; i < 64; ++i) values[static_cast<unsigned char>(alphabet[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr auto values = make_values();

}  // namespace

void append_base64(std::string& text, std::string_view bytes) {
  const size_t start = text.size();
  text.resize(start + (bytes.size() + 2) / 3 * 4);
  char* out = text.data() + start;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    uint32_t group = static_cast<unsigned char>(bytes[i]) << 16;
    if (left > 1) group |= static_cast<unsigned char>(bytes[i + 1]) << 8;
    if (left > 2) group |= static_cast<unsigned char>(bytes[i + 2]);
    *out++ = alphabet[group >> 18];
    *out++ = alphabet[group >> 12 & 63];
    *out++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
    *out++ = left > 2 ? alphabet[group & 63] : '=';
  }
}

size_t Base64Decoder::decode(std::string_view text, std::string& bytes) {
  const size_t start = bytes.size();
  bytes.resize(start + (text.size() + 3) / 4 * 3);
  char* out = bytes.data() + start;
  size_t i = 0;
  while (i < text.size()) {
    // Four digits at a time while nothing else comes.
    while (digits_ == 0 && i + 4 <= text.size()) {
      int32_t group = 0;
      for (int k = 0; k < 4; ++k) {
        const int32_t value = values[static_cast<unsigned char>(text[i + k])];
        group |= value < 0 ? value : value << (18 - 6 * k);
      }
      if (group < 0) break;
      *out++ = static_cast<char>(group >> 16);
      *out++ = static_cast<char>(group >> 8);
      *out++ = static_cast<char>(group);
      i += 4;
    }
    if (i == text.size()) break;
    const char c = text[i];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      const int value = values[static_cast<unsigned char>(c)];
      if (c == '=' ? digits_ < 2 : value < 0 || padding_) break;
      if (c == '=')
        ++padding_;
      else
        group_ |= static_cast<uint32_t>(value) << (18 - 6 * digits_);
      if (++digits_ == 4) {
        for (int k = 0; k < 3 - padding_; ++k) *out++ = static_cast<char>(group_ >> (16 - 8 * k));
        group_ = 0;
        digits_ = padding_ = 0;
      }
    }
    ++i;
  }
  bytes.resize(static_cast<size_t>(out - bytes.data()));
  return i;
}

}  // namespace sinew::io
