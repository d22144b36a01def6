// Surfaces that other people made: every closed one becomes a volume at three resolutions, carries its surface, and comes to rest
// under gravity. Skipped where the files are missing.
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <span>

#include "io/mesh_file.h"
#include "mesh/coincident.h"
#include "mesh/disjoint_sets.h"
#include "meshing/volume.h"
#include "verify/specimen.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using math::Vec3d;

// Facets that share a point share the element that carries it, and the elements of one facet hold together.
void expect_carried(const meshing::Volume& volume) {
  const auto& grid = volume.grid;
  std::vector<int32_t> begin(volume.surface.elements.size() + 1, 0);
  for (const auto& piece : grid.pieces) ++begin[piece.facet + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  int64_t apart = 0, strange = 0;
  for (size_t f = 0; f < volume.surface.elements.size(); ++f) {
    const std::span pieces(grid.pieces.data() + begin[f], grid.pieces.data() + begin[f + 1]);
    std::vector<size_t> reached = {0};
    std::vector<bool> seen(pieces.size(), false);
    ASSERT_FALSE(pieces.empty());
    seen[0] = true;
    for (size_t i = 0; i < reached.size(); ++i)
      for (size_t j = 0; j < pieces.size(); ++j) {
        const auto &a = grid.elements[pieces[reached[i]].element], &b = grid.elements[pieces[j].element];
        if (seen[j] || std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) == a.end()) continue;
        seen[j] = true;
        reached.push_back(j);
      }
    apart += reached.size() < pieces.size();
    for (const int32_t point : volume.surface.elements[f])
      strange += std::none_of(pieces.begin(), pieces.end(),
                              [&](const auto& piece) { return piece.element == grid.carriers[point]; });
  }
  EXPECT_EQ(apart, 0) << "triangles whose elements fall apart";
  EXPECT_EQ(strange, 0) << "corners of triangles that an element of another triangle carries";
}

void expect_weights(const meshing::Volume& volume, double cell) {
  double worst = 0, least = 1, most = 0;
  for (size_t p = 0; p < volume.surface.vertices.size(); ++p) {
    const auto& carried = volume.in_tets[p];
    if (carried.element < 0) continue;  // of a splinter that was left out
    Vec3d x = Vec3d::zero();
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
      x += volume.tets.vertices[carried.vertices[k]] * carried.weights[k];
      sum += carried.weights[k];
      least = std::min(least, carried.weights[k]);
      most = std::max(most, carried.weights[k]);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    worst = std::max(worst, math::norm(x - volume.surface.vertices[p]));
  }
  // A little beyond 0 and 1 where layers were moved apart.
  EXPECT_GE(least, volume.report.gap_places > 0 ? -0.4 : 0);
  EXPECT_LE(most, volume.report.gap_places > 0 ? 1.4 : 1);
  EXPECT_LT(worst, 1e-9 * cell);
}

// What lies in the lowest fifth of each part is held. That may be little, and bear much: the material is stiff.
void expect_rest(const meshing::Volume& volume, double size) {
  const auto& x = volume.tets.vertices;
  mesh::DisjointSets<> parts(static_cast<int64_t>(x.size()));
  for (const auto& t : volume.tets.elements)
    for (int k = 1; k < 4; ++k) parts.join(t[0], t[k]);
  std::map<int32_t, std::pair<double, double>> extent;  // of each part, along z
  for (size_t i = 0; i < x.size(); ++i) {
    auto& [low, high] =
        extent.try_emplace(parts.find(static_cast<int32_t>(i)), INFINITY, -INFINITY).first->second;
    low = std::min(low, x[i][2]);
    high = std::max(high, x[i][2]);
  }
  std::vector<int32_t> held;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto& [low, high] = extent.at(parts.find(static_cast<int32_t>(i)));
    if (x[i][2] <= low + 0.2 * (high - low)) held.push_back(static_cast<int32_t>(i));
  }
  const double density = 1000, young = density * 9.81 * size * 1e4;
  verify::Specimen body(volume.tets, {"stable_neo_hookean", young, 0.4, density});
  body.hold(held, body.still());
  body.set_gravity({0, 0, -9.81});
  EXPECT_TRUE(body.equilibrium({}, 1e-6).solved());
}

class ClosedSurfaces : public testing::TestWithParam<const char*> {};

