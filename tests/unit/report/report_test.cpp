#include "report/report.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "unit/run/sample_run.h"

namespace sinew::report {
namespace {

// The beam run into the folder, and its page.
std::string page_of(const ScratchFolder& folder, const std::vector<std::string>& overrides = {}) {
  const run::Loaded sample = run::load_sample(overrides);
  run::RunOptions options;
  options.folder = folder.path();
  options.command = {"sinew", "run", "<beam> & wall.json"};
  const run::RunOutcome outcome = run::run(sample.scene, sample.built, options, {}, {});
  EXPECT_FALSE(outcome.error) << outcome.error->text();
  const auto ok = write_report(folder.path(), folder / report_file);
  EXPECT_TRUE(ok) << ok.error().text();
  return contents(folder / report_file);
}

void replace(std::string& text, const std::string& old, const std::string& with) {
  const size_t at = text.find(old);
  ASSERT_NE(at, std::string::npos) << old;
  text.replace(at, old.size(), with);
}

bool has(const std::string& page, const std::string& words) { return page.find(words) != std::string::npos; }

TEST(Report, TellsOfTheRun) {
  const ScratchFolder folder;
  const std::string page = page_of(folder, {"title=\"A <wild> beam\"", "output.export=[]"});
  for (const std::string words : {"A &lt;wild&gt; beam",
                                  "Done: all 10 frames.",
                                  "All 2 expectations are met.",
                                  "frame 0, t = 0 s",
                                  "frame 5, t = 0.16667 s",
                                  "frame 10, t = 0.33333 s",
                                  "Relative residual",
                                  "Energy",
                                  "Iterations a frame",
                                  "Time a frame",
                                  "Least det F",
                                  "Reactions of attachments",
                                  "stable_neo_hookean, young 100000 Pa, poisson 0.3",
                                  "newton",
                                  "BDF2",
                                  "2 steps each",
                                  "wall (4 nodes, held)",
                                  "gravity (0, -9.81, 0) m/s^2",
                                  "beam.displacement.y.min",
                                  "class=\"met\"",
                                  "sinew run '&lt;beam&gt; &amp; wall.json'",
                                  "data:image/png;base64,",
                                  "prefers-color-scheme: dark"})
    EXPECT_TRUE(has(page, words)) << words;
  for (const std::string words : {"<wild>", "<script", "<link", "url(", "@import", "http://localhost", "nan"})
    EXPECT_FALSE(has(page, words)) << words;
  EXPECT_FALSE(has(page, "Pairs in contact"));
  EXPECT_LT(page.size(), 600000u);
}

TEST(Report, SaysHowARunEnded) {
  const ScratchFolder folder;
  page_of(folder);
  const std::string done = contents(folder / "run.json");
  const auto page_with = [&](const std::string& old, const std::string& with) {
    std::string changed = done;
    replace(changed, old, with);
    put(folder / "run.json", changed);
    const auto ok = write_report(folder.path(), folder / "again.html");
    EXPECT_TRUE(ok) << ok.error().text();
    return contents(folder / "again.html");
  };
  const std::string status = "\"status\": \"done\"";
  EXPECT_TRUE(has(page_with(status, "\"status\": \"interrupted\""), "Interrupted after frame 10 of 10"));
  EXPECT_TRUE(has(page_with(status, "\"status\": \"running\""), "The end was not recorded"));
  const std::string failed = page_with(status, "\"status\": \"failed\", \"error\": \"no <space>\"");
  EXPECT_TRUE(has(failed, "Failed after frame 10 of 10: no &lt;space&gt;"));
  EXPECT_TRUE(has(failed, "verdict bad"));
  EXPECT_TRUE(has(page_with(status, "\"status\": \"not_converged\""), "Not converged"));
  EXPECT_TRUE(has(page_with("\"ok\": true", "\"ok\": false"), "1 of 2 expectations not met."));
  const std::string warned =
      page_with("\"warnings\": []",
                "\"warnings\": [\"frame 3: <odd>\", \"slow\", \"frame 7: <odd>\", \"frame 9: high\"]");
  for (const char* words : {"<li>frames 3, 7: &lt;odd&gt;</li>", "<li>slow</li>", "<li>frame 9: high</li>"})
    EXPECT_TRUE(has(warned, words)) << words;
}

TEST(Report, ABrokenFrameIsNamedInItsPlace) {
  const ScratchFolder folder;
  page_of(folder);
  put(folder / "frames/frame_00005.npz", "no archive");
  const auto ok = write_report(folder.path(), folder / "again.html");
  ASSERT_TRUE(ok) << ok.error().text();
  const std::string page = contents(folder / "again.html");
  EXPECT_TRUE(has(page, "frame 5, t = 0.16667 s: "));
  EXPECT_TRUE(has(page, "frame_00005.npz"));
  EXPECT_TRUE(has(page, "alt=\"frame 10, t = 0.33333 s\""));
}

TEST(Report, AFolderThatHoldsNoRunIsRefused) {
  const ScratchFolder folder;
  const auto nothing = write_report(folder.path(), folder / report_file);
  ASSERT_FALSE(nothing);
  EXPECT_TRUE(has(nothing.error().text(), "run.json"));
  EXPECT_FALSE(std::filesystem::exists(folder / report_file));
  put(folder / "run.json", "{\"sinew\": ");
  EXPECT_FALSE(write_report(folder.path(), folder / report_file));
  const ScratchFolder good;
  page_of(good);
  const auto lost = write_report(good.path(), good / "no/such/folder.html");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace sinew::report
