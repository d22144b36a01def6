#include "mesh/shapes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "closed_surface.h"
#include "mesh/properties.h"

namespace sinew::mesh {
namespace {

void expect_sound(const TetMesh& mesh, int euler, double min_ratio) {
  const Quality q = quality(mesh);
  EXPECT_EQ(q.inverted, 0);
  EXPECT_GT(q.min_mean_ratio, min_ratio);
  EXPECT_EQ(connected_components(mesh).count, 1);
  std::set<int32_t> used;
  for (const auto& tet : mesh.elements) used.insert(tet.begin(), tet.end());
  EXPECT_EQ(used.size(), mesh.vertices.size());
  for (const auto& [name, ids] : mesh.vertex_groups) {
    EXPECT_FALSE(ids.empty()) << name;
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end())) << name;
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << name;
  }
  expect_closed(mesh, euler);
}

TEST(Shapes, TheBlockOfFiveHasItsKnownCounts) {
  const auto mesh = make_box({.cells = {31, 31, 31}, .split = Split::five});
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->vertices.size(), 32768u);
  EXPECT_EQ(mesh->elements.size(), 148955u);
  EXPECT_NEAR(total_volume(*mesh), 1, 1e-12);
}

TEST(Shapes, BoxOfEverySplitFillsItsVolume) {
  for (Split split : all_splits) {
    const auto mesh = make_box({.size = {1, 2, 0.5}, .cells = {5, 8, 3}, .split = split});
    ASSERT_TRUE(mesh);
    EXPECT_NEAR(total_volume(*mesh), 1, 1e-12);
    expect_sound(*mesh, 2, 0.3);
    const double hexes = 120, faces = 2 * (5 * 8 + 8 * 3 + 3 * 5);
    const SplitSize size = split_size(hexes, 6 * 9 * 4, faces, split);
    EXPECT_EQ(static_cast<double>(mesh->vertices.size()), size.nodes);
    EXPECT_EQ(static_cast<double>(mesh->elements.size()), size.tets);
  }
}

TEST(Shapes, BoxGroupsHoldExactlyTheSides) {
  for (Split split : all_splits) {
    const TetMesh mesh = *make_box({.size = {1, 2, 3}, .cells = {2, 3, 4}, .split = split});
    const char* names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    for (int side = 0; side < 6; ++side) {
      std::vector<int32_t> expected;
      for (size_t i = 0; i < mesh.vertices.size(); ++i)
        if (mesh.vertices[i][side / 2] == (side % 2) * (side / 2 + 1.0))
          expected.push_back(static_cast<int32_t>(i));
      EXPECT_EQ(mesh.vertex_groups.at(names[side]), expected) << names[side];
    }
  }
}

TEST(Shapes, KuhnTetsAreThePathsThroughTheCell) {
  const TetMesh mesh = *make_box({.size = {1, 1, 1}, .cells = {1, 1, 1}, .split = Split::six});
  ASSERT_EQ(mesh.elements.size(), 6u);
  std::set<std::set<int32_t>> found, expected;
  for (const auto& tet : mesh.elements) found.insert({tet.begin(), tet.end()});
  int axes[3] = {1, 2, 4};  // steps of the node number i + 2 (j + 2 k)
  do {
    expected.insert({0, axes[0], axes[0] + axes[1], 7});
  } while (std::next_permutation(axes, axes + 3));
  EXPECT_EQ(found, expected);
}

TEST(Shapes, FiveAlternates) {
  const TetMesh mesh = *make_box({.cells = {2, 1, 1}, .split = Split::five});
  // The large tets of the two cells share the diagonal of the middle face: two common nodes.
  std::vector<std::set<int32_t>> large;
  for (const auto& tet : mesh.elements)
    if (tet_volume(mesh.vertices, tet) > 0.5 / 3 - 1e-9) large.push_back({tet.begin(), tet.end()});
  ASSERT_EQ(large.size(), 2u);
  std::vector<int32_t> common;
  std::set_intersection(large[0].begin(), large[0].end(), large[1].begin(), large[1].end(),
                        std::back_inserter(common));
  EXPECT_EQ(common.size(), 2u);
}

TEST(Shapes, BccInsideIsTheBodyCentredLattice) {
  const TetMesh mesh = *make_box({.cells = {4, 4, 4}, .split = Split::bcc});
  double best = 0;
  for (const auto& tet : mesh.elements) best = std::max(best, min_dihedral_degrees(mesh.vertices, tet));
  EXPECT_NEAR(best, 60, 1e-9);  // dihedral angles of the lattice's tets: 60 and 90 degrees
}

