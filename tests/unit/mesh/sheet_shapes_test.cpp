#include "mesh/sheet_shapes.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/texture.h"
#include "sheet_topology.h"

namespace sinew::mesh {
namespace {

constexpr Pattern all_patterns[] = {Pattern::one_way, Pattern::alternating, Pattern::crossed,
                                    Pattern::equilateral};

Vec3d normal_of(const TriMesh& mesh, size_t t) {
  const auto& [a, b, c] = mesh.elements[t];
  return cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
}

// The area of the polygon of n corners on a circle of radius 1.
double polygon_area(double n) { return n / 2 * std::sin(2 * M_PI / n); }

double worst_angle_degrees(const TriMesh& mesh) {
  double worst = 180;
  for (const auto& t : mesh.elements)
    for (int k = 0; k < 3; ++k) {
      const Vec3d a = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]];
      const Vec3d b = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[t[k]];
      worst = std::min(worst, std::atan2(norm(cross(a, b)), dot(a, b)) * 180 / M_PI);
    }
  return worst;
}

void expect_texture_is_plane(const TriMesh& mesh) {
  const Attribute* texture = find_texture(mesh);
  ASSERT_TRUE(texture);
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    for (int k = 0; k < 3; ++k)
      for (int axis = 0; axis < 2; ++axis)
        EXPECT_EQ(texture_corners(*texture, t)[k][axis], mesh.vertices[mesh.elements[t][k]][axis]);
}

// Edges are as long on the texture as in space.
void expect_unfolds(const TriMesh& mesh) {
  const Attribute* texture = find_texture(mesh);
  ASSERT_TRUE(texture);
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const FlatTriangle flat = texture_corners(*texture, t);
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      EXPECT_NEAR(norm(flat[next] - flat[k]),
                  norm(mesh.vertices[mesh.elements[t][next]] - mesh.vertices[mesh.elements[t][k]]), 1e-13);
    }
    const Vec2d u = flat[1] - flat[0], v = flat[2] - flat[0];
    EXPECT_GT(u[0] * v[1] - u[1] * v[0], 0);
  }
}

TEST(SheetShapes, GridsOfEveryPattern) {
  for (const Pattern pattern : all_patterns) {
    const TriMesh mesh = *make_grid_sheet({.size = {2, 3}, .cells = {5, 7}, .pattern = pattern});
    const size_t points[] = {48, 48, 48 + 35, 48 + 4}, triangles[] = {70, 70, 140, 77};
    const auto p = static_cast<int>(pattern);
    EXPECT_EQ(mesh.vertices.size(), points[p]);
    EXPECT_EQ(mesh.elements.size(), triangles[p]);
    const SheetTopology topology = expect_sheet(mesh);
    EXPECT_EQ(topology.euler, 1);
    EXPECT_EQ(topology.borders, pattern == Pattern::equilateral ? 25 : 24);  // the top row is a moved one
    EXPECT_NEAR(total_area(mesh), 6, 1e-13);
    for (size_t t = 0; t < mesh.elements.size(); ++t) EXPECT_GT(normal_of(mesh, t)[2], 0);
    expect_texture_is_plane(mesh);
    for (const auto& [name, axis, end] : {std::tuple("xmin", 0, 0.0), std::tuple("xmax", 0, 2.0),
                                          std::tuple("ymin", 1, 0.0), std::tuple("ymax", 1, 3.0)}) {
      std::vector<int32_t> expected;
      for (size_t i = 0; i < mesh.vertices.size(); ++i)
        if (mesh.vertices[i][axis] == end) expected.push_back(static_cast<int32_t>(i));
      EXPECT_EQ(mesh.vertex_groups.at(name), expected) << name;
    }
    const auto& corner = mesh.vertex_groups.at("xmax_ymin");
    ASSERT_EQ(corner.size(), 1u);
    EXPECT_EQ(norm(mesh.vertices[corner[0]] - Vec3d{2, 0, 0}), 0);
    EXPECT_EQ(mesh.vertex_groups.size(), 8u);
  }
}

