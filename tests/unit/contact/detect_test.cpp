#include "contact/detect.h"

#include <cmath>
#include <map>
#include <set>

#include "base/parallel.h"
#include "contact/ccd.h"
#include "math/random.h"
#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

using model::Model;
using sample::add_box;
using sample::crossings;
using sample::find;
using sample::meet;
using sample::moved;

constexpr double thickness = 0.02;

// A box of 1 x 1 x 0.5 m with edges of 0.25 m, and a smaller one above its middle, `gap` away.
Model stacked(double gap, double h = thickness) {
  Model model;
  add_box(model, {1, 1, 0.5}, {4, 4, 2}, {0, 0, 0});
  add_box(model, {0.45, 0.45, 0.45}, {2, 2, 2}, {0.26, 0.28, 0.5 + gap});
  meet(model, {true, 0.3, h, 0});
  return model;
}

Vec3d offset(const Pair& pair, std::span<const Vec3d> x) {
  Vec3d d = {0, 0, 0};
  for (int k = 0; k < 4; ++k)
    if (pair.node[k] >= 0) d += x[pair.node[k]] * pair.weight[k];
  return d;
}

void expect_sound(const std::vector<Pair>& pairs, const Model& model, std::span<const Vec3d> x0,
                  std::span<const Vec3d> x1) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    if (i > 0) {
      EXPECT_LT(pairs[i - 1].key(), pair.key());
    }
    double a = 0, b = 0;
    for (int k = 0; k < 4; ++k) (pair.weight[k] > 0 ? a : b) += pair.weight[k];
    EXPECT_NEAR(a, 1, 1e-14);
    EXPECT_NEAR(b, pair.collider < 0 ? -1 : 0, 1e-14);
    EXPECT_NEAR(norm(pair.normal), 1, 1e-12);
    if (pair.collider >= 0) continue;
    EXPECT_NEAR(pair.gap, dot(pair.normal, offset(pair, x1)), 1e-12);
    EXPECT_NEAR(norm(pair.start - offset(pair, x0)), 0, 1e-14);
    EXPECT_EQ(pair.body[0], model.body_of_node(pair.node[0]));
    EXPECT_EQ(pair.body[1], model.body_of_node(pair.node[3]));
  }
}

TEST(Detect, FlatFacesApart) {
  const double gap = 0.015;
  const Model model = stacked(gap);
  const auto pairs = find(model, model.X, model.X);
  expect_sound(pairs, model, model.X, model.X);
  // The nine vertices above meet a face each; the vertices of the lower box that lie below the upper one (at x, y = 0.5
  // alone) meet one of its faces. Edges meet where the rim above crosses edges below, which are flat.
  int64_t above = 0, below = 0;
  for (const Pair& pair : pairs) {
    EXPECT_FALSE(pair.edges);
    EXPECT_NEAR(pair.gap, gap, 1e-12);
    EXPECT_NEAR(pair.normal[2], pair.body[0] == 1 ? 1 : -1, 1e-12);
    EXPECT_EQ(pair.thickness, thickness);
    EXPECT_EQ(pair.friction, 0.3);
    (pair.body[0] == 1 ? above : below) += 1;
  }
  EXPECT_EQ(above, 9);
  EXPECT_EQ(below, 1);
}

TEST(Detect, NothingBeyondReach) {
  const Model model = stacked(thickness + 0.11 * 0.36);
  EXPECT_TRUE(find(model, model.X, model.X).empty());
}

TEST(Detect, ReachGrowsWithTheMotion) {
  const Model model = stacked(0.2);
  const auto near = moved(model, model.X, 1, {0, 0, -0.12});
  const auto pairs = find(model, model.X, near);
  EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](const Pair& p) { return p.body[0] == 1; }), 9);
  EXPECT_TRUE(find(model, near, near).empty());
}

