#include "batch/journal.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "unit/scratch_folder.h"

namespace sinew::batch {
namespace {

const std::string study = "0123456789abcdef";

Entry entry_of(int64_t index, bool solved) {
  Entry entry{index, solved, solved ? 1e-7 : NAN, 5, solved ? "warm" : "", solved ? "" : "why", {}};
  if (!solved) return entry;
  entry.state = model::State(model::StateLayout(), {.nodes = 2, .elements = 1, .bodies = 1, .links = 0});
  entry.state.x()[1] = {0.1 * static_cast<double>(index), 1e-300, -2};
  return entry;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Journal, KeepsWhatWasAdded) {
  const ScratchFolder scratch;
  const std::string path = (scratch.path() / "a.journal").string();
  for (int run = 0; run < 2; ++run) {
    Result<Journal> journal = Journal::open(path, study);
    ASSERT_TRUE(journal);
    ASSERT_EQ(journal->entries().size(), 3u * static_cast<size_t>(run));
    for (int i = 0; i < 3; ++i)
      if (run == 0) {
        ASSERT_TRUE(journal->add(entry_of(i, i != 1)));
      } else {
        const Entry& read = journal->entries()[static_cast<size_t>(i)];
        const Entry added = entry_of(i, i != 1);
        EXPECT_EQ(read.index, added.index);
        EXPECT_EQ(read.solved, added.solved);
        EXPECT_EQ(read.reason, added.reason);
        EXPECT_EQ(read.rung, added.rung);
        EXPECT_EQ(std::isnan(read.residual), std::isnan(added.residual));
        EXPECT_EQ(read.state, added.state);
      }
  }
}

TEST(Journal, TornAtAnyByteItKeepsTheWholeRecords) {
  const ScratchFolder scratch;
  const std::string path = (scratch.path() / "a.journal").string();
  std::vector<size_t> ends;
  {
    Result<Journal> journal = Journal::open(path, study);
    ASSERT_TRUE(journal);
    for (int i = 0; i < 3; ++i) {
      ends.push_back(bytes_of(path).size());
      ASSERT_TRUE(journal->add(entry_of(i, i != 1)));
    }
    ends.push_back(bytes_of(path).size());
  }
  const std::string whole = bytes_of(path);
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    const JournalContent content = parse_journal(std::string_view(whole).substr(0, cut), study);
    size_t expected = 0;
    while (expected + 1 < ends.size() && ends[expected + 1] <= cut) ++expected;
    ASSERT_EQ(content.entries.size(), expected) << "cut at " << cut;
    ASSERT_EQ(content.whole, cut < ends[0] ? 0 : ends[expected]);
  }
  // A torn file is cut and goes on.
  std::ofstream(path, std::ios::binary) << whole.substr(0, ends[2] - 5);
  {
    Result<Journal> journal = Journal::open(path, study);
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->entries().size(), 1u);
    ASSERT_TRUE(journal->add(entry_of(1, false)));
    ASSERT_TRUE(journal->add(entry_of(2, true)));
  }
  EXPECT_EQ(bytes_of(path), whole);
}

TEST(Journal, AFlippedByteEndsIt) {
  const ScratchFolder scratch;
  const std::string path = (scratch.path() / "a.journal").string();
  {
    Result<Journal> journal = Journal::open(path, study);
    ASSERT_TRUE(journal);
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(journal->add(entry_of(i, true)));
  }
  const std::string whole = bytes_of(path);
  const size_t first = (whole.size() - 33) / 2;  // bytes of a record, after the header of 33
  for (size_t at = 33; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 4);
    ASSERT_LE(parse_journal(broken, study).entries.size(), at < 33 + first ? 0u : 1u) << "byte " << at;
  }
}

TEST(Journal, OfAnotherStudyIsStartedAgain) {
  const ScratchFolder scratch;
  const std::string path = (scratch.path() / "a.journal").string();
  {
    Result<Journal> journal = Journal::open(path, study);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->add(entry_of(0, true)));
  }
  Result<Journal> journal = Journal::open(path, "fedcba9876543210");
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->entries().empty());
}

}  // namespace
}  // namespace sinew::batch
