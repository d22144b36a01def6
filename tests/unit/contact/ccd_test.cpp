#include "contact/ccd.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <span>

#include "exact/moving_pairs.h"
#include "math/random.h"

namespace {

using namespace sinew;
using contact::Corners;
using contact::Vec3d;
using exact::MovingPair;
using math::Random;

struct Motion {
  Corners start, end;
};

// Draws numbers one after the other.
class Draw {
 public:
  explicit Draw(const Random& random) : random_(random) {}
  double operator()(double low, double high) { return random_.uniform(next_++, low, high); }
  int64_t below(uint64_t n) { return static_cast<int64_t>(random_.bits(next_++) % n); }
  Vec3d point(double size = 1) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
  Vec3d grid(uint64_t n) {
    return {static_cast<double>(below(n)), static_cast<double>(below(n)), static_cast<double>(below(n))};
  }
  Corners corners() { return {point(), point(), point(), point()}; }

 private:
  Random random_;
  uint64_t next_ = 0;
};

constexpr double dyadic = 0x1p-20;  // sums and small multiples of these are exact
Vec3d to_dyadic(const Vec3d& x) {
  return {std::round(x[0] / dyadic) * dyadic, std::round(x[1] / dyadic) * dyadic,
          std::round(x[2] / dyadic) * dyadic};
}

// A point of the second primitive for weights in quarters: exact for dyadic corners.
Vec3d on_other(const Corners& x, bool edges, Draw& draw) {
  if (edges) {
    const double t = static_cast<double>(draw.below(5)) / 4;
    return (1 - t) * x[2] + t * x[3];
  }
  const int64_t a = draw.below(5), b = draw.below(static_cast<uint64_t>(5 - a));
  return 0.25 * (static_cast<double>(a) * x[1] + static_cast<double>(b) * x[2] +
                 static_cast<double>(4 - a - b) * x[3]);
}

void for_each_corner(Motion& m, auto&& change) {
  for (int k = 0; k < 4; ++k) change(m.start[k]), change(m.end[k]);
}
void make_dyadic(Motion& m) {
  for_each_corner(m, [](Vec3d& x) { x = to_dyadic(x); });
}

// The first primitive starts beside a point of the second.
void start_near(Motion& m, bool edges, double gap, Draw& draw) {
  const Vec3d shift = on_other(m.start, edges, draw) + draw.point(gap) - m.start[0];
  m.start[0] += shift;
  if (edges) m.start[1] += shift;
}

void generic(Motion&, bool, Draw&) {}

void small_motion(Motion& m, bool edges, Draw& draw) {
  const double size = std::pow(10, draw(-6, -1));
  start_near(m, edges, size, draw);
  for (int k = 0; k < 4; ++k) m.end[k] = m.start[k] + draw.point(size);
}

// z = a x + b y at all times.
void one_plane(Motion& m, bool, Draw& draw) {
  make_dyadic(m);
  const auto a = static_cast<double>(draw.below(3)), b = static_cast<double>(draw.below(3));
  for_each_corner(m, [&](Vec3d& x) { x[2] = a * x[0] + b * x[1]; });
}

// Edges parallel at both ends, half of them with one end through the other; a point that moves along a side of the
// triangle, half of them on the line of that side.
void parallel(Motion& m, bool edges, Draw& draw) {
  make_dyadic(m);
  const auto factor = static_cast<double>(draw.below(5)) - 2, other = static_cast<double>(draw.below(5)) - 2;
  const bool through = draw.below(2) == 0;
  if (edges) {
    if (through) m.end[2] = m.end[0] - (m.start[2] - m.start[0]);
    m.start[3] = m.start[2] + factor * (m.start[1] - m.start[0]);
    m.end[3] = m.end[2] + factor * (m.end[1] - m.end[0]);
  } else {
    for (int k = 1; through && k < 4; ++k) m.end[k] = m.start[k];
    if (through) m.start[0] = m.start[1] + other * (m.start[2] - m.start[1]);
    m.end[0] = m.start[0] + factor * (m.start[2] - m.start[1]);
  }
}

// Copied from corner to corner and from end to end.
void shared_coordinates(Motion& m, bool, Draw& draw) {
  for (int copies = 0; copies < 12; ++copies) {
    Corners& to = draw.below(2) == 0 ? m.end : m.start;
    const Corners& from = draw.below(2) == 0 ? m.end : m.start;
    const auto i = static_cast<int>(draw.below(3));
    const int64_t k = draw.below(4), l = draw.below(4);
    to[k][i] = from[l][i];
  }
}

// The second primitive rests; the first moves in its plane, or in one parallel to it.
void sliding(Motion& m, bool edges, Draw& draw) {
  make_dyadic(m);
  const double height = draw.below(2) == 0 ? draw(-0.1, 0.1) : 0;
  const auto a = static_cast<double>(draw.below(3));
  for_each_corner(m, [&](Vec3d& x) { x[2] = a * x[0]; });
  for (int k = 1; k < 4; ++k) m.end[k] = m.start[k];
  m.start[0][2] += height;
  m.end[0][2] += height;
  if (edges) m.end[1] = m.start[1] + (m.end[0] - m.start[0]);
}

// Corners in a line or in one place, at one end or both.
void degenerate(Motion& m, bool edges, Draw& draw) {
  make_dyadic(m);
  for (Corners* x : {&m.start, &m.end}) {
    if (draw.below(3) == 0) continue;
    const auto factor = static_cast<double>(draw.below(4)) - 1;
    const int last = edges ? static_cast<int>(1 + 2 * draw.below(2)) : 3;
    (*x)[last] = edges ? (*x)[last - 1] : (*x)[1] + factor * ((*x)[2] - (*x)[1]);
  }
  if (draw.below(2) == 0) m.end[0] = 2.0 * on_other(m.end, edges, draw) - m.start[0];
}

// Exactly on the other one at one end of the motion.
void touch_at_the_ends(Motion& m, bool edges, Draw& draw) {
  make_dyadic(m);
  Corners& x = draw.below(2) == 0 ? m.end : m.start;
  x[0] = on_other(x, edges, draw);
}

void large_offset(Motion& m, bool, Draw& draw) {
  const Vec3d offset = draw.point(1e3);
  for_each_corner(m, [&](Vec3d& x) { x += offset; });
}

void grid(Motion& m, bool, Draw& draw) {
  for_each_corner(m, [&](Vec3d& x) { x = draw.grid(3); });
}

void flat_grid(Motion& m, bool, Draw& draw) {
  for_each_corner(m, [&](Vec3d& x) {
    x = draw.grid(4);
    x[0] = 0;
  });
}

// One above the other by next to nothing, moving along it.
void tiny_gap(Motion& m, bool edges, Draw& draw) {
  for_each_corner(m, [&](Vec3d& x) { x[2] *= 1e-9; });
  for (int k = 0; k < (edges ? 2 : 1); ++k) {
    m.start[k][2] += 2e-9;
    m.end[k][2] += 2e-9;
  }
  if (draw.below(2) == 0) m.end[0][2] -= 3e-9;
}

// Both turn together, with a small gap that opens or closes.
void turning(Motion& m, bool edges, Draw& draw) {
  const double gap = std::pow(10, draw(-6, -1)), angle = draw(0, 1), c = std::cos(angle), s = std::sin(angle);
  start_near(m, edges, gap, draw);
  for (int k = 0; k < 4; ++k) {
    const Vec3d& x = m.start[k];
    m.end[k] = Vec3d{c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]} + draw.point(gap);
  }
}

