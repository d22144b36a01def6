#include "base/count_text.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(CountText, CommasAndPlurals) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(-1234567), "-1,234,567");
  EXPECT_EQ(count_text(-100), "-100");
  EXPECT_EQ(count_text(1, "tet"), "1 tet");
  EXPECT_EQ(count_text(0, "tet"), "0 tets");
  EXPECT_EQ(count_text(148955, "node"), "148,955 nodes");
}

}  // namespace
}  // namespace sinew