TEST(Detect, FlatFacesThatTouch) {
  const Model model = stacked(0);
  const auto pairs = find(model, model.X, model.X);
  EXPECT_EQ(pairs.size(), 10u);
  for (const Pair& pair : pairs) {
    EXPECT_NEAR(pair.gap, 0, 1e-15);
    EXPECT_NEAR(pair.normal[2], pair.body[0] == 1 ? 1 : -1, 1e-9);
  }
  EXPECT_TRUE(crossings(model, model.X, model.X).empty());
  EXPECT_TRUE(crossings(model, model.X, moved(model, model.X, 1, {0.1, 0.05, 1e-3})).empty());
  EXPECT_FALSE(crossings(model, model.X, moved(model, model.X, 1, {0, 0, -1e-3})).empty());
}

TEST(Detect, AlignedBoxesThatTouchPushAcrossTheirPlane) {
  Model model;
  add_box(model, {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  add_box(model, {1, 1, 1}, {2, 2, 2}, {0, 0, 1});
  meet(model, {true, 0, 0.01, 0});
  const auto pairs = find(model, model.X, model.X);
  int64_t vertices = 0;
  for (const Pair& pair : pairs) {
    if (pair.edges) continue;
    ++vertices;
    EXPECT_NEAR(std::abs(pair.normal[2]), 1, 1e-9) << pair.node[0];
  }
  EXPECT_EQ(vertices, 18);
  EXPECT_TRUE(find_overlaps(model, Surface(model), model.X).empty());
}

TEST(Detect, VerticesInsidePointOutwards) {
  const Model model = stacked(-0.03);
  const auto pairs = find(model, model.X, model.X);
  std::set<int32_t> inside;
  for (const Pair& pair : pairs) {
    if (pair.edges || pair.gap >= 0) continue;
    inside.insert(pair.node[0]);
    EXPECT_NEAR(pair.gap, -0.03, 1e-12);
    EXPECT_NEAR(pair.normal[2], pair.body[0] == 1 ? 1 : -1, 1e-9);
  }
  EXPECT_EQ(inside.size(), 10u);
  EXPECT_TRUE(crossings(model, model.X, model.X).empty());
  EXPECT_TRUE(crossings(model, model.X, moved(model, model.X, 1, {0, 0, 0.1})).empty());  // it leaves
}

TEST(Detect, DeepVerticesAreFoundByOneOfTheirPatch) {
  // A ball inside a large box, far from its walls.
  Model model;
  add_box(model, {4, 4, 4}, {2, 2, 2}, {0, 0, 0});
  const int32_t ball = sample::add_body(model, mesh::make_ball({.radius = 0.3, .cells = 6}), {1, 1.5, 2});
  meet(model, {true, 0, 0.01, 0});
  model.contact.continuous = false;
  const auto pairs = find(model, model.X, model.X);
  const Surface surface(model);
  std::map<int32_t, Vec3d> normal;
  for (const Pair& pair : pairs)
    if (pair.body[0] == ball) {
      normal[pair.node[0]] = pair.normal;
      EXPECT_NEAR(pair.gap, -model.X[pair.node[0]][0], 1e-9);
    }
  EXPECT_EQ(normal.size(), static_cast<size_t>(surface.parts[ball].vertices.size()));
  for (const auto& [node, n] : normal) EXPECT_NEAR(n[0], -1, 1e-9);
}

// The default stiffness of a vertex of the box above against a face below.
TEST(Detect, DefaultStiffnessIsTheSofterSide) {
  Model model = stacked(0.01);
  const Surface surface(model);
  const auto mass = model.lumped_mass(model.params);
  for (double dt : {0.0, 1e-3})
    for (const Pair& pair : find(model, model.X, model.X, dt)) {
      const double area = surface.area[surface.vertex_of_point[pair.node[0]]];
      double other = 0, m = 0;
      for (int k = 1; k < 4; ++k) {
        other -= pair.weight[k] * std::sqrt(surface.area[surface.vertex_of_point[pair.node[k]]]);
        m -= pair.weight[k] * mass[pair.node[k]];
      }
      const double ma = mass[pair.node[0]];
      const double thin = std::max(1.0, 0.1 * std::sqrt(area) / pair.thickness);
      const double expected = sample::young * thin * std::min(std::sqrt(area), other) +
                              (dt > 0 ? 1 / (dt * dt) * ma * m / (ma + m) : 0);
      EXPECT_NEAR(pair.stiffness, expected, 1e-6 * expected);
    }
  meet(model, {true, 0, thickness, 123});
  for (const Pair& pair : find(model, model.X, model.X)) EXPECT_EQ(pair.stiffness, 123);
}

TEST(Detect, ABallThroughAThinSlabKeepsItsSide) {
  Model model;
  add_box(model, {1, 1, 0.001}, {10, 10, 1}, {-0.5, -0.5, 0});
  const int32_t ball =
      sample::add_body(model, mesh::make_ball({.radius = 0.1, .cells = 6}), {0.013, 0.021, 0.11});
  meet(model, {true, 0, 1e-4, 0});
  for (double fall : {0.0105, 0.15, 0.5, 3.0}) {
    const auto x1 = moved(model, model.X, ball, {0, 0, -fall});
    const auto pairs = find(model, model.X, x1);
    expect_sound(pairs, model, model.X, x1);
    const auto crossing = crossings(model, model.X, x1);
    EXPECT_FALSE(crossing.empty()) << fall;
    int64_t pushed = 0;
    for (const auto& list : {pairs, crossing})
      for (const Pair& pair : list) {
        const double up = pair.body[0] == ball ? pair.normal[2] : -pair.normal[2];
        if (pair.gap < 0) ++pushed;
        if (!pair.edges || pair.gap < 0) {
          EXPECT_GT(up, -1e-9) << fall;
        }
      }
    EXPECT_GT(pushed, 0);
  }
}

// Two bars across each other, the second above the first.
Model crossed_bars(double gap) {
  Model model;
  add_box(model, {2, 0.1, 0.1}, {1, 1, 1}, {-1.03, -0.05, 0});
  add_box(model, {0.1, 2, 0.1}, {1, 1, 1}, {-0.05, -1.04, 0.1 + gap});
  meet(model, {true, 0, 0.01, 0});
  return model;
}

TEST(Detect, CrossedBarsMeetAtTheirEdges) {
  const Model model = crossed_bars(0.005);
  const auto pairs = find(model, model.X, model.X);
  // Rims cross at four points; flat diagonals do not count.
  EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](const Pair& p) { return p.edges; }), 4);
  for (const Pair& pair : pairs) {
    EXPECT_NEAR(pair.gap, 0.005, 1e-12);
    EXPECT_NEAR(pair.normal[2], pair.body[0] == 1 ? 1 : -1, 1e-9);
  }
}

