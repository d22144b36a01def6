#include "meshing/self_intersections.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "base/parallel.h"
#include "known_surfaces.h"

namespace sinew::meshing {
namespace {

// Small whole numbers: everything below is exact in 64 and 128 bits.
using Whole = std::array<int64_t, 3>;
using Triangle = std::array<Whole, 3>;
using Wide = __int128;

Whole minus(const Whole& a, const Whole& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Whole cross(const Whole& a, const Whole& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
int64_t dot(const Whole& a, const Whole& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Fraction {
  Wide top, bottom;  // > 0
  bool operator<(const Fraction& o) const { return top * o.bottom < o.top * bottom; }
};

// Where a triangle meets a plane, n . x = c, measured along a direction: an interval, or nothing.
struct Interval {
  bool any = false;
  Fraction low{0, 1}, high{0, 1};
  void add(const Fraction& f) {
    if (!any || f < low) low = f;
    if (!any || high < f) high = f;
    any = true;
  }
};
Interval along(const Triangle& t, const Whole& n, int64_t c, const Whole& direction) {
  Interval interval;
  for (int k = 0; k < 3; ++k) {
    const Whole &p = t[k], &q = t[(k + 1) % 3];
    const int64_t hp = dot(n, p) - c, hq = dot(n, q) - c;
    if (hp == 0) interval.add({dot(direction, p), 1});
    if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
      // p + (q - p) hp / (hp - hq)
      const Wide bottom = hp - hq;
      const Wide top = Wide{dot(direction, p)} * bottom + Wide{dot(direction, minus(q, p))} * hp;
      interval.add(bottom > 0 ? Fraction{top, bottom} : Fraction{-top, -bottom});
    }
  }
  return interval;
}

bool both_sides(const Triangle& t, const Whole& n, int64_t c) {
  bool above = false, below = false;
  for (const Whole& p : t) {
    above = above || dot(n, p) > c;
    below = below || dot(n, p) < c;
  }
  return above && below;
}

// Triangles in one plane are apart if the line of an edge of one has all of the other beyond it. 2: more than an edge or a
// point in common.
int together_in_plane(const Triangle& a, const Triangle& b, const Whole& n) {
  int answer = 2;
  for (const auto& [x, y] : {std::pair{a, b}, {b, a}})
    for (int k = 0; k < 3; ++k) {
      Whole out = cross(minus(x[(k + 1) % 3], x[k]), n);
      if (dot(out, minus(x[(k + 2) % 3], x[k])) > 0) out = {-out[0], -out[1], -out[2]};
      int64_t least = INT64_MAX;
      for (const Whole& p : y) least = std::min(least, dot(out, minus(p, x[k])));
      if (least > 0) return 0;
      if (least == 0) answer = 1;
    }
  return answer;
}

struct Expected {
  bool crossing = false, touching = false;
};

Expected expected(const Triangle& a, const Triangle& b, int shared) {
  const Whole na = cross(minus(a[1], a[0]), minus(a[2], a[0])),
              nb = cross(minus(b[1], b[0]), minus(b[2], b[0]));
  const int64_t ca = dot(na, a[0]), cb = dot(nb, b[0]);
  const Whole direction = cross(na, nb);
  if (direction == Whole{0, 0, 0}) {
    if (dot(na, b[0]) != ca) return {};
    const int together = together_in_plane(a, b, na);
    if (shared == 0) return {false, together > 0};
    if (together == 2) return {false, true};
    // In one plane, on either side of a line: more than what they share if a corner of one, not shared, lies on an edge of the
    // other or the other way round, along that line. Left to the caller.
    return {false, together > 0 && shared == 1};
  }
  const Interval i = along(a, nb, cb, direction), j = along(b, na, ca, direction);
  if (!i.any || !j.any) return {};
  const bool meet = !(i.high < j.low) && !(j.high < i.low);
  const bool longer = meet && i.low < j.high && j.low < i.high;
  if (longer && both_sides(a, nb, cb) && both_sides(b, na, ca)) return {true, false};
  if (shared == 0) return {false, meet};
  if (shared == 1) return {false, longer};
  return {};
}

TEST(SelfIntersections, PairsAgreeWithFractions) {
  std::mt19937 random(3);
  int crossing = 0, touching = 0, flat = 0, in_plane = 0;
  for (int sample = 0; sample < 60000; ++sample) {
    const int range = sample % 3 == 0 ? 3 : sample % 3 == 1 ? 5 : 1000;
    const int shared = static_cast<int>(random() % 3);
    Whole p[6];
    for (Whole& x : p)
      for (int64_t& c : x) c = static_cast<int64_t>(random() % range);
    if (sample % 5 == 0)
      for (Whole& x : p) x[2] = 1;
    // Points 0 and 1 are shared.
    Triangle a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]};
    std::array<int32_t, 3> ea = {0, 1, 2}, eb = {3, 4, 5};
    for (int k = 0; k < shared; ++k) {
      b[k] = a[k];
      eb[k] = k;
    }
    const unsigned turn = random() % 3;
    std::rotate(b.begin(), b.begin() + turn, b.end());
    std::rotate(eb.begin(), eb.begin() + turn, eb.end());
    mesh::TriMesh mesh;
    for (const Whole& x : p)
      mesh.vertices.push_back(
          {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])});
    mesh.elements = {ea, eb};
    const SelfIntersections found = self_intersections(mesh, 10);
    const Whole none = {0, 0, 0};
    if (cross(minus(a[1], a[0]), minus(a[2], a[0])) == none ||
        cross(minus(b[1], b[0]), minus(b[2], b[0])) == none) {
      EXPECT_EQ(found.pairs + found.touching, 0);
      ++flat;
      continue;
    }
    const Expected e = expected(a, b, shared);
    ASSERT_EQ(found.pairs, e.crossing) << sample;
    ASSERT_LE(found.pairs + found.touching, 1);
    const bool plane = cross(cross(minus(a[1], a[0]), minus(a[2], a[0])),
                             cross(minus(b[1], b[0]), minus(b[2], b[0]))) == none;
    if (shared == 1 && plane &&
        !(together_in_plane(a, b, cross(minus(a[1], a[0]), minus(a[2], a[0]))) == 2)) {
      ++in_plane;  // whether they share more than the point is not decided above
    } else {
      ASSERT_EQ(found.touching, e.touching) << sample;
    }
    crossing += e.crossing;
    touching += e.touching;
    ASSERT_EQ(found.segments.size(), static_cast<size_t>(found.pairs));
  }
  EXPECT_GT(crossing, 3000);
  EXPECT_GT(touching, 2000);
  EXPECT_GT(flat, 500);
  EXPECT_LT(in_plane, 6000);
}