TEST(Shapes, BallConvergesToItsVolume) {
  for (Split split : all_splits) {
    double error[2];
    int k = 0;
    for (int32_t cells : {8, 16}) {
      const auto mesh = make_ball({.radius = 2, .cells = cells, .split = split});
      ASSERT_TRUE(mesh);
      expect_sound(*mesh, 2, 0.4);
      for (int32_t id : mesh->vertex_groups.at("surface")) EXPECT_NEAR(norm(mesh->vertices[id]), 2, 1e-14);
      EXPECT_EQ(mesh->vertex_groups.at("surface").size(), boundary_surface(*mesh).vertex.size());
      error[k++] = 4.0 / 3 * M_PI * 8 - total_volume(*mesh);
    }
    EXPECT_GT(error[1], 0);
    EXPECT_NEAR(error[0] / error[1], 4, 0.5);
  }
}

TEST(Shapes, SmallestRoundShapesAreSound) {
  for (Split split : all_splits) {
    expect_sound(*make_ball({.cells = 3, .split = split}), 2, 0.2);
    expect_sound(*make_cylinder({.cells = 3, .layers = 1, .split = split}), 2, 0.05);
    expect_sound(*make_torus({.minor = 0.4, .cells = 3, .around = 16, .split = split}), 0, 0.05);
    expect_sound(*make_capsule({.cells = 4, .layers = 1, .split = split}), 2, 0.05);
  }
}

TEST(Shapes, CylinderConvergesToItsVolume) {
  for (Split split : all_splits) {
    double error[2];
    int k = 0;
    for (int32_t cells : {8, 16}) {
      const auto mesh =
          make_cylinder({.radius = 0.5, .length = 2, .cells = cells, .layers = 2 * cells, .split = split});
      ASSERT_TRUE(mesh);
      expect_sound(*mesh, 2, 0.3);
      for (int32_t id : mesh->vertex_groups.at("side"))
        EXPECT_NEAR(std::hypot(mesh->vertices[id][0], mesh->vertices[id][1]), 0.5, 1e-15);
      for (int32_t id : mesh->vertex_groups.at("top")) EXPECT_EQ(mesh->vertices[id][2], 2);
      for (int32_t id : mesh->vertex_groups.at("bottom")) EXPECT_EQ(mesh->vertices[id][2], 0);
      error[k++] = M_PI * 0.25 * 2 - total_volume(*mesh);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.3);
  }
}

TEST(Shapes, FullTubeIsATorusAndConverges) {
  for (Split split : all_splits) {
    double error[2];
    int k = 0;
    for (int32_t n : {1, 2}) {
      const auto mesh = make_tube({.inner = 1,
                                   .outer = 2,
                                   .length = 3,
                                   .radial = 2 * n,
                                   .around = 16 * n,
                                   .layers = 6 * n,
                                   .split = split});
      ASSERT_TRUE(mesh);
      expect_sound(*mesh, 0, 0.3);
      EXPECT_EQ(mesh->vertex_groups.size(), 4u);
      for (int32_t id : mesh->vertex_groups.at("inner"))
        EXPECT_NEAR(std::hypot(mesh->vertices[id][0], mesh->vertices[id][1]), 1, 1e-14);
      error[k++] = M_PI * 3 * 3 - total_volume(*mesh);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.5);
  }
}

TEST(Shapes, QuarterTubeLiesInItsPlanes) {
  for (Split split : all_splits) {
    const TetMesh mesh =
        *make_tube({.sweep_degrees = 90, .radial = 3, .around = 7, .layers = 2, .split = split});
    expect_sound(mesh, 2, 0.2);
    for (int32_t id : mesh.vertex_groups.at("start")) EXPECT_EQ(mesh.vertices[id][1], 0);
    for (int32_t id : mesh.vertex_groups.at("end")) EXPECT_EQ(mesh.vertices[id][0], 0);
    EXPECT_NEAR(bounding_box(mesh.vertices).low[0], 0, 0);
  }
  const TetMesh turned = *make_tube({.start_degrees = -135, .sweep_degrees = 30, .around = 3});
  for (const Vec3d& x : turned.vertices) {
    EXPECT_LT(x[0], 0);
    EXPECT_LT(x[1], 0);
  }
}