TEST(Detect, BarsCannotPass) {
  const Model model = crossed_bars(0.03);
  for (double fall : {0.05, 0.2, 0.4}) {
    const auto x1 = moved(model, model.X, 1, {0.004, 0.003, -fall});
    const auto crossing = crossings(model, model.X, x1);
    int64_t edges = 0;
    for (const Pair& pair : crossing) {
      edges += pair.edges;
      EXPECT_LE(pair.gap, 0);
      if (pair.edges && std::abs(pair.normal[2]) > 0.9) {
        EXPECT_LT(pair.normal[2], 0);
      }  // body 0 stays below
    }
    EXPECT_GE(edges, 4);
    for (const Pair& pair : find(model, model.X, x1))
      if (pair.edges && std::abs(pair.normal[2]) > 0.9) {
        EXPECT_LT(pair.normal[2], 0);
      }
  }
}

// A strip bent to a U: the two halves face each other across `gap`.
struct Folded {
  Model model;
  std::vector<Vec3d> x;
};
Folded folded(double gap) {
  Folded result;
  const double length = 2, height = 0.05;
  add_box(result.model, {length, 0.3, height}, {40, 3, 1}, {0, 0, 0});
  meet(result.model, {true, 0, 0.005, 0}, true);
  result.x = result.model.X;
  const double radius = gap / 2, arc = M_PI * (radius + height / 2), start = (length - arc) / 2;
  for (Vec3d& x : result.x) {
    const double s = x[0] - start, r = radius + (height - x[2]);
    if (s <= 0) {
      x = {x[0], x[1], -r};
    } else if (s < arc) {
      const double angle = s / (radius + height / 2);
      x = {start + r * std::sin(angle), x[1], -r * std::cos(angle)};
    } else {
      x = {start - (s - arc), x[1], r};
    }
  }
  return result;
}

