#include "mesh/units.h"

#include <gtest/gtest.h>

namespace sinew::mesh {
namespace {

TEST(Units, WordsAndNumbersOfMetres) {
  EXPECT_EQ(metres_in("m"), 1);
  EXPECT_EQ(metres_in("mm"), 0.001);
  EXPECT_EQ(metres_in("in"), 0.0254);
  EXPECT_EQ(metres_in("0.3048"), 0.3048);
  for (const char* wrong : {"", "km", "-1", "0", "nan", "1e99", "2m"})
    EXPECT_EQ(metres_in(wrong), 0) << wrong;
}

TEST(Units, BodiesOfAHundredMetresAreAskedAbout) {
  EXPECT_EQ(unit_question(99), "");
  EXPECT_NE(unit_question(320).find("320 m long: is the file in millimetres?"), std::string::npos);
}

}  // namespace
}  // namespace sinew::mesh
