#include "io/base64.h"

#include <gtest/gtest.h>
#include <string>

namespace sinew::io {
namespace {

bool decode_base64(std::string_view text, std::string& bytes) {
  Base64Decoder decoder;
  bytes.clear();
  return decoder.decode(text, bytes) == text.size() && decoder.between_groups();
}

TEST(Base64, KnownPairsAndPieces) {
  // RFC 4648, section 10.
  const char* pairs[][2] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : pairs) {
    std::string text, bytes;
    append_base64(text, plain);
    EXPECT_EQ(text, encoded);
    EXPECT_TRUE(decode_base64(encoded, bytes));
    EXPECT_EQ(bytes, plain);
  }
  std::string bytes;
  EXPECT_TRUE(decode_base64(" Zg==\n Zm8=Zm9v ", bytes));
  EXPECT_EQ(bytes, "ffofoo");
  for (const char* bad : {"Z", "Zg=", "Z===", "Zg==Z", "Z*==", "=", "Zm=v"})
    EXPECT_FALSE(decode_base64(bad, bytes)) << bad;
}

// Cut anywhere, blanks anywhere: the same bytes.
TEST(Base64, PiecesOfAnyLength) {
  std::string plain, text;
  for (int i = 0; i < 100; ++i) plain += static_cast<char>(i * 37);
  append_base64(text, plain);
  text.insert(50, "\n ");
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Base64Decoder decoder;
    std::string bytes;
    const std::string_view all = text;
    EXPECT_EQ(decoder.decode(all.substr(0, cut), bytes), cut);
    EXPECT_EQ(decoder.decode(all.substr(cut), bytes), text.size() - cut);
    EXPECT_EQ(bytes, plain);
  }
}

}  // namespace
}  // namespace sinew::io
