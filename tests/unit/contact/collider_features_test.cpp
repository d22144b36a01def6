// Corners and edges of colliders against the triangles and edges of sheets.
#include "contact/collider_features.h"

#include <algorithm>
#include <cmath>

#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

using model::Collider;
using model::Model;
using model::Pose;
using Shape = Collider::Shape;
using math::Mat3d;

constexpr double h = 0.02;
const double pi = std::acos(-1.0);

Collider shape(Shape kind, const Vec3d& size, bool hollow = false) {
  Collider collider;
  collider.shape = kind;
  collider.size = size;
  collider.hollow = hollow;
  return collider;
}

Collider from_tets(const mesh::TetMesh& tets, bool hollow = false) {
  Collider collider = shape(Shape::mesh, {0, 0, 0}, hollow);
  collider.points = tets.vertices;
  collider.triangles = mesh::boundary(tets).triangles;
  return collider;
}

Collider box_mesh(const Vec3d& half, int32_t cells) {
  auto box = *mesh::make_box({.size = half * 2.0, .cells = {cells, cells, cells}});
  for (Vec3d& x : box.vertices) x -= half;
  return from_tets(box);
}

// The columns are where the axes go.
Pose turned(const Vec3d& x, const Vec3d& y, const Vec3d& z, const Vec3d& to) {
  Pose pose{Mat3d::identity(), to};
  for (int i = 0; i < 3; ++i) {
    pose.A(i, 0) = x[i];
    pose.A(i, 1) = y[i];
    pose.A(i, 2) = z[i];
  }
  return pose;
}

// A cube of half size 0.1 with its highest corner, or the middle of its highest edge, at `top`.
Pose on_corner(const Vec3d& top) {
  const Vec3d x = {std::sqrt(2.0 / 3), 0, 1 / std::sqrt(3.0)},
              y = {-std::sqrt(1.0 / 6), std::sqrt(0.5), 1 / std::sqrt(3.0)};
  return turned(x, y, cross(x, y), top - (x + y + cross(x, y)) * 0.1);
}
Pose on_edge(const Vec3d& top) {
  const double s = std::sqrt(0.5);
  return turned({1, 0, 0}, {0, s, s}, {0, -s, s}, top - Vec3d{0, 0, 0.1 / s});
}

// One large triangle of a sheet in the plane z = 0, in a mesh of two.
Model sheet_above(Collider collider, const Pose& transform) {
  Model model;
  sample::add_patch(model, {.corner = {-2, -1, 0}, .along = {4, 0, 0}, .across = {0, 3, 0}, .cells = {1, 1}});
  collider.transform = transform;
  sample::add_collider(model, collider);
  sample::meet(model, {true, 0.4, h, 0});
  return model;
}

TEST(ColliderFeatures, AreWhereAColliderIsSharp) {
  const auto count = [](const Collider& collider) {
    Model model;
    sample::add_collider(model, collider);
    const ColliderShapes shapes(model);
    const ColliderFeatures features(model.colliders[0], shapes, 0);
    return std::array<int64_t, 2>{features.corner_tree().size(), features.edge_tree().size()};
  };
  using Counts = std::array<int64_t, 2>;
  EXPECT_EQ(count(shape(Shape::plane, {0, 0, 0})), (Counts{0, 0}));
  EXPECT_EQ(count(shape(Shape::box, {1, 2, 3})), (Counts{8, 12}));
  EXPECT_EQ(count(shape(Shape::box, {1, 2, 3}, true)), (Counts{0, 0}));
  EXPECT_EQ(count(shape(Shape::sphere, {1, 0, 0})), (Counts{1, 0}));
  EXPECT_EQ(count(shape(Shape::capsule, {1, 2, 0})), (Counts{2, 1}));
  EXPECT_EQ(count(shape(Shape::cylinder, {1, 2, 0})), (Counts{128, 128}));
  EXPECT_EQ(count(box_mesh({1, 2, 3}, 1)), (Counts{8, 12}));
  EXPECT_EQ(count(box_mesh({1, 2, 3}, 2)), (Counts{8 + 12, 24}));
  // An L of three cells: of its edges along z the one in the corner bends inwards.
  auto cells = *mesh::make_box({.size = {2, 2, 1}, .cells = {2, 2, 1}});
  std::erase_if(cells.elements, [&](const auto& t) {
    Vec3d centre = {0, 0, 0};
    for (int32_t node : t) centre += cells.vertices[node] * 0.25;
    return centre[0] > 1 && centre[1] > 1;
  });
  EXPECT_EQ(count(from_tets(cells))[1], 2 * 8 + 5);
  EXPECT_EQ(count(from_tets(cells, true)), (Counts{0, 1}));
}

