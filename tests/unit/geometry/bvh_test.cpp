#include "geometry/bvh.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

#include "base/parallel.h"

namespace sinew::geometry {
namespace {

using Pairs = std::vector<std::array<int32_t, 2>>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Box> random_boxes(int count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Box> boxes(count);
  for (Box& box : boxes)
    for (int i = 0; i < 3; ++i) {
      box.low[i] = 2 * unit(random) - 1;
      box.high[i] = box.low[i] + size * unit(random);
    }
  return boxes;
}

bool meets(const Box& a, const Box& b, double slack) {
  for (int i = 0; i < 3; ++i)
    if (!(a.low[i] <= b.high[i] + slack && a.high[i] >= b.low[i] - slack)) return false;
  return true;
}

// All that meet are there, in order, and nothing that is further apart than rounding allows.
void expect_overlaps(const Pairs& pairs, const std::vector<Box>& a, const std::vector<Box>& b, bool self) {
  double size = 0;
  for (const auto* list : {&a, &b})
    for (const Box& box : *list)
      for (int i = 0; i < 3; ++i)
        for (double x : {box.low[i], box.high[i]})
          if (std::isfinite(x)) size = std::max(size, std::abs(x));
  const double slack = size > std::numeric_limits<float>::max() ? infinity : 1e-6 * size + 1e-37;
  size_t next = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(a.size()); ++i)
    for (int32_t j = self ? i + 1 : 0; j < static_cast<int32_t>(b.size()); ++j) {
      const bool found = next < pairs.size() && pairs[next] == std::array{i, j};
      ASSERT_TRUE(found || !meets(a[i], b[j], 0)) << i << " " << j;
      ASSERT_TRUE(!found || meets(a[i], b[j], slack)) << i << " " << j;
      next += found;
    }
  EXPECT_EQ(next, pairs.size());
}

void expect_self_overlaps(const std::vector<Box>& boxes) {
  Bvh tree;
  tree.build(boxes);
  ASSERT_EQ(tree.size(), static_cast<int64_t>(boxes.size()));
  Pairs pairs;
  overlaps(tree, pairs);
  expect_overlaps(pairs, boxes, boxes, true);
}

TEST(Bvh, SelfOverlapsAreThoseOfBruteForce) {
  for (int count : {1, 2, 7, 8, 9, 63, 64, 65, 513, 1500})
    for (double size : {0.0, 0.02, 0.3}) expect_self_overlaps(random_boxes(count, size, count));
}

TEST(Bvh, OverlapsOfTwoTreesAreThoseOfBruteForce) {
  for (int count : {1, 8, 100, 900}) {
    const auto a = random_boxes(count, 0.1, 1), b = random_boxes(2 * count + 1, 0.05, 2);
    Bvh of_a, of_b;
    of_a.build(a);
    of_b.build(b);
    Pairs pairs = {{7, 7}};
    overlaps(of_a, of_b, pairs);
    expect_overlaps(pairs, a, b, false);
    overlaps(of_b, of_a, pairs);
    expect_overlaps(pairs, b, a, false);
  }
}

TEST(Bvh, RefitFollowsTheBoxes) {
  const auto before = random_boxes(700, 0.1, 3), after = random_boxes(700, 0.2, 4);
  Bvh tree;
  tree.build(before);
  tree.refit(after);
  Pairs pairs;
  overlaps(tree, pairs);
  expect_overlaps(pairs, after, after, true);
  Box all;
  for (const Box& box : after) all.add(box);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(tree.bounds().low[i], all.low[i]);
    EXPECT_NEAR(tree.bounds().low[i], all.low[i], 1e-6);
    EXPECT_GE(tree.bounds().high[i], all.high[i]);
    EXPECT_NEAR(tree.bounds().high[i], all.high[i], 1e-6);
  }
}

TEST(Bvh, NothingIsFoundInAnEmptyTree) {
  Bvh tree, built;
  built.build({});
  for (Bvh* t : {&tree, &built}) {
    t->refit({});
    EXPECT_EQ(t->size(), 0);
    EXPECT_GT(t->bounds().low[0], t->bounds().high[0]);
    Pairs pairs = {{1, 2}};
    overlaps(*t, pairs);
    EXPECT_TRUE(pairs.empty());
    t->query({{-1, -1, -1}, {1, 1, 1}}, [](int32_t) { FAIL(); });
    EXPECT_EQ(t->nearest({0, 0, 0}, infinity, [](int32_t) { return 0.0; }), -1);
  }
  built.build(random_boxes(100, 0.1, 5));
  Pairs pairs;
  overlaps(built, tree, pairs);
  EXPECT_TRUE(pairs.empty());
  overlaps(tree, built, pairs);
  EXPECT_TRUE(pairs.empty());
}

