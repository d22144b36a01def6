// The barrier between sheets, solids and colliders: how far a step may go, which pairs are followed, and their forces.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "contact/barrier_pairs.h"
#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

using model::Model;
using sample::add_patch;
using sample::inputs_of;
using sample::meet;
using sample::moved;

constexpr double thickness = 0.02;

Model parallel(double height) {
  Model model;
  add_patch(model, {});
  add_patch(model,
            {.corner = {0.26, 0.28, height}, .along = {0.45, 0, 0}, .across = {0, 0.45, 0}, .cells = {2, 2}});
  meet(model, {true, 0.3, thickness, 0}, true);
  return model;
}

TEST(SheetBarrier, AStepEndsBeforeSheetsMeetFromEitherSide) {
  const double gap = 0.1;
  for (const double side : {1.0, -1.0}) {
    const Model model = parallel(gap * side);
    BarrierPairs pairs(model);
    pairs.begin(inputs_of(model), 0.01);
    // It leaves 0.3 of the thickness.
    EXPECT_NEAR(pairs.clear_way(model.X, moved(model, model.X, 1, {0, 0, -0.4 * side})),
                (gap - 0.3 * thickness) / 0.4, 1e-6);
    EXPECT_NEAR(pairs.clear_way(model.X, moved(model, model.X, 1, {0.01, 0.02, -40 * side})),
                (gap - 0.3 * thickness) / 40, 1e-6);
    EXPECT_EQ(pairs.clear_way(model.X, moved(model, model.X, 1, {0, 0, 0.4 * side})), 1);
  }
}

TEST(SheetBarrier, FlatSheetsDoNothingToThemselves) {
  Model model = parallel(0.1);
  BarrierPairs pairs(model);
  const auto inputs = inputs_of(model);
  pairs.begin(inputs, 0);
  EXPECT_EQ(pairs.clear_way(model.X, model.X), 1);
  std::vector<Pair> linear;
  pairs.linear(model.X, inputs, linear);
  EXPECT_TRUE(linear.empty());
}

TEST(SheetBarrier, ForcesAreBalancedAndPushApart) {
  for (const double side : {1.0, -1.0}) {
    const double gap = 0.4 * thickness;
    const Model model = parallel(gap * side);
    BarrierPairs pairs(model);
    const auto inputs = inputs_of(model);
    pairs.begin(inputs, 0);
    pairs.clear_way(model.X, model.X);
    std::vector<Pair> linear;
    pairs.linear(model.X, inputs, linear);
    Vec3d on_upper = {0, 0, 0}, force = {0, 0, 0}, moment = {0, 0, 0};
    double size = 0;
    for (const Pair& pair : linear) {
      EXPECT_GE(pair.gap, gap * (1 - 1e-9));
      const Vec3d f = pair.normal * normal_force(pair, pair.normal * pair.gap);
      size += norm(f);
      for (int k = 0; k < 4; ++k) {
        force += f * pair.weight[k];
        moment += cross(model.X[pair.node[k]], f * pair.weight[k]);
        if (model.body_of_node(pair.node[k]) == 1) on_upper += f * pair.weight[k];
      }
    }
    EXPECT_GT(on_upper[2] * side, 0);
    EXPECT_LE(norm(force), 1e-12 * size);
    EXPECT_LE(norm(moment), 1e-12 * size);
  }
}

// In one plane, border against border: a corner before an edge, and corners before corners.
TEST(SheetBarrier, BordersKeepApart) {
  for (const double shift : {0.125, 0.0}) {
    Model model;
    add_patch(model, {});
    add_patch(
        model,
        {.corner = {1.1, 0.25 + shift, 0}, .along = {0.5, 0, 0}, .across = {0, 0.5, 0}, .cells = {2, 2}});
    meet(model, {true, 0, thickness, 0});
    BarrierPairs pairs(model);
    pairs.begin(inputs_of(model), 0);
    EXPECT_NEAR(pairs.clear_way(model.X, moved(model, model.X, 1, {-0.4, 0, 0})),
                (0.1 - 0.3 * thickness) / 0.4, 1e-6);
  }
}

