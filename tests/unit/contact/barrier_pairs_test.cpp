// Pairs that a barrier keeps apart: how far surfaces may go, which pairs are followed, and their linear form.
#include "contact/barrier_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

using model::Model;
using sample::add_box;
using sample::inputs_of;
using sample::meet;

constexpr double thickness = 0.02, gap = 0.1;

Model stacked() {
  Model model;
  add_box(model, {1, 1, 0.5}, {4, 4, 2}, {0, 0, 0});
  add_box(model, {0.45, 0.45, 0.45}, {2, 2, 2}, {0.26, 0.28, 0.5 + gap});
  meet(model, {true, 0.3, thickness, 0}, true);
  return model;
}

std::vector<Vec3d> lowered(const Model& model, int32_t body, double by) {
  std::vector<Vec3d> x = model.X;
  for (int32_t i = model.bodies[body].nodes.begin; i < model.bodies[body].nodes.end; ++i) x[i][2] -= by;
  return x;
}

TEST(BarrierPairs, AStepEndsBeforeSurfacesMeet) {
  const Model model = stacked();
  BarrierPairs pairs(model);
  pairs.begin(inputs_of(model), 0.01);
  // It leaves 0.3 of the thickness, and, from within the thickness, a fifth of the gap.
  EXPECT_NEAR(pairs.clear_way(model.X, lowered(model, 1, 0.4)), (gap - 0.3 * thickness) / 0.4, 1e-6);
  const double near = 0.5 * thickness;
  EXPECT_NEAR(pairs.clear_way(lowered(model, 1, gap - near), lowered(model, 1, gap - near + 0.01)), 0.8,
              1e-6);
  EXPECT_FALSE(pairs.list().empty());
  EXPECT_EQ(pairs.clear_way(model.X, lowered(model, 1, -0.4)), 1);
  EXPECT_EQ(pairs.clear_way(model.X, lowered(model, 1, 0.05)), 1);
}

TEST(BarrierPairs, NothingPressesAtRest) {
  const Model model = stacked();
  BarrierPairs pairs(model);
  const auto inputs = inputs_of(model);
  pairs.begin(inputs, 0);
  EXPECT_EQ(pairs.clear_way(model.X, model.X), 1);
  std::vector<Pair> linear;
  pairs.linear(model.X, inputs, linear);
  EXPECT_TRUE(linear.empty());
}

// A body that falls as a whole does nothing to itself, however fast it is.
TEST(BarrierPairs, ABodyFollowsItself) {
  Model model;
  add_box(model, {1, 1, 0.5}, {4, 4, 2}, {0, 0, 0});
  meet(model, {true, 0, thickness, 0}, true);
  BarrierPairs pairs(model);
  pairs.begin(inputs_of(model), 0.01);
  EXPECT_EQ(pairs.clear_way(model.X, lowered(model, 0, 100)), 1);
  EXPECT_TRUE(pairs.list().empty());
  std::vector<Vec3d> flat = model.X;  // pressed through itself
  for (Vec3d& x : flat) x[2] = -0.5 * x[2];
  EXPECT_LT(pairs.clear_way(model.X, flat), 0.7);
}

// A sheet that is rolled up through itself: where it begins and where it ends.
struct Rolled {
  Model model;
  std::vector<Vec3d> end;

  Rolled() {
    add_box(model, {1, 1, 0.1}, {10, 10, 1}, {0, 0, 0});
    meet(model, {true, 0, thickness, 0}, true);
    end = model.X;
    for (Vec3d& x : end) {
      const double angle = 7 * (x[0] - 0.5), radius = 0.15 + x[2];
      x = {0.5 + radius * std::sin(angle), x[1] + 0.05 * x[0], radius * std::cos(angle)};
    }
  }
  std::vector<Vec3d> at(double t) const {
    std::vector<Vec3d> x = model.X;
    for (size_t i = 0; i < x.size(); ++i) x[i] += (end[i] - x[i]) * t;
    return x;
  }
};

Corners corners(const std::array<int32_t, 4>& n, const std::vector<Vec3d>& x) {
  return {x[n[0]], x[n[1]], x[n[2]], x[n[3]]};
}

double distance(const std::array<int32_t, 4>& n, bool edges, const std::vector<Vec3d>& x) {
  return (edges ? between_edges(corners(n, x)) : point_triangle(corners(n, x))).distance;
}

// visit(nodes, edges) for every two primitives that share no node.
template <class F>
void for_each_pair(const Surface& surface, const F& visit) {
  for (const int32_t v : surface.vertices)
    for (const auto& [a, b, c] : surface.triangles)
      if (v != a && v != b && v != c) visit(std::array<int32_t, 4>{v, a, b, c}, false);
  for (size_t i = 0; i < surface.edges.size(); ++i)
    for (size_t j = i + 1; j < surface.edges.size(); ++j) {
      const auto [a, b] = surface.edges[i];
      const auto [c, d] = surface.edges[j];
      if (a != c && a != d && b != c && b != d) visit(std::array<int32_t, 4>{a, b, c, d}, true);
    }
}