TEST(Shapes, ShellAndItsOctant) {
  for (Split split : all_splits) {
    const TetMesh full = *make_shell({.inner = 1, .outer = 2, .radial = 3, .across = 6, .split = split});
    const TetMesh octant =
        *make_shell({.inner = 1, .outer = 2, .octant = true, .radial = 3, .across = 3, .split = split});
    expect_sound(full, 4, 0.3);  // two spheres
    expect_sound(octant, 2, 0.2);
    EXPECT_NEAR(total_volume(full), 4.0 / 3 * M_PI * 7, 0.05 * 4.0 / 3 * M_PI * 7);
    for (int32_t id : octant.vertex_groups.at("xmin")) EXPECT_EQ(octant.vertices[id][0], 0);
    for (int32_t id : octant.vertex_groups.at("inner")) EXPECT_NEAR(norm(octant.vertices[id]), 1, 1e-15);
    for (int32_t id : octant.vertex_groups.at("outer")) EXPECT_NEAR(norm(octant.vertices[id]), 2, 1e-15);
    for (const Vec3d& x : octant.vertices) EXPECT_GE(std::min({x[0], x[1], x[2]}), 0);
  }
  double error[2];
  for (int k = 0; k < 2; ++k)
    error[k] = M_PI / 6 * 7 - total_volume(*make_shell({.inner = 1,
                                                        .outer = 2,
                                                        .octant = true,
                                                        .radial = 4 << k,
                                                        .across = 6 << k,
                                                        .split = Split::crossed}));
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
}

TEST(Shapes, EllipsoidConvergesToItsVolume) {
  for (Split split : all_splits) {
    double error[2];
    int k = 0;
    for (int32_t cells : {8, 16}) {
      const auto mesh = make_ellipsoid({.radii = {1, 1.5, 0.8}, .cells = cells, .split = split});
      ASSERT_TRUE(mesh);
      expect_sound(*mesh, 2, 0.2);
      for (int32_t id : mesh->vertex_groups.at("surface")) {
        const Vec3d& x = mesh->vertices[id];
        EXPECT_NEAR(std::hypot(x[0], x[1] / 1.5, x[2] / 0.8), 1, 1e-14);
      }
      error[k++] = 4.0 / 3 * M_PI * 1.5 * 0.8 - total_volume(*mesh);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.5);
  }
}

TEST(Shapes, TorusConvergesToItsVolume) {
  for (Split split : all_splits) {
    double error[2];
    int k = 0;
    for (int32_t n : {1, 2}) {
      const auto mesh =
          make_torus({.major = 1, .minor = 0.3, .cells = 8 * n, .around = 24 * n, .split = split});
      ASSERT_TRUE(mesh);
      expect_sound(*mesh, 0, 0.1);
      EXPECT_EQ(mesh->vertex_groups.size(), 1u);
      EXPECT_EQ(mesh->vertex_groups.at("surface"), boundary_surface(*mesh).vertex);
      for (int32_t id : mesh->vertex_groups.at("surface")) {
        const Vec3d& x = mesh->vertices[id];
        EXPECT_NEAR(std::hypot(std::hypot(x[0], x[1]) - 1, x[2]), 0.3, 1e-14);
      }
      error[k++] = 2 * M_PI * M_PI * 0.09 - total_volume(*mesh);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.5);
  }
}

TEST(Shapes, QuarterTorusLiesInItsPlanes) {
  for (Split split : all_splits) {
    const TetMesh mesh = *make_torus({.sweep_degrees = 90, .cells = 5, .around = 7, .split = split});
    expect_sound(mesh, 2, 0.1);
    for (int32_t id : mesh.vertex_groups.at("start")) EXPECT_EQ(mesh.vertices[id][1], 0);
    for (int32_t id : mesh.vertex_groups.at("end")) EXPECT_EQ(mesh.vertices[id][0], 0);
  }
}

TEST(Shapes, CapsuleConvergesToItsVolume) {
  for (Split split : all_splits) {
    double error[2];
    int k = 0;
    for (int32_t n : {1, 2}) {
      const auto mesh =
          make_capsule({.radius = 0.5, .length = 1.2, .cells = 8 * n, .layers = 10 * n, .split = split});
      ASSERT_TRUE(mesh);
      expect_sound(*mesh, 2, 0.2);
      const auto& groups = mesh->vertex_groups;
      EXPECT_EQ(groups.at("surface"), boundary_surface(*mesh).vertex);
      for (int32_t id : groups.at("surface")) {
        const Vec3d& x = mesh->vertices[id];
        EXPECT_NEAR(std::hypot(x[0], x[1], x[2] - std::clamp(x[2], -0.6, 0.6)), 0.5, 1e-14);
      }
      for (int32_t id : groups.at("side")) EXPECT_LE(std::abs(mesh->vertices[id][2]), 0.6 + 1e-15);
      for (int32_t id : groups.at("top_cap")) EXPECT_GE(mesh->vertices[id][2], 0.6 - 1e-15);
      for (int32_t id : groups.at("bottom_cap")) EXPECT_LE(mesh->vertices[id][2], -0.6 + 1e-15);
      // The circles between the parts belong to two of them.
      std::set<int32_t> parts;
      size_t total = 0;
      for (const char* name : {"side", "top_cap", "bottom_cap"}) {
        parts.insert(groups.at(name).begin(), groups.at(name).end());
        total += groups.at(name).size();
      }
      EXPECT_EQ(parts.size(), groups.at("surface").size());
      EXPECT_GT(total, parts.size());
      error[k++] = M_PI * 0.25 * 1.2 + 4.0 / 3 * M_PI * 0.125 - total_volume(*mesh);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.5);
  }
}

