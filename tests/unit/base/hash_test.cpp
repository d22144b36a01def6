#include "base/hash.h"

#include <gtest/gtest.h>
#include <set>

namespace sinew {
namespace {

uint64_t hash_of(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.value();
}

TEST(Hash, AnyChangedBitChangesIt) {
  for (size_t size : {1, 7, 8, 9, 100}) {
    std::string text(size, 'a');
    std::set<uint64_t> seen = {hash_of(text)};
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      text[bit / 8] ^= static_cast<char>(1 << bit % 8);
      EXPECT_TRUE(seen.insert(hash_of(text)).second) << "bit " << bit << " of " << size << " bytes";
      text[bit / 8] ^= static_cast<char>(1 << bit % 8);
    }
  }
}

TEST(Hash, LengthAndPartsCount) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size < 40; ++size) EXPECT_TRUE(seen.insert(hash_of(std::string(size, '\0'))).second);
  Hash first, second;
  first.add("ab"), first.add("c");
  second.add("a"), second.add("bc");
  EXPECT_NE(first.value(), second.value());
}

TEST(Hash, SameContentSameValue) {
  const std::string copy = std::string("same ") + "content";
  EXPECT_EQ(hash_of("same content"), hash_of(copy));
  const double numbers[] = {1, 2, 3};
  Hash a, b;
  a.add(std::span<const double>(numbers));
  b.add(numbers, sizeof numbers);
  EXPECT_EQ(a.value(), b.value());
}

TEST(Hash, TextIsTheValueInHexadecimal) {
  for (const char* text : {"", "a", "a longer text of some words"}) {
    Hash hash;
    hash.add(std::string_view(text));
    EXPECT_EQ(hash.text().size(), 16u);
    EXPECT_EQ(std::stoull(hash.text(), nullptr, 16), hash.value());
  }
}

// Flipping one bit of the input should flip about half of the output.
TEST(Hash, SpreadsSmallChanges) {
  int flipped = 0, count = 0;
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 100; ++k) {
      const uint64_t word = 0x1234567890abcdefull * (k + 1), other = word ^ (uint64_t{1} << i);
      Hash a, b;
      a.add(&word, 8), b.add(&other, 8);
      flipped += __builtin_popcountll(a.value() ^ b.value());
      count += 64;
    }
  EXPECT_NEAR(static_cast<double>(flipped) / count, 0.5, 0.05);
}

}  // namespace
}  // namespace sinew
