// The exact arithmetic of tests/exact on cases that are known.
#include <gtest/gtest.h>
#include <set>

#include "exact/crossings.h"
#include "exact/moving_pairs.h"
#include "math/random.h"

namespace {

using namespace sinew;
using exact::Polynomial;
using exact::triangles_meet;
using math::Random;
using math::Vec3d;
using Corners = std::array<Vec3d, 3>;

// In every order of the corners and of the triangles.
void expect_meet(const Corners& a, const Corners& b, bool meet) {
  Corners p = a;
  for (int turn = 0; turn < 6; ++turn) {
    EXPECT_EQ(triangles_meet(p, b), meet);
    EXPECT_EQ(triangles_meet(b, p), meet);
    std::swap(p[turn % 2], p[turn % 2 + 1]);
  }
}

const Corners floor_triangle = {Vec3d{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

TEST(ExactCrossings, TellsCrossingTouchingAndDisjoint) {
  expect_meet(floor_triangle, {Vec3d{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}, true);
  expect_meet(floor_triangle, {Vec3d{1, 1, 0}, {1, 1, 1}, {9, 9, 1}}, true);     // a corner on the face
  expect_meet(floor_triangle, {Vec3d{2, 2, 0}, {3, 3, 1}, {9, 9, 1}}, true);     // a corner on an edge
  expect_meet(floor_triangle, {Vec3d{4, 0, 0}, {5, 0, 1}, {5, 0, -1}}, true);    // corner to corner
  expect_meet(floor_triangle, {Vec3d{2, -1, -1}, {2, 1, 1}, {2, -1, 1}}, true);  // edge to edge, at (2, 0, 0)
  expect_meet(floor_triangle, {Vec3d{1, 1, 5e-324}, {1, 1, 1}, {9, 9, 1}}, false);
  expect_meet(floor_triangle, {Vec3d{3, 3, -1}, {3, 3, 1}, {9, 9, 1}}, false);
  expect_meet(floor_triangle, {Vec3d{4, 4, 0}, {9, 4, 0}, {4, 9, 0}}, false);  // in one plane
  expect_meet(floor_triangle, {Vec3d{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, true);   // within the other
  expect_meet(floor_triangle, {Vec3d{-1, 1, 0}, {9, 1, 0}, {9, 9, 0}}, true);
  expect_meet(floor_triangle, {Vec3d{2, 2, 0}, {9, 2, 0}, {9, 9, 0}},
              true);  // a corner on an edge, in one plane
}

TEST(ExactCrossings, TakesTrianglesWithoutArea) {
  expect_meet(floor_triangle, {Vec3d{1, 1, -1}, {1, 1, 0.5}, {1, 1, 2}}, true);
  expect_meet(floor_triangle, {Vec3d{1, 1, 1}, {1, 1, 1.5}, {1, 1, 2}}, false);
  expect_meet(floor_triangle, {Vec3d{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, true);
  expect_meet(floor_triangle, {Vec3d{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, false);
  const Corners segment = {Vec3d{0, 0, 0}, {1, 2, 3}, {2, 4, 6}};
  expect_meet(segment, {Vec3d{2, 4, 6}, {3, 6, 9}, {4, 8, 12}}, true);
  expect_meet(segment, {Vec3d{3, 6, 9}, {3, 6, 9}, {4, 8, 12}}, false);
  expect_meet(segment, {Vec3d{1, 2, 2}, {1, 2, 4}, {1, 2, 5}}, true);
  expect_meet(segment, {Vec3d{1, 2, 4}, {1, 2, 4}, {1, 2, 5}}, false);
}

// Two triangles meet just where none of the 11 planes and, in a plane, lines that can separate them does: faces, edges across
// edges, in integers.
TEST(ExactCrossings, AgreesWithSeparatingDirectionsOnGrids) {
  const Random random(4);
  uint64_t next = 0;
  int meetings = 0;
  for (int i = 0; i < 20000; ++i) {
    Corners a, b;
    for (Corners* x : {&a, &b})
      for (Vec3d& v : *x)
        for (int d = 0; d < 3; ++d) v[d] = static_cast<double>(random.bits(next++) % 4);
    std::vector<Vec3d> directions;
    const Vec3d na = cross(a[1] - a[0], a[2] - a[0]), nb = cross(b[1] - b[0], b[2] - b[0]);
    if (norm2(na) == 0 || norm2(nb) == 0) continue;
    directions = {na, nb};
    for (int k = 0; k < 3; ++k) {
      const Vec3d ea = a[(k + 1) % 3] - a[k];
      directions.push_back(cross(na, ea));
      directions.push_back(cross(nb, b[(k + 1) % 3] - b[k]));
      for (int l = 0; l < 3; ++l) directions.push_back(cross(ea, b[(l + 1) % 3] - b[l]));
    }
    bool apart = false;
    for (const Vec3d& d : directions) {
      const std::set<double> on_a = {dot(d, a[0]), dot(d, a[1]), dot(d, a[2])},
                             on_b = {dot(d, b[0]), dot(d, b[1]), dot(d, b[2])};
      apart |= *on_a.rbegin() < *on_b.begin() || *on_b.rbegin() < *on_a.begin();
    }
    ASSERT_EQ(triangles_meet(a, b), !apart);
    meetings += !apart;
  }
  EXPECT_GT(meetings, 1000);
}

TEST(ExactCrossings, LeavesNeighboursOut) {
  const std::vector<Vec3d> x = {{0, 0, 0},      {1, 0, 0},     {0, 1, 0}, {1, 1, 0},
                                {.25, .25, -1}, {.25, .25, 1}, {5, 5, 1}};
  const std::vector<exact::Triangle> triangles = {{0, 1, 2}, {1, 3, 2}, {4, 5, 6}};
  const auto found = exact::crossings(x, triangles);
  ASSERT_EQ(found.size(), 2u);  // the diagonal triangle runs through both
  EXPECT_EQ(found[0], (std::array<int32_t, 2>{0, 2}));
  EXPECT_EQ(found[1], (std::array<int32_t, 2>{1, 2}));
}

TEST(ExactPolynomial, FindsRootsOfAnyKind) {
  // (2 x - 1)^2 (3 x - 1), then roots at both ends, then none in [0, 1], then one that is not rational.
  const Polynomial twice({-1, 2}), once({-1, 3});
  auto found = exact::roots(twice * twice * once);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].upper_bound(), 1.0 / 3, 1e-15);
  EXPECT_NEAR(found[1].upper_bound(), 0.5, 1e-15);
  EXPECT_EQ(found[0].sign(once), 0);
  EXPECT_EQ(found[0].sign(twice), -1);
  EXPECT_EQ(found[1].sign(twice), 0);
  EXPECT_EQ(found[1].sign(once), 1);
  EXPECT_EQ(exact::roots(Polynomial({0, 1}) * Polynomial({-1, 1})).size(), 2u);
  EXPECT_EQ(exact::roots(Polynomial({1, 0, 1})).size(), 0u);
  EXPECT_EQ(exact::roots(Polynomial({-2, 1})).size(), 0u);
  found = exact::roots(Polynomial({-1, 0, 2}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].upper_bound(), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(found[0].sign(Polynomial({-1, 0, 2}) * Polynomial({5, 7, 3})), 0);
  EXPECT_EQ(found[0].sign(Polynomial({-7071, 10000})), 1);
}

TEST(ExactMovingPair, KnowsSimpleMotions) {
  using exact::MovingPair;
  using Four = MovingPair::Corners;
  const Four start = {Vec3d{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const auto moved = [&](const Vec3d& p) { return Four{p, start[1], start[2], start[3]}; };
  auto first = MovingPair::point_triangle(start, moved({1, 1, -3})).first_meeting();
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->upper_bound(), 0.25, 1e-15);
  EXPECT_TRUE(MovingPair::point_triangle(start, moved({2, 2, 0})).first_meeting());
  EXPECT_FALSE(MovingPair::point_triangle(start, moved({2.0000000000000004, 2, 0})).first_meeting());
  // In the plane: past a corner, through the side, and from the inside.
  const Four flat = moved({-1, 1, 0});
  EXPECT_FALSE(MovingPair::point_triangle(flat, moved({1, -1.5, 0})).first_meeting());
  first = MovingPair::point_triangle(flat, moved({1, 1, 0})).first_meeting();
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->upper_bound(), 0.5, 1e-15);
  EXPECT_EQ(MovingPair::point_triangle(moved({1, 1, 0}), flat).first_meeting()->upper_bound(),
            std::nextafter(0.0, 1.0));
  // Edges on one line that run into each other, and two that cross.
  const Four line = {Vec3d{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  first = MovingPair::edges(line, {Vec3d{4, 0, 0}, {5, 0, 0}, {2, 0, 0}, {3, 0, 0}}).first_meeting();
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->upper_bound(), 0.25, 1e-15);
  first = MovingPair::edges({Vec3d{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}},
                            {Vec3d{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}})
              .first_meeting();
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->upper_bound(), 0.5, 1e-15);
}

}  // namespace