TEST(Detect, AFoldedStripMeetsItself) {
  const Folded fold = folded(0.004);
  const auto pairs = find(fold.model, fold.x, fold.x);
  expect_sound(pairs, fold.model, fold.x, fold.x);
  const Surface surface(fold.model);
  int64_t facing = 0;
  for (const Pair& pair : pairs) {
    for (int k = 1; k < 4; ++k) EXPECT_NE(pair.node[0], pair.node[k]);
    if (pair.edges) continue;
    // Straight parts: one half above the other.
    if (fold.x[pair.node[0]][0] > 0.85) continue;
    ++facing;
    EXPECT_NEAR(pair.gap, 0.004, 1e-9);
    EXPECT_NEAR(std::abs(pair.normal[2]), 1, 1e-9);
  }
  EXPECT_GT(facing, 100);
  for (const Pair& pair : find(fold.model, fold.model.X, fold.model.X)) ADD_FAILURE() << pair.node[0];

  // Closing it further makes the halves cross.
  auto closed = fold.x;
  for (Vec3d& x : closed)
    if (x[0] < 0.5 && x[2] > 0) x[2] -= 0.01;
  EXPECT_FALSE(crossings(fold.model, fold.x, closed).empty());
  EXPECT_TRUE(crossings(fold.model, fold.x, fold.x).empty());
}

TEST(Detect, WhatIsNearAtRestDoesNotMeetItself) {
  // A ring that is almost closed: its ends are 0.01 apart at rest.
  Model model;
  sample::add_body(model,
                   mesh::make_torus({.major = 1, .minor = 0.25, .sweep_degrees = 359.427, .cells = 3}));
  meet(model, {true, 0, 0.005, 0}, true);
  EXPECT_FALSE(find(model, model.X, model.X).empty());
  meet(model, {true, 0, 0.02, 0}, true);
  EXPECT_TRUE(find(model, model.X, model.X).empty());
}

TEST(Detect, OverlapsAreToldAndIgnored) {
  Model model = stacked(-0.1);
  auto overlaps = find_overlaps(model, Surface(model), model.X);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0].a, 0);
  EXPECT_EQ(overlaps[0].b, 1);
  EXPECT_NEAR(overlaps[0].depth, 0.1, 1e-12);
  // 9 vertices inside below, one of the lower box in the upper; twelve edges go up from the nine, fewer not through faces.
  EXPECT_GE(overlaps[0].count, 18);
  model.contact.ignored = overlaps[0].ignored;
  for (const Pair& pair : find(model, model.X, model.X)) ADD_FAILURE() << pair.node[0] << " " << pair.edges;
  EXPECT_TRUE(crossings(model, model.X, moved(model, model.X, 1, {0, 0, -0.05})).empty());
}

TEST(Detect, BarsThroughEachOtherOverlapByTheirEdges) {
  const Model model = crossed_bars(-0.05);
  const auto overlaps = find_overlaps(model, Surface(model), model.X);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_GT(overlaps[0].count, 0);
  EXPECT_EQ(overlaps[0].depth, 0);
  EXPECT_LT(norm(overlaps[0].where - Vec3d{0, 0, 0.1}), 0.2);
}

TEST(Detect, HeldNodesDoNotMeetHeldNodes) {
  Model model = stacked(0.01);
  model::Attachment all;
  for (int32_t i = 0; i < static_cast<int32_t>(model.X.size()); ++i) all.nodes.push_back(i);
  model.attachments.push_back(all);
  EXPECT_TRUE(find(model, model.X, model.X).empty());
}