// On the other one at one end, or half way, but for rounding.
void within_rounding(Motion& m, bool edges, Draw& draw) {
  const int64_t when = draw.below(3);
  if (when == 0) m.start[0] = on_other(m.start, edges, draw);
  if (when == 1) m.end[0] = on_other(m.end, edges, draw);
  if (when == 2) {
    Corners half;
    for (int k = 0; k < 4; ++k) half[k] = 0.5 * (m.start[k] + m.end[k]);
    m.end[0] = 2.0 * on_other(half, edges, draw) - m.start[0];
  }
}

void mixed_sizes(Motion& m, bool edges, Draw& draw) {
  if (draw.below(2) == 0) within_rounding(m, edges, draw);
  for_each_corner(m, [&](Vec3d& x) {
    for (int i = 0; i < 3; ++i)
      if (draw.below(3) == 0) x[i] *= std::pow(10, draw(-300, 0));
  });
  const double size = std::pow(10, draw(-140, 90));
  for_each_corner(m, [&](Vec3d& x) { x *= size; });
}

struct Family {
  const char* name;
  void (*change)(Motion&, bool edges, Draw&);  // of corners drawn in the cube from -1 to 1
};
constexpr Family families[] = {{"generic", generic},
                               {"small motion", small_motion},
                               {"one plane", one_plane},
                               {"parallel", parallel},
                               {"shared coordinates", shared_coordinates},
                               {"sliding", sliding},
                               {"degenerate", degenerate},
                               {"touch at the ends", touch_at_the_ends},
                               {"large offset", large_offset},
                               {"grid", grid},
                               {"flat grid", flat_grid},
                               {"tiny gap", tiny_gap},
                               {"turning", turning}};

