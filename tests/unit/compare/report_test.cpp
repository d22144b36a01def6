#include "compare/report.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "compare/plots.h"
#include "compare/summary.h"
#include "unit/compare/fake_methods.h"
#include "unit/compare/sample_block.h"
#include "unit/plot/svg_tags.h"

namespace sinew::compare {
namespace {

const step::Method method = fake<stay>("fake");

Curve curve(const char* label, Status status, std::vector<Point> points) {
  return {{label, &method, {}}, status, {}, 0.25, std::move(points)};
}

// Two methods whose curves cross at 1e-3, one that diverged.
Comparison crossing() {
  Comparison c;
  c.options = {.budget = 2, .tolerance = 1e-8};
  c.reference.status = step::StepStatus::converged;
  const Point start{0, 0, 100, 1, 8, 0.5, 0.9};
  c.curves = {
      curve("fast", Status::running,
            {start, {1, 0.1, 4, 0.05, 4, 0.1, 0.2}, {2, 0.2, 0.1, 5e-3, 1, 0.01, 0.02}}),
      curve("slow", Status::running,
            {start, {1, 0.5, 50, 0.5, 6, 0.3, 0.4}, {2, 1, 1e-4, 1e-5, 1e-3, 0.02, 0.03}}),
      curve("<wild & \"free\">", Status::diverged,
            {start, {1, 0.3, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}}),
  };
  return c;
}

Setup setup() {
  return {"block.json", "00ff", {"sinew", "compare", "a b.json", "it's"}, {27, 48, 0}, 2, {0.15, 1.5}};
}

std::string file(const std::vector<ReportFile>& files, const std::string& name) {
  for (const ReportFile& one : files)
    if (one.name == name) return one.bytes;
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST(Summary, FindsPointsByResidualAndByTime) {
  const Comparison c = crossing();
  EXPECT_EQ(first_below(c.curves[0], 0.05)->iteration, 1);
  EXPECT_EQ(first_below(c.curves[0], 1e-2)->iteration, 2);
  EXPECT_EQ(first_below(c.curves[0], 1e-3), nullptr);
  EXPECT_EQ(at_time(c.curves[0], 0.15).iteration, 1);
  EXPECT_EQ(at_time(c.curves[0], 0.05).iteration, 0);
  EXPECT_EQ(at_time(c.curves[0], 9).iteration, 2);
}

TEST(Summary, TheVerdictNamesWhoIsAheadWhere) {
  const std::vector<std::string> sentences = verdict(crossing());
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(
      sentences[0],
      "After 2 s each, slow has the lowest relative residual (1.0e-05) and fast the lowest position error "
      "(1.0e-02 of the size of the scene).");
  EXPECT_EQ(
      sentences[1],
      "First to relative residual 1e-1 to 1e-2: fast (200 ms); 1e-3 to 1e-5: slow (1 s). None came down to "
      "1e-6.");
  EXPECT_EQ(sentences[2], "<wild & \"free\"> diverged.");
}

TEST(Summary, ABudgetIsNamedOnlyWhereAllHadIt) {
  Comparison c = crossing();
  c.curves[2].ended = true;  // diverged: it is not among those that are ranked
  EXPECT_EQ(verdict(c)[0].rfind("After 2 s each, slow has the lowest", 0), 0u);
  c.curves[0].ended = true;
  EXPECT_EQ(verdict(c)[0].rfind("At their ends, slow has the lowest", 0), 0u);
}

TEST(Summary, AResidualThatWasBetterBeforeIsShown) {
  Comparison c = crossing();
  c.curves[0].status = Status::stagnated;
  c.curves[0].points.push_back({3, 0.3, 2, 0.06, 2, 0.1, 0.2});
  EXPECT_EQ(summary_table(c).rows[0][4], "6.0e-02 (best 5.0e-03)");
  EXPECT_NE(verdict(c)[2].find("fast stagnated at relative residual 6.0e-02 (best 5.0e-03)"),
            std::string::npos);
  c.curves[0].points.back().relative = 0.04;
  EXPECT_EQ(summary_table(c).rows[0][4], "4.0e-02");
}

TEST(Summary, AReferenceThatNeededALargerToleranceIsSaid) {
  Comparison c = crossing();
  c.reference.relative = 3e-9;
  EXPECT_EQ(verdict(c).size(), 3u);
  c.reference.relaxed = true;
  EXPECT_NE(verdict(c).back().find("only to relative residual 3.0e-09"), std::string::npos);
  EXPECT_NE(file(make_report(c, setup()), "report.html").find("less exactly than wanted"), std::string::npos);
}

TEST(Summary, ConvergedMethodsAreNamedByTime) {
  Comparison c = crossing();
  c.options.tolerance = 1e-2;
  c.curves[0].status = c.curves[1].status = Status::converged;
  std::swap(c.curves[0], c.curves[1]);
  const std::vector<std::string> sentences = verdict(c);
  EXPECT_EQ(sentences[0], "Converged to relative residual 0.01: fast after 200 ms and slow after 1 s.");
  EXPECT_EQ(sentences[1], "First to relative residual 1e-1 to 1e-2: fast (200 ms).");
}

TEST(Summary, AllLostAndNoReferenceAreSaid) {
  Comparison c = crossing();
  c.reference.status = step::StepStatus::failed;
  for (Curve& one : c.curves) one = {one.entry, Status::failed, {"out of memory"}, 0, {one.points[0]}};
  std::string text;
  for (const std::string& sentence : verdict(c)) text += sentence + "\n";
  for (const char* words :
       {"No method came to a point", "None came down to 1e-1", "fast failed (out of memory)", "no reference"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
}

TEST(Summary, TablesHaveARowForEachMethod) {
  const Comparison c = crossing();
  const Table table = summary_table(c);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"slow", "out of budget", "2", "1 s", "1.0e-05",
                                                     "2.0e-02", "1 s", "1 s", "-", "-"}));
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.head.size());
  const Table at = table_at(c, setup().at);
  EXPECT_EQ(at.rows[0], (std::vector<std::string>{"fast", "5.0e-02", "1.0e-01", "5.0e-03", "1.0e-02"}));
  EXPECT_EQ(at.head.size(), 5u);
  std::istringstream lines(to_text(table));
  size_t count = 0;
  for (std::string line; std::getline(lines, line);) ++count;
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(seconds_text(0.0125), "12.5 ms");
  EXPECT_EQ(seconds_text(0.9999), "1 s");
  EXPECT_EQ(seconds_text(3e-6), "3 us");
  EXPECT_EQ(seconds_text(4321), "4321 s");
}

TEST(Report, JsonReadsBackAsThePoints) {
  const Sample sample;
  const auto entries = sample.entries("newton,newton:linear=pcg");
  const Comparison c = sample.compare(entries, {.iterations = 8, .repeats = 1});
  const auto json = json::parse_json(file(make_report(c, setup()), "compare.json"), "compare.json");
  ASSERT_TRUE(json) << json.error().text();
  EXPECT_EQ((*json)["scene_hash"].text(), "00ff");
  EXPECT_EQ((*json)["command"].size(), 4u);
  EXPECT_EQ((*json)["reference"]["status"].text(), "converged");
  EXPECT_EQ((*json)["methods"].size(), 2u);
  for (size_t m = 0; m < 2; ++m) {
    const json::Json& one = (*json)["methods"].item(m);
    EXPECT_EQ(one["label"].text(), entries[m].label);
    EXPECT_EQ(one["options"]["linear"].text(), m == 0 ? "auto" : "pcg");
    const std::vector<Point>& points = c.curves[m].points;
    const json::Json& arrays = one["points"];
    ASSERT_EQ(arrays["iteration"].size(), points.size());
    for (size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(arrays["iteration"].item(k).number(), static_cast<double>(points[k].iteration));
      EXPECT_EQ(arrays["seconds"].item(k).number(), points[k].seconds);
      EXPECT_EQ(arrays["residual"].item(k).number(), points[k].residual);
      EXPECT_EQ(arrays["relative"].item(k).number(), points[k].relative);
      EXPECT_EQ(arrays["energy_gap"].item(k).number(), points[k].energy_gap);
      EXPECT_EQ(arrays["error_rms"].item(k).number(), points[k].error_rms);
      EXPECT_EQ(arrays["error_max"].item(k).number(), points[k].error_max);
    }
    EXPECT_EQ(one["reached"]["1e-8"]["seconds"].number(), first_below(c.curves[m], 1e-8)->seconds);
    EXPECT_EQ(one["at"].size(), 2u);
  }
  EXPECT_FALSE(to_json(c, setup(), false)["methods"].item(0).has("points"));
}

TEST(Report, WhatIsNotFiniteIsNullInJsonAndEmptyInCsv) {
  const Comparison c = crossing();
  const auto json = json::parse_json(to_json(c, setup(), true).pretty(), "compare.json");
  ASSERT_TRUE(json);
  const json::Json& points = (*json)["methods"].item(2)["points"];
  EXPECT_TRUE(points["residual"].item(1).is(json::Json::Kind::null));
  EXPECT_EQ(points["residual"].item(0).number(), 100);
  std::istringstream lines(to_csv(c));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows[0], "method,iteration,seconds,residual,relative,energy_gap,error_rms,error_max");
  EXPECT_EQ(rows[2], "\"fast\",1,0.1,4,0.05,4,0.1,0.2");
  EXPECT_EQ(rows[8], "\"<wild & \"\"free\"\">\",1,0.3,,,,,");
}

