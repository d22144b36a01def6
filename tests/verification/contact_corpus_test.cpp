#include "verify/contact_corpus.h"

#include <gtest/gtest.h>
#include <set>

namespace sinew::verify {
namespace {

struct Counts {
  int good = 0, all = 0;
  std::string failures;
};

Counts run_all(const std::vector<ContactCase>& cases, const auto& wanted) {
  Counts counts;
  for (const ContactCase& each : cases) {
    if (!wanted(each)) continue;
    const ContactOutcome outcome = run(each, {});
    ++counts.all;
    counts.good += outcome.good();
    if (!outcome.good())
      counts.failures +=
          each.name() + ": " + std::to_string(outcome.crossings) + " crossings; " + outcome.reason + "\n";
    EXPECT_TRUE(outcome.status == step::StepStatus::converged || !outcome.reason.empty()) << each.name();
  }
  return counts;
}

// Every motion, by the bodies with the fewest tets.
TEST(ContactCorpus, ASliceConvergesWithoutACrossing) {
  const Counts counts = run_all(contact_corpus({}), [](const ContactCase& each) {
    const bool film = each.setting.steps == 12;
    return film ? each.body == "capsule" && each.motion != "pile"
                : each.setting.steps == 24 && (each.body == "torus" || each.body == "cubes");
  });
  EXPECT_EQ(counts.all, 16);
  EXPECT_EQ(counts.good, counts.all) << counts.failures;
}

class ContactCorpusOf : public testing::TestWithParam<const ContactMotion*> {};

TEST_P(ContactCorpusOf, LongConvergesWithoutACrossing) {
  const Counts counts = run_all(contact_corpus({{}, SINEW_SHARED_DATA}),
                                [](const ContactCase& each) { return each.motion == GetParam()->name; });
  EXPECT_GE(counts.good, 0.9 * counts.all) << counts.failures;
}

std::vector<const ContactMotion*> every_motion() {
  std::vector<const ContactMotion*> list;
  for (const ContactMotion& motion : contact_motions()) list.push_back(&motion);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Motions, ContactCorpusOf, testing::ValuesIn(every_motion()),
                         [](const auto& info) { return info.param->name; });

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