TEST(SheetShapes, AlternatingDiagonalsMeetInEverySecondVertex) {
  const TriMesh mesh = *make_grid_sheet({.cells = {4, 4}, .pattern = Pattern::alternating});
  std::vector<int> around(mesh.vertices.size(), 0);
  for (const auto& t : mesh.elements)
    for (const int32_t v : t) ++around[v];
  for (int j = 1; j < 4; ++j)
    for (int i = 1; i < 4; ++i) EXPECT_EQ(around[i + 5 * j], (i + j) % 2 ? 4 : 8);
}

TEST(SheetShapes, EquilateralTrianglesWhereTheSizesFit) {
  const TriMesh mesh =
      *make_grid_sheet({.size = {8, 3 * std::sqrt(3.0)}, .edge = 1, .pattern = Pattern::equilateral});
  EXPECT_EQ(mesh.elements.size(), 6u * 17u);
  size_t equilateral = 0;
  for (const auto& t : mesh.elements) {
    double worst = 0;
    for (int k = 0; k < 3; ++k)
      worst = std::max(worst, std::abs(norm(mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]) - 1));
    equilateral += worst < 1e-13;
  }
  EXPECT_EQ(equilateral, 6u * 15u);  // all but the halves at the ends of the rows
}

TEST(SheetShapes, AnEdgeDecidesTheCells) {
  const TriMesh mesh = *make_grid_sheet({.size = {1, 0.5}, .edge = 0.1});
  EXPECT_EQ(mesh.elements.size(), 100u);
  for (const double edge : {0.2, 0.1}) {
    const TriMesh disc = *make_disc_sheet({.outer = 2, .edge = edge});
    EXPECT_NEAR(std::sqrt(total_area(disc) / static_cast<double>(disc.elements.size()) * 4 / std::sqrt(3.0)),
                edge, 0.06 * edge);
  }
}

TEST(SheetShapes, DiscsAndRings) {
  for (const int32_t m : {1, 2, 7}) {
    const TriMesh disc = *make_disc_sheet({.outer = 3, .cells = m});
    EXPECT_EQ(static_cast<int32_t>(disc.vertices.size()), 1 + 3 * m * (m + 1));
    EXPECT_EQ(static_cast<int32_t>(disc.elements.size()), 6 * m * m);
    EXPECT_EQ(expect_sheet(disc).euler, 1);
    EXPECT_NEAR(total_area(disc), 9 * polygon_area(6 * m), 1e-12);
    for (size_t t = 0; t < disc.elements.size(); ++t) EXPECT_GT(normal_of(disc, t)[2], 0);
    EXPECT_GT(worst_angle_degrees(disc), 40);
    EXPECT_EQ(disc.vertex_groups.at("centre"), std::vector<int32_t>{0});
    EXPECT_EQ(disc.vertex_groups.at("border").size(), 6u * m);
    for (const int32_t v : disc.vertex_groups.at("border")) EXPECT_NEAR(norm(disc.vertices[v]), 3, 1e-15);
    expect_texture_is_plane(disc);
  }
  // Rings half a unit apart from 2 to 4 are rings 4 to 8 of a disc.
  const TriMesh ring = *make_disc_sheet({.inner = 2, .outer = 4, .cells = 4});
  EXPECT_EQ(ring.elements.size(), 6u * (64 - 16));
  EXPECT_EQ(expect_sheet(ring).euler, 0);
  EXPECT_EQ(expect_sheet(ring).borders, 6 * (4 + 8));
  EXPECT_NEAR(total_area(ring), 16 * polygon_area(48) - 4 * polygon_area(24), 1e-12);
  EXPECT_EQ(ring.vertex_groups.at("inner").size(), 24u);
  EXPECT_FALSE(ring.vertex_groups.contains("centre"));

  const TriMesh slit = *make_disc_sheet({.inner = 2, .outer = 4, .cells = 4, .slit = true});
  EXPECT_EQ(slit.vertices.size(), ring.vertices.size() + 5);
  EXPECT_EQ(expect_sheet(slit).euler, 1);
  EXPECT_NEAR(total_area(slit), total_area(ring), 1e-12);
  EXPECT_EQ(slit.vertex_groups.at("start").size(), 5u);
  for (size_t i = 0; i < 5; ++i)
    EXPECT_EQ(norm(slit.vertices[slit.vertex_groups.at("start")[i]] -
                   slit.vertices[slit.vertex_groups.at("end")[i]]),
              0);
}

