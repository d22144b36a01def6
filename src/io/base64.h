#pragma once
// Base64 (RFC 4648). Decoding passes over blanks and takes several padded pieces in a row as one, which is
// how VTK writes a header followed by its data.
#include <string>
#include <string_view>

namespace sinew::io {

void append_base64(std::string& text, std::string_view bytes);
bool decode_base64(std::string_view text, std::string& bytes);  // false where the text is not base64

}  // namespace sinew::io
