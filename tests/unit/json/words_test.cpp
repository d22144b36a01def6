#include "json/words.h"

#include <gtest/gtest.h>

namespace sinew::json {
namespace {

TEST(Words, Distance) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("density", "densty"), 1);
  EXPECT_EQ(edit_distance("young", "yuong"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Words, Nearest) {
  const std::string_view words[] = {"density", "damping", "mesh"};
  EXPECT_EQ(nearest_word("densitiy", words), "density");
  EXPECT_EQ(nearest_word("dens", words), "density");
  EXPECT_EQ(nearest_word("colour", words), "");
  EXPECT_EQ(unknown_word("key", "mehs", words), "unknown key \"mehs\"; did you mean \"mesh\"?");
  EXPECT_EQ(unknown_word("key", "colour", words),
            "unknown key \"colour\"; expected one of density, damping, mesh");
}

}  // namespace
}  // namespace sinew::json
