#include "verify/contact_corpus.h"

#include <gtest/gtest.h>
#include <set>

#include "base/parallel.h"

namespace sinew::verify {
namespace {

struct Counts {
  int good = 0, all = 0;
  std::string failures;
};

// Each on one thread, as many at the same time as there are.
Counts run_all(const std::vector<ContactCase>& cases) {
  std::vector<ContactOutcome> outcomes(cases.size());
  for_each_index(static_cast<int64_t>(cases.size()), [&](int64_t i) { outcomes[i] = run(cases[i], {}); });
  Counts counts;
  for (size_t i = 0; i < cases.size(); ++i) {
    const ContactOutcome& outcome = outcomes[i];
    ++counts.all;
    counts.good += outcome.good();
    if (!outcome.good())
      counts.failures +=
          cases[i].name() + ": " + std::to_string(outcome.crossings) + " crossings; " + outcome.reason + "\n";
    EXPECT_TRUE(outcome.status == step::StepStatus::converged || !outcome.reason.empty()) << cases[i].name();
  }
  return counts;
}

// Every motion, by the bodies with the fewest tets.
TEST(ContactCorpus, ASliceConvergesWithoutACrossing) {
  std::vector<ContactCase> slice = contact_corpus({});
  std::erase_if(slice, [](const ContactCase& each) {
    const bool film = each.setting.steps == 12;
    return !(film ? each.body == "capsule" && each.motion != "pile"
                  : each.setting.steps == 24 && (each.body == "torus" || each.body == "cubes"));
  });
  const Counts counts = run_all(slice);
  EXPECT_EQ(counts.all, 16);
  EXPECT_EQ(counts.good, counts.all) << counts.failures;
}

// Every eighth; `sinew bench contact_corpus` runs all.
TEST(ContactCorpus, LongConvergesWithoutACrossing) {
  const auto cases = contact_corpus({{}, SINEW_SHARED_DATA});
  std::vector<ContactCase> slice;
  for (size_t i = 0; i < cases.size(); i += 8) slice.push_back(cases[i]);
  const Counts counts = run_all(slice);
  EXPECT_GE(counts.good, 0.98 * counts.all) << counts.failures;
}

TEST(ContactCorpus, HasEachPairOfValues) {
  const auto cases = contact_corpus({});
  EXPECT_GE(cases.size(), 400u);
  std::set<std::string> names, pairs, values[5];
  for (const ContactCase& each : cases) {
    names.insert(each.name());
    const std::string of[] = {each.motion, each.body, "t" + std::to_string(each.setting.steps),
                              "f" + std::to_string(each.setting.friction),
                              "n" + std::to_string(each.setting.poisson)};
    for (int a = 0; a < 5; ++a) {
      values[a].insert(of[a]);
      for (int b = a + 1; b < 5; ++b) pairs.insert(of[a] + " " + of[b]);
    }
  }
  EXPECT_EQ(names.size(), cases.size());
  // Towers have bodies of their own.
  const size_t small = 3, motions = values[0].size(), bodies = values[1].size() - small;
  size_t expected = (motions - 1) * bodies + small;
  for (int a = 0; a < 5; ++a)
    for (int b = std::max(a + 1, 2); b < 5; ++b) expected += values[a].size() * values[b].size();
  EXPECT_EQ(pairs.size(), expected);
}

TEST(ContactCorpus, IsTheSameEveryTime) {
  const auto first = contact_corpus({}), second = contact_corpus({});
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].scene, second[i].scene);
    for (const auto& [name, solid] : first[i].memory.solids) {
      const auto& X = solid->vertices;
      const auto& Y = second[i].memory.solids.at(name)->vertices;
      ASSERT_TRUE(std::ranges::equal(X, Y, [](const auto& x, const auto& y) { return norm(x - y) == 0; }))
          << name;
    }
  }
}

}  // namespace
}  // namespace sinew::verify
