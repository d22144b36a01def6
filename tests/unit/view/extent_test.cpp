#include "view/extent.h"

#include <gtest/gtest.h>

namespace sinew::view {
namespace {

using math::Vec3d;

struct Scene {
  model::Model model;
  std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Scene() {
    model::Body body;
    body.nodes = {0, 4};
    model.bodies.push_back(body);
  }
  void add(model::Collider::Shape shape, const Vec3d& size, const Vec3d& at) {
    model::Collider collider;
    collider.shape = shape;
    collider.size = size;
    collider.transform.b = at;
    collider.pose = model.inputs.add_pose("still", {model::PoseKey{}});
    model.colliders.push_back(collider);
  }
  mesh::Bounds box() {
    std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
    model.inputs.evaluate(0, inputs);
    return extent_of(model, x, inputs);
  }
};

void expect_box(const mesh::Bounds& box, const Vec3d& low, const Vec3d& high) {
  EXPECT_NEAR(norm(box.low - low), 0, 1e-12);
  EXPECT_NEAR(norm(box.high - high), 0, 1e-12);
}

TEST(Extent, colliders_count_where_they_are_near) {
  using Shape = model::Collider::Shape;
  Scene scene;
  expect_box(scene.box(), {0, 0, 0}, {1, 1, 1});
  scene.add(Shape::plane, {}, {0, -100, 0});
  scene.add(Shape::box, {1, 1, 1}, {50, 0, 0});
  expect_box(scene.box(), {0, 0, 0}, {1, 1, 1});
  scene.add(Shape::box, {0.1, 0.1, 0.1}, {0.5, -0.1, 0.5});
  expect_box(scene.box(), {0, -0.2, 0}, {1, 1, 1});
  scene.add(Shape::box, {70, 0.1, 0.1}, {0.5, 0.5, 0.5});
  const double reach = 0.3 * std::sqrt(3.0);
  expect_box(scene.box(), {-reach, -0.2, 0}, {1 + reach, 1, 1});
}

TEST(Extent, grows_beyond_what_left_it_and_then_rests) {
  mesh::Bounds box = {{0, 0, 0}, {1, 1, 1}};
  EXPECT_FALSE(grow(box, {{0.2, 0, 0}, {0.5, 1, 1}}));
  EXPECT_TRUE(grow(box, {{0, -0.5, 0}, {0, 0.5, 0}}));
  expect_box(box, {0, -0.75, 0}, {1, 1, 1});
  EXPECT_FALSE(grow(box, {{0, -0.7, 0}, {0, 0.5, 0}}));
  EXPECT_TRUE(same(box, unite(box, {{0, 0, 0}, {0, 0, 0}})));
  EXPECT_FALSE(same(box, {{0, -0.75, 0}, {1, 1, 2}}));
}

}  // namespace
}  // namespace sinew::view
