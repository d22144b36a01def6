#include "io/scanner.h"

#include <gtest/gtest.h>

namespace sinew::io {
namespace {

TEST(Scanner, WordsNumbersLinesAndComments) {
  Scanner in("one 2 # comment 3\n\n +4.5e-1\tfive six\r\nseven", "text");
  std::string_view word;
  double real = 0;
  int64_t integer = 0;
  EXPECT_TRUE(in.word(word));
  EXPECT_EQ(word, "one");
  EXPECT_TRUE(in.integer(integer, 0, 9, "count"));
  EXPECT_EQ(integer, 2);
  EXPECT_TRUE(in.at_line_end());
  EXPECT_TRUE(in.real(real));
  EXPECT_EQ(real, 0.45);
  EXPECT_EQ(in.line(), 3);
  EXPECT_FALSE(in.at_line_end());
  EXPECT_TRUE(in.expect("five"));
  EXPECT_EQ(in.rest_of_line(), " six");
  EXPECT_TRUE(in.expect("seven"));
  EXPECT_TRUE(in.at_end());
  EXPECT_FALSE(in.word(word));
  EXPECT_EQ(in.error().text(), "text: line 4: the file ends here, more was expected");
}

TEST(Scanner, RefusesWhatIsNotAFiniteNumber) {
  for (const char* text : {"nan", "inf", "-inf", "1e999", "1.5x", "", "--1", "+-1", "0x10", "1,5"}) {
    Scanner in(text, "text");
    double value;
    EXPECT_FALSE(in.real(value)) << text;
  }
  for (const char* text : {"1.5", "99999999999999999999", "11", "-1", "1e3", "a"}) {
    Scanner in(text, "text");
    int64_t value;
    EXPECT_FALSE(in.integer(value, 0, 10, "index")) << text;
  }
}

TEST(Scanner, TheFirstErrorStays) {
  Scanner in("a b 3", "text");
  double value;
  EXPECT_FALSE(in.real(value));
  EXPECT_FALSE(in.real(value));
  EXPECT_FALSE(in.real(value));
  EXPECT_NE(in.error().what.find("'a'"), std::string::npos);
}

TEST(Scanner, CountsAreWeighedAgainstTheText) {
  int64_t count;
  Scanner fits("3 1 2 3", "text");
  EXPECT_TRUE(fits.count(count, 2, "count"));
  Scanner huge("2000000000 1 2 3", "text");
  EXPECT_FALSE(huge.count(count, 2, "count"));
  EXPECT_NE(huge.error().what.find("can hold"), std::string::npos);
}

TEST(Scanner, QuotedWordsAreShortAndPrintable) {
  EXPECT_EQ(in_quotes("a\x01z"), "'a?z'");
  EXPECT_EQ(in_quotes(std::string(100, 'a')).size(), 45u);
}

// Words, lines and bytes across the borders of windows.
TEST(Scanner, WindowsGiveWhatMemoryGives) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919) + (i % 5 ? " " : "  # note\n");
  const Source source(text);
  Scanner whole(text, "a"), window(source, "a", 0, source.size());
  while (!whole.at_end()) {
    std::string_view a, b;
    ASSERT_TRUE(whole.word(a));
    ASSERT_TRUE(window.word(b)) << window.error().text();
    ASSERT_EQ(a, b);
    ASSERT_EQ(whole.line(), window.line());
    ASSERT_EQ(whole.remaining(), window.remaining());
  }
  EXPECT_TRUE(window.at_end());
  EXPECT_EQ(window.position(), source.size());

  // A copy reads on by itself.
  Scanner first(source, "a", 0, source.size());
  std::string_view word;
  ASSERT_TRUE(first.word(word));
  Scanner copy = first;
  while (!first.at_end()) ASSERT_TRUE(first.word(word));
  ASSERT_TRUE(copy.word(word));
  EXPECT_EQ(word, "7919");

  Scanner part(source, "a", 1000, 900000, 17);
  std::string bytes(700000, '\0');
  ASSERT_TRUE(part.bytes(bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, text.substr(1000, bytes.size()));
  EXPECT_EQ(part.remaining(), 199000);
  part.say_bytes();
  EXPECT_FALSE(part.bytes(bytes.data(), 200000));
  EXPECT_EQ(part.error().where, "a: byte 900000");
}

TEST(Scanner, SearchesAcrossWindows) {
  std::string text(300000, '.');
  text[1000] = '\n';
  text.replace((1 << 18) - 2, 4, "$End");
  const Source source(text);
  Scanner in(source, "a", 0, source.size());
  ASSERT_TRUE(in.skip_past("$End"));
  EXPECT_EQ(in.position(), (1 << 18) + 2);
  EXPECT_EQ(in.line(), 2);
  EXPECT_FALSE(in.skip_past("$End"));
  // A word has an end.
  Scanner word(source, "a", 2000, source.size());
  std::string_view found;
  EXPECT_FALSE(word.word(found));
  EXPECT_NE(word.error().what.find("without a blank"), std::string::npos);
}

}  // namespace
}  // namespace sinew::io
