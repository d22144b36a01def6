#include "contact/collider_pairs.h"

#include <cmath>
#include <map>

#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

using model::Collider;
using model::Model;
using Shape = Collider::Shape;

constexpr double h = 0.01, edge = 0.2;

// A cube of 0.2 m, one cell, with its lowest corner at `at`, and one collider.
Model cube(const Vec3d& at, const Collider& collider) {
  Model model;
  sample::add_box(model, {edge, edge, edge}, {1, 1, 1}, at);
  sample::add_collider(model, collider);
  sample::meet(model, {true, 0.4, h, 0});
  return model;
}

Collider shape(Shape kind, const Vec3d& size, bool hollow = false) {
  Collider collider;
  collider.shape = kind;
  collider.size = size;
  collider.hollow = hollow;
  return collider;
}

Collider box_mesh(const Vec3d& half) {
  Collider collider;
  collider.shape = Shape::mesh;
  const auto box = mesh::make_box({.size = half * 2.0, .cells = {2, 2, 2}});
  for (const Vec3d& x : box->vertices) collider.points.push_back(x - half);
  collider.triangles = mesh::boundary(*box).triangles;
  return collider;
}

TEST(ColliderPairs, EachShapeGivesItsGapAndNormal) {
  // The cube hovers 0.005 above the top of each shape; its four lower vertices meet it where that is flat.
  const double gap = 0.005, top = 0.3;
  const std::vector<std::pair<Collider, int64_t>> list = {{shape(Shape::plane, {0, 0, 0}), 4},
                                                          {shape(Shape::box, {1, 1, top}), 4},
                                                          {shape(Shape::cylinder, {1, top, 0}), 4},
                                                          {box_mesh({1, 1, top}), 4}};
  for (const auto& [collider, expected] : list) {
    const double z = collider.shape == Shape::plane ? 0 : top;
    const Model model = cube({0.1, 0.1, z + gap}, collider);
    const auto pairs = sample::find(model, model.X, model.X);
    EXPECT_EQ(static_cast<int64_t>(pairs.size()), expected);
    for (const Pair& pair : pairs) {
      EXPECT_EQ(pair.collider, 0);
      EXPECT_EQ(pair.body[1], 1);
      EXPECT_NEAR(pair.gap, gap, 1e-12);
      EXPECT_NEAR(norm(pair.normal - Vec3d{0, 0, 1}), 0, 1e-9);
      EXPECT_NEAR(norm(pair.point - (model.X[pair.node[0]] - Vec3d{0, 0, gap})), 0, 1e-12);
      EXPECT_NEAR(norm(pair.start - Vec3d{0, 0, gap}), 0, 1e-12);
      EXPECT_EQ(pair.friction, 0.4);
      EXPECT_EQ(pair.thickness, h);
    }
  }
}

TEST(ColliderPairs, RoundShapes) {
  const double r = 0.5;
  for (const Collider& collider : {shape(Shape::sphere, {r, 0, 0}), shape(Shape::capsule, {r, 0.3, 0})}) {
    const double z = collider.shape == Shape::sphere ? r : r + 0.3;
    const Model model = cube({0, 0, z - 0.02}, collider);  // one corner is inside, on the axis
    int64_t found = 0;
    for (const Pair& pair : sample::find(model, model.X, model.X)) {
      const Vec3d from = model.X[pair.node[0]] - Vec3d{0, 0, z - r};
      EXPECT_NEAR(pair.gap, norm(from) - r, 1e-12);
      EXPECT_NEAR(norm(pair.normal - normalized(from)), 0, 1e-12);
      found += pair.gap < 0;
    }
    EXPECT_EQ(found, 1);
  }
}

TEST(ColliderPairs, DefaultStiffness) {
  const Model model = cube({0, 0, 0.005}, shape(Shape::plane, {}));
  const Surface surface(model);
  const auto mass = model.lumped_mass(model.params);
  for (const Pair& pair : sample::find(model, model.X, model.X, 0.01)) {
    const double area = surface.area[surface.vertex_of_point[pair.node[0]]];
    EXPECT_NEAR(pair.stiffness, 100 * sample::young * std::sqrt(area) + 10 * mass[pair.node[0]] / 1e-4,
                1e-6 * pair.stiffness);
  }
}

TEST(ColliderPairs, NothingTunnelsThroughThinShapes) {
  const double half = 5e-4;
  for (const Collider& collider :
       {shape(Shape::box, {1, 1, half}), shape(Shape::cylinder, {1, half, 0}), box_mesh({1, 1, half})})
    for (double fall : {0.05 + half, 0.06, 0.2, 5.0}) {
      const Model model = cube({0.03, 0.02, half + 0.05}, collider);
      const auto x1 = sample::moved(model, model.X, 0, {0.01, 0.02, -fall - half});
      int64_t stopped = 0;
      for (const Pair& pair : sample::find(model, model.X, x1)) {
        EXPECT_GT(pair.normal[2], 0.99) << fall;
        stopped += pair.gap < 0;
      }
      EXPECT_EQ(stopped, fall > 0.3 ? 8 : 4) << fall;
    }
}

TEST(ColliderPairs, AMovingColliderPushes) {
  Model model = cube({0, 0, 0.1}, shape(Shape::box, {1, 1, 0.001}));
  const std::vector<double> start = sample::inputs_of(model);
  std::vector<double> end = start;
  end[11] += 0.5;  // the last of the translation
  Detector detector(model);
  ContactSet set;
  detector.find({model.X, start, model.X, end, 0}, set);
  EXPECT_EQ(set.pairs.size(), 8u);
  for (const Pair& pair : set.pairs) {
    EXPECT_GT(pair.normal[2], 0.99);
    EXPECT_LT(pair.gap, 0);
    EXPECT_NEAR(pair.point[2], 0.001, 1e-3);  // of the plate at rest
    EXPECT_NEAR(pair.start[2], model.X[pair.node[0]][2] - pair.point[2], 1e-12);
  }
}

TEST(ColliderPairs, CornersOfHollowShapesHaveSeveralWalls) {
  // The cube sits in the corner of a glass box, 0.005 from three of its walls.
  const double gap = 0.005;
  Model model = cube({-0.5 + gap, -0.5 + gap, -0.5 + gap}, shape(Shape::box, {0.5, 0.5, 0.5}, true));
  std::map<int32_t, Vec3d> push;
  const auto pairs = sample::find(model, model.X, model.X);
  for (const Pair& pair : pairs) {
    EXPECT_NEAR(pair.gap, gap, 1e-12);
    push[pair.node[0]] += pair.normal;
  }
  EXPECT_EQ(pairs.size(), 12u);
  EXPECT_NEAR(norm(push.at(0) - Vec3d{1, 1, 1}), 0, 1e-12);

  model = cube({0.5 - gap - edge, 0, -0.5 + gap}, shape(Shape::cylinder, {0.5, 0.5, 0}, true));
  for (const Pair& pair : sample::find(model, model.X, model.X)) {
    const Vec3d x = model.X[pair.node[0]];
    const bool floor = std::abs(pair.normal[2]) > 0.5;
    EXPECT_NEAR(pair.gap, floor ? x[2] + 0.5 : 0.5 - std::hypot(x[0], x[1]), 1e-12);
  }
}

TEST(ColliderPairs, HeldVerticesDoNotMeet) {
  Model model = cube({0, 0, 0.005}, shape(Shape::plane, {}));
  model::Attachment attachment;
  attachment.nodes = {0, 1};
  model.attachments.push_back(attachment);
  EXPECT_EQ(sample::find(model, model.X, model.X).size(), 2u);
}

}  // namespace
}  // namespace sinew::contact
