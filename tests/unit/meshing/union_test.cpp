// Two bodies whose surfaces cross are meshed as each of them alone: the strongest single test of the mesher, since the mesh of a
// body that does not cross itself is known.
#include <functional>
#include <gtest/gtest.h>
#include <numbers>

#include "gridded.h"
#include "math/mat.h"
#include "math/random.h"
#include "meshing/grid_mesher.h"

namespace sinew::meshing {
namespace {

using namespace tests;

struct Body {
  mesh::TriMesh surface;
  std::function<bool(const Vec3d&)> contains;
};

Body random_body(const math::Random& random) {
  const double kind = random.uniform(0);
  const Vec3d size = {random.uniform(1, 0.35, 0.7), random.uniform(2, 0.35, 0.7),
                      random.uniform(3, 0.35, 0.7)};
  const Vec3d centre = {random.uniform(4, -0.4, 0.4), random.uniform(5, -0.4, 0.4),
                        random.uniform(6, -0.4, 0.4)};
  // A random turn, from a unit quaternion.
  double q[4], length = 0;
  for (int k = 0; k < 4; ++k) length += std::pow(q[k] = random.normal(7 + k), 2);
  for (double& value : q) value /= std::sqrt(length);
  const Vec3d axis = {q[1], q[2], q[3]};
  const auto turn = [=](const Vec3d& x, double sign) {
    const Vec3d t = 2.0 * math::cross(axis * sign, x);
    return x + t * q[0] + math::cross(axis * sign, t);
  };
  const auto placed = [&](const Vec3d& x) { return centre + turn(x, 1); };
  const auto back = [=](const Vec3d& x) { return turn(x - centre, -1); };
  if (kind < 0.34)
    return {mesh::moved(box({-size[0], -size[1], -size[2]}, size, 6), placed), [=](const Vec3d& x) {
              const Vec3d y = back(x);
              return std::abs(y[0]) < size[0] && std::abs(y[1]) < size[1] && std::abs(y[2]) < size[2];
            }};
  if (kind < 0.67)
    return {mesh::moved(mesh::sphere_surface(10), [&](const Vec3d& x) { return placed(x * size[0]); }),
            [=](const Vec3d& x) { return math::norm(back(x)) < size[0]; }};
  const double major = 0.6, minor = 0.4 * size[0];
  return {mesh::moved(mesh::torus_surface(major, minor, 36, 14), placed), [=](const Vec3d& x) {
            const Vec3d y = back(x);
            return std::hypot(std::hypot(y[0], y[1]) - major, y[2]) < minor;
          }};
}

bool crosses(const Body& a, const Body& b) {
  bool in = false, out = false;
  for (const Vec3d& x : b.surface.vertices) (a.contains(x) ? in : out) = true;
  return in && out;
}

TEST(Union, IsMeshedAsItsBodies) {
  constexpr double cell = 0.1;
  int pairs = 0;
  for (uint64_t number = 0; pairs < 200; ++number) {
    const Body a = random_body(math::Random(11).stream(2 * number));
    const Body b = random_body(math::Random(11).stream(2 * number + 1));
    if (!crosses(a, b)) continue;
    ++pairs;
    SCOPED_TRACE(testing::Message() << "pair " << number);
    const auto of_a = grid_of<3>(surface_of(a.surface), cell), of_b = grid_of<3>(surface_of(b.surface), cell);
    const auto both = grid_of<3>(surface_of(mesh::joined(a.surface, b.surface)), cell);
    ASSERT_TRUE(of_a && of_b && both);
    auto layers = layers_of<3>(of_a->mesh);
    for (const auto& [at, count] : layers_of<3>(of_b->mesh)) layers[at] += count;
    EXPECT_EQ(layers_of<3>(both->mesh), layers);
    // No vertex is shared: there are as many as in both together.
    EXPECT_EQ(both->mesh.nodes.size(), of_a->mesh.nodes.size() + of_b->mesh.nodes.size());
    EXPECT_NEAR(both->report.volume, of_a->report.volume + of_b->report.volume, 1e-9);
    EXPECT_TRUE(both->report.mismatches.empty());
  }
}

}  // namespace
}  // namespace sinew::meshing
