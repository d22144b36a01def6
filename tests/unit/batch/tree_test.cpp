#include "batch/tree.h"

#include <gtest/gtest.h>

namespace sinew::batch {
namespace {

TEST(Tree, EachSampleStartsFromTheNearestEarlierOne) {
  const std::vector<double> points = {0.5, 0.0, 1.0, 0.1, 0.9, 0.5};
  const std::vector<char> plain = {0};
  const Tree tree = warm_start_tree(points, plain);
  EXPECT_EQ(tree.parent, (std::vector<int32_t>{-1, 0, 0, 1, 2, 0}));
  EXPECT_EQ(tree.level, (std::vector<int32_t>{0, 1, 1, 2, 2, 1}));
}

TEST(Tree, ACategoryIsTheSameOrFar) {
  // Coordinates 0.1 and 0.9 of a category are as far apart as 0.1 and 0.3; the second axis decides.
  const std::vector<double> points = {0.1, 0.0, 0.3, 0.0, 0.9, 0.4, 0.9, 0.0};
  const std::vector<char> kinds = {1, 0};
  const Tree tree = warm_start_tree(points, kinds);
  EXPECT_EQ(tree.parent, (std::vector<int32_t>{-1, 0, 0, 2}));
}

TEST(Tree, EarlierSamplesDoNotDependOnLaterOnes) {
  std::vector<double> points;
  for (int i = 0; i < 200; ++i) points.push_back(static_cast<double>(i * 7919 % 1000) / 1000);
  const std::vector<char> plain = {0, 0};
  const Tree whole = warm_start_tree(points, plain);
  const Tree part = warm_start_tree(std::span(points).first(60), plain);
  EXPECT_TRUE(std::equal(part.parent.begin(), part.parent.end(), whole.parent.begin()));
}

}  // namespace
}  // namespace sinew::batch
