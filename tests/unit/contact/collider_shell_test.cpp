#include "contact/collider_shell.h"

#include <cmath>
#include <gtest/gtest.h>

#include "contact/collider.h"

namespace sinew::contact {
namespace {

using model::Vec3d;
using Shape = model::Collider::Shape;

// By the divergence theorem; positive where the triangles face outwards.
double volume(const Shell& shell) {
  double sum = 0;
  for (const auto& t : shell.triangles)
    sum += dot(shell.points[t[0]], cross(shell.points[t[1]], shell.points[t[2]])) / 6;
  return sum;
}

TEST(ColliderShell, EncloseTheVolumeOfTheCollider) {
  const model::Pose place = {model::rotation(normalized(Vec3d{1, 2, 3}), 0.7), {4, -1, 2}};
  const struct {
    Shape shape;
    Vec3d size;
    double volume;
  } cases[] = {{Shape::sphere, {2, 0, 0}, 4.0 / 3 * M_PI * 8},
               {Shape::capsule, {1, 3, 0}, 4.0 / 3 * M_PI + 6 * M_PI},
               {Shape::cylinder, {1, 3, 0}, 6 * M_PI},
               {Shape::box, {1, 2, 3}, 48}};
  for (const auto& c : cases) {
    model::Collider collider;
    collider.shape = c.shape;
    collider.size = c.size;
    const Shell shell = shell_of(collider, 1);
    EXPECT_NEAR(volume(shell), c.volume, 0.02 * c.volume);
    // Every point is on the surface that contact knows.
    model::Model model;
    collider.transform = place;
    collider.pose =
        model.inputs.add_pose("moved", {{.translate = {1, 2, 0}, .axis = {1, 0, 0}, .angle = 0.3}});
    model.colliders.push_back(collider);
    std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
    model.inputs.evaluate(0, inputs);
    const ColliderShapes shapes(model);
    const model::Pose pose = shell_pose(collider, inputs, {100, 0, 0});
    for (const Vec3d& p : shell.points) EXPECT_NEAR(shapes.nearest(0, pose(p), inputs).distance, 0, 1e-12);
  }
}

TEST(ColliderShell, APlaneIsASquareBelowTheCentre) {
  model::Model model;
  model::Collider plane;
  plane.transform = {model::rotation({1, 0, 0}, -M_PI / 2), {0, 5, 0}};  // its z axis is the world's y
  plane.pose = model.inputs.add_pose("along", {{.translate = {70, 1, 0}}});
  std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
  model.inputs.evaluate(0, inputs);
  const Shell shell = shell_of(plane, 4);
  const model::Pose pose = shell_pose(plane, inputs, {10, 50, -3});
  ASSERT_EQ(shell.points.size(), 4u);
  Vec3d middle = {0, 0, 0};
  for (const Vec3d& p : shell.points) {
    EXPECT_NEAR(pose(p)[1], 6, 1e-12);
    middle += pose(p) * 0.25;
  }
  EXPECT_NEAR(norm(middle - Vec3d{10, 6, -3}), 0, 1e-12);
}

}  // namespace
}  // namespace sinew::contact