TEST(Report, ThePageStandsAlone) {
  const std::vector<ReportFile> files = make_report(crossing(), setup());
  const std::string page = file(files, "report.html");
  for (const std::string words :
       {"After 2 s each, slow", "out of budget", "&lt;wild &amp; &quot;free&quot;&gt;",
        "prefers-color-scheme: dark", "Residual over time", "Residual over iterations",
        "Energy gap over time", "Position error over time", "Position error over iterations", "48 tets",
        "2 threads", "block.json", "residual at 150 ms"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
  for (const std::string words : {"<wild", "<script", "<link", "<img", "url(", "@import"})
    EXPECT_EQ(page.find(words), std::string::npos) << words;
  for (const ReportFile& one : files) EXPECT_TRUE(is_report_file(one.name)) << one.name;
  EXPECT_FALSE(is_report_file("notes.txt"));
  size_t pictures = 0;
  for (const ReportFile& one : files)
    if (one.name.ends_with(".svg")) {
      svg_tags(one.bytes);  // well-formed
      ++pictures;
    }
  EXPECT_EQ(pictures, 5u);
}

TEST(Plots, SeriesDifferInColourOrMarker) {
  std::set<std::string> keys;
  std::set<std::string_view> colours;
  for (size_t i = 0; i < 24; ++i) {
    std::string key = plot::key_svg(i);
    if (const size_t dashes = key.find(" stroke-dasharray"); dashes != std::string::npos)
      key.erase(dashes, key.find(" d=", dashes) - dashes);
    keys.insert(key);
    if (i < 8) colours.insert(plot::colour_of(i));
  }
  EXPECT_EQ(keys.size(), 24u);
  EXPECT_EQ(colours.size(), 8u);
}

TEST(Plots, AreThinnedAndKeepTheirEnds) {
  Comparison c = crossing();
  std::vector<Point>& points = c.curves[0].points;
  points.resize(1);
  for (int k = 1; k <= 20000; ++k)
    points.push_back({k, 1e-3 * k, 1.0 / k, 1.0 / k, 1.0 / k, 1.0 / k, 1.0 / k});
  for (const NamedPlot& plot : make_plots(c)) {
    const plot::Series& series = plot.plot.series[0];
    EXPECT_LE(series.x.size(), 200u);
    EXPECT_GE(series.x.size(), 60u);
    EXPECT_TRUE(series.x.front() == 1 || series.x.front() == 1e-3);
    EXPECT_TRUE(series.x.back() == 20000 || series.x.back() == 1e-3 * 20000);
  }
}

}  // namespace
}  // namespace sinew::compare