TEST(ColliderFeatures, ACornerMeetsATriangleFarFromItsNodes) {
  for (const Collider& collider :
       {shape(Shape::box, {0.1, 0.1, 0.1}), box_mesh({0.1, 0.1, 0.1}, 1), box_mesh({0.1, 0.1, 0.1}, 3)})
    for (const double height : {0.015, 0.001, 0.0, -0.001, -0.03}) {
      const Model model = sheet_above(collider, on_corner({0.5, 0.3, -height}));
      const auto pairs = sample::find(model, model.X, model.X);
      int corners = 0;
      for (const Pair& pair : pairs) {
        ASSERT_EQ(pair.collider, 0);
        if (pair.edges || std::abs(pair.gap - height) > 1e-9) continue;
        ++corners;
        EXPECT_GE(pair.node[2], 0);
        EXPECT_LE(pair.node[3], -2);
        EXPECT_NEAR(norm(pair.normal - Vec3d{0, 0, 1}), 0, 1e-9);
        EXPECT_NEAR(norm(pair.point - Vec3d{0.5, 0.3, -height}), 0, 1e-12);
        EXPECT_NEAR(norm(pair.start - Vec3d{0, 0, height}), 0, 1e-12);
        EXPECT_EQ(pair.thickness, h);
        EXPECT_EQ(pair.friction, 0.4);
        EXPECT_GT(pair.stiffness, 0);
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += pair.weight[k];
        EXPECT_NEAR(sum, 1, 1e-14);
      }
      EXPECT_EQ(corners, 1) << height;
      if (height > 0.01) {
        EXPECT_EQ(pairs.size(), 1u);
      }
    }
}

TEST(ColliderFeatures, AnEdgeMeetsTheEdgesOfASheet) {
  for (const Collider& collider : {shape(Shape::box, {0.1, 0.1, 0.1}), box_mesh({0.1, 0.1, 0.1}, 1)})
    for (const double height : {0.01, 0.0, -0.01}) {
      // The diagonal of the sheet passes over the edge, whose corners lie below the triangles on both sides.
      const Model model = sheet_above(collider, on_edge({0, 0.5, -height}));
      int edges = 0, corners = 0;
      for (const Pair& pair : sample::find(model, model.X, model.X)) {
        EXPECT_NEAR(pair.gap, height, 1e-9);
        EXPECT_NEAR(norm(pair.normal - Vec3d{0, 0, 1}), 0, 1e-9);
        edges += pair.edges;
        corners += !pair.edges;
      }
      EXPECT_EQ(edges, 1);
      EXPECT_EQ(corners, 2);
    }
}

// A sheet folded over a corner, which has come through the fold.
TEST(ColliderFeatures, ACornerMeetsAFold) {
  for (const double height : {0.01, -0.01, -0.04}) {
    Model model = sheet_above(shape(Shape::box, {0.1, 0.1, 0.1}), on_corner({0, 0.5, -height}));
    for (const int32_t node : {1, 2}) model.X[node][2] -= 0.8;  // beside the diagonal
    int folds = 0;
    for (const Pair& pair : sample::find(model, model.X, model.X))
      if (!pair.edges && std::abs(pair.gap - height) < 1e-9) {
        ++folds;
        EXPECT_NEAR(norm(pair.normal - Vec3d{0, 0, 1}), 0, 1e-9);
        EXPECT_EQ(std::count(pair.weight.begin(), pair.weight.begin() + 3, 0.0), 1);
      }
    EXPECT_EQ(folds, height > 0 ? 0 : 1) << height;  // above the fold the corner meets the sides
  }
}

TEST(ColliderFeatures, RoundShapesMeetTheInsideOfATriangle) {
  const Pose lying = turned({0, 0, 1}, {0, 1, 0}, {-1, 0, 0}, {0, 0.5, 0});
  for (const double height : {0.015, -0.01}) {
    Pose below{Mat3d::identity(), {0.5, 0.3, -0.05 - height}};
    Model model = sheet_above(shape(Shape::sphere, {0.05, 0, 0}), below);
    auto pairs = sample::find(model, model.X, model.X);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_NEAR(pairs[0].gap, height, 1e-12);
    EXPECT_NEAR(pairs[0].normal[2], 1, 1e-12);
    EXPECT_NEAR(norm(pairs[0].point - Vec3d{0.5, 0.3, -height}), 0, 1e-12);

    Pose along = lying;
    along.b[2] = -0.05 - height;
    model = sheet_above(shape(Shape::capsule, {0.05, 0.3, 0}), along);
    pairs = sample::find(model, model.X, model.X);
    ASSERT_EQ(pairs.size(), 3u);  // both ends, and the diagonal of the sheet across the axis
    for (const Pair& pair : pairs) EXPECT_NEAR(pair.gap, height, 1e-12);

    // The lowest point of a rim, tilted by half a right angle.
    const double s = std::sqrt(0.5);
    const Pose tilted = turned({s, 0, s}, {0, 1, 0}, {-s, 0, s},
                               Vec3d{0.5, 0.3, -height} - Vec3d{s, 0, s} * 0.05 - Vec3d{-s, 0, s} * 0.1);
    model = sheet_above(shape(Shape::cylinder, {0.05, 0.1, 0}), tilted);
    double highest = -1;
    for (const Pair& pair : sample::find(model, model.X, model.X)) {
      EXPECT_NEAR(norm(pair.normal - Vec3d{0, 0, 1}), 0, 1e-9);
      highest = std::max(highest, -pair.gap);
    }
    EXPECT_NEAR(highest, -height, 1e-9);
  }
}