TEST(Detect, SlidingLinksAreAlwaysThere) {
  Model model = stacked(0.2);
  const int32_t node = model.bodies[1].nodes.begin;  // its lowest corner
  model.sliding.push_back({node, 0, 0.2, 50});
  model.contact.rules.clear();
  const auto x = moved(model, model.X, 1, {0.1, 0, 0.3});
  const auto pairs = find(model, model.X, x);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].two_sided);
  EXPECT_EQ(pairs[0].thickness, 0.2);
  EXPECT_EQ(pairs[0].stiffness, 50);
  EXPECT_EQ(pairs[0].friction, 0);
  EXPECT_NEAR(pairs[0].gap, 0.5, 1e-12);
  EXPECT_NEAR(pairs[0].normal[2], 1, 1e-12);
  const auto inside = moved(model, model.X, 1, {0.1, 0, -0.3});
  const auto below = find(model, model.X, inside);
  EXPECT_NEAR(below[0].gap, -0.1, 1e-12);
  EXPECT_NEAR(below[0].normal[2], 1, 1e-12);
}

// Bodies thrown together at random.
Model heap(int count, uint64_t seed) {
  Model model;
  const math::Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Vec3d at = {random.uniform(3 * i, 0, 1.6), random.uniform(3 * i + 1, 0, 1.6),
                      random.uniform(3 * i + 2, 0, 1.6)};
    if (i % 2 == 0)
      add_box(model, {0.5, 0.4, 0.3}, {3, 3, 2}, at);
    else
      sample::add_body(model, mesh::make_ball({.radius = 0.3, .cells = 4}), at);
  }
  meet(model, {true, 0.2, 0.01, 0}, true);
  return model;
}

std::vector<Vec3d> shaken(const Model& model, uint64_t seed, double by) {
  std::vector<Vec3d> x = model.X;
  const math::Random random(seed);
  for (size_t b = 0; b < model.bodies.size(); ++b)
    x = moved(model, x, static_cast<int32_t>(b),
              Vec3d{random.normal(3 * b), random.normal(3 * b + 1), random.normal(3 * b + 2)} * by);
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) x[i][k] += 0.02 * by * random.stream(1).normal(3 * i + k);
  return x;
}

TEST(Detect, SameBitsForAnyThreads) {
  const Model model = heap(30, 5);
  const auto x1 = shaken(model, 3, 0.1);
  std::vector<std::vector<Pair>> results;
  for (int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    results.push_back(find(model, model.X, x1, 0.01));
    const auto more = crossings(model, model.X, x1);
    results.back().insert(results.back().end(), more.begin(), more.end());
  }
  set_thread_count(0);
  EXPECT_GT(results[0].size(), 100u);
  for (const auto& other : results) {
    ASSERT_EQ(other.size(), results[0].size());
    for (size_t i = 0; i < other.size(); ++i) {
      EXPECT_EQ(other[i].key(), results[0][i].key());
      EXPECT_EQ(other[i].gap, results[0][i].gap);
      EXPECT_EQ(other[i].stiffness, results[0][i].stiffness);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(other[i].normal[k], results[0][i].normal[k]);
    }
  }
}

