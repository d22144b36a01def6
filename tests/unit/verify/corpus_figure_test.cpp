#include "verify/corpus_figure.h"

#include <gtest/gtest.h>

namespace sinew::verify {
namespace {

TEST(CorpusFigure, QuantilesAreValuesOfTheList) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({7}, 0.95), 7);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2);
  std::vector<double> hundred;
  for (int k = 100; k > 0; --k) hundred.push_back(k);
  EXPECT_EQ(quantile(hundred, 0.5), 50);
  EXPECT_EQ(quantile(hundred, 0.95), 95);
  EXPECT_EQ(quantile(hundred, 1), 100);
}

TEST(CorpusFigure, TellsEveryClassAndEveryFailure) {
  CorpusFigure figure;
  const auto add = [&](const char* load, double poisson, int increments, int iterations, double seconds,
                       const char* reason) {
    CorpusCase each;
    each.body = "bar", each.grip = "plane", each.load = load, each.law = "corotated",
    each.elements = "linear";
    each.poisson = poisson;
    CorpusOutcome outcome;
    outcome.report.increments = increments;
    outcome.report.iterations = iterations;
    outcome.seconds = seconds;
    outcome.reason = reason;
    figure.add(each, outcome);
  };
  add("twist", 0.3, 2, 30, 1, "");
  add("twist", 0.49, 0, 900, 9, "crushed");
  add("bend", 0.3, 1, 5, 2, "");
  std::vector<std::string> names;
  for (const CorpusClass& row : figure.classes()) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"load bend", "load twist", "grip plane", "law corotated",
                                             "nu 0.3", "nu 0.49", "elements linear", "body bar", "all"}));
  const std::vector<CorpusClass> classes = figure.classes();
  const CorpusClass &twist = classes[1], &all = classes.back();
  EXPECT_EQ(twist.runs(), 2);
  EXPECT_EQ(twist.solved, 1);
  EXPECT_EQ(twist.per_increment, std::vector<double>{15});  // what was not solved does not count
  EXPECT_EQ(quantile(twist.seconds, 1), 9);
  EXPECT_EQ(all.runs(), 3);
  EXPECT_EQ(all.solved, 2);
  ASSERT_EQ(figure.failures().size(), 1u);
  EXPECT_EQ(figure.failures()[0].first, "bar plane twist corotated 0.49 linear");
  EXPECT_EQ(figure.failures()[0].second, "crushed");
}

}  // namespace
}  // namespace sinew::verify
