#include "contact/collider.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::contact {
namespace {

using model::Collider;
using Shape = Collider::Shape;
constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<double> identity = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};

model::Model with(Shape shape, const Vec3d& size, bool hollow = false) {
  model::Model model;
  Collider collider;
  collider.shape = shape;
  collider.size = size;
  collider.hollow = hollow;
  model.colliders.push_back(collider);
  return model;
}

// A box of half extents 0.5, 0.4, 0.3 as a mesh.
model::Model with_mesh(bool hollow = false) {
  model::Model model = with(Shape::mesh, {0, 0, 0}, hollow);
  const auto box = mesh::make_box({.size = {1, 0.8, 0.6}, .cells = {3, 2, 2}});
  const auto surface = mesh::boundary_surface(*box);
  for (const Vec3d& x : surface.mesh.vertices) model.colliders[0].points.push_back(x - Vec3d{0.5, 0.4, 0.3});
  model.colliders[0].triangles = surface.mesh.elements;
  return model;
}

struct Case {
  const char* name;
  model::Model model;
  std::function<double(const Vec3d&)> distance;  // closed form
};

double outside_of(std::initializer_list<double> q) {
  double most = -infinity, sum = 0;
  for (double v : q) {
    most = std::max(most, v);
    sum += v > 0 ? v * v : 0;
  }
  return most > 0 ? std::sqrt(sum) : most;
}

std::vector<Case> cases(bool hollow) {
  const auto box = [](const Vec3d& x) {
    return outside_of({std::abs(x[0]) - 0.5, std::abs(x[1]) - 0.4, std::abs(x[2]) - 0.3});
  };
  return {
      {"plane", with(Shape::plane, {0, 0, 0}, hollow), [](const Vec3d& x) { return x[2]; }},
      {"sphere", with(Shape::sphere, {0.7, 0, 0}, hollow), [](const Vec3d& x) { return norm(x) - 0.7; }},
      {"capsule", with(Shape::capsule, {0.3, 0.4, 0}, hollow),
       [](const Vec3d& x) { return std::hypot(x[0], x[1], std::max(std::abs(x[2]) - 0.4, 0.0)) - 0.3; }},
      {"cylinder", with(Shape::cylinder, {0.5, 0.4, 0}, hollow),
       [](const Vec3d& x) {
         return outside_of({std::hypot(x[0], x[1]) - 0.5, std::abs(x[2]) - 0.4});
       }},
      {"box", with(Shape::box, {0.5, 0.4, 0.3}, hollow), box},
      {"mesh", with_mesh(hollow), box},
  };
}

// Special points of all shapes among random ones: centres, axes, faces, edges, corners.
std::vector<Vec3d> points() {
  std::vector<Vec3d> list;
  for (double x : {-0.7, -0.5, 0.0, 0.3, 0.5, 1.0})
    for (double y : {-0.4, 0.0, 0.2, 0.4, 0.6})
      for (double z : {-0.7, -0.4, 0.0, 0.1, 0.3, 0.4, 0.8}) list.push_back({x, y, z});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 500; ++i) list.push_back({unit(random), unit(random), unit(random)});
  return list;
}

TEST(Collider, DistancesAreTheClosedForms) {
  for (bool hollow : {false, true})
    for (const Case& c : cases(hollow)) {
      const ColliderShapes shapes(c.model);
      for (const Vec3d& x : points()) {
        SCOPED_TRACE(testing::Message() << c.name << hollow << " " << x[0] << " " << x[1] << " " << x[2]);
        const Nearest at = shapes.nearest(0, x, identity);
        EXPECT_NEAR(at.distance, (hollow ? -1 : 1) * c.distance(x), 1e-14);
        EXPECT_NEAR(c.distance(at.point), 0, 1e-14);  // on the surface
        EXPECT_NEAR(norm(x - at.point), std::abs(at.distance), 1e-14);
        EXPECT_NEAR(norm(at.normal), 1, 1e-14);
        EXPECT_NEAR(norm(at.point + at.distance * at.normal - x), 0, 1e-14);
        // The shapes are convex: a step out from the closest point goes away from all of them.
        const double stepped = c.distance(at.point + 1e-3 * at.normal);
        if (hollow)
          EXPECT_LE(stepped, 1e-14);
        else
          EXPECT_NEAR(stepped, 1e-3, 1e-14);
      }
    }
}

// Away from the places where the closest feature changes the normals turn as the curvature says.
TEST(Collider, CurvaturesAreTheChangesOfNormals) {
  constexpr double step = 1e-5;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (bool hollow : {false, true})
    for (const Case& c : cases(hollow)) {
      const ColliderShapes shapes(c.model);
      int compared = 0;
      for (int i = 0; i < 300; ++i) {
        const Vec3d x = {unit(random), unit(random), unit(random)};
        const Nearest at = shapes.nearest(0, x, identity);
        if (std::abs(at.distance) < 0.05) continue;
        math::Mat3d difference;
        bool smooth = true;
        for (int a = 0; a < 3; ++a) {
          const Vec3d up = shapes.nearest(0, x + Vec3d::unit(a) * step, identity).normal,
                      down = shapes.nearest(0, x - Vec3d::unit(a) * step, identity).normal;
          smooth &= norm(up - down) < 100 * step;
          for (int b = 0; b < 3; ++b) difference(b, a) = (up - down)[b] / (2 * step);
        }
        // Features meet where second differences are not small.
        for (int a = 0; a < 3 && smooth; ++a) {
          const Vec3d up = shapes.nearest(0, x + Vec3d::unit(a) * step, identity).normal,
                      down = shapes.nearest(0, x - Vec3d::unit(a) * step, identity).normal;
          smooth &= norm(up + down - 2 * at.normal) < 1e4 * step * step;
        }
        if (!smooth) continue;
        ++compared;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            EXPECT_NEAR(at.curvature(a, b), difference(a, b), 1e-6) << c.name << hollow << " " << a << b;
      }
      EXPECT_GT(compared, 100) << c.name;
    }
}

