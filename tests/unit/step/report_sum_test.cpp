#include "step/report_sum.h"

#include <gtest/gtest.h>

namespace sinew::step {
namespace {

StepReport report(StepStatus status, int iterations, const char* cause) {
  StepReport report;
  report.status = status;
  report.increments = 1;
  report.iterations = iterations;
  report.linear_iterations = 10 * iterations;
  report.seconds = {{"linear", 0.5}};
  report.notes = {"split", cause};
  report.dissipation = 2;
  if (status != StepStatus::converged) report.reason.emplace().cause = cause;
  return report;
}

TEST(ReportSum, TheReasonIsThatOfTheFirstStepWithTheWorstStatus) {
  StepReport sum = report(StepStatus::converged, 1, "none");
  append(report(StepStatus::stalled, 2, "first"), sum);
  append(report(StepStatus::stalled, 3, "second"), sum);
  EXPECT_EQ(sum.status, StepStatus::stalled);
  ASSERT_TRUE(sum.reason);
  EXPECT_EQ(sum.reason->cause, "first");
  append(report(StepStatus::failed, 4, "third"), sum);
  EXPECT_EQ(sum.reason->cause, "third");
  EXPECT_EQ(sum.iterations, 10);
  EXPECT_EQ(sum.increments, 4);
  EXPECT_EQ(sum.dissipation, 8);
  EXPECT_EQ(sum.notes, (std::vector<std::string>{"split", "none", "first", "second", "third"}));
}

TEST(ReportSum, AnotherAttemptAddsItsWorkAlone) {
  StepReport taken = report(StepStatus::converged, 5, "none");
  add_work(report(StepStatus::stalled, 7, "lost"), taken);
  EXPECT_EQ(taken.status, StepStatus::converged);
  EXPECT_EQ(taken.iterations, 12);
  EXPECT_EQ(taken.linear_iterations, 120);
  EXPECT_EQ(taken.seconds[0].second, 1);
  EXPECT_EQ(taken.increments, 1);
  EXPECT_EQ(taken.dissipation, 2);
  EXPECT_FALSE(taken.reason);
  EXPECT_EQ(taken.notes.size(), 2u);
}

}  // namespace
}  // namespace sinew::step
