#include "mesh/lattice.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "closed_surface.h"
#include "mesh/properties.h"
#include "random_solid.h"

namespace sinew::mesh {
namespace {

using Kind = Solid::Kind;

Solid ball(double radius, const Vec3d& centre = {0, 0, 0}) {
  return {.kind = Kind::ellipsoid, .size = Vec3d::filled(radius), .centre = centre};
}
Solid plate_with_hole() {
  return {
      .kind = Kind::subtract,
      .parts = {{.kind = Kind::box, .size = {0.5, 0.4, 0.2}}, {.kind = Kind::cylinder, .size = {0.2, 1, 0}}}};
}
Solid two_balls() { return {.kind = Kind::unite, .parts = {ball(1), ball(0.75, {1.1, 0.2, -0.1})}}; }

// Angles between the planes of the faces at each edge, from the two corners off the edge.
struct Angles {
  double least = 180, largest = 0;
};
Angles dihedral_angles(const TetMesh& mesh) {
  Angles angles;
  for (const auto& tet : mesh.elements)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) {
        const int c = (a != 0 && b != 0) ? 0 : (a != 1 && b != 1) ? 1 : 2, d = 6 - a - b - c;
        const Vec3d axis = normalized(mesh.vertices[tet[b]] - mesh.vertices[tet[a]]);
        Vec3d side[2] = {mesh.vertices[tet[c]] - mesh.vertices[tet[a]],
                         mesh.vertices[tet[d]] - mesh.vertices[tet[a]]};
        for (Vec3d& s : side) s = normalized(s - axis * dot(axis, s));
        const double degrees = std::acos(std::clamp(dot(side[0], side[1]), -1.0, 1.0)) * 180 / M_PI;
        angles.least = std::min(angles.least, degrees);
        angles.largest = std::max(angles.largest, degrees);
      }
  return angles;
}

void expect_sound(const TetMesh& mesh, double least, double largest) {
  for (const auto& tet : mesh.elements) ASSERT_GT(tet_volume(mesh.vertices, tet), 0);
  const Angles angles = dihedral_angles(mesh);
  EXPECT_GT(angles.least, least);
  EXPECT_LT(angles.largest, largest);
  EXPECT_EQ(mesh.vertex_groups.at("surface"), boundary_surface(mesh).vertex);
}

// At every vertex of the surface the triangles form one fan, closed.
void expect_one_fan_each(const TetMesh& mesh) {
  const Surface surface = boundary_surface(mesh);
  std::vector<std::map<int32_t, int32_t>> next(surface.mesh.vertices.size());
  for (const auto& t : surface.mesh.elements)
    for (int k = 0; k < 3; ++k) {
      const bool fresh = next[t[k]].emplace(t[(k + 1) % 3], t[(k + 2) % 3]).second;
      ASSERT_TRUE(fresh);
    }
  for (const auto& fan : next) {
    int32_t at = fan.begin()->first;
    size_t steps = 0;
    do {
      ASSERT_EQ(fan.count(at), 1u);
      at = fan.at(at);
      ++steps;
    } while (at != fan.begin()->first && steps <= fan.size());
    ASSERT_EQ(steps, fan.size());
  }
}

// Errors of the volume at cells h, h/2, h/4; the least order seen.
double order(const Solid& solid, double exact, double h) {
  double error[3];
  for (int k = 0; k < 3; ++k) {
    const auto mesh = make_lattice({solid, h / (1 << k)});
    if (!mesh) return 0;
    error[k] = std::abs(total_volume(*mesh) - exact);
  }
  return std::min(std::log2(error[0] / error[1]), std::log2(error[1] / error[2]));
}

TEST(Lattice, VolumesConverge) {
  EXPECT_GT(order(ball(1), 4.0 / 3 * M_PI, 0.3), 1.5);
  EXPECT_GT(order(plate_with_hole(), 0.8 * 0.4 - M_PI * 0.04 * 0.4, 0.1), 1.5);
  // Two balls less the lens between them: its height over each ball from the plane of their circle.
  const double d = std::sqrt(1.1 * 1.1 + 0.2 * 0.2 + 0.1 * 0.1), R = 1, r = 0.75;
  const double lens =
      M_PI * std::pow(R + r - d, 2) * (d * d + 2 * d * (r + R) - 3 * (r - R) * (r - R)) / (12 * d);
  EXPECT_GT(order(two_balls(), 4.0 / 3 * M_PI * (R * R * R + r * r * r) - lens, 0.3), 1);
}

TEST(Lattice, SurfacesHaveTheirTopology) {
  const struct {
    Solid solid;
    double cell;
    int euler;
  } cases[] = {{ball(1), 0.2, 2},
               {two_balls(), 0.2, 2},
               {{.kind = Kind::torus, .size = {1, 0.4, 0}}, 0.15, 0},
               {plate_with_hole(), 0.07, 0},
               {{.kind = Kind::capsule, .size = {0.5, 0.6, 0}}, 0.15, 2},
               {{.kind = Kind::subtract, .parts = {ball(1), ball(0.5)}}, 0.15, 4},
               {{.kind = Kind::unite, .parts = {ball(1), ball(1, {3, 0, 0})}}, 0.3, 4}};
  for (const auto& c : cases) {
    const auto mesh = make_lattice({c.solid, c.cell});
    ASSERT_TRUE(mesh) << mesh.error().what;
    expect_closed(*mesh, c.euler);
    expect_sound(*mesh, 15, 150);
    for (int32_t id : mesh->vertex_groups.at("surface"))
      EXPECT_LT(std::abs(value(c.solid, mesh->vertices[id])), 1e-9 * c.cell);
  }
}

TEST(Lattice, ABoxInStepWithTheLatticeIsExact) {
  const auto mesh = make_lattice({{.kind = Kind::box, .size = {0.5, 0.3, 0.2}, .centre = {7, 0, 1}}, 0.1});
  ASSERT_TRUE(mesh);
  EXPECT_NEAR(total_volume(*mesh), 1 * 0.6 * 0.4, 1e-12);
  expect_sound(*mesh, 44.9, 90.1);
  expect_closed(*mesh, 2);
}

TEST(Lattice, PlacementsMoveTheSolid) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Mat3d turn = Mat3d::columns({c, s, 0}, {-s, c, 0}, {0, 0, 1});
  const auto mesh =
      make_lattice({{.kind = Kind::box, .size = {0.6, 0.2, 0.3}, .centre = {1, 2, 3}, .turn = turn}, 0.05});
  ASSERT_TRUE(mesh);
  Vec3d centre = Vec3d::zero();
  for (const auto& tet : mesh->elements)
    for (int32_t node : tet) centre += mesh->vertices[node] * (tet_volume(mesh->vertices, tet) / 4);
  EXPECT_LT(norm(centre / total_volume(*mesh) - Vec3d{1, 2, 3}), 2e-3);
  double reach = 0;
  for (const Vec3d& x : mesh->vertices)
    reach = std::max(reach, std::abs(dot(turn.col(0), x - Vec3d{1, 2, 3})));
  EXPECT_NEAR(reach, 0.6, 0.02);
}

