#include "geometry/mesh_distance.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "base/parallel.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Mesh {
  std::vector<Vec3d> points;
  std::vector<Triangle> triangles;
};

// The surface of [0, 1]^3, `cells` squares along each edge.
Mesh cube(int32_t cells) {
  const auto box = mesh::make_box({.size = {1, 1, 1}, .cells = {cells, cells, cells}});
  const auto surface = mesh::boundary_surface(*box);
  return {surface.mesh.vertices, surface.mesh.elements};
}

double distance_to_cube(const Vec3d& p) {
  Vec3d q;
  for (int i = 0; i < 3; ++i) q[i] = std::abs(p[i] - 0.5) - 0.5;
  const double inside = std::max({q[0], q[1], q[2]});
  if (inside < 0) return inside;
  return norm(Vec3d{std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)});
}

// A star-shaped body whose radius changes by a half: dents and spikes.
Mesh star(int32_t cells) {
  Mesh mesh = cube(cells);
  for (Vec3d& x : mesh.points) {
    const Vec3d d = normalized(x - Vec3d{0.5, 0.5, 0.5});
    x = d * (1 + 0.5 * std::sin(7 * d[0]) * std::cos(5 * d[1] + 3 * d[2]));
  }
  return mesh;
}

std::vector<Vec3d> random_points(int count, double low, double high, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(low, high);
  std::vector<Vec3d> points(count);
  for (Vec3d& p : points) p = {unit(random), unit(random), unit(random)};
  return points;
}

TEST(MeshDistance, OfACubeIsTheClosedForm) {
  for (int32_t cells : {1, 4}) {
    const Mesh mesh = cube(cells);
    const MeshDistance distance(mesh.points, mesh.triangles);
    for (const Vec3d& p : random_points(2000, -1, 2, 1)) {
      const auto found = distance.closest(p, infinity);
      EXPECT_NEAR(found.distance, distance_to_cube(p), 1e-14);
      EXPECT_NEAR(norm(found.point - p), std::abs(found.distance), 1e-14);
      EXPECT_NEAR(norm(found.normal), 1, 1e-14);
      EXPECT_NEAR(distance_to_cube(found.point), 0, 1e-15);
    }
  }
}

TEST(MeshDistance, PointsBesideCornersAndEdgesAreOutside) {
  const Mesh mesh = cube(3);
  const MeshDistance distance(mesh.points, mesh.triangles);
  for (double gap : {1e-3, 1e-8, 0.5}) {
    EXPECT_NEAR(distance.closest({1 + gap, 1 + gap, 1 + gap}, infinity).distance, gap * std::sqrt(3.0),
                1e-15);
    EXPECT_NEAR(distance.closest({1 + gap, -gap, 0.4}, infinity).distance, gap * std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(distance.closest({1 - gap, 1 - gap, 0.5}, infinity).distance, -gap, 1e-15);
  }
  EXPECT_EQ(distance.closest({1, 1, 1}, infinity).distance, 0);
}

// The sign of a body with dents and spikes, from the count of crossings along a ray.
TEST(MeshDistance, SignAgreesWithRaysAndWindingNumber) {
  const Mesh mesh = star(6);
  const MeshDistance distance(mesh.points, mesh.triangles);
  int inside = 0;
  for (const Vec3d& p : random_points(2000, -1.5, 1.5, 2)) {
    const Vec3d ray = {0.3, 0.5, 0.81};
    int crossings = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
      const Vec3d a = mesh.points[i] - p, b = mesh.points[j] - p, c = mesh.points[k] - p;
      const double u = dot(ray, cross(b, c)), v = dot(ray, cross(c, a)), w = dot(ray, cross(a, b));
      if ((u > 0) == (v > 0) && (v > 0) == (w > 0))
        crossings += dot(u * a + v * b + w * c, ray) / (u + v + w) > 0;
    }
    inside += crossings % 2;
    EXPECT_EQ(distance.closest(p, infinity).distance < 0, crossings % 2 == 1);
    EXPECT_NEAR(distance.winding_number(p), crossings % 2, 1e-12);
  }
  EXPECT_GT(inside, 200);
}

TEST(MeshDistance, ClosestIsTheLeastOfAllTriangles) {
  const Mesh mesh = star(5);
  const MeshDistance distance(mesh.points, mesh.triangles);
  for (const Vec3d& p : random_points(300, -2, 2, 3)) {
    double least = infinity;
    int32_t best = -1;
    for (int32_t t = 0; t < static_cast<int32_t>(mesh.triangles.size()); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      const double d = closest_on_triangle(p, mesh.points[a], mesh.points[b], mesh.points[c]).distance2;
      if (d < least) least = d, best = t;
    }
    const auto found = distance.closest(p, infinity);
    EXPECT_EQ(found.on.distance2, least);
    EXPECT_EQ(found.triangle, best);
    const double exact = std::sqrt(least);
    EXPECT_EQ(distance.closest(p, exact).triangle, best);
    EXPECT_EQ(distance.closest(p, exact * (1 - 1e-12)).triangle, -1);
  }
}

