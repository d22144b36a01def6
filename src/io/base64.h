#pragma once
// Base64 (RFC 4648), in pieces of any length. Decoding passes over blanks and takes several padded texts in
// a row as one, which is how VTK writes a header followed by its data.
//
//     Base64Decoder decoder;
//     size_t used = decoder.decode(text, bytes);  // less than text.size(): text[used] is not base64
#include <cstdint>
#include <string>
#include <string_view>

namespace sinew::io {

// `bytes` in one go, or all pieces but the last a multiple of three long.
void append_base64(std::string& text, std::string_view bytes);

class Base64Decoder {
 public:
  // Appends what `text` holds and returns how many characters were base64.
  size_t decode(std::string_view text, std::string& bytes);
  bool between_groups() const { return digits_ == 0; }  // false: a group of four is not complete

 private:
  uint32_t group_ = 0;
  int digits_ = 0, padding_ = 0;
};

}  // namespace sinew::io