TEST(Lattice, SolidsThatTouchInAnEdgeOrACornerStayManifold) {
  for (const Vec3d& away : {Vec3d{0.4, 0.4, 0}, Vec3d{0.4, 0.4, 0.4}}) {
    const Solid solid{.kind = Kind::unite,
                      .parts = {{.kind = Kind::box, .size = Vec3d::filled(0.2)},
                                {.kind = Kind::box, .size = Vec3d::filled(0.2), .centre = away}}};
    const auto mesh = make_lattice({solid, 0.1});
    ASSERT_TRUE(mesh);
    expect_sound(*mesh, 9.3, 161.7);
    expect_one_fan_each(*mesh);
  }
}

TEST(Lattice, RandomSolidsAreSoundHoweverThin) {
  const math::Random random(5);
  int made = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    uint64_t n = 0;
    const Solid solid = random_solid(random.stream(seed), n, 3);
    const auto mesh = make_lattice({solid, random.stream(seed).uniform(n, 0.08, 0.25)});
    if (!mesh) {
      EXPECT_NE(mesh.error().what.find("lattice: "), std::string::npos) << mesh.error().what;
      continue;
    }
    ++made;
    expect_sound(*mesh, 9.3, 161.7);
    expect_one_fan_each(*mesh);
    const SplitSize size = lattice_size({solid, 0.1});
    EXPECT_GT(size.tets, 0);
  }
  EXPECT_GT(made, 40);
}