TEST(SheetShapes, QuartersLieInTheirPlanes) {
  const TriMesh disc = *make_disc_sheet({.inner = 0.3, .outer = 1, .cells = 6, .quarter = true});
  const TriMesh cap = *make_cap_sheet({.radius = 2, .hole_degrees = 18, .cells = 6, .quarter = true});
  const TriMesh whole = *make_disc_sheet({.cells = 6, .quarter = true});
  for (const TriMesh* mesh : {&disc, &cap, &whole}) {
    EXPECT_EQ(expect_sheet(*mesh).euler, 1);
    for (const Vec3d& x : mesh->vertices) EXPECT_GE(std::min(x[0], x[1]), 0);
    for (const auto& [name, axis] : {std::pair("xmin", 0), std::pair("ymin", 1)}) {
      EXPECT_EQ(mesh->vertex_groups.at(name).size(), 7u);
      for (const int32_t v : mesh->vertex_groups.at(name)) EXPECT_EQ(mesh->vertices[v][axis], 0);
    }
  }
  const auto sides = static_cast<double>(disc.vertex_groups.at("border").size() - 1),
             inner = static_cast<double>(disc.vertex_groups.at("inner").size() - 1);
  EXPECT_NEAR(total_area(disc), (polygon_area(4 * sides) - 0.09 * polygon_area(4 * inner)) / 4, 1e-13);
}

TEST(SheetShapes, TubesUnfoldWithoutStrain) {
  for (const Pattern pattern : all_patterns) {
    const TriMesh mesh =
        *make_tube_sheet({.radius = 0.5, .length = 2, .around = 12, .along = 9, .pattern = pattern});
    EXPECT_EQ(mesh.elements.size(), pattern == Pattern::crossed ? 432u : 216u);
    const SheetTopology topology = expect_sheet(mesh);
    EXPECT_EQ(topology.euler, 0);
    EXPECT_EQ(topology.borders, 24);
    for (size_t t = 0; t < mesh.elements.size(); ++t) {
      const Vec3d& x = mesh.vertices[mesh.elements[t][0]];
      EXPECT_NEAR(std::hypot(x[0], x[1]), 0.5, 1e-15);
      EXPECT_GT(dot(normal_of(mesh, t), {x[0], x[1], 0}), 0);
    }
    for (const int32_t v : mesh.vertex_groups.at("bottom")) EXPECT_EQ(mesh.vertices[v][2], 0);
    for (const int32_t v : mesh.vertex_groups.at("top")) EXPECT_EQ(mesh.vertices[v][2], 2);
    EXPECT_EQ(mesh.vertex_groups.size(), 2u);
    if (pattern == Pattern::crossed)
      EXPECT_FALSE(find_texture(mesh));
    else
      expect_unfolds(mesh);
    if (pattern == Pattern::one_way || pattern == Pattern::alternating) {
      EXPECT_NEAR(total_area(mesh), 2 * 12 * 2 * 0.5 * std::sin(M_PI / 12), 1e-13);
    }
  }
  // A quarter, whose ends are in planes.
  const TriMesh arc = *make_tube_sheet({.sweep_degrees = 90, .around = 5, .along = 3});
  EXPECT_EQ(expect_sheet(arc).euler, 1);
  expect_unfolds(arc);
  for (const int32_t v : arc.vertex_groups.at("start")) EXPECT_EQ(arc.vertices[v][1], 0);
  for (const int32_t v : arc.vertex_groups.at("end")) EXPECT_EQ(arc.vertices[v][0], 0);
  EXPECT_FALSE(find_texture(*make_tube_sheet({.sweep_degrees = 90, .pattern = Pattern::equilateral})));
}

