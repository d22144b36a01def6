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

}  // namespace
}  // namespace sinew::io