TEST_P(ClosedSurfaces, LongBecomeVolumes) {
  const fs::path file = fs::path(SINEW_SHARED_DATA) / GetParam();
  if (!fs::exists(file)) GTEST_SKIP() << file << " is missing";
  const auto surface = io::read_tri_mesh(file.string());
  ASSERT_TRUE(surface) << surface.error().text();
  Vec3d low = surface->vertices[0], high = low;
  for (const Vec3d& x : surface->vertices)
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
  const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  double before = 0;
  for (const int cells : {24, 48, 96}) {
    SCOPED_TRACE(testing::Message() << cells << " cells along the body");
    const double cell = size / cells;
    meshing::VolumeOptions options;
    options.cell = cell;
    const auto volume = meshing::volume_of(*surface, options, GetParam(), {});
    ASSERT_TRUE(volume) << volume.error().text();
    const auto& report = volume->report;
    std::printf(
        "%s, %d cells: %ld hexahedra, %ld double, %ld parts, %zu mismatches, %ld pairs cross, volume %g, "
        "of the surface %g, of the cells %g\n",
        GetParam(), cells, long(report.cells), long(report.overlapping_cells), long(report.components),
        report.grid.mismatches.size(), long(report.crossings.pairs), report.covered_volume,
        report.surface.volume, report.mesh_volume);
    // Cells stick out by less than one and a half of their size.
    const double excess = report.mesh_volume - report.surface.volume;
    EXPECT_GT(excess, 0);
    EXPECT_LT(excess, 1.5 * report.surface.area * cell);
    if (before > 0) {
      EXPECT_LT(excess, 0.75 * before);
    }
    before = excess;
    // Where parts are thinner than a cell, shares of it are cut off at 0 and 1.
    EXPECT_NEAR(report.covered_volume, report.surface.volume, 0.05 * report.surface.area * cell);
    expect_carried(*volume);
    expect_weights(*volume, cell);
    std::fflush(stdout);
    if (report.tets < 1e6) expect_rest(*volume, size);  // more take minutes
  }
}

class AnySurface : public testing::TestWithParam<const char*> {};

TEST_P(AnySurface, IsMeshedWithoutOptions) {
  const fs::path file = fs::path(SINEW_SHARED_DATA) / GetParam();
  if (!fs::exists(file)) GTEST_SKIP() << file << " is missing";
  const auto surface = io::read_tri_mesh(file.string());
  ASSERT_TRUE(surface) << surface.error().text();
  const auto volume = meshing::volume_of(*surface, {}, GetParam(), {});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_NEAR(static_cast<double>(volume->report.tets), 20000, 2000);
  EXPECT_NEAR(volume->report.covered_volume, volume->report.surface.volume,
              0.1 * volume->report.surface.volume);
  expect_weights(*volume, volume->report.cell);
  if (volume->report.overlapping_cells > 0) return;
  const std::vector<int32_t> first = mesh::first_at_place(volume->tets.vertices);
  for (size_t v = 0; v < first.size(); ++v) ASSERT_EQ(first[v], static_cast<int32_t>(v)) << "vertices touch";
}

TEST(OpenSurfaces, ASheetIsRefusedWithItsEdges) {
  const fs::path file = fs::path(SINEW_SHARED_DATA) / "cloth/cloth100.obj";
  if (!fs::exists(file)) GTEST_SKIP() << file << " is missing";
  const auto surface = io::read_tri_mesh(file.string());
  ASSERT_TRUE(surface) << surface.error().text();
  const auto volume = meshing::volume_of(*surface, {}, "cloth100.obj", {});
  ASSERT_FALSE(volume);
  const std::string text = volume.error().text();
  EXPECT_NE(text.find("400 open edges: 0-1 from (-0.5, -0.5, 0)"), std::string::npos) << text;
  EXPECT_NE(text.find("give a sheet a thickness"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Files, AnySurface,
                         testing::Values("surfaces/bunny_10k.obj", "surfaces/bunny_2k.obj",
                                         "surfaces/turtle.obj", "anatomy/FMA37686.stl",
                                         "anatomy/FMA37684.stl", "anatomy/FMA23130.stl"),
                         [](const auto& info) { return fs::path(info.param).stem().string(); });

INSTANTIATE_TEST_SUITE_P(Files, ClosedSurfaces,
                         testing::Values("surfaces/bunny_10k.obj", "surfaces/bunny_2k.obj",
                                         "anatomy/FMA37686.stl", "anatomy/FMA37684.stl",
                                         "anatomy/FMA23130.stl"),
                         [](const auto& info) { return fs::path(info.param).stem().string(); });

}  // namespace
}  // namespace sinew
