#include "io/base64.h"

#include <gtest/gtest.h>
#include <string>

namespace sinew::io {
namespace {

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

}  // namespace
}  // namespace sinew::io
