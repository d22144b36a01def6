#include "verify/corpus.h"

#include <cstring>
#include <gtest/gtest.h>

namespace sinew::verify {
namespace {

struct Counts {
  int solved = 0, all = 0;
  std::string failures;
};

template <class Wanted>
Counts solve_all(const std::vector<CorpusCase>& cases, const Wanted& wanted) {
  Counts counts;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!wanted(i, cases[i])) continue;
    const CorpusOutcome outcome = solve(cases[i], *step::find_method("newton"), {});
    ++counts.all;
    counts.solved += outcome.solved();
    if (!outcome.solved()) counts.failures += cases[i].name() + ": " + outcome.reason + "\n";
    EXPECT_TRUE(outcome.solved() || outcome.reason.find(';') != std::string::npos)
        << cases[i].name() << ": no reason but " << outcome.reason;
  }
  return counts;
}

TEST(Corpus, ASliceComesToRest) {
  const Counts counts = solve_all(corpus({}), [](size_t i, const CorpusCase& each) {
    return i % 7 == 0 && each.elements != "quadratic";
  });
  EXPECT_GT(counts.all, 30);
  EXPECT_GE(counts.solved, 0.9 * counts.all) << counts.failures;
}

TEST(Corpus, LongComesToRest) {
  const Counts counts = solve_all(corpus({std::string(SINEW_SOURCE_DIR) + "/examples", SINEW_SHARED_DATA}),
                                  [](size_t, const auto&) { return true; });
  EXPECT_GE(counts.solved, 0.98 * counts.all) << counts.failures;
}

TEST(Corpus, IsTheSameEveryTime) {
  const auto first = corpus({}), second = corpus({});
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].name(), second[i].name());
    EXPECT_EQ(first[i].scene, second[i].scene);
    const auto &X = first[i].mesh->vertices, &Y = second[i].mesh->vertices;
    ASSERT_EQ(X.size(), Y.size());
    EXPECT_EQ(std::memcmp(X.data(), Y.data(), X.size() * sizeof X[0]), 0);
  }
}

}  // namespace
}  // namespace sinew::verify