TEST(SheetShapes, SpheresConvergeToTheirVolume) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const int32_t n = 6 << k;
    const TriMesh mesh = *make_sphere_sheet({.radius = 2, .cells = n});
    EXPECT_EQ(static_cast<int32_t>(mesh.vertices.size()), 10 * n * n + 2);
    EXPECT_EQ(static_cast<int32_t>(mesh.elements.size()), 20 * n * n);
    EXPECT_EQ(expect_sheet(mesh).euler, 2);
    EXPECT_EQ(expect_sheet(mesh).borders, 0);
    for (const Vec3d& x : mesh.vertices) EXPECT_NEAR(norm(x), 2, 1e-15);
    EXPECT_EQ(norm(mesh.vertices[mesh.vertex_groups.at("top")[0]] - Vec3d{0, 0, 2}), 0);
    EXPECT_EQ(norm(mesh.vertices[mesh.vertex_groups.at("bottom")[0]] - Vec3d{0, 0, -2}), 0);
    error[k] = 4.0 / 3 * M_PI * 8 - enclosed_volume(mesh);
  }
  EXPECT_GT(error[1], 0);
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
  // One cell: the icosahedron, whose edges are 1 / sin(72 degrees) of the radius.
  EXPECT_NEAR(enclosed_volume(*make_sphere_sheet({.cells = 1})),
              5.0 / 12 * (3 + std::sqrt(5.0)) / std::pow(std::sin(2 * M_PI / 5), 3), 1e-12);
}

TEST(SheetShapes, CapsConvergeToTheirArea) {
  for (const double hole : {0.0, 18.0}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const TriMesh mesh =
          *make_cap_sheet({.radius = 10, .hole_degrees = hole, .opening_degrees = 90, .cells = 32 << k});
      EXPECT_EQ(expect_sheet(mesh).euler, hole > 0 ? 0 : 1);
      EXPECT_GT(worst_angle_degrees(mesh), 30);
      for (size_t t = 0; t < mesh.elements.size(); ++t)
        EXPECT_GT(dot(normal_of(mesh, t), mesh.vertices[mesh.elements[t][0]]), 0);
      for (const Vec3d& x : mesh.vertices) EXPECT_NEAR(norm(x), 10, 1e-14);
      int on_axes = 0;
      for (const int32_t v : mesh.vertex_groups.at("border")) {
        EXPECT_EQ(mesh.vertices[v][2], 0);
        on_axes += mesh.vertices[v][0] == 0 || mesh.vertices[v][1] == 0;
      }
      EXPECT_EQ(on_axes, 4);
      for (const int32_t v : mesh.vertex_groups.at(hole > 0 ? "inner" : "centre"))
        EXPECT_NEAR(mesh.vertices[v][2], 10 * std::cos(hole * M_PI / 180), 1e-14);
      error[k] = 2 * M_PI * 100 * std::cos(hole * M_PI / 180) - total_area(mesh);
    }
    EXPECT_GT(error[1], 0);
    EXPECT_NEAR(error[0] / error[1], 4, 0.3) << hole;
  }
  // Beyond the equator.
  const TriMesh deep = *make_cap_sheet({.opening_degrees = 150, .cells = 20});
  EXPECT_EQ(expect_sheet(deep).euler, 1);
  EXPECT_NEAR(total_area(deep), 2 * M_PI * (1 + std::cos(M_PI / 6)), 0.06);
}

TEST(SheetShapes, JitterMovesTheInsideAlone) {
  for (const Pattern pattern : all_patterns) {
    const GridSheet still = {.size = {2, 1}, .cells = {12, 9}, .pattern = pattern};
    GridSheet moved = still;
    moved.jitter = {.share = 0.3, .seed = 5};
    const TriMesh a = *make_grid_sheet(still), b = *make_grid_sheet(moved);
    EXPECT_EQ(a.elements, b.elements);
    EXPECT_EQ(a.vertex_groups, b.vertex_groups);
    EXPECT_NEAR(total_area(b), 2, 1e-13);
    for (size_t t = 0; t < b.elements.size(); ++t) EXPECT_GT(normal_of(b, t)[2], 0);
    double most = 0;
    for (size_t i = 0; i < a.vertices.size(); ++i) {
      const Vec3d& x = a.vertices[i];
      const double by = norm(b.vertices[i] - x);
      const bool inside = x[0] > 0 && x[0] < 2 && x[1] > 0 && x[1] < 1;
      EXPECT_EQ(by > 0, inside);
      most = std::max(most, by);
    }
    EXPECT_GT(most, 0.02);
    EXPECT_LT(most, 0.3 * 2.0 / 12);
    expect_texture_is_plane(b);
    moved.jitter.seed = 6;
    EXPECT_NE(norm(make_grid_sheet(moved)->vertices[20] - b.vertices[20]), 0);
  }
  const TriMesh sphere = *make_sphere_sheet({.jitter = {.share = 0.2}});
  for (const Vec3d& x : sphere.vertices) EXPECT_NEAR(norm(x), 1, 1e-15);
  for (size_t t = 0; t < sphere.elements.size(); ++t)
    EXPECT_GT(dot(normal_of(sphere, t), sphere.vertices[sphere.elements[t][0]]), 0);
  const TriMesh tube = *make_tube_sheet({.radius = 2, .jitter = {.share = 0.2}});
  for (const Vec3d& x : tube.vertices) EXPECT_NEAR(std::hypot(x[0], x[1]), 2, 1e-15);
  EXPECT_FALSE(find_texture(tube));
}

