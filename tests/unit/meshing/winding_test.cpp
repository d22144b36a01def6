#include "meshing/winding.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

#include "base/parallel.h"
#include "known_surfaces.h"

namespace sinew::meshing {
namespace {

std::vector<Vec3d> random_points(int count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-size, size);
  std::vector<Vec3d> points(count);
  for (Vec3d& p : points) p = {unit(random), unit(random), unit(random)};
  return points;
}

double direct(const mesh::TriMesh& mesh, const Vec3d& p) {
  double sum = 0;
  for (const auto& t : mesh.elements)
    sum += solid_angle(p, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  return sum / (4 * M_PI);
}

double largest_error(const mesh::TriMesh& mesh, std::span<const Vec3d> points) {
  const WindingTree tree(mesh.vertices, mesh.elements);
  double worst = 0;
  for (const Vec3d& p : points) worst = std::max(worst, std::abs(tree.at(p) - direct(mesh, p)));
  return worst;
}

TEST(SolidAngle, ClosedForms) {
  // An octant, a face of a cube from its centre cut in two, and what lies behind.
  EXPECT_NEAR(solid_angle({0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}), M_PI / 2, 1e-15);
  EXPECT_NEAR(solid_angle({0, 0, 0}, {1, -1, -1}, {1, 1, -1}, {1, 1, 1}), M_PI / 3, 1e-15);
  EXPECT_NEAR(solid_angle({0, 0, 0}, {1, 0, 0}, {0, 0, 3}, {0, 2, 0}), -M_PI / 2, 1e-15);
  EXPECT_EQ(solid_angle({1, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}), 0);
}

TEST(Winding, CountsLayersOfClosedSurfaces) {
  const auto spheres = both(sphere_surface(1, 40, 30), sphere_surface(1, 40, 30, {0.5, 0, 0}));
  const WindingTree tree(spheres.vertices, spheres.elements);
  EXPECT_NEAR(tree.at(Vec3d{0.25, 0, 0}), 2, 1e-2);
  EXPECT_NEAR(tree.at(Vec3d{-0.7, 0.1, 0}), 1, 1e-2);
  EXPECT_NEAR(tree.at(Vec3d{3, 1, 2}), 0, 1e-2);
  const auto hollow = both(sphere_surface(2, 40, 30), turned(sphere_surface(1, 40, 30)));
  EXPECT_NEAR(WindingTree(hollow.vertices, hollow.elements).at(Vec3d{0.1, 0.2, 0}), 0, 1e-2);
  EXPECT_EQ(WindingTree({}, {}).at(Vec3d{0, 0, 0}), 0);
}

TEST(Winding, AnyPlaceAndSize) {
  for (const double size : {1e-60, 1e60}) {
    auto sphere = sphere_surface(size, 40, 30);
    EXPECT_NEAR(WindingTree(sphere.vertices, sphere.elements).at(Vec3d{0.3 * size, 0, 0}), 1, 1e-2);
  }
  const Vec3d far = {1e7, -2e7, 3e7};
  auto sphere = sphere_surface(1, 40, 30, far);
  EXPECT_NEAR(WindingTree(sphere.vertices, sphere.elements).at(far + Vec3d{0.3, 0.3, 0}), 1, 1e-2);
}

TEST(Winding, HalfASphereSeenFromItsCentre) {
  auto half = sphere_surface(1, 60, 40);
  std::erase_if(half.elements, [&](const auto& t) {
    return half.vertices[t[0]][2] + half.vertices[t[1]][2] + half.vertices[t[2]][2] > 0;
  });
  EXPECT_NEAR(WindingTree(half.vertices, half.elements).at(Vec3d{0, 0, 0}), 0.5, 1e-2);
}

TEST(Winding, TreeIsWithinAHundredthOfTheSum) {
  const auto points = random_points(400, 2, 1);
  EXPECT_LT(largest_error(sphere_surface(1, 60, 40), points), 1e-2);
  EXPECT_LT(largest_error(box_surface({-1, -1, -1}, {1, 1, 1}), points), 1e-2);
  // Near the surface.
  auto near = random_points(400, 1, 2);
  for (Vec3d& p : near) p = normalized(p) * 1.001;
  EXPECT_LT(largest_error(sphere_surface(1, 60, 40), near), 1e-2);
  // Soups: triangles of all sizes, and thin ones, facing anywhere.
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    mesh::TriMesh soup;
    for (int t = 0; t < 600; ++t) {
      const Vec3d at = {unit(random), unit(random), unit(random)};
      const double size = std::pow(10, unit(random) * 1.5 - 1);
      for (int k = 0; k < 3; ++k)
        soup.vertices.push_back(at + size * Vec3d{unit(random), unit(random), 0.1 * unit(random)});
      soup.elements.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    EXPECT_LT(largest_error(soup, points), 1e-2) << seed;
  }
}

TEST(Winding, SameBitsForAnyNumberOfThreads) {
  const auto sphere = sphere_surface(1, 100, 60);
  const auto points = random_points(5000, 2, 3);
  std::vector<std::vector<double>> answers;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    answers.push_back(WindingTree(sphere.vertices, sphere.elements).at(points));
  }
  set_thread_count(0);
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

// Carriers hold their points, pieces are ascending, corners are those of one cell, and each cell is there once.
void expect_sound(const GridMesh<3>& grid, const mesh::TriMesh& surface) {
  std::set<Index<3>> cells, nodes(grid.nodes.begin(), grid.nodes.end());
  EXPECT_EQ(nodes.size(), grid.nodes.size());
  ASSERT_EQ(grid.coverage.size(), grid.elements.size());
  for (size_t e = 0; e < grid.elements.size(); ++e) {
    EXPECT_TRUE(cells.insert(grid.cell(e)).second);
    for (int k = 0; k < 8; ++k)
      for (int a = 0; a < 3; ++a)
        ASSERT_EQ(grid.nodes[grid.elements[e][k]][a], grid.cell(e)[a] + (k >> a & 1));
    EXPECT_GE(grid.coverage[e], 0);
    EXPECT_LE(grid.coverage[e], 1);
  }
  EXPECT_TRUE(std::is_sorted(grid.pieces.begin(), grid.pieces.end()));
  ASSERT_EQ(grid.carriers.size(), surface.vertices.size());
}

TEST(WindingGrid, ABoxIsTheCellsThatMeetIt) {
  const auto box = box_surface({0, 0, 0}, {1, 1, 1});
  const auto grid = winding_grid(box, {.cell = 0.1});
  ASSERT_TRUE(grid) << grid.error().text();
  expect_sound(*grid, box);
  EXPECT_EQ(grid->elements.size(), 1331u);
  EXPECT_EQ(grid->nodes.size(), 1728u);
  for (size_t v = 0; v < box.vertices.size(); ++v)
    for (int a = 0; a < 3; ++a)
      EXPECT_EQ(grid->cell(grid->carriers[v])[a], grid->lattice.below(a, box.vertices[v][a]));
}

TEST(WindingGrid, AnOpenSphereIsFilled) {
  auto bowl = sphere_surface(1, 60, 40);
  std::erase_if(bowl.elements, [&](const auto& t) { return bowl.vertices[t[0]][2] > 0.7; });
  const auto grid = winding_grid(bowl, {.cell = 0.08});
  ASSERT_TRUE(grid);
  expect_sound(*grid, bowl);
  // From the plane of the rim a flat hole fills half the sky: the inside ends there.
  double volume = 0;
  for (const float c : grid->coverage) volume += c * std::pow(0.08, 3);
  const double ball = 4 * M_PI / 3, cap = M_PI * 0.09 * (3 - 0.3) / 3;
  EXPECT_NEAR(volume, ball - cap, 0.02 * ball);
}

// Every node of the box asked for, one by one, by the sum over all triangles.
TEST(WindingGrid, CellsAreThoseWithANodeInside) {
  auto open = both(sphere_surface(1, 24, 16), sphere_surface(0.7, 20, 12, {1.2, 0.2, 0.1}));
  std::erase_if(open.elements, [&](const auto& t) { return open.vertices[t[0]][1] > 0.6; });
  const double cell = 0.07;
  const auto grid = winding_grid(open, {.cell = cell});
  ASSERT_TRUE(grid);
  std::set<Index<3>> cells, expected;
  for (size_t e = 0; e < grid->elements.size(); ++e) cells.insert(grid->cell(e));
  int64_t unsure = 0;
  for (int z = -17; z < 17; ++z)
    for (int y = -17; y < 17; ++y)
      for (int x = -17; x < 30; ++x) {
        const double w = direct(open, grid->lattice.position({x, y, z}));
        unsure += std::abs(w - 0.5) < 1e-2;
        for (int k = 0; k < 8; ++k) {
          const Index<3> around = {x - (k & 1), y - (k >> 1 & 1), z - (k >> 2)};
          EXPECT_TRUE(w <= 0.51 || cells.count(around)) << x << " " << y << " " << z;
          if (w > 0.49) expected.insert(around);
        }
      }
  EXPECT_LT(unsure, 500);
  // The others are cells that the surface passes through.
  std::set<int32_t> passed;
  for (const auto& piece : grid->pieces) passed.insert(piece.element);
  for (size_t e = 0; e < grid->elements.size(); ++e)
    EXPECT_TRUE(expected.count(grid->cell(e)) || passed.count(static_cast<int32_t>(e)));
}

TEST(WindingGrid, RefusesBadInput) {
  const auto box = box_surface({0, 0, 0}, {1, 1, 1});
  const auto refusal = [](const mesh::TriMesh& mesh, const GridOptions& options) {
    const auto grid = winding_grid(mesh, options);
    return grid ? std::string() : grid.error().text();
  };
  EXPECT_NE(refusal({}, {.cell = 0.1}).find("no triangles"), std::string::npos);
  EXPECT_NE(refusal(box, {.cell = 0}).find("cell is 0"), std::string::npos);
  EXPECT_NE(refusal(box, {.cell = std::numeric_limits<double>::quiet_NaN()}).find("cell is nan"),
            std::string::npos);
  EXPECT_NE(refusal(box, {.cell = 1e-9}).find("too small for coordinates"), std::string::npos);
  EXPECT_NE(refusal(box, {.cell = 1e-3, .max_bytes = 1 << 20}).find("at least about"), std::string::npos);
  EXPECT_NE(refusal(turned(box), {.cell = 0.1}).find("face outwards"), std::string::npos);
  EXPECT_NE(refusal(box, {.cell = 50}).find("cells smaller"), std::string::npos);
}

}  // namespace
}  // namespace sinew::meshing