TEST(SelfIntersections, NeighboursInOnePlane) {
  mesh::TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {-2, 0, 0}, {0, -2, 0}, {1, 0, 0}, {1, -1, 0}};
  mesh.elements = {{0, 1, 2}, {0, 3, 4}};
  EXPECT_EQ(self_intersections(mesh, 1).touching, 0);
  mesh.elements = {{0, 1, 2}, {0, 4, 5}};  // along half of an edge
  EXPECT_EQ(self_intersections(mesh, 1).touching, 1);
  EXPECT_EQ(self_intersections(mesh, 1).touching_triangles, (std::vector<std::array<int32_t, 2>>{{0, 1}}));
  EXPECT_TRUE(self_intersections(mesh, 0).touching_triangles.empty());
  mesh.elements = {{0, 1, 2}, {0, 1, 4}};
  EXPECT_EQ(self_intersections(mesh, 1).touching, 0);
  mesh.elements = {{1, 6, 2}, {1, 6, 5}};  // folded back
  EXPECT_EQ(self_intersections(mesh, 1).touching, 1);
}

TEST(SelfIntersections, SoundSurfacesHaveNone) {
  for (const auto& mesh : {box_surface({0, 0, 0}, {1, 1, 1}), sphere_surface(1, 40, 30)}) {
    const SelfIntersections found = self_intersections(mesh, 10);
    EXPECT_EQ(found.pairs, 0);
    EXPECT_EQ(found.touching, 0);
  }
  EXPECT_EQ(self_intersections({}, 10).pairs, 0);
}