// What is weighed before it is made has the size that it is weighed with.
TEST(SheetShapes, SizesAreThoseOfTheRequest) {
  for (const Pattern pattern : all_patterns)
    for (const bool closed : {false, true})
      for (const int32_t rows : {1, 2, 5}) {
        const Rows made = rows_of_cells({4, rows}, pattern, closed);
        const SheetSize size = rows_size({4, rows}, pattern, closed);
        EXPECT_EQ(size.points, static_cast<double>(made.points.size()));
        EXPECT_EQ(size.triangles, static_cast<double>(made.elements.size()));
      }
}

TEST(SheetShapes, AbsurdRequestsAreRefused) {
  const auto expect_error = [](const Result<TriMesh>& mesh, const char* part) {
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().kind, ErrorKind::usage);
    EXPECT_NE(mesh.error().what.find(part), std::string::npos) << mesh.error().what;
  };
  const double nan = std::nan("");
  expect_error(make_grid_sheet({.cells = {2000000000, 2000000000}}), "bytes");
  expect_error(make_grid_sheet({.cells = {1000, 1000}}, 1000000), "at most 1000000 bytes");
  expect_error(make_grid_sheet({.edge = 1e-12}), "bytes");
  expect_error(make_grid_sheet({.cells = {4, 0}}), "cells y is 0");
  expect_error(make_grid_sheet({.size = {nan, 1}, .edge = 0.1}), "size x is nan");
  expect_error(make_grid_sheet({.edge = -1}), "edge is -1");
  expect_error(make_grid_sheet({.edge = nan}), "edge is nan");
  expect_error(make_grid_sheet({.jitter = {.share = 0.5}}), "jitter is 0.5");
  expect_error(make_grid_sheet({.jitter = {.share = nan}}), "jitter is nan");
  expect_error(make_disc_sheet({.inner = 1, .outer = 1}), "not below outer");
  expect_error(make_disc_sheet({.inner = -1}), "inner radius is -1");
  expect_error(make_disc_sheet({.outer = nan}), "outer radius is nan");
  expect_error(make_disc_sheet({.cells = 0}), "cells is 0");
  expect_error(make_disc_sheet({.cells = 2000000000}), "bytes");
  expect_error(make_disc_sheet({.inner = 1 - 1e-12, .outer = 1}), "bytes");
  expect_error(make_disc_sheet({.slit = true}), "slit");
  expect_error(make_tube_sheet({.around = 2}), "around is 2");
  expect_error(make_tube_sheet({.sweep_degrees = 0}), "sweep_degrees is 0");
  expect_error(make_tube_sheet({.sweep_degrees = 200, .around = 1}), "200 degrees each");
  expect_error(make_tube_sheet({.length = 0}), "length is 0");
  expect_error(make_sphere_sheet({.cells = 0}), "cells is 0");
  expect_error(make_sphere_sheet({.cells = 100000}), "sphere: about");
  expect_error(make_sphere_sheet({.radius = -1}), "radius is -1");
  expect_error(make_cap_sheet({.hole_degrees = 90}), "hole_degrees 90");
  expect_error(make_cap_sheet({.opening_degrees = 180}), "less than 180");
  expect_error(make_cap_sheet({.opening_degrees = nan}), "nan");
  expect_error(make_cap_sheet({.cells = 2000000000}), "bytes");
}

TEST(SheetShapes, NamesOfPatterns) {
  for (size_t i = 0; i < pattern_names().size(); ++i)
    EXPECT_EQ(static_cast<size_t>(*pattern_named(pattern_names()[i])), i);
  EXPECT_FALSE(pattern_named("crosed"));
}

}  // namespace
}  // namespace sinew::mesh