TEST(Collider, PointsOfNoDirectionGetAUnitNormal) {
  for (const Case& c : cases(false)) {
    const ColliderShapes shapes(c.model);
    for (const Vec3d& x :
         {Vec3d{0, 0, 0}, Vec3d{0, 0, 0.2}, Vec3d{0, 0, -0.4}, Vec3d{0, 0, 0.4}, Vec3d{1e-200, 0, 0},
          Vec3d{1e-160, 1e-161, 0}, Vec3d{0.5, 0.4, 0.3}, Vec3d{0.5, 1e-170, 0.3}}) {
      const Nearest at = shapes.nearest(0, x, identity);
      EXPECT_NEAR(norm(at.normal), 1, 1e-14) << c.name;
      EXPECT_NEAR(at.distance, c.distance(x), 1e-14) << c.name;
    }
  }
}

TEST(Collider, NormalsOfEdgesAndCorners) {
  const auto normal = [](const model::Model& model, const Vec3d& x) {
    return ColliderShapes(model).nearest(0, x, identity).normal;
  };
  const model::Model box = with(Shape::box, {1, 1, 1}), cylinder = with(Shape::cylinder, {1, 1, 0});
  EXPECT_NEAR(norm(normal(box, {2, 2, 2}) - normalized(Vec3d{1, 1, 1})), 0, 1e-15);
  EXPECT_NEAR(norm(normal(box, {2, -3, 0}) - normalized(Vec3d{1, -2, 0})), 0, 1e-15);
  EXPECT_NEAR(norm(normal(box, {0.9, 0.1, 0.2}) - Vec3d{1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(normal(cylinder, {0, 2, -3}) - normalized(Vec3d{0, 1, -2})), 0, 1e-15);
  EXPECT_NEAR(norm(normal(cylinder, {0, 2, 0.5}) - Vec3d{0, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(normal(cylinder, {0.1, 0, -5}) - Vec3d{0, 0, -1}), 0, 1e-15);
  // Just outside, where the difference to the closest point is rounding.
  const double beyond = std::nextafter(1.0, 2.0);
  EXPECT_NEAR(norm(normal(cylinder, {0.6 * beyond, 0.8 * beyond, 0.3}) - Vec3d{0.6, 0.8, 0}), 0, 1e-15);
}

// The pose of now after the place at rest.
TEST(Collider, PosesMoveTheShape) {
  const Vec3d axis = normalized(Vec3d{1, 2, -1});
  const model::Pose place = {model::rotation(axis, 0.7), {0.1, -0.2, 0.3}};
  const model::Pose moved = {model::rotation({0, 0, 1}, -1.2), {3, 1, -2}};
  std::vector<double> inputs = {9, 9};  // other inputs first
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) inputs.push_back(moved.A(i, k));
  for (int i = 0; i < 3; ++i) inputs.push_back(moved.b[i]);
  for (bool hollow : {false, true})
    for (Case& c : cases(hollow)) {
      const ColliderShapes still(c.model);
      model::Model model = c.model;
      model.colliders[0].transform = place;
      model.colliders[0].pose = 2;
      const ColliderShapes shapes(model);
      const Box box = shapes.bounds(0, 0.05, inputs);
      for (const Vec3d& x : points()) {
        const Nearest local = still.nearest(0, x, identity);
        const Vec3d world = moved(place(x));
        const Nearest at = shapes.nearest(0, world, inputs);
        EXPECT_NEAR(at.distance, local.distance, 1e-13) << c.name;
        // In the middle between two sides either may be found.
        EXPECT_NEAR(norm(at.point + at.distance * at.normal - world), 0, 1e-13) << c.name;
        EXPECT_TRUE(local.distance > 0.05 || box.meets({world, world})) << c.name;
      }
    }
}

TEST(Collider, BoundsAreTightWhereTheShapeIsFinite) {
  for (const Case& c : cases(false)) {
    const Box box = ColliderShapes(c.model).bounds(0, 0.1, identity);
    const std::string name = c.name;
    const Vec3d expected = name == "plane"      ? Vec3d::filled(infinity)
                           : name == "sphere"   ? Vec3d{0.8, 0.8, 0.8}
                           : name == "capsule"  ? Vec3d{0.4, 0.4, 0.8}
                           : name == "cylinder" ? Vec3d{0.6, 0.6, 0.5}
                                                : Vec3d{0.6, 0.5, 0.4};
    for (int i = 0; i < 3; ++i) {
      if (name == "plane") {
        EXPECT_EQ(box.high[i], infinity);
        continue;
      }
      EXPECT_NEAR(box.high[i], expected[i], 1e-6) << name;
      EXPECT_NEAR(box.low[i], -expected[i], 1e-6) << name;
    }
  }
  for (const Case& c : cases(true)) {
    const Box box = ColliderShapes(c.model).bounds(0, 0.1, identity);
    EXPECT_EQ(box.low[1], -infinity) << c.name;
    EXPECT_EQ(box.high[2], infinity) << c.name;
  }
}

}  // namespace
}  // namespace sinew::contact