struct Count {
  int64_t pairs = 0, meetings = 0, missed = 0, late = 0, false_positives = 0;
  double earliest = 0;  // most by which a time is before the true one
};

Count count_family(const Family& family, bool edges, int64_t pairs, const Random& random) {
  Count count;
  for (int64_t i = 0; i < pairs; ++i) {
    Draw draw(random.stream(static_cast<uint64_t>(i)));
    Motion m = {draw.corners(), draw.corners()};
    family.change(m, edges, draw);
    const std::optional<double> found = edges ? contact::first_touch_edges(m.start, m.end)
                                              : contact::first_touch_point_triangle(m.start, m.end);
    std::optional<exact::Root> first = edges ? MovingPair::edges(m.start, m.end).first_meeting()
                                             : MovingPair::point_triangle(m.start, m.end).first_meeting();
    ++count.pairs;
    count.meetings += first.has_value();
    count.missed += first && !found;
    count.false_positives += found && !first;
    if (!found || !first) continue;
    const double time = first->upper_bound();
    count.late += *found > time;
    count.earliest = std::max(count.earliest, time - *found);
  }
  return count;
}

// The share of false positives.
double compare_with_exact(std::span<const Family> families, int64_t pairs_of_family) {
  int64_t pairs = 0, meetings = 0, false_positives = 0;
  Random random(5);
  for (const Family& family : families)
    for (const bool edges : {false, true}) {
      random = random.stream(1);
      const Count count = count_family(family, edges, pairs_of_family, random);
      const std::string text = fmt::format(
          "{:18} {:5}  pairs {:5}  meet {:5}  false positives {:3}  early by up to {:.0e}", family.name,
          edges ? "edges" : "point", count.pairs, count.meetings, count.false_positives, count.earliest);
      std::cout << text << "\n";
      EXPECT_EQ(count.missed, 0) << text;
      EXPECT_EQ(count.late, 0) << text;
      pairs += count.pairs;
      meetings += count.meetings;
      false_positives += count.false_positives;
    }
  std::cout << fmt::format("pairs {}  meet {}  false positives {}\n", pairs, meetings, false_positives);
  return static_cast<double>(false_positives) / static_cast<double>(pairs);
}

TEST(Ccd, MissesNothingThatExactArithmeticFinds) { EXPECT_LT(compare_with_exact(families, 300), 0.01); }
TEST(Ccd, LongMissesNothingThatExactArithmeticFinds) { EXPECT_LT(compare_with_exact(families, 4000), 0.01); }

