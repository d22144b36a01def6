#pragma once
// A 64-bit content hash for states, scenes and files. Not cryptographic: it finds accidents.
//
//     Hash h; h.add(data, size); h.value();
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

class Hash {
 public:
  void add(const void* data, size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; p += 8, size -= 8) {
      uint64_t word;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    uint64_t last = 0;
    if (size > 0) std::memcpy(&last, p, size);
    mix(last ^ (uint64_t(size) << 56));
  }
  void add(std::string_view text) { add(text.data(), text.size()); }
  template <class T>
  void add(std::span<const T> values) {
    add(values.data(), values.size_bytes());
  }

  uint64_t value() const {
    uint64_t h = h_;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    return h ^ (h >> 32);
  }
  // Sixteen hexadecimal digits.
  std::string text() const {
    static constexpr char digit[] = "0123456789abcdef";
    std::string s(16, '0');
    uint64_t v = value();
    for (int i = 15; i >= 0; --i, v >>= 4) s[i] = digit[v & 15];
    return s;
  }

 private:
  void mix(uint64_t word) {
    h_ = (h_ ^ word) * 0x9e3779b97f4a7c15ull;
    h_ ^= h_ >> 29;
  }
  uint64_t h_ = 0x243f6a8885a308d3ull;
};

}  // namespace sinew
