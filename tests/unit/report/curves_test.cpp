#include "report/curves.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace sinew::report {
namespace {

using json::Json;

Json line(int frame, std::initializer_list<std::pair<const char*, Json>> values) {
  Json json = Json::object();
  json.set("frame", frame);
  for (const auto& [key, value] : values) json.set(key, value);
  return json;
}

const plot::Plot* find(const std::vector<plot::Plot>& plots, std::string_view title) {
  for (const plot::Plot& plot : plots)
    if (plot.title == title) return &plot;
  return nullptr;
}

Json vector(double x, double y, double z) { return Json::numbers(std::array{x, y, z}); }

TEST(Curves, OnlyWhatTheLinesTellOf) {
  EXPECT_TRUE(curves({}, 1e-6).empty());
  const std::vector<Json> bare = {line(0, {}),
                                  line(1, {{"energy", "text"}, {"reactions", 3}, {"phases", nullptr}})};
  EXPECT_TRUE(curves(bare, 1e-6).empty());
  const std::vector<Json> some = {line(0, {{"energy", 1}}), line(1, {{"energy", -2}, {"contacts", 0}})};
  const std::vector<plot::Plot> plots = curves(some, 1e-6);
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].title, "Energy");
  EXPECT_EQ(plots[0].series[0].y, (std::vector<double>{1, -2}));
}

TEST(Curves, HaveTheValuesOfTheLines) {
  Json wall = Json::object(), reactions = Json::object(), pairs = Json::object(), phases = Json::object();
  wall.set("force", vector(3, 0, -4));
  reactions.set("wall", wall);
  pairs.set("a:b", vector(0, 12, 5));
  phases.set("assemble", 0.25);
  const std::vector<Json> lines = {line(0, {{"status", "start"}, {"seconds", 0}}),
                                   line(7, {{"status", "converged"},
                                            {"relative_residual", 1e-7},
                                            {"energy", 2},
                                            {"iterations", 4},
                                            {"linear_iterations", 40},
                                            {"seconds", 0.5},
                                            {"phases", phases},
                                            {"contacts", 3},
                                            {"penetration", 1e-4},
                                            {"dissipation", 0.5},
                                            {"contact_forces", pairs},
                                            {"min_det_F", 0.9},
                                            {"reactions", reactions}})};
  const std::vector<plot::Plot> plots = curves(lines, 1e-6);
  const auto last = [&](const char* title, size_t series) {
    const plot::Plot* plot = find(plots, title);
    if (!plot || plot->series.size() <= series || plot->series[series].x.back() != 7) return double(NAN);
    return plot->series[series].y.back();
  };
  EXPECT_EQ(last("Relative residual", 0), 1e-7);
  EXPECT_EQ(last("Relative residual", 1), 1e-6);
  EXPECT_EQ(last("Energy", 0), 2);
  EXPECT_EQ(last("Energy", 1), 0.5);
  EXPECT_EQ(last("Iterations a frame", 0), 4);
  EXPECT_EQ(last("Iterations a frame", 1), 40);
  EXPECT_EQ(last("Time a frame", 0), 0.5);
  EXPECT_EQ(last("Time a frame", 1), 0.25);
  EXPECT_EQ(last("Pairs in contact", 0), 3);
  EXPECT_EQ(last("Deepest penetration", 0), 1e-4);
  EXPECT_EQ(last("Contact forces", 0), 13);
  EXPECT_EQ(last("Least det F", 0), 0.9);
  EXPECT_EQ(last("Reactions of attachments", 0), 5);
  EXPECT_EQ(plots.size(), 9u);
}

TEST(Curves, ShowTheLargestForces) {
  Json reactions = Json::object();
  for (int k = 0; k < 30; ++k) {
    Json one = Json::object();
    one.set("force", vector(k, 0, 0));
    reactions.set(std::string("a").append(std::to_string(k)), one);
  }
  const std::vector<plot::Plot> plots = curves(std::vector<Json>{line(1, {{"reactions", reactions}})}, 1e-6);
  ASSERT_EQ(plots.size(), 1u);
  ASSERT_EQ(plots[0].series.size(), 8u);
  EXPECT_EQ(plots[0].series.front().label, "a22");
  EXPECT_EQ(plots[0].series.back().label, "a29");
}

TEST(Curves, AreThinnedWithoutLosingPeaks) {
  plot::Series series;
  for (int k = 0; k < 100000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k == 33333 ? 50 : k == 66666 ? -50 : k < 2000 ? NAN : std::sin(k * 1e-3));
  }
  thin(series);
  EXPECT_LE(series.x.size(), 600u);
  EXPECT_GE(series.x.size(), 500u);
  EXPECT_TRUE(std::is_sorted(series.x.begin(), series.x.end()));
  EXPECT_EQ(series.x.front(), 0);
  EXPECT_EQ(series.x.back(), 99999);
  EXPECT_TRUE(std::isnan(series.y.front()));
  const auto at = [&](double x) {
    const auto found = std::find(series.x.begin(), series.x.end(), x);
    return found == series.x.end() ? 0 : series.y[static_cast<size_t>(found - series.x.begin())];
  };
  EXPECT_EQ(at(33333), 50);
  EXPECT_EQ(at(66666), -50);
  plot::Series shorter{.label = "", .x = {1, 2, 3}, .y = {4, 5, 6}};
  thin(shorter);
  EXPECT_EQ(shorter.y, (std::vector<double>{4, 5, 6}));
}

}  // namespace
}  // namespace sinew::report
