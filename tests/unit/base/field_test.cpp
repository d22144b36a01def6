#include "base/field.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(FieldValues, HasEveryDefaultInItsKind) {
  const Field fields[] = {{.name = "young", .initial = "2.5e5"},
                          {.name = "count", .kind = Field::Kind::integer, .initial = "-12"},
                          {.name = "on", .kind = Field::Kind::boolean, .initial = "true"},
                          {.name = "off", .kind = Field::Kind::boolean, .initial = "false"},
                          {.name = "law", .kind = Field::Kind::choice, .initial = "\"linear\""},
                          {.name = "empty", .kind = Field::Kind::text, .initial = "\"\""}};
  const FieldValues values(fields);
  EXPECT_EQ(values.number("young"), 2.5e5);
  EXPECT_EQ(values.number("count"), -12);
  EXPECT_TRUE(values.flag("on"));
  EXPECT_FALSE(values.flag("off"));
  EXPECT_EQ(values.text("law"), "linear");
  EXPECT_EQ(values.text("empty"), "");
}

TEST(FieldValues, TakesWhatIsSet) {
  const Field fields[] = {{.name = "density"}, {.name = "young", .initial = "1"}};
  FieldValues values(fields);
  values.set("density", 800.0);  // required: it has no default
  values.set("young", 3.0);
  values.set("extra", std::string("text"));
  EXPECT_EQ(values.number("density"), 800);
  EXPECT_EQ(values.number("young"), 3);
  EXPECT_EQ(values.text("extra"), "text");
}

}  // namespace
}  // namespace sinew