// A strip that is rolled up through itself stops before its layers meet, which face the same way.
TEST(SheetBarrier, ARollStopsBeforeItsLayersMeet) {
  Model model;
  add_patch(model, {.along = {1.5, 0, 0}, .across = {0, 0.2, 0}, .cells = {30, 4}});
  meet(model, {true, 0, 0.01, 0}, true);
  std::vector<Vec3d> end = model.X;
  for (size_t i = 0; i < end.size(); ++i) {
    const double s = model.X[i][0], angle = s / 0.1;
    end[i] = {0.1 * std::sin(angle), model.X[i][1] + 0.02 * s, 0.1 * std::cos(angle)};
  }
  BarrierPairs pairs(model);
  pairs.begin(inputs_of(model), 0.01);
  const double share = pairs.clear_way(model.X, end);
  // Every two primitives that share no node, one after the other.
  const Surface& surface = pairs.surface();
  double touch = 1;
  const auto at = [&](const std::array<int32_t, 4>& n, const std::vector<Vec3d>& x) {
    return Corners{x[n[0]], x[n[1]], x[n[2]], x[n[3]]};
  };
  for (const int32_t v : surface.vertices)
    for (const auto& [a, b, c] : surface.triangles)
      if (v != a && v != b && v != c)
        if (const auto t = first_touch_point_triangle(at({v, a, b, c}, model.X), at({v, a, b, c}, end)))
          touch = std::min(touch, *t);
  for (size_t i = 0; i < surface.edges.size(); ++i)
    for (size_t j = i + 1; j < surface.edges.size(); ++j) {
      const auto [a, b] = surface.edges[i];
      const auto [c, d] = surface.edges[j];
      if (a == c || a == d || b == c || b == d) continue;
      if (const auto t = first_touch_edges(at({a, b, c, d}, model.X), at({a, b, c, d}, end)))
        touch = std::min(touch, *t);
    }
  EXPECT_LT(touch, 1);
  EXPECT_LT(share, touch);
  EXPECT_GT(share, 0.7 * touch);
}

model::Collider box(const Vec3d& half, const Vec3d& at) {
  model::Collider collider;
  collider.shape = model::Collider::Shape::box;
  collider.size = half;
  collider.transform.b = at;
  return collider;
}

// A table whose corners come up through a sheet with one cell, far from its nodes.
TEST(SheetBarrier, CornersOfACollider) {
  Model model;
  add_patch(model, {.corner = {-2, -2, 0.1}, .along = {4, 0, 0}, .across = {0, 4, 0}, .cells = {1, 1}});
  sample::add_collider(model, box({0.3, 0.2, 0.5}, {0, 0, -0.5}));
  meet(model, {true, 0.3, thickness, 0});
  const auto inputs = inputs_of(model);
  BarrierPairs pairs(model);
  pairs.begin(inputs, 0);
  const double share = pairs.clear_way(model.X, moved(model, model.X, 0, {0, 0, -40}));
  EXPECT_GT(40 * share, 0.1);        // it may sink in
  EXPECT_LT(40 * share, 0.1 + 0.5);  // by a tenth of its edges
  double before = 0;
  for (const double gap : {0.75 * thickness, 0.5 * thickness, 0.1 * thickness, -0.5 * thickness, -0.05}) {
    const auto x = moved(model, model.X, 0, {0, 0, gap - 0.1});
    pairs.clear_way(x, x);
    std::vector<Pair> linear;
    pairs.linear(x, inputs, linear);
    int corners = 0, edges = 0;
    double force = 0;
    for (const Pair& pair : linear) {
      ASSERT_EQ(pair.collider, 0);
      EXPECT_NEAR(pair.gap, gap, 1e-9);
      EXPECT_NEAR(pair.normal[2], 1, 1e-9);
      EXPECT_NEAR(pair.point[2], 0, 1e-9);
      EXPECT_EQ(pair.weight[3], 0);
      (pair.edges ? edges : corners) += 1;
      force += normal_force(pair, pair.normal * pair.gap);
    }
    EXPECT_EQ(corners, 4);
    EXPECT_EQ(
        edges,
        2);  // those along x, below the diagonal of the sheet; it passes those along y beside their ends
    EXPECT_GT(force, before);
    before = force;
  }
}

TEST(SheetBarrier, VerticesKeepTheThicknessFromColliders) {
  Model model;
  add_patch(model, {.corner = {0, 0, 0.5 * thickness}});
  sample::add_collider(model, model::Collider());
  meet(model, {true, 0, thickness, 0});
  const auto inputs = inputs_of(model);
  BarrierPairs pairs(model);
  pairs.begin(inputs, 0);
  pairs.clear_way(model.X, model.X);
  EXPECT_EQ(pairs.list().size(), model.X.size());
  for (const BarrierPair& pair : pairs.list()) {
    EXPECT_EQ(pair.thickness, thickness);
    EXPECT_EQ(pair.inset, 0);
  }
  const auto above = moved(model, model.X, 0, {0, 0, 0.6 * thickness});
  pairs.clear_way(above, above);
  EXPECT_TRUE(pairs.list().empty());
}

TEST(SheetBarrier, IsTheSameForAnyNumberOfThreads) {
  Model model = parallel(0.05);
  sample::add_collider(model, box({0.2, 0.2, 0.2}, {0.5, 0.5, -0.21}));
  meet(model, {true, 0.3, thickness, 0}, true);
  const auto end = moved(model, model.X, 1, {0, 0, -0.4});
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
  EXPECT_TRUE(
      std::any_of(first.begin(), first.end(), [](const BarrierPair& pair) { return pair.has_feature(); }));
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::contact
