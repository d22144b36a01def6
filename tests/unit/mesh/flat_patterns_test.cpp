#include "mesh/flat_patterns.h"

#include <gtest/gtest.h>

#include "mesh/properties.h"
#include "mesh/sheet_shapes.h"

namespace sinew::mesh {
namespace {

std::vector<double>& texture_of(TriMesh& mesh) { return mesh.element_data.at(texture_data).values; }

// The triangles right of x = 1 lie elsewhere on the cloth: p is moved by the map.
template <class Map>
TriMesh two_patterns(const Map& map) {
  TriMesh mesh = *make_grid_sheet({.size = {2, 1}, .cells = {8, 4}, .pattern = Pattern::alternating});
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& [a, b, c] = mesh.elements[t];
    if (mesh.vertices[a][0] + mesh.vertices[b][0] + mesh.vertices[c][0] < 3) continue;
    double* at = &texture_of(mesh)[6 * t];
    for (int k = 0; k < 6; k += 2) {
      const Vec2d p = map(Vec2d{at[k], at[k + 1]});
      at[k] = p[0];
      at[k + 1] = p[1];
    }
  }
  return mesh;
}

double det(const FlatEdges& flat) { return flat[0][0] * flat[1][1] - flat[0][1] * flat[1][0]; }

// Every edge is as long on the cloth as in space.
void expect_congruent(const TriMesh& mesh, const std::vector<FlatEdges>& flat, double factor = 1) {
  ASSERT_EQ(flat.size(), mesh.elements.size());
  for (size_t t = 0; t < flat.size(); ++t) {
    const auto& [a, b, c] = mesh.elements[t];
    const auto& x = mesh.vertices;
    EXPECT_NEAR(norm(flat[t][0]), factor * norm(x[b] - x[a]), 1e-13);
    EXPECT_NEAR(norm(flat[t][1]), factor * norm(x[c] - x[a]), 1e-13);
    EXPECT_NEAR(norm(flat[t][1] - flat[t][0]), factor * norm(x[c] - x[b]), 1e-13);
    EXPECT_GT(det(flat[t]), 0);
  }
}

TEST(FlatPatterns, AFlatSheetIsOnePatternOfItsOwnShape) {
  const TriMesh mesh = *make_grid_sheet({.size = {2, 1}, .pattern = Pattern::crossed});
  const auto patterns = flat_patterns(mesh, {}, "cloth");
  ASSERT_TRUE(patterns);
  expect_congruent(mesh, patterns->flat);
  EXPECT_EQ(patterns->count, 1);
  EXPECT_NEAR(patterns->area, 2, 1e-13);
  EXPECT_NEAR(patterns->least_ratio, 1, 1e-12);
  EXPECT_NEAR(patterns->most_ratio, 1, 1e-12);
  EXPECT_TRUE(patterns->messages.empty());
  // The first axis is that of the texture.
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    EXPECT_EQ(patterns->flat[t][0][0],
              mesh.vertices[mesh.elements[t][1]][0] - mesh.vertices[mesh.elements[t][0]][0]);
}

TEST(FlatPatterns, ATubeUnfolds) {
  const TriMesh mesh = *make_tube_sheet({.radius = 0.3, .length = 1, .pattern = Pattern::equilateral});
  const auto patterns = flat_patterns(mesh, {}, "tube");
  ASSERT_TRUE(patterns);
  expect_congruent(mesh, patterns->flat);
  EXPECT_EQ(patterns->count, 1);
}

TEST(FlatPatterns, PiecesApartOnTheClothArePatterns) {
  const TriMesh mesh = two_patterns([](const Vec2d& p) { return Vec2d{p[0] + 0.5, p[1]}; });
  const auto patterns = flat_patterns(mesh, {}, "cloth");
  ASSERT_TRUE(patterns);
  EXPECT_EQ(patterns->count, 2);
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& [a, b, c] = mesh.elements[t];
    const double x = mesh.vertices[a][0] + mesh.vertices[b][0] + mesh.vertices[c][0];
    EXPECT_EQ(patterns->pattern[t], x < 3 ? 0 : 1);
  }
  expect_congruent(mesh, patterns->flat);
}

