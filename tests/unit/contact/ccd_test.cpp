#include "contact/ccd.h"

#include <gtest/gtest.h>

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
  Vec3d grid(int n, double step = 1) {
    return {step * static_cast<double>(below(n)), step * static_cast<double>(below(n)),
            step * static_cast<double>(below(n))};
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

const char* const families[] = {
    "generic",    "small motion",      "one plane",    "parallel", "shared coordinates", "sliding",
    "degenerate", "touch at the ends", "large offset", "grid",     "flat grid",          "tiny gap",
    "turning"};
constexpr int family_count = std::size(families);

Motion draw_motion(int family, bool edges, const Random& random) {
  Draw draw(random);
  Motion m = {draw.corners(), draw.corners()};
  auto each = [&](auto&& change) {
    for (int k = 0; k < 4; ++k) change(m.start[k]), change(m.end[k]);
  };
  switch (family) {
    case 1: {  // the first primitive starts near the second, all move little
      const double size = std::pow(10, draw(-6, -1));
      const Vec3d shift = on_other(m.start, edges, draw) + draw.point(size) - m.start[0];
      m.start[0] += shift;
      if (edges) m.start[1] += shift;
      for (int k = 0; k < 4; ++k) m.end[k] = m.start[k] + draw.point(size);
      break;
    }
    case 2: {  // z = a x + b y at all times
      const auto a = static_cast<double>(draw.below(3)), b = static_cast<double>(draw.below(3));
      each([&](Vec3d& x) {
        x = to_dyadic(x);
        x[2] = a * x[0] + b * x[1];
      });
      break;
    }
    case 3: {  // edges parallel at both ends; with triangles, the point moves along a side
      each([&](Vec3d& x) { x = to_dyadic(x); });
      const auto factor = static_cast<double>(draw.below(5)) - 2;
      if (edges) {
        m.start[3] = m.start[2] + factor * (m.start[1] - m.start[0]);
        m.end[3] = m.end[2] + factor * (m.end[1] - m.end[0]);
        if (draw.below(2)) m.start[2][0] = m.start[0][0], m.start[2][1] = m.start[0][1];
      } else {
        m.end[0] = m.start[0] + factor * (m.start[2] - m.start[1]);
        if (draw.below(2)) m.end[1] = m.start[1], m.end[2] = m.start[2], m.end[3] = m.start[3];
      }
      break;
    }
    case 4:  // coordinates copied from corner to corner and from end to end
      for (int copies = 0; copies < 12; ++copies) {
        Corners& to = draw.below(2) ? m.start : m.end;
        const Corners& from = draw.below(2) ? m.start : m.end;
        const int64_t i = draw.below(3);
        to[draw.below(4)][static_cast<int>(i)] = from[draw.below(4)][static_cast<int>(i)];
      }
      break;
    case 5: {  // the second primitive rests; the first moves in its plane, or in one parallel to it
      each([&](Vec3d& x) { x = to_dyadic(x); });
      const double height = draw.below(2) ? 0 : draw(-0.1, 0.1);
      const auto a = static_cast<double>(draw.below(3));
      each([&](Vec3d& x) { x[2] = a * x[0]; });
      for (int k = 1; k < 4; ++k) m.end[k] = m.start[k];
      m.start[0][2] += height;
      m.end[0][2] += height;
      if (edges) m.end[1] = m.start[1] + (m.end[0] - m.start[0]);
      break;
    }
    case 6: {  // corners in a line or in one place, at one end or both
      each([&](Vec3d& x) { x = to_dyadic(x); });
      for (Corners* x : {&m.start, &m.end}) {
        if (draw.below(3) == 0) continue;
        const auto factor = static_cast<double>(draw.below(4)) - 1;
        const int last = edges ? static_cast<int>(1 + 2 * draw.below(2)) : 3;
        (*x)[last] = edges ? (*x)[last - 1] : (*x)[1] + factor * ((*x)[2] - (*x)[1]);
      }
      if (draw.below(2)) m.end[0] = 2.0 * on_other(m.end, edges, draw) - m.start[0];
      break;
    }
    case 7: {  // exactly on the other one at one end, and away from it elsewhere
      each([&](Vec3d& x) { x = to_dyadic(x); });
      Corners& x = draw.below(2) ? m.start : m.end;
      x[0] = on_other(x, edges, draw);
      break;
    }
    case 8: {
      const Vec3d offset = draw.point(1e3);
      each([&](Vec3d& x) { x += offset; });
      break;
    }
    case 9:
      each([&](Vec3d& x) { x = draw.grid(3); });
      break;
    case 10:
      each([&](Vec3d& x) {
        x = draw.grid(4);
        x[0] = 0;
      });
      break;
    case 11: {  // one above the other by next to nothing, moving along it
      each([&](Vec3d& x) { x[2] *= 1e-9; });
      m.start[0][2] += 2e-9;
      m.end[0][2] += 2e-9;
      if (edges) m.start[1][2] += 2e-9, m.end[1][2] += 2e-9;
      if (draw.below(2)) m.end[0][2] -= 3e-9;
      break;
    }
    case 12: {  // both turn together, with a small gap that opens or closes
      const double gap = std::pow(10, draw(-6, -1)), angle = draw(0, 1);
      const Vec3d shift = on_other(m.start, edges, draw) + draw.point(gap) - m.start[0];
      m.start[0] += shift;
      if (edges) m.start[1] += shift;
      for (int k = 0; k < 4; ++k) {
        const Vec3d& x = m.start[k];
        m.end[k] = {std::cos(angle) * x[0] - std::sin(angle) * x[1],
                    std::sin(angle) * x[0] + std::cos(angle) * x[1], x[2]};
        m.end[k] += draw.point(gap);
      }
      break;
    }
    default:
      break;
  }
  return m;
}

struct Count {
  int64_t pairs = 0, meetings = 0, missed = 0, late = 0, false_positives = 0;
  double earliest = 0;  // most by which a time is before the true one
};

Count count_family(int family, bool edges, int64_t pairs) {
  Count count;
  const Random random = Random(5).stream(static_cast<uint64_t>(2 * family + edges));
  for (int64_t i = 0; i < pairs; ++i) {
    const Motion m = draw_motion(family, edges, random.stream(static_cast<uint64_t>(i)));
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

void compare_with_exact(int64_t pairs_of_family) {
  Count all;
  for (int family = 0; family < family_count; ++family)
    for (const bool edges : {false, true}) {
      const Count count = count_family(family, edges, pairs_of_family);
      EXPECT_EQ(count.missed, 0) << families[family] << (edges ? ", edges" : "");
      EXPECT_EQ(count.late, 0) << families[family] << (edges ? ", edges" : "");
      std::printf("%-20s %-6s pairs %6ld meet %6ld false positives %4ld earliest %.1e\n", families[family],
                  edges ? "edges" : "point", static_cast<long>(count.pairs),
                  static_cast<long>(count.meetings), static_cast<long>(count.false_positives),
                  count.earliest);
      all.pairs += count.pairs;
      all.false_positives += count.false_positives;
      all.meetings += count.meetings;
    }
  std::printf("pairs %ld, meetings %ld, false positives %ld\n", static_cast<long>(all.pairs),
              static_cast<long>(all.meetings), static_cast<long>(all.false_positives));
  EXPECT_LT(all.false_positives, all.pairs / 100);
}

TEST(Ccd, MissesNothingThatExactArithmeticFinds) { compare_with_exact(300); }
TEST(Ccd, LongMissesNothingThatExactArithmeticFinds) { compare_with_exact(4000); }

}  // namespace