// How many pairs press at x; all of them are known.
int expect_known(const BarrierPairs& pairs, const Model& model, const std::vector<Vec3d>& x) {
  int count = 0;
  for_each_pair(pairs.surface(), [&](const std::array<int32_t, 4>& n, bool edges) {
    if (!(distance(n, edges, x) < std::min(thickness, 0.5 * distance(n, edges, model.X)))) return;
    ++count;
    EXPECT_TRUE(std::ranges::any_of(pairs.list(), [&](const BarrierPair& pair) { return pair.node == n; }));
  });
  return count;
}

// A way of many edges is looked at in parts: no pair meets on its clear share, some pair does soon after.
TEST(BarrierPairs, ALongWayIsClearUpToTheFirstTouch) {
  const Rolled rolled;
  BarrierPairs pairs(rolled.model);
  pairs.begin(inputs_of(rolled.model), 0.01);
  const double share = pairs.clear_way(rolled.model.X, rolled.end);
  double touch = 1;
  for_each_pair(pairs.surface(), [&](const std::array<int32_t, 4>& n, bool edges) {
    const Corners x0 = corners(n, rolled.model.X), x1 = corners(n, rolled.end);
    if (const auto t = edges ? first_touch_edges(x0, x1) : first_touch_point_triangle(x0, x1))
      touch = std::min(touch, *t);
  });
  EXPECT_LT(touch, 1);
  EXPECT_LT(share, touch);
  EXPECT_GT(share, 0.7 * touch);
  int known = 0;
  for (const double t : {0.3, 0.6, 0.9, 1.0})
    known += expect_known(pairs, rolled.model, rolled.at(t * share));
  EXPECT_GT(known, 0);
}

// Short ways are looked at in a list that serves many of them: what is found does not depend on when it was made.
TEST(BarrierPairs, AListServesShortWays) {
  const Rolled rolled;
  BarrierPairs used(rolled.model);
  used.begin(inputs_of(rolled.model), 0.01);
  const double share = used.clear_way(rolled.model.X, rolled.end);
  double t = 0.9 * share;
  for (const double step : {0.002, -0.001, 0.003, 0.004, -0.002, 0.005}) {
    const std::vector<Vec3d> x = rolled.at(t), end = rolled.at(t + step * share);
    BarrierPairs fresh(rolled.model);
    fresh.begin(inputs_of(rolled.model), 0.01);
    EXPECT_EQ(used.clear_way(x, end), fresh.clear_way(x, end));
    EXPECT_TRUE(std::ranges::equal(used.list(), fresh.list()));
    EXPECT_GT(expect_known(used, rolled.model, end), 0);
    t += step * share;
  }
}

TEST(BarrierPairs, LinearPairsHaveTheForceOfTheBarrier) {
  const Model model = stacked();
  BarrierPairs pairs(model);
  const auto inputs = inputs_of(model);
  pairs.begin(inputs, 0);
  const std::vector<Vec3d> x = lowered(model, 1, gap - 0.5 * thickness);
  pairs.clear_way(x, x);
  std::vector<Pair> linear;
  pairs.linear(x, inputs, linear);
  ASSERT_FALSE(linear.empty());
  double least = thickness;
  for (const Pair& pair : linear) {
    EXPECT_TRUE(pair.barrier);
    EXPECT_GT(pair.gap, 0.4999 * thickness);
    EXPECT_LT(pair.gap, thickness);
    EXPECT_GT(normal_force(pair, pair.normal * pair.gap), 0);
    least = std::min(least, pair.gap);
    EXPECT_EQ(pair.friction, 0.3);
  }
  EXPECT_NEAR(least, 0.5 * thickness, 1e-12);
}

// What stands on a floor is not pushed; what is below it is, the harder the deeper.
TEST(BarrierPairs, CollidersBeginAtTheirSurface) {
  Model model;
  add_box(model, {1, 1, 1}, {2, 2, 2}, {0, 0, 0});
  sample::add_collider(model, model::Collider());
  meet(model, {true, 0, 0, 0});
  const auto inputs = inputs_of(model);
  BarrierPairs pairs(model);
  pairs.begin(inputs, 0);
  double before = 0;
  for (const double depth : {0.0, 0.01, 0.04, 0.2, 1.0}) {
    const std::vector<Vec3d> x = lowered(model, 0, depth);
    EXPECT_EQ(pairs.clear_way(x, x), 1);
    std::vector<Pair> linear;
    pairs.linear(x, inputs, linear);
    double force = 0;
    for (const Pair& pair : linear)
      if (pair.normal[2] > 0.9 && model.X[pair.node[0]][2] == 0)
        force += normal_force(pair, Vec3d{0, 0, pair.gap});
    if (depth == 0)
      EXPECT_EQ(force, 0);
    else
      EXPECT_GT(force, before);
    before = force;
  }
}

TEST(BarrierPairs, AreTheSameForAnyNumberOfThreads) {
  const Model model = stacked();
  const std::vector<Vec3d> end = lowered(model, 1, 0.4);
  std::vector<BarrierPair> first;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    BarrierPairs pairs(model);
    pairs.begin(inputs_of(model), 0.01);
    pairs.clear_way(model.X, end);
    if (threads == 1)
      first.assign(pairs.list().begin(), pairs.list().end());
    else
      EXPECT_TRUE(std::equal(first.begin(), first.end(), pairs.list().begin(), pairs.list().end()));
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::contact
