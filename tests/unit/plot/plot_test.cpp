#include "plot/plot.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "unit/plot/svg_tags.h"

namespace sinew::plot {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

size_t count(const std::vector<SvgTag>& tags, std::string_view name, std::string_view kind = "") {
  return std::count_if(tags.begin(), tags.end(), [&](const SvgTag& one) {
    return one.tag.name == name && one.tag.value("class") == kind;
  });
}

bool has_text(const std::vector<SvgTag>& tags, std::string_view text) {
  return std::any_of(tags.begin(), tags.end(),
                     [&](const SvgTag& one) { return one.tag.name == "text" && one.text == text; });
}

TEST(Ticks, CoverTheData) {
  const std::vector<std::vector<double>> sets = {{0.07, 0.31},
                                                 {1, 1},
                                                 {0, 0},
                                                 {-3.2, 8.9},
                                                 {1e-9, 2},
                                                 {3e-14, 4e5},
                                                 {1e-140, 1e140},
                                                 {5, 5.0001},
                                                 {1e-100, 2e-100},
                                                 {0.1, 0.2, 10},
                                                 {999, 1001},
                                                 {-1e149, 1e149},
                                                 {1.7323140875186915, 1.732314087518692}};
  for (const auto& values : sets)
    for (bool log : {false, true}) {
      const std::vector<double> t = ticks(values, log);
      ASSERT_GE(t.size(), 2u);
      EXPECT_LE(t.size(), 15u);
      for (size_t i = 1; i < t.size(); ++i) EXPECT_LT(t[i - 1], t[i]);
      for (double value : values) {
        if (log && value <= 0) continue;
        EXPECT_LE(t.front(), value);
        EXPECT_GE(t.back(), value);
      }
    }
}

TEST(Ticks, AreRoundNumbers) {
  EXPECT_EQ(ticks(std::vector{0.3, 1.7}, false).front(), 0.2);
  EXPECT_EQ(ticks(std::vector{0.07, 0.31}, true), (std::vector{0.05, 0.1, 0.2, 0.5}));
  EXPECT_EQ(ticks(std::vector{2e-7, 0.3}, true), (std::vector{1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0}));
  EXPECT_EQ(tick_text(1e-7), "1e-7");
  EXPECT_EQ(tick_text(2e6), "2e6");
  EXPECT_EQ(tick_text(1e4), "10000");
  EXPECT_EQ(tick_text(0.05), "0.05");
  EXPECT_EQ(tick_text(-12), "-12");
  EXPECT_EQ(tick_text(1e-4), "1e-4");
  EXPECT_EQ(tick_text(-2.5e-7), "-2.5e-7");
  EXPECT_EQ(tick_text(0.0416666), "0.04167");
}

TEST(Svg, HasTitleAxesLegendAndMarkers) {
  Plot plot{"Errors <&>", {"size [m]", true}, {"error \"relative\"", true}, {}};
  plot.series.push_back({.label = "linear", .x = {0.1, 0.2, 0.4}, .y = {0.01, 0.04, 0.16}, .slope = 2});
  plot.series.push_back({.label = "second\x01 & more", .x = {0.1, 0.2}, .y = {1e-4, 8e-4}});
  const std::vector<SvgTag> document = svg_tags(to_svg(plot));
  EXPECT_TRUE(has_text(document, "Errors &lt;&amp;&gt;"));
  EXPECT_TRUE(has_text(document, "size [m]"));
  EXPECT_TRUE(has_text(document, "error &quot;relative&quot;"));
  EXPECT_TRUE(has_text(document, "linear"));
  EXPECT_TRUE(has_text(document, "second? &amp; more"));
  EXPECT_EQ(count(document, "circle"), 4u);  // three points and the legend
  EXPECT_EQ(count(document, "path", "slope"), 1u);
}

// The path of a series is straight on logarithmic axes where the error is a power of the size.
TEST(Svg, PowersAreStraightLines) {
  Plot plot{"", {"", true}, {"", true}, {}};
  plot.series.push_back({.label = "", .x = {1, 10, 100}, .y = {1, 100, 10000}});
  std::vector<double> x, y;
  const std::vector<SvgTag> document = svg_tags(to_svg(plot));
  for (const SvgTag& one : document) {
    if (one.tag.name != "circle") continue;
    x.push_back(std::stod(std::string(one.tag.value("cx"))));
    y.push_back(std::stod(std::string(one.tag.value("cy"))));
  }
  ASSERT_EQ(x.size(), 3u);
  EXPECT_LT(x[0], x[1]);
  EXPECT_GT(y[0], y[1]);
  EXPECT_NEAR(x[2] - x[1], x[1] - x[0], 0.2);
  EXPECT_NEAR(y[2] - y[1], y[1] - y[0], 0.2);
}

TEST(Svg, LeavesOutWhatCannotBeDrawn) {
  Plot plot{"", {"", false}, {"", true}, {}};
  plot.series.push_back({.label = "", .x = {1, 2, 3, 4, 5, inf, 7}, .y = {1, 0, 2, -1, nan, 3, 3}});
  const std::vector<SvgTag> document = svg_tags(to_svg(plot));
  EXPECT_EQ(count(document, "circle"), 3u);
  std::string d;
  for (const SvgTag& one : document)
    if (one.tag.name == "path" && one.tag.value("fill") == "none") d = one.tag.value("d");
  EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 3);
  EXPECT_EQ(std::count(d.begin(), d.end(), 'L'), 0);
  EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
  EXPECT_EQ(to_svg(plot).find("inf"), std::string::npos);
}

TEST(Svg, MarkersMayBeFewerThanPoints) {
  Plot plot{"", {"", false}, {"", false}, {}};
  plot.series.push_back({.label = "", .x = {1, 2, 3, 4, 5, 6}, .y = {1, 2, 3, 4, 5, 6}, .every = 4});
  EXPECT_EQ(count(svg_tags(to_svg(plot)), "circle"), 3u);  // the first, the fifth, the last
}

TEST(Svg, TheKeyOfASeriesStandsAlone) {
  const std::vector<SvgTag> first = svg_tags(key_svg(0)), second = svg_tags(key_svg(1));
  EXPECT_EQ(count(first, "circle"), 1u);
  EXPECT_EQ(count(second, "path"), 2u);
  EXPECT_EQ(first[1].tag.value("fill"), colour_of(0));
  EXPECT_NE(colour_of(0), colour_of(1));
}

TEST(Svg, NothingToDrawIsAnEmptyFrame) {
  EXPECT_EQ(count(svg_tags(to_svg({})), "rect", "frame"), 1u);
  Plot plot{"", {"", true}, {"", true}, {}};
  plot.series.push_back({.label = "a", .x = {1, 2}, .y = {nan}, .slope = 1});
  EXPECT_EQ(count(svg_tags(to_svg(plot)), "rect", "frame"), 1u);
}

}  // namespace
}  // namespace sinew::plot
