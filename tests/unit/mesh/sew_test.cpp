#include "mesh/sew.h"

#include <gtest/gtest.h>
#include <set>

#include "mesh/check_sheet.h"
#include "mesh/properties.h"
#include "mesh/sheet_shapes.h"
#include "mesh/surfaces.h"
#include "sheet_topology.h"

namespace sinew::mesh {
namespace {

// Both meshes as one, with the texture and the groups of the first under "a.NAME" and of the second under "b.NAME".
TriMesh beside(const TriMesh& a, const TriMesh& b) {
  TriMesh both = joined(a, b);
  both.vertex_groups.clear();
  both.element_data.clear();
  for (const auto& [name, ids] : a.vertex_groups) both.vertex_groups["a." + name] = ids;
  for (const auto& [name, ids] : b.vertex_groups)
    for (const int32_t id : ids)
      both.vertex_groups["b." + name].push_back(id + static_cast<int32_t>(a.vertices.size()));
  if (find_texture(a) && find_texture(b)) {
    Attribute& texture = both.element_data[texture_data] = *find_texture(a);
    for (const double x : find_texture(b)->values) texture.values.push_back(x);
  }
  return both;
}

TriMesh shifted(const TriMesh& mesh, const Vec3d& by) {
  return moved(mesh, [&](const Vec3d& x) { return x + by; });
}

double flat_area(const std::vector<FlatEdges>& flat) {
  double sum = 0;
  for (const auto& [a, b] : flat) {
    const double det = a[0] * b[1] - a[1] * b[0];
    EXPECT_GT(det, 0);
    sum += det / 2;
  }
  return sum;
}

// Edges are as long at rest as in space: nothing was moved.
void expect_congruent(const Sewn& sewn) {
  ASSERT_EQ(sewn.flat.size(), sewn.mesh.elements.size());
  const auto& x = sewn.mesh.vertices;
  for (size_t t = 0; t < sewn.flat.size(); ++t) {
    const auto& [a, b, c] = sewn.mesh.elements[t];
    EXPECT_NEAR(norm(sewn.flat[t][0]), norm(x[b] - x[a]), 1e-13);
    EXPECT_NEAR(norm(sewn.flat[t][1]), norm(x[c] - x[a]), 1e-13);
    EXPECT_NEAR(norm(sewn.flat[t][1] - sewn.flat[t][0]), norm(x[c] - x[b]), 1e-13);
  }
}

// Sews pairs of groups.
Result<Sewn> sewn_groups(const TriMesh& mesh, const std::vector<std::pair<std::string, std::string>>& pairs,
                         double ease = 0.02) {
  std::vector<Seam> seams;
  for (const auto& [a, b] : pairs) {
    const auto seam = seam_between(mesh, a, b, "shirt");
    if (!seam) return seam.error();
    seams.push_back(*seam);
    seams.back().ease = ease;
  }
  std::vector<FlatEdges> flat;
  if (find_texture(mesh)) flat = flat_patterns(mesh, {}, "shirt")->flat;
  return sew(mesh, flat, seams, "shirt");
}

TEST(Sew, BordersOfEqualCountsBecomeOne) {
  const TriMesh left = *make_grid_sheet({.cells = {4, 5}, .pattern = Pattern::alternating});
  const TriMesh mesh = beside(left, shifted(left, {1, 0, 0}));
  const auto sewn = sewn_groups(mesh, {{"a.xmax", "b.xmin"}});
  ASSERT_TRUE(sewn) << sewn.error().text();
  EXPECT_EQ(sewn->mesh.vertices.size(), 60u - 6u);
  EXPECT_EQ(sewn->mesh.elements.size(), 80u);
  EXPECT_EQ(expect_sheet(sewn->mesh).euler, 1);
  EXPECT_EQ(sewn->seams[0].joined, 6);
  EXPECT_EQ(sewn->seams[0].inserted, 0);
  EXPECT_NEAR(sewn->seams[0].length[0], 1, 1e-14);
  EXPECT_NEAR(total_area(sewn->mesh), 2, 1e-13);
  expect_congruent(*sewn);
  // Vertices stay where they were, and both groups hold the seam.
  for (size_t v = 0; v < mesh.vertices.size(); ++v)
    EXPECT_EQ(norm(sewn->mesh.vertices[sewn->vertex_of[v]] - mesh.vertices[v]), 0);
  EXPECT_EQ(sewn->mesh.vertex_groups.at("a.xmax"), sewn->mesh.vertex_groups.at("b.xmin"));
  EXPECT_EQ(find_texture(sewn->mesh)->values, find_texture(mesh)->values);
}

TEST(Sew, TheCoarserBorderGetsVerticesOfTheFinerOne) {
  for (const auto& [few, many] : {std::pair(2, 5), std::pair(1, 4), std::pair(3, 4), std::pair(5, 9)}) {
    for (const bool swap : {false, true}) {
      const TriMesh coarse = *make_grid_sheet({.cells = {3, few}}),
                    fine = *make_grid_sheet({.cells = {3, many}});
      const TriMesh mesh = beside(swap ? fine : coarse, shifted(swap ? coarse : fine, {1, 0, 0}));
      const auto sewn = sewn_groups(mesh, {{"a.xmax", "b.xmin"}});
      ASSERT_TRUE(sewn) << sewn.error().text();
      EXPECT_EQ(sewn->seams[0].inserted, many - few);
      EXPECT_EQ(sewn->seams[0].joined, many + 1);
      EXPECT_EQ(static_cast<int>(sewn->mesh.elements.size()), 6 * (few + many) + many - few);
      EXPECT_EQ(static_cast<int>(sewn->mesh.vertices.size()), 4 * (few + many + 2) + many - few - many - 1);
      const SheetTopology topology = expect_sheet(sewn->mesh);
      EXPECT_EQ(topology.euler, 1);
      EXPECT_EQ(topology.borders, 12 + few + many);
      EXPECT_NEAR(flat_area(sewn->flat), 2, 1e-13);
      // The texture was cut where the triangles were.
      const auto patterns = flat_patterns(sewn->mesh, {}, "shirt");
      ASSERT_TRUE(patterns) << patterns.error().text();
      EXPECT_EQ(patterns->count, 2);
      for (size_t t = 0; t < sewn->flat.size(); ++t)
        for (int k = 0; k < 2; ++k) EXPECT_LT(norm(sewn->flat[t][k] - patterns->flat[t][k]), 1e-14);
      for (const int32_t v : sewn->mesh.vertex_groups.at("a.xmax")) {
        EXPECT_NEAR(sewn->mesh.vertices[v][0], 1, 1e-15);
      }
      EXPECT_EQ(static_cast<int>(sewn->mesh.vertex_groups.at("a.xmax").size()), many + 1);
    }
  }
}

TEST(Sew, APillowOfTwoSheetsIsClosedOnThreeSides) {
  const TriMesh coarse = *make_grid_sheet({.cells = {2, 3}});
  const TriMesh fine = *make_grid_sheet({.cells = {5, 7}, .pattern = Pattern::alternating});
  TriMesh mesh = beside(coarse, shifted(fine, {0, 0, 0.1}));
  const auto sewn = sewn_groups(mesh, {{"a.xmin", "b.xmin"}, {"a.ymin", "b.ymin"}, {"a.xmax", "b.xmax"}});
  ASSERT_TRUE(sewn) << sewn.error().text();
  EXPECT_EQ(sewn->seams[0].inserted + sewn->seams[1].inserted + sewn->seams[2].inserted, 4 + 3 + 4);
  // Both face up; check_sheet turns one of them.
  const auto pillow = check_sheet(sewn->mesh, {.thickness = 1e-3}, "pillow");
  ASSERT_TRUE(pillow) << pillow.error().text();
  EXPECT_EQ(pillow->report.euler, 1);
  EXPECT_EQ(pillow->report.borders, 1);
  EXPECT_EQ(pillow->report.components, 1);
  // In the corner of xmax and ymin both sheets have a triangle of three border vertices: 12 triangles, 11 cuts on borders, 2 more.
  EXPECT_EQ(sewn->kept_apart, 1);
  EXPECT_EQ(sewn->mesh.elements.size(), 12u + 70u + 11u + 2u);
  EXPECT_NEAR(flat_area(sewn->flat), 2, 1e-13);
  // Shapes at rest follow the triangles that were turned, as the texture does.
  std::vector<FlatEdges> flat = sewn->flat;
  for (size_t t = 0; t < flat.size(); ++t)
    if (pillow->turned[t]) flat[t] = turned_over(flat[t]);
  EXPECT_NEAR(flat_area(flat), 2, 1e-13);
  const auto patterns = flat_patterns(pillow->mesh, {}, "pillow");
  ASSERT_TRUE(patterns) << patterns.error().text();
  EXPECT_EQ(patterns->count, 2);
  EXPECT_EQ(patterns->mirrored, 1);
  for (size_t t = 0; t < flat.size(); ++t)
    for (int k = 0; k < 2; ++k) EXPECT_LT(norm(flat[t][k] - patterns->flat[t][k]), 1e-14);
  for (const int32_t v : sewn->mesh.vertex_groups.at("a.xmin"))
    EXPECT_NEAR(sewn->mesh.vertices[v][2], 0.05, 1e-15);
}

TEST(Sew, PillowsOfAllPatternsAreSheets) {
  constexpr Pattern patterns[] = {Pattern::one_way, Pattern::alternating, Pattern::crossed,
                                  Pattern::equilateral};
  for (const Pattern a : patterns)
    for (const Pattern b : patterns)
      for (const int32_t n : {1, 2, 5}) {
        // Three sides, then all four: a disc and a sphere.
        const TriMesh mesh = beside(*make_grid_sheet({.cells = {2, 2}, .pattern = a}),
                                    shifted(*make_grid_sheet({.cells = {n, 3}, .pattern = b}), {0, 0, 0.1}));
        std::vector<std::pair<std::string, std::string>> sides;
        for (const char* side : {"xmin", "ymin", "xmax", "ymax"}) {
          sides.emplace_back(std::string("a.") + side, std::string("b.") + side);
          if (sides.size() < 3) continue;
          const auto sewn = sewn_groups(mesh, sides);
          ASSERT_TRUE(sewn) << sewn.error().text();
          const auto pillow = check_sheet(sewn->mesh, {.thickness = 1e-3}, "pillow");
          ASSERT_TRUE(pillow) << pillow.error().text();
          EXPECT_EQ(expect_sheet(pillow->mesh).euler, sides.size() == 3 ? 1 : 2);
          EXPECT_EQ(pillow->report.borders, sides.size() == 3 ? 1 : 0);
          EXPECT_NEAR(flat_area(sewn->flat), 2, 1e-13);
          EXPECT_NEAR(flat_patterns(pillow->mesh, {}, "pillow")->area, 2, 1e-13);
        }
      }
}

// Strips one cell wide: every edge across would meet that of the other strip.
TEST(Sew, EdgesAcrossNarrowStripsAreKeptApart) {
  const TriMesh strip = *make_grid_sheet({.size = {6, 1}, .cells = {6, 1}});
  TriMesh mesh = beside(strip, shifted(strip, {0, 0, 0.2}));
  for (size_t v = 0; v < mesh.vertices.size(); ++v)
    mesh.vertex_data["x"].values.push_back(mesh.vertices[v][0]);
  const auto sewn = sewn_groups(mesh, {{"a.ymin", "b.ymin"}, {"a.ymax", "b.ymax"}});
  ASSERT_TRUE(sewn) << sewn.error().text();
  EXPECT_EQ(sewn->kept_apart, 5 + 6);  // upright ones inside, and diagonals
  const auto bag = check_sheet(sewn->mesh, {.thickness = 1e-3}, "strips");
  ASSERT_TRUE(bag) << bag.error().text();
  // The edges at the ends have both their vertices in seams: the strips are joined there too, and all is a sphere.
  EXPECT_EQ(bag->report.borders, 0);
  EXPECT_EQ(bag->report.euler, 2);
  for (size_t v = 0; v < sewn->mesh.vertices.size(); ++v)
    EXPECT_NEAR(sewn->mesh.vertex_data.at("x").values[v], sewn->mesh.vertices[v][0], 1e-14);
  EXPECT_NEAR(flat_area(sewn->flat), 12, 1e-12);
}

TEST(Sew, ASheetRolledUpBecomesATube) {
  const TriMesh flat = *make_grid_sheet({.size = {1, 2}, .cells = {9, 4}});
  const TriMesh rolled = moved(flat, [](const Vec3d& x) {
    const double a = 2 * M_PI * x[0];
    return Vec3d{std::cos(a) / (2 * M_PI), std::sin(a) / (2 * M_PI), x[1]};
  });
  const auto sewn = sewn_groups(rolled, {{"xmin", "xmax"}});
  ASSERT_TRUE(sewn) << sewn.error().text();
  const TriMesh tube = *make_tube_sheet({.radius = 1 / (2 * M_PI), .length = 2, .around = 9, .along = 4});
  EXPECT_EQ(sewn->mesh.vertices.size(), tube.vertices.size());
  EXPECT_EQ(sewn->mesh.elements.size(), tube.elements.size());
  EXPECT_EQ(expect_sheet(sewn->mesh).euler, 0);
  EXPECT_NEAR(total_area(sewn->mesh), total_area(tube), 1e-13);
}

TEST(Sew, ASlitRingIsClosed) {
  const TriMesh slit = *make_disc_sheet({.inner = 1, .outer = 2, .cells = 5, .slit = true});
  const TriMesh ring = *make_disc_sheet({.inner = 1, .outer = 2, .cells = 5});
  const auto sewn = sewn_groups(slit, {{"start", "end"}});
  ASSERT_TRUE(sewn) << sewn.error().text();
  EXPECT_EQ(sewn->mesh.vertices.size(), ring.vertices.size());
  EXPECT_EQ(expect_sheet(sewn->mesh).euler, 0);
  expect_congruent(*sewn);
}

TEST(Sew, ADartMeetsInItsEnd) {
  // A disc without one sector: the sides meet in the centre and close to a cone.
  TriMesh disc = *make_disc_sheet({.cells = 4});
  std::vector<TriMesh::Element> kept;
  for (const auto& t : disc.elements) {
    const Vec3d x = disc.vertices[t[0]] + disc.vertices[t[1]] + disc.vertices[t[2]];
    if (std::atan2(x[1], x[0]) < 0 || std::atan2(x[1], x[0]) > M_PI / 3) kept.push_back(t);
  }
  disc.elements = kept;
  disc.element_data.clear();
  disc.vertex_groups.clear();
  for (size_t i = 0; i < disc.vertices.size(); ++i) {
    const double angle = std::atan2(disc.vertices[i][1], disc.vertices[i][0]);
    const bool centre = norm(disc.vertices[i]) == 0;
    if (centre || std::abs(angle) < 1e-9) disc.vertex_groups["low"].push_back(static_cast<int32_t>(i));
    if (centre || std::abs(angle - M_PI / 3) < 1e-9)
      disc.vertex_groups["high"].push_back(static_cast<int32_t>(i));
  }
  disc = check_sheet(disc, {.thickness = 1e-3}, "")->mesh;
  const auto sewn = sewn_groups(disc, {{"low", "high"}});
  ASSERT_TRUE(sewn) << sewn.error().text();
  EXPECT_EQ(sewn->seams[0].joined, 4);
  EXPECT_EQ(sewn->mesh.elements.size(), 5u * 16u);
  EXPECT_EQ(expect_sheet(sewn->mesh).euler, 1);
  EXPECT_EQ(expect_sheet(sewn->mesh).borders, 20);
}

TEST(Sew, ClosedBordersMeetWhereTheyAreNearest) {
  // The upper tube is turned by 100 degrees and has other cells.
  const TriMesh low = *make_tube_sheet({.around = 12, .along = 3});
  for (const int32_t around : {12, 18}) {
    const TriMesh high =
        shifted(*make_tube_sheet({.start_degrees = 100, .around = around, .along = 2}), {0, 0, 1.1});
    const TriMesh mesh = beside(low, high);
    const auto seam = seam_between(mesh, "a.top", "b.bottom", "sleeve");
    ASSERT_TRUE(seam) << seam.error().text();
    EXPECT_TRUE(seam->closed);
    const Vec3d &p = mesh.vertices[seam->first[0]], &q = mesh.vertices[seam->second[0]];
    EXPECT_LT(std::hypot(p[0] - q[0], p[1] - q[1]), 0.2);  // nearest of vertices 20 degrees apart or more
    Seam loose = *seam;
    loose.ease = 0.05;  // chords of 12 and of 18 cells
    const auto sewn = sew(mesh, {}, {&loose, 1}, "sleeve");
    ASSERT_TRUE(sewn) << sewn.error().text();
    EXPECT_EQ(expect_sheet(sewn->mesh).euler, 0);
    EXPECT_EQ(expect_sheet(sewn->mesh).borders, 12 + around);
    EXPECT_EQ(sewn->seams[0].inserted, around - 12);
    EXPECT_EQ(sewn->seams[0].joined, around);
    EXPECT_EQ(sewn->mesh.vertices.size(), mesh.vertices.size() - 12);
    EXPECT_TRUE(sewn->flat.empty());
  }
}

// Where neither direction is nearer, triangles go on facing the same side.
TEST(Sew, SidesThatAreEquallyNearAgreeAboutTheirFaces) {
  const TriMesh left = *make_grid_sheet({.cells = {3, 3}});
  TriMesh mesh = beside(left, left);
  for (size_t v = 16; v < 32; ++v) {
    const Vec3d x = mesh.vertices[v];
    mesh.vertices[v] = {2 + x[0], 0.5, x[1] - 0.5};  // upright, its side about the middle of the other one
  }
  const auto seam = seam_between(mesh, "a.xmax", "b.xmin", "");
  ASSERT_TRUE(seam);
  const auto sewn = sew(mesh, {}, {&*seam, 1}, "");
  ASSERT_TRUE(sewn);
  expect_sheet(sewn->mesh);
}

TEST(Sew, EaseIsTakenUpAlongTheSeam) {
  const TriMesh left = *make_grid_sheet({.size = {1, 1}, .cells = {4, 4}});
  const TriMesh right = *make_grid_sheet({.size = {1, 1.1}, .cells = {4, 4}});
  const TriMesh mesh = beside(left, shifted(right, {1.2, 0, 0}));
  const auto refused = sewn_groups(mesh, {{"a.xmax", "b.xmin"}});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().text().starts_with(
      "shirt: a seam joins borders of 1 m and 1.1 m, from vertex 4 (1, 0, 0) and from vertex 25 (1.2, 0, 0)"))
      << refused.error().text();
  const auto sewn = sewn_groups(mesh, {{"a.xmax", "b.xmin"}}, 0.1);
  ASSERT_TRUE(sewn) << sewn.error().text();
  for (size_t i = 0; i < 5; ++i) {
    const Vec3d& x = sewn->mesh.vertices[sewn->mesh.vertex_groups.at("a.xmax")[i]];
    EXPECT_NEAR(norm(x - Vec3d{1.1, 1.05 * static_cast<double>(i) / 4, 0}), 0, 1e-14);
  }
  EXPECT_NEAR(flat_area(sewn->flat), 2.1, 1e-13);  // at rest nothing changed

