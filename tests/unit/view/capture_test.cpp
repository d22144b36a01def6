#include "view/capture.h"

#include <gtest/gtest.h>

#include "sample_show.h"

namespace sinew::view {
namespace {

Settings with(std::initializer_list<std::pair<const char*, const char*>> values) {
  Settings settings;
  for (const auto& [name, value] : values) EXPECT_TRUE(settings.set(name, value));
  return settings;
}

TEST(Capture, the_range_of_the_run_becomes_numbers) {
  Show show = growing_show(2);
  const auto settled =
      settle(show, with({{"field", "displacement"}, {"component", "x"}, {"range", "run"}}), 0);
  ASSERT_TRUE(settled) << settled.error().text();
  EXPECT_EQ(settled->get("range"), "0:8");
  EXPECT_EQ(settle(show, with({{"range", "frame"}}), 0)->get("range"), "frame");
}

TEST(Capture, names_are_checked_before_a_browser_starts) {
  Show show = growing_show();
  EXPECT_FALSE(settle(show, with({{"field", "nothing"}}), 0));
  EXPECT_FALSE(settle(show, with({{"field", "displacement"}, {"component", "xy"}}), 0));
  EXPECT_FALSE(settle(show, with({{"field", "displacement"}}), 3));  // there is no such frame
  EXPECT_TRUE(settle(show, with({{"hide", "box"}}), 0));
  const auto wrong = settle(show, with({{"hide", "box,bix"}}), 0);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("\"bix\""), std::string::npos) << wrong.error().text();
}

TEST(Capture, films_have_an_ending) {
  Show show = growing_show();
  const auto film = make_film(show, "page", {}, {.path = "film.avi"}, {}, nullptr);
  ASSERT_FALSE(film);
  EXPECT_NE(film.error().text().find(".mp4 or .gif"), std::string::npos);
  EXPECT_FALSE(make_film(show, "page", {}, {.path = "film.mp4", .first = 100}, {}, nullptr));
}

}  // namespace
}  // namespace sinew::view