TEST(Shapes, SheetIsASlab) {
  for (Split split : all_splits) {
    const TetMesh mesh =
        *make_sheet({.size = {2, 1}, .thickness = 0.01, .cells = {40, 20}, .layers = 2, .split = split});
    EXPECT_NEAR(total_volume(mesh), 0.02, 1e-12);
    expect_sound(mesh, 2, 0.05);
    EXPECT_EQ(mesh.vertex_groups.size(), 6u);
    for (int32_t id : mesh.vertex_groups.at("top")) EXPECT_EQ(mesh.vertices[id][2], 0.01);
    for (int32_t id : mesh.vertex_groups.at("bottom")) EXPECT_EQ(mesh.vertices[id][2], 0);
    for (int32_t id : mesh.vertex_groups.at("xmax")) EXPECT_EQ(mesh.vertices[id][0], 2);
    for (int32_t id : mesh.vertex_groups.at("ymin")) EXPECT_EQ(mesh.vertices[id][1], 0);
  }
}

TEST(Shapes, AbsurdRequestsAreRefusedWithTheEstimate) {
  const auto expect_error = [](const Result<TetMesh>& mesh, const char* part) {
    ASSERT_FALSE(mesh);
    EXPECT_NE(mesh.error().what.find(part), std::string::npos) << mesh.error().what;
    EXPECT_EQ(mesh.error().kind, ErrorKind::usage);
  };
  expect_error(make_box({.cells = {2000000000, 2000000000, 2000000000}}), "bytes");
  expect_error(make_box({.cells = {100, 100, 100}}, 1000000), "at most 1000000 bytes");
  expect_error(make_ball({.cells = 100000}), "ball: about");
  expect_error(make_cylinder({.cells = 100000}), "cylinder: about");
  expect_error(make_tube({.around = 2000000000}), "tube: about");
  expect_error(make_shell({.across = 100000}), "shell: about");
  expect_error(make_box({.cells = {0, 1, 1}}), "cells x is 0");
  expect_error(make_box({.size = {1, -1, 1}}), "size y is -1");
  expect_error(make_box({.size = {1, 1, std::nan("")}}), "size z is nan");
  expect_error(make_ball({.cells = 2}), "at least 3");
  expect_error(make_ball({.radius = 0}), "radius is 0");
  expect_error(make_tube({.inner = 1, .outer = 1}), "not below outer");
  expect_error(make_tube({.sweep_degrees = 400}), "sweep_degrees is 400");
  expect_error(make_tube({.around = 15, .split = Split::five}), "even number");
  expect_error(make_tube({.sweep_degrees = 200, .around = 1}), "too coarse");
  expect_error(make_shell({.inner = 2, .outer = 1}), "not below outer");
  expect_error(make_ellipsoid({.cells = 100000}), "ellipsoid: about");
  expect_error(make_ellipsoid({.radii = {1, 0, 1}}), "radius y is 0");
  expect_error(make_torus({.around = 2000000000}), "torus: about");
  expect_error(make_torus({.major = 1, .minor = 1}), "minor radius 1 is not below major radius 1");
  expect_error(make_torus({.sweep_degrees = 0}), "sweep_degrees is 0");
  expect_error(make_torus({.around = 15, .split = Split::five}), "even number");
  expect_error(make_torus({.around = 2}), "around is 2");
  expect_error(make_capsule({.cells = 100000}), "capsule: about");
  expect_error(make_capsule({.cells = 7}), "expected an even number");
  expect_error(make_capsule({.length = 0}), "length is 0");
  expect_error(make_capsule({.layers = 2000000000}), "capsule: about");
  expect_error(make_sheet({.cells = {100000, 100000}}), "sheet: about");
  expect_error(make_sheet({.thickness = -1}), "thickness is -1");
}

}  // namespace
}  // namespace sinew::mesh