// Here what does not meet comes as close as numbers can, and most of it counts as meeting.
TEST(Ccd, MissesNothingWithinRounding) {
  const Family close[] = {{"within rounding", within_rounding}, {"mixed sizes", mixed_sizes}};
  compare_with_exact(close, 500);
}

const Corners point_above = {Vec3d{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

Corners with_point(const Vec3d& p) { return {p, point_above[1], point_above[2], point_above[3]}; }

void expect_time(const std::optional<double>& found, double time) {
  ASSERT_TRUE(found);
  EXPECT_LE(*found, time);
  EXPECT_NEAR(*found, time, 1e-9);
}

TEST(Ccd, KnowsSimpleMotionsOfAPoint) {
  using contact::first_touch_point_triangle;
  expect_time(first_touch_point_triangle(point_above, with_point({1, 1, -3})), 0.25);
  expect_time(first_touch_point_triangle(point_above, with_point({2, 2, 0})), 1);
  expect_time(first_touch_point_triangle(with_point({-1, 1, 0}), with_point({1, 1, 0})),
              0.5);  // in the plane
  EXPECT_EQ(first_touch_point_triangle(with_point({2, 2, 0}), with_point({9, 9, 9})), 0.0);
  EXPECT_EQ(first_touch_point_triangle(with_point({1, 1, 0}), with_point({1, 1, 0})), 0.0);
  EXPECT_FALSE(first_touch_point_triangle(point_above, point_above));
  EXPECT_FALSE(first_touch_point_triangle(point_above, with_point({1, 1, 1e-9})));
  EXPECT_FALSE(first_touch_point_triangle(with_point({1, 1, 1e-9}), with_point({2, 1, 1e-9})));
  EXPECT_FALSE(first_touch_point_triangle(point_above, with_point({2.001, 2, 0})));
}

TEST(Ccd, KnowsSimpleMotionsOfEdges) {
  using contact::first_touch_edges;
  const Corners crossed = {Vec3d{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  expect_time(first_touch_edges(crossed, {Vec3d{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}}), 0.5);
  expect_time(first_touch_edges(crossed, {Vec3d{0, 0, -1}, {2, 0, -1}, {0, -1, 0}, {0, 1, 0}}), 0.5);
  EXPECT_FALSE(first_touch_edges(crossed, {Vec3d{2, 0, -1}, {4, 0, -1}, {0, -1, 0}, {0, 1, 0}}));
  const Corners line = {Vec3d{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  expect_time(first_touch_edges(line, {Vec3d{4, 0, 0}, {5, 0, 0}, {2, 0, 0}, {3, 0, 0}}), 0.25);
  expect_time(first_touch_edges(line, {Vec3d{1, 0, 0}, {2, 0, 0}, {2, 0, 0}, {3, 0, 0}}), 1);
}

TEST(Ccd, WorksAtAnyScale) {
  for (const double size : {1e-90, 1e-30, 1e-6, 1e6, 1e30, 1e90}) {
    Corners start = point_above, end = with_point({1, 1, -3}), miss = with_point({9, 9, -3});
    for (Corners* x : {&start, &end, &miss})
      for (Vec3d& v : *x) v *= size;
    expect_time(contact::first_touch_point_triangle(start, end), 0.25);
    EXPECT_FALSE(contact::first_touch_point_triangle(start, miss));
  }
}

TEST(Ccd, StopsAtOnceWhereNumbersAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
  for (const double bad : {infinity, -infinity, std::nan("")})
    for (int k = 0; k < 4; ++k) {
      Corners end = point_above;
      end[k][k % 3] = bad;
      EXPECT_EQ(contact::first_touch_point_triangle(point_above, end), 0.0);
      EXPECT_EQ(contact::first_touch_edges(end, point_above), 0.0);
    }
  const auto huge = contact::first_touch_point_triangle(point_above, with_point({1, 1, -most}));
  ASSERT_TRUE(huge);
  EXPECT_LE(*huge, 1 / most);
}

}  // namespace