TEST(Lattice, EstimateIsOfTheRightSize) {
  for (const Solid& solid : {ball(1), plate_with_hole(), two_balls()}) {
    const auto mesh = make_lattice({solid, 0.04});
    ASSERT_TRUE(mesh);
    const SplitSize size = lattice_size({solid, 0.04});
    EXPECT_GT(size.tets, static_cast<double>(mesh->elements.size()));
    EXPECT_LT(size.tets, 2.5 * static_cast<double>(mesh->elements.size()));
    EXPECT_GT(size.nodes, static_cast<double>(mesh->vertices.size()));
  }
}

TEST(Lattice, SameBitsForAnyNumberOfThreads) {
  const int before = thread_count();
  set_thread_count(1);
  const TetMesh one = *make_lattice({two_balls(), 0.1});
  set_thread_count(3);
  const TetMesh three = *make_lattice({two_balls(), 0.1});
  set_thread_count(before);
  EXPECT_EQ(one.elements, three.elements);
  ASSERT_EQ(one.vertices.size(), three.vertices.size());
  for (size_t i = 0; i < one.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) ASSERT_EQ(one.vertices[i][k], three.vertices[i][k]);
}

TEST(Lattice, BadRequestsAreRefused) {
  const auto expect_error = [](const Lattice& lattice, const char* part, int64_t bytes = default_max_bytes) {
    const auto mesh = make_lattice(lattice, bytes);
    ASSERT_FALSE(mesh) << part;
    EXPECT_NE(mesh.error().what.find(part), std::string::npos) << mesh.error().what;
  };
  expect_error({ball(1), 0}, "cell is 0");
  expect_error({ball(1), std::nan("")}, "cell is nan");
  expect_error({ball(-1), 0.1}, "radius x is -1");
  expect_error({ball(1, {std::nan(""), 0, 0}), 0.1}, "not finite");
  expect_error({ball(1, {1e9, 0, 0}), 0.1}, "too small for coordinates");
  expect_error({ball(1), 1e-5}, "bytes");
  expect_error({ball(1), 0.05}, "at most 1000000 bytes", 1000000);
  expect_error({ball(0.01, {0.3, 0.3, 0.3}), 10}, "thinner than the cell");
  expect_error({{.kind = Kind::torus, .size = {1, 1, 0}}, 0.1}, "minor radius 1 is not below major radius 1");
  expect_error({{.kind = Kind::half_space}, 0.1}, "not bounded");
  expect_error({{.kind = Kind::unite}, 0.1}, "on nothing");
  expect_error({{.kind = Kind::intersect, .parts = {ball(1), ball(1, {5, 0, 0})}}, 0.1}, "nothing in common");
  expect_error({{.kind = Kind::subtract, .parts = {ball(1), ball(2)}}, 0.1}, "thinner than the cell");
  Solid deep = ball(1);
  for (int k = 0; k <= max_solid_depth; ++k) deep = {.kind = Kind::unite, .parts = {deep}};
  expect_error({deep, 0.1}, "nested more than 16 deep");
  expect_error({{.kind = Kind::unite, .parts = std::vector<Solid>(1000, ball(1))}, 0.1},
               "more than 1000 items");
}

}  // namespace
}  // namespace sinew::mesh
