// Every verification problem, by id: all its checks hold.
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "base/parallel.h"
#include "verify/problem.h"

namespace sinew::verify {
namespace {

// By id, so that the names of the tests do not hold addresses.
class Problems : public testing::TestWithParam<std::string> {};

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const Problem* problem : problems_by_id()) list.emplace_back(problem->id);
  return list;
}

// One thread: results do not depend on it, and most meshes are too small to gain from more.
TEST_P(Problems, ChecksHold) {
  const int threads = thread_count();
  set_thread_count(1);
  const Outcome outcome = find_problem(GetParam())->run({});
  const std::vector<Check>& checks = outcome.checks;
  set_thread_count(threads);
  EXPECT_FALSE(checks.empty());
  std::set<std::string> ids;
  for (const Check& check : checks) {
    EXPECT_TRUE(check.ok) << check.id << ": " << check.what << "\n  reference " << check.reference
                          << "\n  result    " << check.result << "\n  error     " << check.error
                          << " (tolerance " << check.tolerance << ")";
    EXPECT_EQ(check.id.find(GetParam() + "."), 0u) << check.id;
    EXPECT_TRUE(ids.insert(check.id).second) << check.id << " is there twice";
    EXPECT_FALSE(check.source.empty()) << check.id;
  }
  for (const Series& series : outcome.series) {
    EXPECT_FALSE(series.label.empty() || series.x_label.empty());
    EXPECT_EQ(series.x.size(), series.y.size()) << series.label;
    EXPECT_GE(series.x.size(), 2u) << series.label;
    for (double error : series.y) EXPECT_TRUE(std::isfinite(error)) << series.label;
  }
}

INSTANTIATE_TEST_SUITE_P(By, Problems, testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

TEST(ProblemTable, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const Problem* problem : problems()) {
    EXPECT_TRUE(ids.insert(problem->id).second) << problem->id;
    EXPECT_EQ(find_problem(problem->id), problem);
  }
  EXPECT_EQ(find_problem("V00"), nullptr);
}

TEST(ProblemTable, StopsWhenCancelled) {
  Cancel cancel;
  cancel.request();
  for (const Problem* problem : problems())
    for (const Check& check : problem->run({.cancel = &cancel, .on_residual = {}}).checks)
      EXPECT_FALSE(check.ok) << check.id;
}

TEST(Checks, JudgeRelativeAndAbsoluteErrors) {
  const Problem problem{.id = "P", .title = "", .source = "source", .doc = "", .run = nullptr};
  Checks checks(problem);
  checks.relative("a", "", 1.01, 1, 0.02);
  checks.relative("b", "", -203, -200, 0.01);
  checks.absolute("c", "", 1e-3, 0, 1e-2);
  checks.absolute("d", "", 103, 100, 2);
  checks.relative("e", "", std::nan(""), 1, 1e9);
  const std::vector<Check> list = checks.take().checks;
  ASSERT_EQ(list.size(), 5u);
  EXPECT_TRUE(list[0].ok);
  EXPECT_FALSE(list[1].ok);
  EXPECT_DOUBLE_EQ(list[1].error, 0.015);
  EXPECT_TRUE(list[2].ok);
  EXPECT_FALSE(list[3].ok);
  EXPECT_FALSE(list[4].ok);
  EXPECT_EQ(list[0].id, "P.a");
}

}  // namespace
}  // namespace sinew::verify
