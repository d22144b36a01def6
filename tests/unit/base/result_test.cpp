#include "base/result.h"

#include <gtest/gtest.h>
#include <memory>

namespace sinew {
namespace {

Result<int> half_of(int n) {
  if (n % 2) return input_error("numbers.txt: line 3", "odd number " + std::to_string(n));
  return n / 2;
}

Result<void> even(int n) {
  if (auto half = half_of(n); !half) return half.error();
  return {};
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = half_of(8), bad = half_of(7);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  EXPECT_EQ(good.value(), 4);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, ErrorKind::input);
  EXPECT_EQ(bad.error().text(), "numbers.txt: line 3: odd number 7");
}

TEST(Result, OfNothingPassesTheErrorOn) {
  EXPECT_TRUE(even(2));
  ASSERT_FALSE(even(3));
  EXPECT_EQ(even(3).error().what, "odd number 3");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  ASSERT_TRUE(result);
  const std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, OfATextIsNotAnError) {
  const Result<std::string> text = std::string("fine");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->size(), 4u);
}

TEST(Error, TextLeavesOutWhatIsEmpty) {
  EXPECT_EQ(usage_error("no such command").text(), "no such command");
  EXPECT_EQ(io_error("a.mesh", "cannot be opened").text(), "a.mesh: cannot be opened");
  EXPECT_EQ((Error{ErrorKind::usage, "", "/time/fps", "is 0"}).text(), "/time/fps: is 0");
  EXPECT_EQ((Error{ErrorKind::usage, "s.json:2:1", "/time/fps", "is 0"}).text(),
            "s.json:2:1: /time/fps: is 0");
  EXPECT_EQ(usage_error("x").kind, ErrorKind::usage);
  EXPECT_EQ(io_error("a", "x").kind, ErrorKind::io);
}

}  // namespace
}  // namespace sinew
