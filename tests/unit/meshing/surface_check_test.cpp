#include "meshing/surface_check.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

#include "known_surfaces.h"

namespace sinew::meshing {
namespace {

constexpr Vec3d zero = {0, 0, 0}, one = {1, 1, 1};

Result<CheckedSurface> check(const mesh::TriMesh& mesh, const SurfaceRepairs& repairs = {}) {
  return check_surface(mesh, repairs, "skin.obj");
}

// Checked without an error, closed, and of this volume.
CheckedSurface sound(const mesh::TriMesh& mesh, double volume) {
  auto checked = check(mesh);
  EXPECT_TRUE(checked) << checked.error().text();
  if (!checked) return {};
  EXPECT_TRUE(closed_and_oriented(checked->mesh));
  EXPECT_TRUE(one_fan_a_point(checked->mesh));
  EXPECT_NEAR(checked->report.volume, volume, 1e-12 * (1 + std::abs(volume)));
  return *checked;
}

std::string refusal(const mesh::TriMesh& mesh, const SurfaceRepairs& repairs = {}) {
  const auto checked = check(mesh, repairs);
  EXPECT_FALSE(checked);
  return checked ? "" : checked.error().text();
}

void expect_refused(const mesh::TriMesh& mesh, const std::string& words, const SurfaceRepairs& repairs = {}) {
  const std::string text = refusal(mesh, repairs);
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

mesh::TriMesh without(mesh::TriMesh mesh, std::set<int> triangles) {
  mesh::TriMesh left = mesh;
  left.elements.clear();
  for (int t = 0; t < static_cast<int>(mesh.elements.size()); ++t)
    if (!triangles.count(t)) left.elements.push_back(mesh.elements[t]);
  return left;
}

TEST(SurfaceCheck, LeavesASoundSurfaceAsItIs) {
  mesh::TriMesh box = box_surface(zero, {1, 2, 3});
  box.element_groups["top"] = {2, 3};
  box.element_data["shade"] = {1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  box.vertex_groups["low"] = {0, 1};
  const CheckedSurface checked = sound(box, 6);
  EXPECT_EQ(checked.mesh.elements, box.elements);
  EXPECT_EQ(checked.mesh.element_groups, box.element_groups);
  EXPECT_EQ(checked.mesh.vertex_groups, box.vertex_groups);
  EXPECT_EQ(checked.mesh.element_data.at("shade").values, box.element_data.at("shade").values);
  EXPECT_EQ(checked.point_of, (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(checked.report.components, 1);
  EXPECT_DOUBLE_EQ(checked.report.area, 22);
  EXPECT_TRUE(checked.report.messages.empty());
}

TEST(SurfaceCheck, JoinsTheCornersOfASoup) {
  mesh::TriMesh apart = soup(sphere_surface(1, 12, 8));
  apart.vertices[5][0] = -apart.vertices[5][0] == 0 ? -0.0 : apart.vertices[5][0];
  const auto sphere = sphere_surface(1, 12, 8);
  const CheckedSurface checked = check(apart).value();
  EXPECT_EQ(checked.mesh.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(checked.report.duplicate_points,
            static_cast<int64_t>(apart.vertices.size() - sphere.vertices.size()));
  EXPECT_TRUE(closed_and_oriented(checked.mesh));
  for (size_t v = 0; v < apart.vertices.size(); ++v)
    for (int a = 0; a < 3; ++a)
      EXPECT_EQ(checked.mesh.vertices[checked.point_of[v]][a], apart.vertices[v][a]);
}

TEST(SurfaceCheck, ClosedPartsThatCoincideStayApart) {
  const auto box = box_surface(zero, one);
  EXPECT_EQ(sound(both(box, box), 2).report.components, 2);
}

TEST(SurfaceCheck, LeavesOutWhatHasNoAreaOrIsGivenTwice) {
  mesh::TriMesh box = box_surface(zero, one);
  box.elements.push_back({1, 2, 0});  // the first one again
  box.elements.push_back({3, 3, 5});
  box.elements.push_back({5, 6, 7});  // (5, 7, 6) the other way round
  const CheckedSurface checked = sound(box, 1);
  EXPECT_EQ(checked.mesh.elements.size(), 12u);
  EXPECT_EQ(checked.report.duplicate, 2);
  EXPECT_EQ(checked.report.degenerate, 1);
  EXPECT_EQ(checked.report.messages.size(), 2u);
}

TEST(SurfaceCheck, LeavesOutTrianglesBackToBack) {
  mesh::TriMesh box = both(box_surface(zero, one), box_surface({2, 2, 2}, {3, 3, 3}));
  box.elements.resize(14);
  box.elements[12] = {8, 9, 10};
  box.elements[13] = {8, 10, 9};
  const CheckedSurface checked = sound(box, 1);
  EXPECT_EQ(checked.report.degenerate, 2);
  EXPECT_EQ(checked.point_of[8], -1);
}

TEST(SurfaceCheck, CutsTrianglesAtPointsOnTheirEdges) {
  // The top of the box has a point on its diagonal, closed by a triangle without area, or left open.
  for (const bool filled : {true, false}) {
    mesh::TriMesh box = box_surface(zero, one);
    box.vertices.push_back({0.5, 0.5, 1});
    box.elements[2] = {4, 5, 8};
    box.elements.push_back({4, 8, 6});
    if (filled) box.elements.push_back({5, 6, 8});
    box.element_groups["below"] = {3};
    const CheckedSurface checked = sound(box, 1);
    EXPECT_EQ(checked.mesh.elements.size(), 14u);
    EXPECT_EQ(checked.mesh.element_groups.at("below").size(), 2u);
  }
}

TEST(SurfaceCheck, CutsAtRowsOfPoints) {
  // A side with nine points on its diagonal, as a fan over a polygon with points in a line has them.
  mesh::TriMesh box = box_surface(zero, one);
  box.elements.erase(box.elements.begin() + 2);
  std::vector<int32_t> row = {5};
  for (int i = 1; i <= 9; ++i) {
    row.push_back(static_cast<int32_t>(box.vertices.size()));
    box.vertices.push_back({1 - i / 16.0, i / 16.0, 1});
  }
  row.push_back(6);
  for (size_t i = 0; i + 1 < row.size(); ++i) box.elements.push_back({4, row[i], row[i + 1]});
  for (size_t i = 1; i + 1 < row.size(); ++i) box.elements.push_back({5, row[i + 1], row[i]});
  EXPECT_EQ(sound(box, 1).mesh.elements.size(), 11u + 10u + 9u);
}

TEST(SurfaceCheck, TurnsTheFewerTrianglesOfAPatch) {
  mesh::TriMesh sphere = sphere_surface(1, 12, 8);
  const double volume = sound(sphere, check(sphere)->report.volume).report.volume;
  for (const int t : {0, 7, 8, 9, 40}) std::swap(sphere.elements[t][0], sphere.elements[t][1]);
  const CheckedSurface checked = sound(sphere, volume);
  EXPECT_EQ(checked.report.turned, 5);
  EXPECT_EQ(checked.report.messages.size(), 1u);
  expect_refused(sphere, "disagree about the outside", {.orient = false});
}

TEST(SurfaceCheck, TurnsWhatFacesInwards) {
  const auto box = box_surface(zero, one), other = box_surface({2, 0, 0}, {4, 2, 2});
  EXPECT_EQ(sound(turned(box), 1).report.turned, 12);
  EXPECT_EQ(sound(both(turned(box), other), 9).report.turned, 12);
  EXPECT_EQ(sound(both(box, turned(other)), 9).report.turned, 12);
  EXPECT_EQ(sound(turned(both(box, other)), 9).report.turned, 24);
  expect_refused(turned(box), "faces inwards", {.orient = false});
}

TEST(SurfaceCheck, CavitiesStay) {
  const auto outer = box_surface({0, 0, 0}, {4, 4, 4});
  const auto ball = sphere_surface(1, 48, 32, {2, 2, 2});  // its tip is nearly flat
  const double volume = check(ball)->report.volume;
  const CheckedSurface hollow = sound(both(outer, turned(ball)), 64 - volume);
  EXPECT_EQ(hollow.report.cavities, 1);
  EXPECT_EQ(hollow.report.turned, 0);
  const CheckedSurface inverted = sound(both(turned(outer), ball), 64 - volume);
  EXPECT_EQ(inverted.report.cavities, 1);
  EXPECT_EQ(inverted.report.turned, 12 + static_cast<int64_t>(ball.elements.size()));
  // Beside the hollow one, a ball that faces inwards by mistake.
  const auto away = turned(sphere_surface(1, 12, 8, {9, 0, 0}));
  const CheckedSurface mixed =
      sound(both(both(outer, turned(ball)), away), 64 - volume + check(away)->report.volume);
  EXPECT_EQ(mixed.report.cavities, 1);
  EXPECT_EQ(mixed.report.turned, static_cast<int64_t>(away.elements.size()));
}

TEST(SurfaceCheck, ABodyThatReachesOutOfAnotherIsNoCavity) {
  const auto box = box_surface({0, 0, 0}, {2, 2, 2});
  for (const Vec3d& low : {Vec3d{0.5, 0.5, -0.5}, Vec3d{-0.5, 0.5, 0.5}, Vec3d{0.5, 1.5, 0.5}})
    EXPECT_EQ(sound(both(box, turned(box_surface(low, low + one))), 9).report.cavities, 0);
}

// Far from the origin, very large and very small.
TEST(SurfaceCheck, AnyPlaceAndSize) {
  for (const double size : {1e-60, 1e-20, 1e20, 1e60}) {
    auto body = both(box_surface({0, 0, 0}, {4, 4, 4}), turned(sphere_surface(1, 12, 8, {2, 2, 2})));
    for (Vec3d& x : body.vertices)
      for (int a = 0; a < 3; ++a) x[a] = std::abs(x[a]) < 1e-9 ? 0 : x[a] * size;
    const auto checked = check(body);
    ASSERT_TRUE(checked) << checked.error().text();
    EXPECT_EQ(checked->report.cavities, 1) << size;
    EXPECT_EQ(checked->report.turned, 0) << size;
  }
}

TEST(SurfaceCheck, OneSidedSurfacesAreRefused) {
  mesh::TriMesh band;
  constexpr int n = 24;
  for (int i = 0; i < n; ++i)
    for (const double s : {-0.3, 0.3}) {
      const double u = 2 * M_PI * i / n;
      band.vertices.push_back({(1 + s * std::cos(u / 2)) * std::cos(u),
                               (1 + s * std::cos(u / 2)) * std::sin(u), s * std::sin(u / 2)});
    }
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i, b = 2 * i + 1;
    const int c = i + 1 < n ? 2 * i + 2 : 1, d = i + 1 < n ? 2 * i + 3 : 0;
    band.elements.push_back({a, b, c});
    band.elements.push_back({b, d, c});
  }
  expect_refused(band, "one-sided");
}

TEST(SurfaceCheck, BoxesThatShareAnEdgeComeApart) {
  const mesh::TriMesh joined = welded(both(box_surface(zero, one), box_surface({1, 1, 0}, {2, 2, 1})));
  EXPECT_EQ(joined.vertices.size(), 14u);
  const CheckedSurface checked = sound(joined, 2);
  EXPECT_EQ(checked.report.components, 2);
  EXPECT_EQ(checked.report.split_points, 2);
  EXPECT_EQ(checked.mesh.vertices.size(), 16u);
}

TEST(SurfaceCheck, BoxesThatShareAFaceOrACornerComeApart) {
  EXPECT_EQ(
      sound(welded(both(box_surface(zero, one), box_surface({1, 0, 0}, {2, 1, 1}))), 2).report.components, 2);
  // A shared wall with points and edges inside it.
  mesh::TriMesh finer[2];
  for (int side = 0; side < 2; ++side) {
    finer[side] = without(box_surface({1.0 * side, 0, 0}, {side + 1.0, 1, 1}),
                          side ? std::set<int>{8, 9} : std::set<int>{10, 11});
    const auto corner = [&](int y, int z) { return 2 * y + 4 * z + (side ? 0 : 1); };
    const auto middle = static_cast<int32_t>(finer[side].vertices.size());
    for (const auto& [y, z] : {std::pair{0.4, 0.4}, {0.7, 0.5}, {0.45, 0.7}})
      finer[side].vertices.push_back({1, y, z});
    const int32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
    const int32_t u = middle, v = middle + 1, w = middle + 2;
    for (std::array<int32_t, 3> t :
         {std::array{a, b, u}, {b, v, u}, {b, c, v}, {c, w, v}, {c, d, w}, {d, u, w}, {d, a, u}, {u, v, w}}) {
      if (side) std::swap(t[1], t[2]);
      finer[side].elements.push_back(t);
    }
  }
  EXPECT_EQ(sound(welded(both(finer[0], finer[1])), 2).report.components, 2);
  const CheckedSurface corner = sound(welded(both(box_surface(zero, one), box_surface(one, {2, 2, 2}))), 2);
  EXPECT_EQ(corner.report.components, 2);
  EXPECT_EQ(corner.report.split_points, 1);
  EXPECT_EQ(corner.point_of[7], 7);  // the first fan keeps the point
}

TEST(SurfaceCheck, WallsAndFinsAreLeftOut) {
  // A wall across a box: three triangles at each of its edges.
  mesh::TriMesh wall = box_surface(zero, one);
  wall.elements.push_back({0, 3, 7});
  wall.elements.push_back({0, 7, 4});
  const CheckedSurface one_box = sound(wall, 1);
  EXPECT_EQ(one_box.mesh.elements.size(), 12u);
  ASSERT_EQ(one_box.report.messages.size(), 1u);
  EXPECT_NE(one_box.report.messages[0].find("2 triangles of walls inside the body and of fins"),
            std::string::npos);
  expect_refused(wall, "more than two triangles", {.orient = false});
  // A triangle that stands on an edge.
  mesh::TriMesh fin = box_surface(zero, one);
  fin.vertices.push_back({2, 2, 0.5});
  fin.elements.push_back({3, 7, 8});
  EXPECT_EQ(sound(fin, 1).mesh.elements.size(), 12u);
  // Every triangle facing both ways.
  const auto box = box_surface(zero, one);
  EXPECT_EQ(sound(welded(both(box, turned(box))), 1).mesh.elements.size(), 12u);
  // Two boxes with an edge in common, one of them inside out.
  EXPECT_EQ(sound(welded(both(box, turned(box_surface({1, 1, 0}, {2, 2, 1})))), 2).report.components, 2);
}

TEST(SurfaceCheck, FoldsThatShareAnEdgeArePartedInItsMiddle) {
  // Four quads from pole to pole, of which two are cut between the poles: an edge of four triangles in a body of one piece.
  mesh::TriMesh lantern;
  lantern.vertices = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  for (int i = 0; i < 4; ++i) {
    const int32_t a = 2 + i, b = 2 + (i + 1) % 4;
    if (i % 2 == 0) {
      lantern.elements.push_back({0, a, 1});
      lantern.elements.push_back({0, 1, b});
    } else {
      lantern.elements.push_back({0, a, b});
      lantern.elements.push_back({a, 1, b});
    }
  }
  const auto checked = check(lantern);
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_TRUE(closed_and_oriented(checked->mesh));
  EXPECT_TRUE(one_fan_a_point(checked->mesh));
  EXPECT_NEAR(checked->report.volume, 2.0 / 3, 1e-12);
}

TEST(SurfaceCheck, ClosesSmallHoles) {
  const auto sphere = sphere_surface(1, 24, 16);
  for (const auto& missing :
       {std::set<int>{100}, std::set<int>{100, 101, 102, 103}, std::set<int>{0, 1, 30, 31}}) {
    const auto open = without(sphere, missing);
    const auto checked = check(open);
    ASSERT_TRUE(checked) << checked.error().text();
    EXPECT_TRUE(closed_and_oriented(checked->mesh));
    EXPECT_TRUE(one_fan_a_point(checked->mesh));
    EXPECT_EQ(checked->mesh.elements.size(), sphere.elements.size());
    EXPECT_EQ(checked->report.fan_triangles, static_cast<int64_t>(missing.size()));
  }
  // Half a ball.
  auto half = sphere_surface(1, 24, 16);
  std::erase_if(half.elements, [&](const auto& t) {
    return half.vertices[t[0]][2] + half.vertices[t[1]][2] + half.vertices[t[2]][2] > 1e-9;
  });
  EXPECT_EQ(check(half)->report.holes_closed, 1);
  // A box without its lid: the hole has four edges.
  const CheckedSurface box = sound(without(box_surface(zero, one), {2, 3}), 1);
  EXPECT_EQ(box.report.holes_closed, 1);
  expect_refused(without(sphere, {100}), "3 open edges", {.fill_holes = false});
  expect_refused(without(sphere, {100}), "3 open edges", {.hole_edges = 2});
  expect_refused(sphere, "expected 0 to 1000", {.hole_edges = 1001});
}

TEST(SurfaceCheck, LidsLieInThePlaneOfAFlatRim) {
  // A pipe with its ends off; one end has points in a line.
  constexpr int n = 32;
  mesh::TriMesh pipe;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < n; ++i) {
      // Along the sides of a square that is pressed in from one side.
      const double s = 4.0 * i / n;
      double x = s < 1 ? s : s < 2 ? 1 : s < 3 ? 3 - s : 0, y = s < 1 ? 0 : s < 2 ? s - 1 : s < 3 ? 1 : 4 - s;
      if (y == 1) y = 1 - 0.9 * std::min(x, 1 - x);
      pipe.vertices.push_back({x, y, 3.0 * k});
    }
  for (int i = 0; i < n; ++i) {
    const int a = i, b = (i + 1) % n;
    pipe.elements.push_back({a, b, b + n});
    pipe.elements.push_back({a, b + n, a + n});
  }
  const double section = 1 - 0.45 / 2;
  const CheckedSurface checked = sound(pipe, 3 * section);
  EXPECT_EQ(checked.report.holes_closed, 2);
  EXPECT_EQ(checked.report.fan_triangles, 2 * (n - 2));
}

TEST(SurfaceCheck, SheetsAndLargeHolesAreRefused) {
  mesh::TriMesh sheet;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) sheet.vertices.push_back({1.0 * i, 1.0 * j, 0.01 * i * j});
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      const int a = i + 4 * j;
      sheet.elements.push_back({a, a + 1, a + 5});
      sheet.elements.push_back({a, a + 5, a + 4});
    }
  const std::string text = refusal(sheet);
  EXPECT_NE(text.find("12 open edges"), std::string::npos) << text;
  EXPECT_NE(text.find("and 4 more"), std::string::npos) << text;
  EXPECT_NE(text.find("1 rims are those of sheets"), std::string::npos) << text;
  const auto sphere = sphere_surface(1, 300, 16);
  std::set<int> cap;
  for (int i = 0; i < static_cast<int>(sphere.elements.size()); ++i)
    if (sphere.elements[i][0] == 0) cap.insert(i);
  expect_refused(without(sphere, cap), "300 open edges");
  // Beside a body sheets are left out.
  const CheckedSurface beside = sound(both(box_surface({5, 0, 0}, {15, 10, 10}), sheet), 1000);
  EXPECT_EQ(beside.report.sheets, 1);
  EXPECT_EQ(beside.mesh.elements.size(), 12u);
}

TEST(SurfaceCheck, BadNumbersAreNamed) {
  mesh::TriMesh box = box_surface(zero, one);
  expect_refused({}, "no triangles");
  mesh::TriMesh single;
  single.vertices = {zero, {1, 0, 0}, {0, 1, 0}};
  single.elements = {{0, 1, 2}};
  expect_refused(single, "3 open edges: 0-1 from (0, 0, 0) to (1, 0, 0)");
  auto bad = box;
  bad.vertices[3][1] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(bad, "coordinate y of point 3 is nan");
  bad.vertices[3][1] = -std::numeric_limits<double>::infinity();
  expect_refused(bad, "coordinate y of point 3 is -inf");
  bad.vertices[3][1] = 1e80;
  expect_refused(bad, "coordinate y of point 3 is 1e+80");
  bad.vertices[3][1] = 1e-300;
  expect_refused(bad, "coordinate y of point 3 is 1e-300");
  bad = box;
  bad.elements[4][2] = 8;
  expect_refused(bad, "triangle 4 has the corner 8; expected 0 to 7");
  bad.elements[4][2] = -1;
  expect_refused(bad, "triangle 4 has the corner -1");
  bad = box;
  for (auto& t : bad.elements) t = {1, 1, 2};
  expect_refused(bad, "none of 12 triangles");
}

// Soups of a few triangles over a few points, some at one place: an error, or a closed surface.
TEST(SurfaceCheck, AnySoupIsRefusedOrClosed) {
  std::mt19937 random(1);
  int accepted = 0;
  for (int sample = 0; sample < 10000; ++sample) {
    mesh::TriMesh mesh;
    const int points = 4 + static_cast<int>(random() % 7), triangles = 1 + static_cast<int>(random() % 16);
    for (int v = 0; v < points; ++v)
      mesh.vertices.push_back({0.5 * (random() % 4), 0.5 * (random() % 3), 0.5 * (random() % 3)});
    for (int t = 0; t < triangles; ++t)
      mesh.elements.push_back({static_cast<int32_t>(random() % points),
                               static_cast<int32_t>(random() % points),
                               static_cast<int32_t>(random() % points)});
    // Half of them are bodies with changes, of which more pass.
    if (sample % 2 == 1) {
      mesh::TriMesh body = both(box_surface(zero, one),
                                box_surface({1.0 * (random() % 3), 0.5, 0}, {2.5, 1.0 + random() % 2, 1}));
      body = sample % 4 == 1 ? welded(body) : body;
      for (unsigned k = random() % 4; k > 0; --k) {
        auto& t = body.elements[random() % body.elements.size()];
        if (random() % 2)
          std::swap(t[0], t[1]);
        else
          t[random() % 3] = static_cast<int32_t>(random() % body.vertices.size());
      }
      if (random() % 4 == 0)
        body.elements.erase(body.elements.begin() + static_cast<int>(random() % body.elements.size()));
      if (random() % 4 == 0) body.elements.push_back(body.elements[random() % body.elements.size()]);
      mesh = body;
    }
    const auto checked = check(mesh);
    if (!checked) {
      ASSERT_FALSE(checked.error().what.empty());
      continue;
    }
    ++accepted;
    ASSERT_TRUE(closed_and_oriented(checked->mesh)) << sample;
    ASSERT_TRUE(one_fan_a_point(checked->mesh)) << sample;
    ASSERT_GE(checked->report.volume, -1e-12) << sample;
    // What is put right once needs nothing more.
    const auto again = check(checked->mesh);
    ASSERT_TRUE(again) << sample << again.error().text();
    ASSERT_EQ(again->mesh.elements, checked->mesh.elements) << sample;
  }
  EXPECT_GT(accepted, 500);
}

// Ten million triangles.
TEST(LongSurfaceCheck, TenMillionTriangles) {
  const auto sphere = sphere_surface(1, 5000, 1001);
  ASSERT_EQ(sphere.elements.size(), 10000000u);
  const auto checked = check(sphere);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->mesh.elements.size(), sphere.elements.size());
  EXPECT_NEAR(checked->report.volume, 4 * M_PI / 3, 1e-4);
}

}  // namespace
}  // namespace sinew::meshing