TEST(FlatPatterns, MirroredOnesAreTurnedBackAloud) {
  const TriMesh mesh = two_patterns([](const Vec2d& p) { return Vec2d{9 - p[0], p[1]}; });
  const auto patterns = flat_patterns(mesh, {}, "cloth");
  ASSERT_TRUE(patterns);
  EXPECT_EQ(patterns->count, 2);
  EXPECT_EQ(patterns->mirrored, 1);
  ASSERT_EQ(patterns->messages.size(), 1u);
  EXPECT_TRUE(patterns->messages[0].starts_with("1 of 2 patterns lie mirrored")) << patterns->messages[0];
  expect_congruent(mesh, patterns->flat);
  EXPECT_NEAR(patterns->area, 2, 1e-13);
}

TEST(FlatPatterns, SingleFlippedTrianglesAreRefusedWithTheirPlace) {
  // One corner moves across the opposite edge in all triangles that have it: its star folds over.
  TriMesh mesh = *make_grid_sheet({.size = {4, 4}, .cells = {4, 4}});
  const int32_t moved = 6;  // at (1, 1)
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    for (int k = 0; k < 3; ++k)
      if (mesh.elements[t][k] == moved) texture_of(mesh)[6 * t + 2 * k] += 1.25;
  const auto patterns = flat_patterns(mesh, {}, "cloth.obj");
  ASSERT_FALSE(patterns);
  const std::string text = patterns.error().text();
  EXPECT_TRUE(text.starts_with("cloth.obj: 2 triangles lie the other way up")) << text;
  // Right of the vertex, (1, 1), (2, 1), (2, 2) and, above it, (1, 1), (2, 2), (1, 2) do not turn; the first does.
  EXPECT_NE(text.find("(vertices 6 7 12) at (1.66667, 1.33333, 0)"), std::string::npos) << text;
}

// The right half lies on the left one, folded over along x = 1.
TEST(FlatPatterns, HalvesMayLieOnEachOther) {
  const TriMesh mesh = two_patterns([](const Vec2d& p) { return Vec2d{2 - p[0], p[1]}; });
  const auto patterns = flat_patterns(mesh, {}, "cloth");
  ASSERT_TRUE(patterns) << patterns.error().text();
  EXPECT_EQ(patterns->count, 2);
  EXPECT_EQ(patterns->mirrored, 1);
  expect_congruent(mesh, patterns->flat);
}

TEST(FlatPatterns, TrianglesWithoutAreaOnTheClothAreRefused) {
  TriMesh mesh = *make_grid_sheet({.cells = {2, 2}});
  for (int k = 0; k < 6; ++k) texture_of(mesh)[6 * 3 + k] = 0;
  const auto patterns = flat_patterns(mesh, {}, "cloth");
  ASSERT_FALSE(patterns);
  EXPECT_TRUE(patterns.error().text().starts_with(
      "cloth: 1 of 8 triangles have no texture coordinates or no area in them: 3 (vertices"))
      << patterns.error().text();
  mesh.element_data.clear();
  EXPECT_TRUE(flat_patterns(mesh, {}, "cloth").error().text().starts_with("cloth: no texture coordinates"));
}

TEST(FlatPatterns, ScalesFarFromMetresAreSaidAndNotChanged) {
  TriMesh mesh = *make_grid_sheet({.size = {3, 2}});
  for (double& x : texture_of(mesh)) x *= 100;
  const auto patterns = flat_patterns(mesh, {}, "cloth");
  ASSERT_TRUE(patterns);
  expect_congruent(mesh, patterns->flat, 100);
  EXPECT_NEAR(patterns->most_ratio, 100, 1e-10);
  ASSERT_EQ(patterns->messages.size(), 1u);
  EXPECT_NE(patterns->messages[0].find("With a unit of 0.01 m"), std::string::npos) << patterns->messages[0];
  const auto scaled = flat_patterns(mesh, {.unit = 0.01}, "cloth");
  ASSERT_TRUE(scaled);
  expect_congruent(mesh, scaled->flat);
  EXPECT_TRUE(scaled->messages.empty());
  EXPECT_NEAR(scaled->area, 6, 1e-12);
  EXPECT_EQ(flat_patterns(mesh, {.unit = 0}, "cloth").error().kind, ErrorKind::usage);
}

TEST(FlatPatterns, FewDigitsOfAFileJoinPatternsAllTheSame) {
  TriMesh mesh = *make_grid_sheet({});
  for (size_t i = 0; i < texture_of(mesh).size(); ++i) texture_of(mesh)[i] += i % 7 * 1e-8;
  EXPECT_EQ(flat_patterns(mesh, {}, "cloth")->count, 1);
}

}  // namespace
}  // namespace sinew::mesh