TEST(MeshDistance, OpenMeshesTakeTheWindingNumber) {
  Mesh mesh = cube(4);
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return mesh.points[t[0]][2] == 1 && mesh.points[t[1]][2] == 1 && mesh.points[t[2]][2] == 1;
  });
  EXPECT_FALSE(Pseudonormals(mesh.triangles).closed());
  const MeshDistance distance(mesh.points, mesh.triangles);
  EXPECT_NEAR(distance.winding_number({0.5, 0.5, 0.5}), 5.0 / 6,
              1e-14);  // a face of a cube is a sixth of all
  EXPECT_LT(distance.closest({0.5, 0.5, 0.4}, infinity).distance, 0);
  EXPECT_GT(distance.closest({0.5, 0.5, 1.5}, infinity).distance, 0);
  EXPECT_GT(distance.closest({1.2, 0.5, 0.5}, infinity).distance, 0);

  // One triangle, and what lies above and below.
  const Mesh one = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const MeshDistance single(one.points, one.triangles);
  EXPECT_NEAR(single.closest({0.2, 0.2, 3}, infinity).distance, 3, 1e-15);
  EXPECT_EQ(single.closest({0.2, 0.2, 3}, 3).triangle, 0);
  EXPECT_EQ(single.closest({0.2, 0.2, 3}, 2.99).triangle, -1);
}

TEST(MeshDistance, OfNothingFindsNothing) {
  const MeshDistance distance({}, {});
  EXPECT_EQ(distance.closest({1, 2, 3}, infinity).triangle, -1);
  EXPECT_EQ(distance.winding_number({1, 2, 3}), 0);
}

TEST(MeshDistance, TrianglesWithoutAreaDoNoHarm) {
  Mesh mesh = cube(2);
  // All corners at one point, and a needle: it makes the mesh open, by its edges.
  const auto n = static_cast<int32_t>(mesh.points.size());
  mesh.points.push_back({0.5, 0.5, 1});
  mesh.points.push_back({0.7, 0.5, 1});
  mesh.triangles.push_back({n, n, n});
  mesh.triangles.push_back({n, n + 1, n});
  const MeshDistance distance(mesh.points, mesh.triangles);
  for (const Vec3d& p : random_points(500, -1, 2, 4)) {
    const auto found = distance.closest(p, infinity);
    EXPECT_NEAR(found.distance, distance_to_cube(p), 1e-14);
    EXPECT_NEAR(norm(found.normal), 1, 1e-14);
  }
}

TEST(MeshDistance, NotANumberFindsNothing) {
  const Mesh mesh = cube(2);
  const MeshDistance distance(mesh.points, mesh.triangles);
  EXPECT_EQ(distance.closest({std::nan(""), 0, 0}, infinity).triangle, -1);
}

// At a corner of a cube three right angles meet, whatever the triangles are: the normal is the diagonal.
TEST(Pseudonormals, OfACube) {
  const Mesh mesh = cube(2);
  Pseudonormals normals(mesh.triangles);
  EXPECT_TRUE(normals.closed());
  normals.update(mesh.points);
  for (int32_t t = 0; t < static_cast<int32_t>(mesh.triangles.size()); ++t)
    for (int32_t feature = 1; feature <= 7; ++feature) {
      // Each side that all corners of the feature lie on counts once.
      Vec3d expected = {0, 0, 0};
      for (int i = 0; i < 3; ++i)
        for (double side : {0.0, 1.0}) {
          bool on = true;
          for (int k = 0; k < 3; ++k)
            if (feature >> k & 1) on = on && mesh.points[mesh.triangles[t][k]][i] == side;
          if (on) expected[i] += 2 * side - 1;
        }
      EXPECT_NEAR(norm(normals.normal(t, feature) - normalized(expected)), 0, 1e-14) << t << " " << feature;
    }
}

TEST(Pseudonormals, AnglesWeigh) {
  // A fan around the origin over a quarter, cut unevenly, and a wall: as if the fan were one triangle.
  const double a = 0.1;
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {std::cos(a), std::sin(a), 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  Pseudonormals normals(triangles);
  EXPECT_FALSE(normals.closed());
  normals.update(x);
  EXPECT_NEAR(norm(normals.normal(0, 1) - normalized(Vec3d{1, 0, 1})), 0, 1e-15);
  EXPECT_NEAR(norm(normals.normal(1, 5) - normalized(Vec3d{1, 0, 1})), 0, 1e-15);
  EXPECT_NEAR(norm(normals.normal(0, 3) - Vec3d{0, 0, 1}), 0, 1e-15);
}

TEST(Pseudonormals, SidesThatFoldFlatOrTurnAroundAreNotClosedOrTakeOneNormal) {
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  Pseudonormals flat(std::vector<Triangle>{{0, 1, 2}, {0, 2, 1}});
  EXPECT_TRUE(flat.closed());
  flat.update(x);
  for (int32_t feature = 1; feature <= 7; ++feature)
    EXPECT_NEAR(std::abs(flat.normal(0, feature)[2]), 1, 1e-15);
  EXPECT_FALSE(Pseudonormals(std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}}).closed());
}

TEST(MeshDistance, SameForAnyNumberOfThreads) {
  const Mesh mesh = star(40);
  const auto asked = random_points(200, -1.5, 1.5, 5);
  std::vector<std::array<double, 4>> first;
  for (int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    const MeshDistance distance(mesh.points, mesh.triangles);
    std::vector<std::array<double, 4>> found;
    for (const Vec3d& p : asked) {
      const auto f = distance.closest(p, infinity);
      found.push_back({f.distance, f.normal[0], f.normal[1], f.normal[2]});
    }
    if (threads == 1) first = found;
    EXPECT_EQ(found, first);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::geometry
