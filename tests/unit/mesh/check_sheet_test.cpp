#include "mesh/check_sheet.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/sheet_shapes.h"
#include "mesh/surfaces.h"
#include "mesh/texture.h"
#include "sheet_topology.h"

namespace sinew::mesh {
namespace {

bool says(const CheckedSheet& sheet, const std::string& part) {
  for (const std::string& message : sheet.report.messages)
    if (message.find(part) != std::string::npos) return true;
  return false;
}

void expect_refused(const TriMesh& mesh, const SheetOptions& options, const std::string& part) {
  const auto sheet = check_sheet(mesh, options, "cloth.obj");
  ASSERT_FALSE(sheet) << part;
  EXPECT_NE(sheet.error().text().find("cloth.obj: "), std::string::npos);
  EXPECT_NE(sheet.error().text().find(part), std::string::npos) << sheet.error().text();
}

// A band of n cells along, the last of which is sewn to the first, turned by half a turn or not.
TriMesh band(int32_t n, bool half_turn) {
  TriMesh mesh;
  for (int32_t i = 0; i < n; ++i) {
    const double a = 2 * M_PI * i / n, b = half_turn ? a / 2 : M_PI / 2;
    for (const double s : {-0.3, 0.3}) {
      const double r = 1 + s * std::cos(b);
      mesh.vertices.push_back({r * std::cos(a), r * std::sin(a), s * std::sin(b)});
    }
  }
  for (int32_t i = 0; i < n; ++i) {
    int32_t c = (2 * i + 2) % (2 * n), d = c + 1;
    if (half_turn && i + 1 == n) std::swap(c, d);
    mesh.elements.push_back({2 * i, c, d});
    mesh.elements.push_back({2 * i, d, 2 * i + 1});
  }
  return mesh;
}

TEST(CheckSheet, SoundOnesPassInSilence) {
  struct Case {
    TriMesh mesh;
    int64_t euler;
    int32_t borders;
  };
  const Case cases[] = {{*make_grid_sheet({}), 1, 1},
                        {*make_disc_sheet({.inner = 0.5}), 0, 2},
                        {*make_sphere_sheet({}), 2, 0},
                        {torus_surface(1, 0.3, 20, 9), 0, 0},
                        {*make_cap_sheet({.hole_degrees = 18}), 0, 2}};
  for (const Case& c : cases) {
    const auto sheet = check_sheet(c.mesh, {.thickness = 1e-3}, "cloth");
    ASSERT_TRUE(sheet) << sheet.error().text();
    EXPECT_EQ(sheet->report.messages, std::vector<std::string>{});
    EXPECT_EQ(sheet->report.euler, c.euler);
    EXPECT_EQ(sheet->report.borders, c.borders);
    EXPECT_EQ(sheet->report.components, 1);
    EXPECT_EQ(sheet->mesh.elements, c.mesh.elements);
    EXPECT_EQ(sheet->mesh.vertex_groups, c.mesh.vertex_groups);
    EXPECT_EQ(sheet->report.area, total_area(c.mesh));
  }
  EXPECT_NEAR(check_sheet(*make_grid_sheet({.size = {4, 2}, .cells = {4, 4}}), {.thickness = 0.1}, "")
                  ->report.shortest_edge,
              0.5, 1e-15);
}

TEST(CheckSheet, EdgesOfThreeTrianglesAreRefusedWithTheirPlace) {
  TriMesh mesh = *make_grid_sheet({.size = {2, 2}, .cells = {2, 2}});
  mesh.element_data.clear();
  mesh.vertices.push_back({1, 0.5, 1});
  mesh.elements.push_back({1, 4, 9});
  expect_refused(mesh, {.thickness = 1e-3},
                 "1 edges have more than two triangles: 1-4 (1, 0, 0) to (1, 1, 0)");
}

TEST(CheckSheet, TrianglesWithoutAreaAreRefusedWithTheirPlace) {
  TriMesh mesh = *make_grid_sheet({.size = {3, 3}, .cells = {3, 3}});
  mesh.element_data.clear();
  mesh.vertices.push_back({0.5, -1e-15, 0});
  mesh.elements.push_back({1, 0, 16});
  expect_refused(mesh, {.thickness = 1e-3}, "1 of 19 triangles have no area: 18 (vertices 1 0 16)");
  mesh.elements.back() = {1, 0, 1};
  expect_refused(mesh, {.thickness = 1e-3}, "have no area");
  mesh.vertices.back() = {0.5, -0.01, 0};
  mesh.elements.back() = {1, 0, 16};
  const auto slender = check_sheet(mesh, {.thickness = 1e-3}, "cloth");
  ASSERT_TRUE(slender);
  EXPECT_EQ(slender->report.slender, 1);
  EXPECT_TRUE(says(*slender, "1 of 19 triangles are slender, which makes them stiff: 18"));
  // Area 0.005; squared edges 1 and twice 0.2501.
  EXPECT_NEAR(slender->report.worst_quality, 4 * std::sqrt(3.0) * 0.005 / (1 + 2 * 0.2501), 1e-13);
}

TEST(CheckSheet, TrianglesThatDisagreeAreTurned) {
  for (const TriMesh& sound : {*make_grid_sheet({}), *make_disc_sheet({.inner = 0.4}), band(12, false)}) {
    TriMesh mesh = sound;
    std::vector<int32_t> turned;
    for (size_t t = 0; t < mesh.elements.size(); t += 1 + t % 5) {
      turn_triangle(mesh, t);
      turned.push_back(static_cast<int32_t>(t));
      t += 2;
    }
    ASSERT_LT(2 * turned.size(), mesh.elements.size());
    const auto sheet = check_sheet(mesh, {.thickness = 1e-3}, "cloth");
    ASSERT_TRUE(sheet) << sheet.error().text();
    expect_sheet(sheet->mesh);
    // What was turned is turned back, with its texture.
    for (size_t t = 0; t < mesh.elements.size(); ++t) EXPECT_EQ(sheet->mesh.elements[t], sound.elements[t]);
    if (find_texture(sound)) {
      EXPECT_EQ(find_texture(sheet->mesh)->values, find_texture(sound)->values);
    }
    EXPECT_EQ(sheet->report.turned, static_cast<int64_t>(turned.size()));
    for (const int32_t t : turned) EXPECT_EQ(sheet->turned[t], 1);
    EXPECT_EQ(std::count(sheet->turned.begin(), sheet->turned.end(), 1), sheet->report.turned);
    EXPECT_TRUE(says(*sheet, "that faced against their neighbours were turned"));
    expect_refused(mesh, {.thickness = 1e-3, .orient = false}, "neighbours face opposite sides");
  }
}

TEST(CheckSheet, OneSidedPartsAreRefused) {
  EXPECT_TRUE(check_sheet(band(15, false), {.thickness = 1e-3}, ""));
  expect_refused(band(15, true), {.thickness = 1e-3}, "one-sided, as a Moebius band is");
}

TEST(CheckSheet, TrianglesGivenTwiceAreLeftOut) {
  TriMesh mesh = *make_grid_sheet({.cells = {2, 2}});
  mesh.element_groups["last"] = {7, 9};
  mesh.elements.insert(mesh.elements.begin() + 1,
                       {mesh.elements[0][0], mesh.elements[0][2], mesh.elements[0][1]});
  mesh.elements.push_back({mesh.elements[5][1], mesh.elements[5][2], mesh.elements[5][0]});
  auto& texture = mesh.element_data.at(texture_data).values;
  texture.resize(60, 0.25);
  const auto sheet = check_sheet(mesh, {.thickness = 1e-3}, "cloth");
  ASSERT_TRUE(sheet) << sheet.error().text();
  EXPECT_EQ(sheet->report.repeated, 2);
  EXPECT_EQ(sheet->mesh.elements.size(), 8u);
  EXPECT_EQ(sheet->triangle_of, (std::vector<int32_t>{0, -1, 1, 2, 3, 4, 5, 6, 7, -1}));
  EXPECT_EQ(sheet->mesh.element_groups.at("last"), std::vector<int32_t>{6});
  EXPECT_TRUE(says(*sheet, "2 triangles given twice were left out: the first are 1 (vertices"));
  EXPECT_NEAR(sheet->report.area, 1, 1e-14);
}

TEST(CheckSheet, VerticesOfNoTriangleAreLeftOut) {
  TriMesh mesh = *make_grid_sheet({.size = {2, 2}, .cells = {2, 2}});
  mesh.vertices.insert(mesh.vertices.begin() + 2, Vec3d{7, 8, 9});
  for (auto& triangle : mesh.elements)
    for (int32_t& v : triangle) v += v >= 2;
  mesh.vertex_groups = {{"some", {1, 2, 3}}};
  for (int i = 0; i < 10; ++i) mesh.vertex_data["number"].values.push_back(i);
  const auto sheet = check_sheet(mesh, {.thickness = 1e-3}, "cloth");
  ASSERT_TRUE(sheet);
  EXPECT_EQ(sheet->report.unused, 1);
  EXPECT_EQ(sheet->vertex_of, (std::vector<int32_t>{0, 1, -1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(sheet->mesh.vertex_groups.at("some"), (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(sheet->mesh.vertex_data.at("number").values, (std::vector<double>{0, 1, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_TRUE(says(*sheet, "1 vertices of no triangle were left out: 2 (7, 8, 9)"));
  expect_sheet(sheet->mesh);
}

TEST(CheckSheet, SeamsOfTwoPiecesAreSaidOrJoined) {
  TriMesh left = *make_grid_sheet({.size = {1, 1}, .cells = {4, 4}});
  left.element_data.clear();
  const TriMesh both = joined(left, moved(left, [](const Vec3d& x) { return x + Vec3d{1, 0, 0}; }));
  const auto apart = check_sheet(both, {.thickness = 1e-3}, "cloth");
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->report.coincident, 5);
  EXPECT_EQ(apart->report.components, 2);
  EXPECT_EQ(apart->report.borders, 2);
  EXPECT_TRUE(says(
      *apart, "5 vertices are at the place of others and not joined to them: the first are 25 (1, 0, 0)"));
  const auto one = check_sheet(both, {.thickness = 1e-3, .join = true}, "cloth");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->report.joined, 5);
  EXPECT_EQ(one->report.coincident, 0);
  EXPECT_EQ(one->report.components, 1);
  EXPECT_EQ(one->mesh.vertices.size(), 45u);
  EXPECT_EQ(expect_sheet(one->mesh).euler, 1);
  EXPECT_EQ(one->vertex_of[25], 4);
  EXPECT_EQ(one->vertex_of[26], 25);
}

TEST(CheckSheet, PartsThatTouchInAVertexAreSaid) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  mesh.elements = {{0, 1, 2}, {0, 3, 4}};
  const auto sheet = check_sheet(mesh, {.thickness = 1e-3}, "cloth");
  ASSERT_TRUE(sheet);
  EXPECT_EQ(sheet->report.touching, 1);
  EXPECT_EQ(sheet->report.borders, 2);
  EXPECT_EQ(sheet->report.euler, 1);  // 5 - 6 + 2
  EXPECT_EQ(sheet->report.components, 1);
  EXPECT_TRUE(says(*sheet, "at 1 vertices triangles meet that have no edge there in common: 0 (0, 0, 0)"));
}

TEST(CheckSheet, ThicknessIsComparedWithTheEdges) {
  const TriMesh mesh = *make_grid_sheet({.size = {3, 3}, .cells = {6, 3}});
  EXPECT_TRUE(check_sheet(mesh, {.thickness = 0.49}, "")->report.messages.empty());
  const auto thick = check_sheet(mesh, {.thickness = 0.6}, "cloth");
  ASSERT_TRUE(thick);
  // 6 edges of 0.5 in each of 4 rows, of 24 + 21 + 18.
  EXPECT_TRUE(says(*thick, "the thickness of 0.6 m is above 24 of 63 edges, the shortest of 0.5 m is 0-1"))
      << thick->report.messages[0];
  for (const double thickness : {0.0, -1.0, std::nan(""), HUGE_VAL})
    expect_refused(mesh, {.thickness = thickness}, "the thickness is");
}

TEST(CheckSheet, NumbersThatAreNoneAreRefused) {
  TriMesh mesh = *make_grid_sheet({.cells = {2, 2}});
  mesh.vertices[4][1] = std::nan("");
  expect_refused(mesh, {.thickness = 1e-3}, "coordinate y of vertex 4 is nan");
  mesh.vertices[4][1] = 0.5;
  mesh.elements[3][2] = 9;
  expect_refused(mesh, {.thickness = 1e-3}, "triangle 3 has the corner 9; expected 0 to 8");
  mesh.elements[3][2] = 4;
  mesh.elements.pop_back();
  expect_refused(mesh, {.thickness = 1e-3},
                 "the element data \"texture\" have 48 numbers; expected 6 for each of 7");
  mesh.element_data.clear();
  mesh.vertex_groups["far"] = {3, 9};
  expect_refused(mesh, {.thickness = 1e-3}, "the vertex group \"far\" names 9; expected 0 to 8");
  mesh.elements.clear();
  expect_refused(mesh, {.thickness = 1e-3}, "no triangles among 9 vertices");
}

// Messages name what the file has, whatever was left out before.
TEST(CheckSheet, PlacesAreThoseOfTheGivenMesh) {
  TriMesh mesh = *make_grid_sheet({.size = {2, 2}, .cells = {2, 2}});
  mesh.vertices.insert(mesh.vertices.begin(), Vec3d{5, 5, 5});
  for (auto& triangle : mesh.elements)
    for (int32_t& v : triangle) ++v;
  mesh.elements.insert(mesh.elements.begin(), TriMesh::Element(mesh.elements[0]));
  mesh.element_data.clear();
  mesh.vertex_groups.clear();
  turn_triangle(mesh, 6);
  const auto sheet = check_sheet(mesh, {.thickness = 2}, "cloth");
  ASSERT_TRUE(sheet);
  EXPECT_TRUE(says(*sheet, "given twice were left out: 1 (vertices"));
  EXPECT_TRUE(says(*sheet, "turned: 6 (vertices"));
  EXPECT_TRUE(says(*sheet, "m is 1-2 (0, 0, 0) to (1, 0, 0)"));
}

}  // namespace
}  // namespace sinew::mesh