// All pairs of all primitives, without boxes.
TEST(Detect, MissesNothingThatAllPairsGive) {
  for (uint64_t seed : {1, 2, 3}) {
    Model model = heap(24, seed);
    const auto x1 = shaken(model, seed, 0.03);
    const Surface surface(model);
    const auto pairs = find(model, x1, x1);
    expect_sound(pairs, model, x1, x1);
    std::map<std::pair<int32_t, int32_t>, double> least;  // vertex and body: the smallest gap found
    for (const Pair& pair : pairs) {
      if (pair.edges) continue;
      auto [at, added] = least.insert({{pair.node[0], pair.body[1]}, pair.gap});
      if (!added) at->second = std::min(at->second, pair.gap);
    }
    int64_t checked = 0;
    for (size_t v = 0; v < surface.vertices.size(); ++v)
      for (int32_t b = 0; b < static_cast<int32_t>(model.bodies.size()); ++b) {
        if (surface.vertex_body[v] == b) continue;
        double distance = INFINITY, winding = 0;
        bool face = false;
        const Vec3d& p = x1[surface.vertices[v]];
        for (int32_t t = surface.parts[b].triangles.begin; t < surface.parts[b].triangles.end; ++t) {
          const auto& [i, j, k] = surface.triangles[t];
          const OnTriangle on = closest_on_triangle(p, x1[i], x1[j], x1[k]);
          if (std::sqrt(on.distance2) < distance) {
            distance = std::sqrt(on.distance2);
            face = on.feature == 7;
          }
          const Vec3d u = x1[i] - p, w = x1[j] - p, z = x1[k] - p;
          winding += 2 * std::atan2(dot(u, cross(w, z)), norm(u) * norm(w) * norm(z) + dot(u, w) * norm(z) +
                                                             dot(w, z) * norm(u) + dot(z, u) * norm(w));
        }
        const bool inside = winding > 2 * M_PI;
        if (!inside && (!face || distance > 0.01 + 0.05 * surface.edge_length[v])) continue;
        const auto found = least.find({surface.vertices[v], b});
        if (inside && distance > 0.1) continue;  // some deep ones are left out
        ASSERT_NE(found, least.end()) << v << " " << b << " " << distance << " " << inside;
        EXPECT_NEAR(found->second, inside ? -distance : distance, 1e-9);
        ++checked;
      }
    EXPECT_GT(checked, 50);
  }
}

TEST(Detect, CrossingsAreThoseOfAllPairs) {
  for (uint64_t seed : {4, 5}) {
    Model model = heap(5, seed);
    meet(model, {true, 0, 0.01, 0});
    // Apart at first: bodies scaled towards their own places in a wider heap.
    std::vector<Vec3d> x0 = model.X;
    for (size_t b = 0; b < model.bodies.size(); ++b)
      x0 = moved(model, x0, static_cast<int32_t>(b), Vec3d{2.0 * static_cast<double>(b), 0.1, 0.2});
    const auto x1 = shaken(model, seed, 0.05);
    const Surface surface(model);
    std::set<std::array<int32_t, 6>> expected, found;
    for (const Pair& pair : crossings(model, x0, x1)) {
      found.insert(pair.key());
      EXPECT_LE(pair.gap, 1e-9);
      EXPECT_GE(dot(pair.normal, pair.start), 0);
    }
    const auto at = [&](const std::array<int32_t, 4>& node, const std::vector<Vec3d>& x) {
      return Corners{x[node[0]], x[node[1]], x[node[2]], x[node[3]]};
    };
    for (size_t v = 0; v < surface.vertices.size(); ++v)
      for (size_t t = 0; t < surface.triangles.size(); ++t) {
        if (surface.vertex_body[v] == surface.triangle_body[t]) continue;
        const auto& [i, j, k] = surface.triangles[t];
        const std::array<int32_t, 4> node = {surface.vertices[v], i, j, k};
        if (first_touch_point_triangle(at(node, x0), at(node, x1)))
          expected.insert({0, node[0], i, j, k, -1});
      }
    for (size_t e = 0; e < surface.edges.size(); ++e)
      for (size_t f = e + 1; f < surface.edges.size(); ++f) {
        if (surface.edge_body[e] == surface.edge_body[f]) continue;
        const std::array<int32_t, 4> node = {surface.edges[e][0], surface.edges[e][1], surface.edges[f][0],
                                             surface.edges[f][1]};
        if (first_touch_edges(at(node, x0), at(node, x1)))
          expected.insert({1, node[0], node[1], node[2], node[3], -1});
      }
    EXPECT_GT(expected.size(), 10u);
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace sinew::contact