TEST(SelfIntersections, TwoSpheresMeetInACircle) {
  const auto first = sphere_surface(1, 60, 41);
  const auto spheres = both(first, sphere_surface(1, 61, 40, {1, 0.01, 0.02}));
  const SelfIntersections found = self_intersections(spheres, 100000);
  ASSERT_GT(found.pairs, 100);
  EXPECT_EQ(static_cast<int64_t>(found.triangles.size()), found.pairs);
  // Every pair by itself, without the tree.
  int64_t pairs = 0;
  const auto n = static_cast<int32_t>(spheres.elements.size()),
             middle = static_cast<int32_t>(first.elements.size());
  const auto far = [&](int32_t i, int32_t j) {
    for (int a = 0; a < 3; ++a) {
      double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
      for (int k = 0; k < 3; ++k)
        for (int s = 0; s < 2; ++s) {
          const double x = spheres.vertices[spheres.elements[s ? j : i][k]][a];
          low[s] = std::min(low[s], x);
          high[s] = std::max(high[s], x);
        }
      if (low[0] > high[1] || low[1] > high[0]) return true;
    }
    return false;
  };
  for (int32_t i = 0; i < middle; ++i)
    for (int32_t j = middle; j < n; ++j) {
      if (far(i, j)) continue;
      mesh::TriMesh two;
      for (const int32_t t : {i, j})
        for (const int32_t v : spheres.elements[t]) two.vertices.push_back(spheres.vertices[v]);
      two.elements = {{0, 1, 2}, {3, 4, 5}};
      pairs += self_intersections(two, 1).pairs;
    }
  EXPECT_EQ(pairs, found.pairs);
  // The segments make up the circle of radius sqrt(3)/2.
  double length = 0;
  for (const auto& [p, q] : found.segments) length += norm(q - p);
  EXPECT_NEAR(length, 2 * M_PI * std::sqrt(0.75), 0.02);

  const SelfIntersections few = self_intersections(spheres, 5);
  EXPECT_EQ(few.pairs, found.pairs);
  ASSERT_EQ(few.triangles.size(), 5u);
  EXPECT_TRUE(std::equal(few.triangles.begin(), few.triangles.end(), found.triangles.begin()));
  EXPECT_TRUE(std::is_sorted(found.triangles.begin(), found.triangles.end()));

  // Far away, by a shift that leaves no rounding, the same pairs.
  auto rounded = spheres, away = spheres;
  for (size_t v = 0; v < rounded.vertices.size(); ++v)
    for (int a = 0; a < 3; ++a) {
      rounded.vertices[v][a] = std::ldexp(std::round(std::ldexp(spheres.vertices[v][a], 24)), -24);
      away.vertices[v][a] = rounded.vertices[v][a] + (1 << 26);
    }
  EXPECT_EQ(self_intersections(away, 1000000).triangles, self_intersections(rounded, 1000000).triangles);

  const mesh::TriMesh shown = crossing_triangles(spheres, few);
  ASSERT_EQ(shown.element_data.at("triangle").values.size(), shown.elements.size());
  for (size_t t = 0; t < shown.elements.size(); ++t)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(
          shown.vertices[shown.elements[t][k]][0],
          spheres.vertices[spheres.elements[static_cast<int>(shown.element_data.at("triangle").values[t])][k]]
                          [0]);
}

TEST(SelfIntersections, BoxesThroughEachOther) {
  const auto half =
      both(box_surface({0, 0, 0}, {1, 1, 1}), box_surface({0.5, 0.25, 0.125}, {1.5, 1.25, 1.125}));
  EXPECT_GT(self_intersections(half, 100).pairs, 0);
  // Faces in one plane, and bodies that touch.
  const auto apart = both(box_surface({0, 0, 0}, {1, 1, 1}), box_surface({1, 0, 0}, {2, 1, 1}));
  EXPECT_EQ(self_intersections(apart, 100).pairs, 0);
  EXPECT_GT(self_intersections(apart, 100).touching, 0);
}

}  // namespace
}  // namespace sinew::meshing