TEST(Bvh, DegenerateBoxes) {
  const Vec3d p = {0.3, -2, 5};
  expect_self_overlaps(std::vector<Box>(300, Box{p, p}));
  expect_self_overlaps(std::vector<Box>(300, Box{{0, 0, 0}, {0, 0, 0}}));
  auto boxes = random_boxes(300, 0.1, 6);
  for (double factor : {1e30, 1e270, 1e-300, 1e-30, 1e-40}) {  // after each other
    for (Box& box : boxes) box = {box.low * factor, box.high * factor};
    expect_self_overlaps(boxes);
  }
  // One line, one plane, and one box far from all others.
  boxes = random_boxes(300, 0.01, 7);
  for (Box& box : boxes) box.low[0] = box.high[0] = box.low[1] = box.high[1] = 0;
  expect_self_overlaps(boxes);
  boxes.push_back({{1e200, 1e200, 1e200}, {1e200, 1e200, 1e200}});
  expect_self_overlaps(boxes);
}

TEST(Bvh, InfiniteBoxesMeetAllAndEmptyOrNaNBoxesNothing) {
  auto boxes = random_boxes(200, 0.05, 8);
  boxes[17] = {Vec3d::filled(-infinity), Vec3d::filled(infinity)};
  boxes[50].high[1] = infinity;
  boxes[60].low[2] = -infinity;
  boxes[70] = {Vec3d::filled(infinity), Vec3d::filled(infinity)};
  expect_self_overlaps(boxes);
  boxes[3] = Box{};
  boxes[100].low[0] = nan;
  boxes[101].high[2] = nan;
  boxes[102] = {Vec3d::filled(nan), Vec3d::filled(nan)};
  Bvh tree;
  tree.build(boxes);
  Pairs pairs;
  overlaps(tree, pairs);
  std::set<int32_t> found;
  for (const auto& [i, j] : pairs) found.insert({i, j});
  for (int32_t none : {3, 100, 101, 102}) EXPECT_FALSE(found.contains(none));
  EXPECT_EQ(found.size(), boxes.size() - 4);  // the infinite one meets every other
  int visited = 0;
  tree.query({Vec3d::filled(-infinity), Vec3d::filled(infinity)}, [&](int32_t) { ++visited; });
  EXPECT_EQ(visited, 196);
  tree.query({Vec3d::filled(nan), Vec3d::filled(nan)}, [](int32_t) { FAIL(); });
  tree.query(Box{}, [](int32_t) { FAIL(); });

  tree.build(std::vector<Box>(100, Box{Vec3d::filled(nan), Vec3d::filled(nan)}));
  overlaps(tree, pairs);
  EXPECT_TRUE(pairs.empty());
}

TEST(Bvh, QueryVisitsEachThatMeetsOnce) {
  const auto boxes = random_boxes(1000, 0.1, 9), asked = random_boxes(50, 0.5, 10);
  Bvh tree;
  tree.build(boxes);
  for (const Box& box : asked) {
    std::vector<int32_t> seen;
    tree.query(box, [&](int32_t i) { seen.push_back(i); });
    std::sort(seen.begin(), seen.end());
    std::vector<int32_t> expected;
    for (int32_t i = 0; i < 1000; ++i)
      if (meets(box, boxes[i], 0)) expected.push_back(i);
    EXPECT_EQ(seen, expected);  // random numbers are not within rounding of each other
  }
}

TEST(Bvh, NearestIsTheLeastAndTheLowestOfEqualOnes) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-2, 2);
  std::uniform_int_distribution<int> whole(-2, 2);
  for (bool grid : {false, true}) {
    std::vector<Vec3d> points(800);
    std::vector<Box> boxes(points.size());
    for (size_t i = 0; i < points.size(); ++i)
      for (int k = 0; k < 3; ++k) points[i][k] = grid ? whole(random) : unit(random);
    for (size_t i = 0; i < points.size(); ++i) boxes[i].add(points[i]);
    Bvh tree;
    tree.build(boxes);
    for (int r = 0; r < 300; ++r) {
      const Vec3d p = grid ? Vec3d{whole(random) + 0.5, 1.0 * whole(random), 1.0 * whole(random)}
                           : Vec3d{2 * unit(random), unit(random), unit(random)};
      const double limit = r % 3 == 0 ? infinity : 0.25;
      int32_t expected = -1;
      double least = limit;
      for (int32_t i = 0; i < 800; ++i)
        if (norm2(points[i] - p) < least) least = norm2(points[expected = i] - p);
      EXPECT_EQ(tree.nearest(p, limit, [&](int32_t i) { return norm2(points[i] - p); }), expected);
    }
    EXPECT_EQ(tree.nearest({nan, 0, 0}, infinity, [](int32_t) { return 0.0; }), -1);
  }
}

TEST(Bvh, SameForAnyNumberOfThreads) {
  const auto boxes = random_boxes(200000, 0.02, 12), moved = random_boxes(200000, 0.02, 13);
  std::vector<int32_t> order;
  Pairs first, second;
  for (int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    Bvh tree;
    Pairs pairs, between;
    tree.build(boxes);
    overlaps(tree, pairs);
    Bvh other;
    other.build(std::span(moved).first(50000));
    overlaps(tree, other, between);
    if (threads == 1) {
      order.assign(tree.order().begin(), tree.order().end());
      first = pairs;
      second = between;
      EXPECT_GT(pairs.size(), boxes.size() / 20);
    }
    EXPECT_TRUE(std::equal(order.begin(), order.end(), tree.order().begin()));
    EXPECT_EQ(pairs, first);
    EXPECT_EQ(between, second);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::geometry