  Seam seam = *seam_between(mesh, "a.xmax", "b.xmin", "");
  seam.ease = 0.1;
  seam.place = SeamPlace::second;
  const auto at_second = sew(mesh, {}, {&seam, 1}, "");
  ASSERT_TRUE(at_second);
  for (const int32_t v : seam.second)
    EXPECT_EQ(norm(at_second->mesh.vertices[at_second->vertex_of[v]] - mesh.vertices[v]), 0);
}

TEST(Sew, DataAndGroupsGoWithTheTriangles) {
  const TriMesh coarse = *make_grid_sheet({.cells = {1, 1}}), fine = *make_grid_sheet({.cells = {1, 3}});
  TriMesh mesh = beside(coarse, shifted(fine, {1, 0, 0}));
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    mesh.element_data["number"].values.push_back(static_cast<double>(t));
  for (size_t v = 0; v < mesh.vertices.size(); ++v)
    mesh.vertex_data["number"].values.push_back(static_cast<double>(v));
  mesh.element_groups["coarse"] = {0, 1};
  const auto sewn = sewn_groups(mesh, {{"a.xmax", "b.xmin"}});
  ASSERT_TRUE(sewn);
  for (size_t t = 0; t < sewn->mesh.elements.size(); ++t)
    EXPECT_EQ(sewn->mesh.element_data.at("number").values[t], sewn->triangle_in[t]);
  EXPECT_EQ(sewn->mesh.element_groups.at("coarse"), (std::vector<int32_t>{0, 1, 8, 9}));
  EXPECT_EQ(sewn->mesh.vertex_data.at("number").values.size(), sewn->mesh.vertices.size());
  for (const int32_t t : sewn->mesh.element_groups.at("coarse"))
    for (const int32_t v : sewn->mesh.elements[t]) EXPECT_LE(sewn->mesh.vertices[v][0], 1);
}

TEST(Sew, WhatIsNoSeamIsRefusedWithItsPlace) {
  const TriMesh left = *make_grid_sheet({.size = {3, 3}, .cells = {3, 3}});
  TriMesh mesh = beside(left, shifted(left, {3, 0, 0}));
  mesh.vertex_groups["inside"] = {5, 6};
  mesh.vertex_groups["two"] = {0, 1, 3};
  mesh.vertex_groups["one"] = {0};
  mesh.vertex_groups["round"] = {0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15};
  mesh.vertex_groups["none"] = {};
  const auto expect_refused = [&](const std::string& a, const std::string& b, const std::string& part) {
    const auto seam = seam_between(mesh, a, b, "shirt.obj");
    ASSERT_FALSE(seam) << part;
    EXPECT_NE(seam.error().text().find(part), std::string::npos) << seam.error().text();
  };
  expect_refused("a.xmax", "b.xmid", "the vertex group \"b.xmid\", which is not there");
  expect_refused("none", "b.xmin", "which is not there");
  expect_refused("inside", "b.xmin",
                 "2 of 2 vertices of the group \"inside\" are at no border: the first are 5 (1, 1, 0)");
  expect_refused("two", "b.xmin", "lie along 2 pieces of borders, ends at the first are 0 (0, 0, 0)");
  expect_refused("one", "b.xmin", "pieces of borders");
  expect_refused("round", "b.xmin", "of which one is closed");

  const auto expect_unsewn = [&](const std::vector<Seam>& seams, const std::string& part) {
    const auto sewn = sew(mesh, {}, seams, "shirt.obj");
    ASSERT_FALSE(sewn) << part;
    EXPECT_NE(sewn.error().text().find(part), std::string::npos) << sewn.error().text();
  };
  const std::vector<int32_t> a = {3, 7, 11, 15}, b = {16, 20, 24, 28};
  expect_unsewn({{.first = {5, 6}, .second = {16, 20}}},
                "along 5-6 (1, 1, 0) to (2, 1, 0), where there is no border");
  expect_unsewn({{.first = {3, 11}, .second = {16, 20}}}, "where there is no border");
  expect_unsewn({{.first = {3, 99}, .second = {16, 20}}}, "names vertex 99; expected 0 to 31");
  expect_unsewn({{.first = {3}, .second = {16}}}, "a side of a seam has 1 vertices");
  expect_unsewn({{.first = a, .second = {11, 7, 3, 2}}}, "passes through vertex 11 (3, 2, 0) twice");
  expect_unsewn({{.first = a, .second = b}, {.first = a, .second = {28, 29, 30, 31}}},
                "two seams go along the border 3-7");
  expect_unsewn({{.first = a, .second = b, .ease = -1}}, "the ease of a seam is -1");
  // The lowest and the highest vertex of a cell's diagonal triangle.
  expect_unsewn({{.first = {2, 3}, .second = {11, 7}}}, "would join corners of");
  EXPECT_TRUE(sew(mesh, {}, std::vector<Seam>{{.first = a, .second = b}}, ""));
  EXPECT_EQ(sew(mesh, std::vector<FlatEdges>(3), {}, "").error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace sinew::mesh