// A corner that comes through the sheet in one step, from below, is met on the side from which it came.
TEST(ColliderFeatures, WhatPassesInAStepIsCaught) {
  const Model model = sheet_above(shape(Shape::box, {0.1, 0.1, 0.1}), on_corner({0.5, 0.3, -0.4}));
  const std::vector<double> inputs0 = sample::inputs_of(model);
  std::vector<double> inputs1 = inputs0;
  const int pose = model.colliders[0].pose;
  inputs1[pose + 11] += 1.4;
  EXPECT_NEAR(model::pose_at(inputs1, pose)({0, 0, 0})[2], 1.4, 1e-12);
  Detector detector(model);
  ContactSet set;
  detector.find({model.X, inputs0, model.X, inputs1, 0.01}, set);
  const Pair* corner = nullptr;
  for (const Pair& pair : set.pairs) {
    EXPECT_EQ(pair.collider, 0);
    if (!pair.edges && pair.gap < -0.999) corner = &pair;
  }
  ASSERT_NE(corner, nullptr);
  EXPECT_NEAR(corner->gap, -1, 1e-9);
  EXPECT_NEAR(corner->normal[2], 1, 1e-9);
  // As far as below the sheet nothing is pierced.
  inputs1[pose + 11] = 0.39;
  detector.find({model.X, inputs0, model.X, inputs1, 0}, set);
  EXPECT_FALSE(set.pairs.empty());
  for (const Pair& pair : set.pairs) {
    EXPECT_GE(pair.gap, 0.01 - 1e-9);
    EXPECT_NEAR(pair.normal[2], 1, 1e-9);
  }
}

// Solids have the pairs of their vertices alone.
TEST(ColliderFeatures, AreForSheetsAlone) {
  Model model;
  sample::add_box(model, {1, 1, 1}, {1, 1, 1}, {0, 0, 0});
  Collider collider = shape(Shape::box, {0.1, 0.1, 0.1});
  collider.transform = on_corner({0.4, 0.3, -0.001});
  sample::add_collider(model, collider);
  sample::meet(model, {true, 0, h, 0});
  EXPECT_TRUE(sample::find(model, model.X, model.X).empty());
}

// The derivatives of gaps by the corners of the sheet, against differences, outside and where the sheet is pierced.
TEST(ColliderFeatures, DerivativesOfTheGapAgreeWithDifferences) {
  const Pose pose = on_corner({0.02, 0.01, 0});
  for (const bool edges : {false, true})
    for (const double height : {0.03, -0.02})
      for (const Collider& collider :
           {shape(Shape::box, {0.1, 0.1, 0.1}), shape(Shape::capsule, {0.05, 0.2, 0})}) {
        Model model;
        sample::add_collider(model, collider);
        model.colliders[0].transform = collider.shape == Shape::box && edges ? on_edge({0, 0, 0}) : pose;
        const ColliderShapes shapes(model);
        const ColliderFeatures features(model.colliders[0], shapes, 0);
        const std::vector<double> inputs = sample::inputs_of(model);
        std::vector<Vec3d> sheet =
            edges ? std::vector<Vec3d>{{0.01, -0.3, 0.01}, {-0.02, 0.2, -0.01}}
                  : std::vector<Vec3d>{{-0.3, -0.2, 0.01}, {0.4, -0.25, 0}, {0.03, 0.5, 0.02}};
        for (Vec3d& p : sheet) p[2] += height;
        const int32_t count = static_cast<int32_t>(sheet.size());
        const int64_t all = edges ? features.edge_tree().size() : features.corner_tree().size();
        int signs = 0;
        for (int32_t i = 0; i < all; ++i) {
          const auto gap = [&](const std::vector<Vec3d>& p) {
            return features.separation(edges, i, features.corners(edges, i, inputs, p), -1, inputs);
          };
          const Separation here = gap(sheet);
          signs |= here.apart < 0 ? 2 : 1;
          CornerBlocks K;
          second_derivatives(here, K);
          const double step = 1e-5;
          for (int32_t k = 0; k < count; ++k)
            for (int c = 0; c < 3; ++c) {
              std::vector<Vec3d> up = sheet, down = sheet;
              up[k][c] += step;
              down[k][c] -= step;
              const Separation high = gap(up), low = gap(down);
              EXPECT_NEAR((high.distance - low.distance) / (2 * step), here.normal[c] * here.weight[k], 1e-7);
              for (int32_t l = 0; l < count; ++l) {
                const Vec3d slope = (high.normal * high.weight[l] - low.normal * low.weight[l]) / (2 * step);
                for (int r = 0; r < 3; ++r)
                  EXPECT_NEAR(slope[r], K[l][k](r, c), 1e-5 * (1 + std::abs(K[l][k](r, c))));
              }
            }
        }
        if (collider.shape == Shape::box) {
          EXPECT_EQ(signs & 2, height < 0 ? 2 : 0);
        }
      }
}

}  // namespace
}  // namespace sinew::contact
