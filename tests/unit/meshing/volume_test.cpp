#include "meshing/volume.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numbers>

#include "mesh/coincident.h"
#include "mesh/properties.h"
#include "surfaces.h"

namespace sinew::meshing {
namespace {

using math::Vec3d;
using mesh::TriMesh;

TriMesh ball(double radius) {
  return mesh::moved(mesh::sphere_surface(12), [&](const Vec3d& x) { return x * radius; });
}

TriMesh two_boxes() {
  const TriMesh one = tests::box({0, 0, 0}, {1, 1, 1}, 4);
  const auto triangles = static_cast<int32_t>(one.elements.size());
  TriMesh both = mesh::joined(one, tests::box({0.55, 0.35, 0.45}, {1.55, 1.35, 1.45}, 4));
  for (int32_t t = 0; t < 2 * triangles; ++t)
    both.element_groups[t < triangles ? "left" : "right"].push_back(t);
  return both;
}

Result<Volume> make(const TriMesh& surface, const VolumeOptions& options) {
  return volume_of(surface, options, "skin.obj", Control());
}

std::string refusal(const TriMesh& surface, const VolumeOptions& options) {
  const Result<Volume> made = make(surface, options);
  return made ? "it was meshed" : made.error().text();
}

void expect_says(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

// The carried surface is where the surface is, with weights within [0, 1].
template <int corners>
void expect_carried(const std::vector<Carried<corners>>& carried, const std::vector<Vec3d>& vertices,
                    const TriMesh& surface) {
  ASSERT_EQ(carried.size(), surface.vertices.size());
  for (size_t i = 0; i < carried.size(); ++i) {
    Vec3d x = Vec3d::zero();
    for (int k = 0; k < corners; ++k) {
      EXPECT_GE(carried[i].weights[k], 0);
      EXPECT_LE(carried[i].weights[k], 1);
      x += vertices[carried[i].vertices[k]] * carried[i].weights[k];
    }
    EXPECT_LT(norm(x - surface.vertices[i]), 1e-12);
  }
}

TEST(Volume, TwoBoxesThatOverlapStayTwo) {
  const TriMesh surface = two_boxes();
  const Result<Volume> volume = make(surface, {.cell = 0.1});
  ASSERT_TRUE(volume) << volume.error().text();
  const VolumeReport& report = volume->report;
  EXPECT_EQ(report.cells, 2662);  // 2 (11^3)
  EXPECT_EQ(report.tets, 2 * 12 * 11 * 11 * 12);
  EXPECT_EQ(report.components, 2);
  EXPECT_EQ(report.overlapping_cells, 210);
  EXPECT_GT(report.crossings.pairs, 0);
  EXPECT_NEAR(report.surface.volume, 2, 1e-12);
  EXPECT_NEAR(report.covered_volume, 2, 1e-5);
  EXPECT_NEAR(report.mesh_volume, 2.662, 1e-9);
  EXPECT_NEAR(mesh::total_volume(volume->tets), 2.662, 1e-9);
  expect_carried(volume->in_tets, volume->tets.vertices, volume->surface);
  EXPECT_EQ(mesh::connected_components(volume->tets).count, 2);
}

// The volume by the divergence theorem, on cells from a fifth of the body to a fine mesh.
TEST(Volume, WhatIsCoveredIsWhatIsEnclosed) {
  const auto expect_enclosed = [](const TriMesh& surface, const VolumeOptions& options, double tolerance) {
    const Result<Volume> volume = make(surface, options);
    ASSERT_TRUE(volume) << volume.error().text();
    double enclosed = 0;
    for (const auto& [a, b, c] : surface.elements)
      enclosed += dot(surface.vertices[a], cross(surface.vertices[b], surface.vertices[c])) / 6;
    EXPECT_NEAR(mesh::covered_volume(volume->tets), enclosed, tolerance * enclosed);
    EXPECT_GT(mesh::total_volume(volume->tets), 1.05 * enclosed);
    for (const double share : mesh::coverage(volume->tets)) EXPECT_TRUE(share >= 0 && share <= 1) << share;
  };
  for (const double cell : {0.2, 0.1, 0.05}) {
    expect_enclosed(ball(0.5), {.cell = cell}, 1e-6);
    // Where layers side by side are moved apart, tets change their volumes a little.
    expect_enclosed(mesh::torus_surface(0.5, 0.2, 40, 20), {.cell = cell}, 2e-5);
    expect_enclosed(two_boxes(), {.cell = cell}, 1e-6);
    expect_enclosed(mesh::torus_surface(0.5, 0.2, 40, 20), {.cell = cell, .coarsen = 1}, 2e-5);
    expect_enclosed(ball(0.5), {.cell = cell, .winding = true}, 1e-3);
    expect_enclosed(mesh::torus_surface(0.5, 0.2, 40, 20), {.cell = cell, .winding = true}, 1e-3);
  }
}

TEST(Volume, GroupsOfTheSurfaceAreGroupsOfTheMesh) {
  const Result<Volume> volume = make(two_boxes(), {.cell = 0.1});
  ASSERT_TRUE(volume) << volume.error().text();
  const mesh::TetMesh& tets = volume->tets;
  const std::vector<int32_t> part = mesh::connected_components(tets).of_element;
  const std::vector<int32_t>&left = tets.element_groups.at("left"), &right = tets.element_groups.at("right");
  EXPECT_EQ(left.size() + right.size(), tets.elements.size());
  for (const int32_t t : left) EXPECT_EQ(part[t], part[left[0]]);
  for (const int32_t t : right) EXPECT_NE(part[t], part[left[0]]);
  // The cells that the left surface passes through are 11^3 without the 9^3 inside: their corners, centres, and those of the
  // faces outside.
  EXPECT_EQ(tets.vertex_groups.at("left").size(),
            12 * 12 * 12 - 8 * 8 * 8 + 11 * 11 * 11 - 9 * 9 * 9 + 6 * 11 * 11);
}

TEST(Volume, SkinHasTheVerticesAsGiven) {
  TriMesh surface = two_boxes();
  surface.vertices.insert(surface.vertices.begin(), Vec3d{9, 9, 9});  // of no triangle
  for (auto& t : surface.elements)
    for (int32_t& v : t) ++v;
  std::swap(surface.elements[5][0], surface.elements[5][1]);  // is turned back
  const Result<Volume> volume = make(surface, {.cell = 0.2});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_EQ(volume->report.surface.turned, 1);
  const mesh::Skin skin = skin_of(surface, *volume);
  ASSERT_EQ(skin.tet.size(), surface.vertices.size());
  for (size_t i = 1; i < skin.tet.size(); ++i) {
    Vec3d x = Vec3d::zero();
    for (int k = 0; k < 4; ++k)
      x += volume->tets.vertices[volume->tets.elements[skin.tet[i]][k]] * skin.weights[i][k];
    EXPECT_LT(norm(x - surface.vertices[i]), 1e-12);
  }
  TriMesh shown;
  shown.vertices = surface.vertices;
  shown.elements = skin.triangles;
  EXPECT_NEAR(mesh::enclosed_volume(shown), 2, 1e-12);
}

TEST(Volume, HexahedraCarryTheSurfaceToo) {
  const Result<Volume> volume = make(ball(1), {.cell = 0.2, .hexes = true});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_TRUE(volume->tets.elements.empty());
  EXPECT_EQ(static_cast<int64_t>(volume->hexes.elements.size()), volume->report.cells);
  expect_carried(volume->in_hexes, volume->hexes.vertices, volume->surface);
}

TEST(Volume, AsManyCellsOrTetsAsAskedFor) {
  for (const TriMesh& surface : {ball(0.3), two_boxes()})
    for (const int64_t wanted : {500, 20000}) {
      const Result<Volume> cells = make(surface, {.cells = wanted, .hexes = true});
      ASSERT_TRUE(cells) << cells.error().text();
      EXPECT_NEAR(static_cast<double>(cells->hexes.elements.size()), wanted, 0.1 * wanted);
      EXPECT_LE(cells->report.meshings, 3);
      const Result<Volume> tets = make(surface, {.tets = 10 * wanted, .coarsen = 1});
      ASSERT_TRUE(tets) << tets.error().text();
      EXPECT_NEAR(static_cast<double>(tets->tets.elements.size()), 10 * wanted, wanted);
    }
}

TEST(Volume, CoarseningKeepsWhatADirectMeshOfThatSizeLoses) {
  // A slab thinner than the cells has no node inside.
  const TriMesh slab = tests::box({0, 0, 0.05}, {1, 1, 0.08}, 8);
  EXPECT_FALSE(make(slab, {.cell = 0.16}));
  const Result<Volume> volume = make(slab, {.cell = 0.16, .coarsen = 3});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_EQ(volume->report.components, 1);
  EXPECT_NEAR(volume->grid.lattice.spacing(), 0.16, 1e-12);
  EXPECT_NEAR(volume->report.covered_volume, 0.03, 1e-6);
  EXPECT_GT(volume->report.thin_cells, 0);
  expect_carried(volume->in_tets, volume->tets.vertices, volume->surface);
}

TEST(Volume, ABallHasNoThinCells) {
  const Result<Volume> volume = make(ball(1), {.cell = 0.2});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_EQ(volume->report.thin_cells, 0);
  EXPECT_EQ(volume->report.crossings.pairs, 0);
  EXPECT_NEAR(volume->report.covered_volume, volume->report.surface.volume, 1e-5);
}

TEST(Volume, OpenSurfacesByWindingNumber) {
  TriMesh cup = ball(1);
  std::erase_if(cup.elements, [&](const auto& t) {
    return cup.vertices[t[0]][2] > 0.3 || cup.vertices[t[1]][2] > 0.3 || cup.vertices[t[2]][2] > 0.3;
  });
  EXPECT_FALSE(make(cup, {.cell = 0.2, .repairs = {.fill_holes = false}}));
  const Result<Volume> volume = make(cup, {.cell = 0.2, .winding = true});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_EQ(volume->report.components, 1);
  EXPECT_GT(volume->report.mesh_volume, 0.5 * 4 / 3 * std::numbers::pi);
  for (const auto& t : cup.elements)
    for (const int32_t i : t) {
      Vec3d x = Vec3d::zero();
      for (int k = 0; k < 4; ++k)
        x += volume->tets.vertices[volume->in_tets[i].vertices[k]] * volume->in_tets[i].weights[k];
      EXPECT_LT(norm(x - cup.vertices[i]), 1e-12);
    }
  // What surrounds nothing has no inside.
  TriMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.1}};
  sheet.elements = {{0, 1, 2}};
  EXPECT_FALSE(make(sheet, {.cell = 0.01, .winding = true}));
}

TEST(Volume, RefusesWithWhatToDo) {
  const TriMesh surface = ball(1);
  expect_says(refusal(surface, {.cell = 0.1, .cells = 7}), {"found 2 of cell"});
  expect_says(refusal(surface, {.cell = -1}), {"positive length"});
  expect_says(refusal(surface, {.cell = std::numeric_limits<double>::quiet_NaN()}), {"positive length"});
  expect_says(refusal(surface, {.cells = -3}), {"at least one"});
  expect_says(refusal(surface, {.tets = 100, .hexes = true}), {"number of cells"});
  expect_says(refusal(surface, {.cell = 0.1, .coarsen = 99}), {"0 to 8"});
  expect_says(refusal(surface, {.cell = 2.5}), {"skin.obj", "larger than the body", "extent, 2 m"});
  expect_says(refusal(surface, {.cell = 0.003, .max_bytes = int64_t{1} << 30}),
              {"skin.obj", "of memory", "1.07 GB are available", "smallest cell that fits"});
  expect_says(refusal(surface, {.cell = 1e-8}), {"32-bit ids", "smallest cell that fits"});
  expect_says(refusal(TriMesh(), {.cell = 0.1}), {"skin.obj"});
  TriMesh single;
  single.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  single.elements = {{0, 1, 2}};
  EXPECT_FALSE(make(single, {.cell = 0.1}));
  TriMesh broken = surface;
  broken.vertices[3][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(make(broken, {.cell = 0.1}));
  EXPECT_FALSE(make(broken, {.cell = 0.1, .winding = true}));
}

TEST(Volume, WithoutASizeOneIsChosen) {
  const Result<Volume> volume = make(ball(7), {});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_NEAR(static_cast<double>(volume->report.tets), 20000, 4000);
  // A plate thinner than the cells that so many tets give: its layers are found on smaller ones.
  const Result<Volume> plate = make(tests::box({0, 0, 0.03}, {4, 4, 0.08}, 4), {});
  ASSERT_TRUE(plate) << plate.error().text();
  EXPECT_GT(plate->grid.lattice.level, 0);
  EXPECT_NEAR(plate->report.covered_volume, 0.8, 0.01);
}

TEST(Volume, SplintersAreLeftOutAndCarried) {
  TriMesh surface = mesh::joined(ball(1), tests::box({1.2, 0, 0}, {2.4, 0.01, 0.01}, 1));
  for (int32_t t = 0; t < static_cast<int32_t>(surface.elements.size()); ++t)
    surface.element_groups[t < static_cast<int32_t>(ball(1).elements.size()) ? "ball" : "needle"].push_back(
        t);
  const Result<Volume> volume = make(surface, {.cell = 0.2});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_EQ(volume->report.components, 1);
  ASSERT_EQ(volume->report.thin_parts.size(), 1u);
  EXPECT_NEAR(volume->report.thin_parts[0].size, 1.2, 1e-12);
  EXPECT_EQ(volume->surface.element_groups.at("needle").size(), 0u);
  EXPECT_EQ(volume->surface.elements.size(), ball(1).elements.size());
  // The same mesh as without it, and the needle is still where it was.
  EXPECT_EQ(make(ball(1), {.cell = 0.2})->tets.elements, volume->tets.elements);
  const mesh::Skin skin = skin_of(surface, *volume);
  for (size_t i = 0; i < surface.vertices.size(); ++i) {
    Vec3d x = Vec3d::zero();
    for (int k = 0; k < 4; ++k)
      x += volume->tets.vertices[volume->tets.elements[skin.tet[i]][k]] * skin.weights[i][k];
    EXPECT_LT(norm(x - surface.vertices[i]), 1e-10);
  }
  const Result<Volume> hexes = make(surface, {.cell = 0.2, .hexes = true});
  ASSERT_TRUE(hexes) << hexes.error().text();
  const std::vector<Carried<8>> carried = given_in_hexes(surface, *hexes);
  for (size_t i = 0; i < surface.vertices.size(); ++i) {
    Vec3d x = Vec3d::zero();
    for (int k = 0; k < 8; ++k) x += hexes->hexes.vertices[carried[i].vertices[k]] * carried[i].weights[k];
    EXPECT_LT(norm(x - surface.vertices[i]), 1e-10);
  }
  // Nothing but a needle.
  expect_says(refusal(tests::box({0, 0, 0}, {2, 0.01, 0.01}, 1), {.cell = 0.2}),
              {"(0, 0, 0)", "thinner than the cell", "--coarsen"});
}

TEST(Volume, WhatCannotBeClosedGoesByItsWindingNumber) {
  TriMesh torn;  // every triangle on its own
  for (const auto& t : ball(1).elements)
    for (const int32_t v : t)
      torn.vertices.push_back(ball(1).vertices[v] *
                              (1 + 1e-6 * static_cast<double>(torn.vertices.size() % 7)));
  for (int32_t t = 0; 3 * t < static_cast<int32_t>(torn.vertices.size()); ++t)
    torn.elements.push_back(t % 5 ? std::array{3 * t, 3 * t + 1, 3 * t + 2}
                                  : std::array{3 * t, 3 * t + 2, 3 * t + 1});
  const Result<Volume> volume = make(torn, {.cell = 0.1});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_NEAR(volume->report.covered_volume, mesh::enclosed_volume(ball(1)), 0.1);
  ASSERT_FALSE(volume->report.surface.messages.empty());
  expect_says(volume->report.surface.messages[0],
              {"open edges", "winds around a point by more than one half"});
  expect_says(refusal(torn, {.cell = 0.1, .repairs = {.fill_holes = false, .orient = false}}),
              {"open edges"});
}

TEST(Volume, LayersSideBySideDoNotTouch) {
  // Two boxes with a gap of a tenth of a cell: their cells lie face to face.
  const TriMesh pair =
      mesh::joined(tests::box({0, 0, 0}, {1, 1, 1}, 4), tests::box({1.02, 0, 0}, {2, 1, 1}, 4));
  int64_t places = 0;
  for (const double offset : {0.0, 0.3, 0.6, 0.9}) {
    const Result<Volume> volume = make(pair, {.cell = 0.2, .offset = {offset, 0.0711, 0.0373}});
    ASSERT_TRUE(volume) << volume.error().text();
    EXPECT_EQ(volume->report.components, 2);
    places += volume->report.gap_places;
    if (volume->report.overlapping_cells == 0) {
      const std::vector<int32_t> first = mesh::first_at_place(volume->tets.vertices);
      for (size_t v = 0; v < first.size(); ++v) EXPECT_EQ(first[v], static_cast<int32_t>(v));
    }
    for (size_t i = 0; i < volume->in_tets.size(); ++i) {
      Vec3d x = Vec3d::zero();
      for (int k = 0; k < 4; ++k)
        x += volume->tets.vertices[volume->in_tets[i].vertices[k]] * volume->in_tets[i].weights[k];
      EXPECT_LT(norm(x - volume->surface.vertices[i]), 1e-12);
    }
  }
  EXPECT_GT(places, 0);
}

TEST(Volume, SaysWhereLayersThatOverlapTouch) {
  // Where both boxes have a part in the cells between them; smaller cells have one of one box at most.
  const TriMesh pair =
      mesh::joined(tests::box({0, 0, 0}, {1, 1, 1}, 4), tests::box({1.1, 0, 0}, {2, 1, 1}, 4));
  const auto shared = [&](double cell, double offset) {
    const Result<Volume> volume = make(pair, {.cell = cell, .offset = {offset, 0.0711, 0.0373}});
    EXPECT_TRUE(volume) << volume.error().text();
    std::map<std::array<double, 3>, int> vertices;
    for (const Vec3d& x : volume->tets.vertices) ++vertices[{x[0], x[1], x[2]}];
    const auto places =
        std::count_if(vertices.begin(), vertices.end(), [](const auto& place) { return place.second > 1; });
    const SharedPlaces& found = volume->report.shared;
    EXPECT_EQ(found.count, places);
    if (places > 0) {
      EXPECT_GT((vertices[{found.first[0], found.first[1], found.first[2]}]), 1);
    }
    return places;
  };
  int64_t most = 0;
  for (const double offset : {0.0, 0.3, 0.6, 0.9}) {
    most = std::max<int64_t>(most, shared(0.25, offset));
    EXPECT_EQ(shared(0.06, offset), 0);
  }
  EXPECT_GT(most, 0);
}

TEST(Volume, TheSmallestCellThatFitsFits) {
  const TriMesh surface = ball(1);
  const std::string text = refusal(surface, {.cell = 0.003, .max_bytes = 20 << 20});
  const size_t at = text.find("about ", text.find("smallest"));
  ASSERT_NE(at, std::string::npos) << text;
  const double cell = std::stod(text.substr(at + 6));
  const double volume = mesh::enclosed_volume(surface), area = mesh::total_area(surface);
  EXPECT_LE(estimated_bytes(volume, area, {}, cell), 20 << 20);
  EXPECT_GT(estimated_bytes(volume, area, {}, 0.95 * cell), 20 << 20);
  EXPECT_TRUE(make(surface, {.cell = cell, .max_bytes = 20 << 20}));
}

TEST(Volume, CanBeStopped) {
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE(volume_of(ball(1), {.cell = 0.1}, "skin.obj", Control{&cancel, {}}));
}

}  // namespace
}  // namespace sinew::meshing
