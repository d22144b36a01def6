#include "verify/corpus.h"

#include <cstring>
#include <gtest/gtest.h>

#include "base/parallel.h"

namespace sinew::verify {
namespace {

struct Counts {
  int solved = 0, all = 0;
  std::string failures;
};

// Each on one thread, as many at the same time as there are.
Counts solve_all(const std::vector<CorpusCase>& cases) {
  std::vector<CorpusOutcome> outcomes(cases.size());
  for_each_index(static_cast<int64_t>(cases.size()),
                 [&](int64_t i) { outcomes[i] = solve(cases[i], *step::find_method("newton"), {}); });
  Counts counts;
  for (size_t i = 0; i < cases.size(); ++i) {
    const CorpusOutcome& outcome = outcomes[i];
    ++counts.all;
    counts.solved += outcome.solved();
    if (!outcome.solved()) counts.failures += cases[i].name() + ": " + outcome.reason + "\n";
    EXPECT_TRUE(outcome.solved() || outcome.reason.find(';') != std::string::npos)
        << cases[i].name() << ": no reason but " << outcome.reason;
  }
  return counts;
}

TEST(Corpus, ASliceComesToRest) {
  const auto cases = corpus({});
  std::vector<CorpusCase> slice;
  for (size_t i = 0; i < cases.size(); i += 7)
    if (cases[i].elements != "quadratic") slice.push_back(cases[i]);
  const Counts counts = solve_all(slice);
  EXPECT_GT(counts.all, 30);
  EXPECT_GE(counts.solved, 0.9 * counts.all) << counts.failures;
}

// Every sixth run: every third took 53 minutes on two cores. `sinew bench corpus` makes all of them.
TEST(Corpus, LongComesToRest) {
  const auto cases = corpus({std::string(SINEW_SOURCE_DIR) + "/examples", SINEW_SHARED_DATA});
  std::vector<CorpusCase> sixth;
  for (size_t i = 0; i < cases.size(); i += 6) sixth.push_back(cases[i]);
  const Counts counts = solve_all(sixth);
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
