#include "io/obj.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "io/mesh_file.h"
#include "mesh/flat_patterns.h"
#include "mesh/sheet_shapes.h"
#include "mesh/texture.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

TEST(Obj, PolygonsNegativeIndicesGroupsAndContinuedLines) {
  Notes notes;
  const auto mesh = parse_obj(
      "# quad\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
      "g front all\nf 1/1/1 2//1 3/1 4\ng default\nf -4 -3 \\\n -2\nf 1 1 2\nusemtl x\ns off\n",
      "a.obj", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->elements, (std::vector<TriMesh::Element>{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}}));
  EXPECT_EQ(mesh->element_groups.at("front"), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(mesh->element_groups.size(), 2u);
  EXPECT_EQ(notes.size(), 3u);  // polygons, texture coordinates of no whole face, a triangle left out
  EXPECT_EQ(parse_obj(format_obj(*mesh), "b.obj")->element_groups, mesh->element_groups);
}

TEST(Obj, NamesOfGroupsAreWrittenAsOneWord) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.elements = {{0, 1, 2}, {2, 1, 0}};
  mesh.element_groups = {{"left half #1", {0}}, {"b\tc", {0, 1}}, {"", {1}}};
  const auto back = parse_obj(format_obj(mesh), "a.obj");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->element_groups, (mesh::Groups{{"left_half__1", {0}}, {"b_c", {0, 1}}, {"_", {1}}}));
}

// A long name and many faces: time and memory stay those of the file.
TEST(Obj, LongNamesOfGroupsCostNothingPerFace) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng " + std::string(1 << 20, 'n') + "\n";
  for (int i = 0; i < 50000; ++i) text += "f 1 2 3\n";
  const auto mesh = parse_obj(text, "a.obj");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_LT(format_obj(*mesh).size(), text.size() + 100);
}

TEST(Obj, ObjectsAreGroupsWhereThereAreNoOthers) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const auto groups = [&](const std::string& text) {
    return parse_obj(points + text, "test", nullptr)->element_groups;
  };
  EXPECT_EQ(groups("o eye\nf 1 2 3\no head\nf 1 2 4\nf 1 3 4\n"),
            (mesh::Groups{{"eye", {0}}, {"head", {1, 2}}}));
  EXPECT_EQ(groups("o eye\nf 1 2 3\nf 1 2 4\n"), mesh::Groups{});
  EXPECT_EQ(groups("o eye\nf 1 2 3\no head\ng lips\nf 1 2 4\n"), (mesh::Groups{{"lips", {1}}}));
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

std::vector<double> texture_of(const TriMesh& mesh) {
  const mesh::Attribute* texture = mesh::find_texture(mesh);
  return texture ? texture->values : std::vector<double>{};
}

TEST(Obj, TextureCoordinatesBelongToCorners) {
  // The two triangles of a square lie apart on the texture. Indices count back, and ahead; a third coordinate is passed over.
  Notes notes;
  const auto mesh = parse_obj(square +
                                  "vt 0 0\nvt +1 0 0.5\nvt 1 1\nf 1/1 2/-2 3/3/1\nf 1/4 3/5 4/6\n"
                                  "vt 5\nvt 6 1\nvt 5.25 1e-3\n",
                              "a.obj", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(texture_of(*mesh), (std::vector<double>{0, 0, 1, 0, 1, 1, 5, 0, 6, 1, 5.25, 1e-3}));
  EXPECT_TRUE(notes.empty()) << notes[0];
}

// Each coordinate of the texture is a function of the position, so that it shows where a corner went.
TEST(Obj, TextureCoordinatesGoWithTheCornersOfPolygons) {
  std::string text, face = "f";
  // A star: a fan about its first corner would face backwards.
  constexpr int n = 10;
  for (int i = 0; i < n; ++i) {
    const double r = i % 2 ? 1 : 0.25, x = r * std::cos(2 * M_PI * i / n), y = r * std::sin(2 * M_PI * i / n);
    text += fmt::format("v {} {} 0\nvt {} {}\n", x, y, 3 + 2 * x, 4 * y);
    face += fmt::format(" {}/{}", i + 1, i + 1);
  }
  const auto mesh = parse_obj(text + face + "\n", "star.obj");
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->elements.size(), size_t{n - 2});
  EXPECT_NE(mesh->elements[0], (TriMesh::Element{0, 1, 2}));
  for (size_t t = 0; t < mesh->elements.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const math::Vec3d& x = mesh->vertices[mesh->elements[t][k]];
      const mesh::Vec2d p = mesh::texture_corners(*mesh::find_texture(*mesh), t)[k];
      EXPECT_EQ(p[0], 3 + 2 * x[0]);
      EXPECT_EQ(p[1], 4 * x[1]);
    }
}

TEST(Obj, FacesWithoutTextureCoordinatesAreCounted) {
  const std::string points = square + "vt 0 0\nvt 1 0\nvt 1 1\nvt nan 0\nvt one 1\n";
  const auto expect_none_in_second = [&](const std::string& face) {
    Notes notes;
    const auto mesh = parse_obj(points + "f 1/1 2/2 3/3\n" + face + "\nf 3/3 4/2 1/1\n", "a.obj", &notes);
    ASSERT_TRUE(mesh) << face << mesh.error().text();
    const std::vector<double> texture = texture_of(*mesh);
    ASSERT_EQ(texture.size(), 6 * mesh->elements.size());
    for (size_t i = 0; i < texture.size(); ++i)
      if (i >= 6 && i < texture.size() - 6) {
        EXPECT_EQ(texture[i], 0) << face;
      }
    EXPECT_EQ(texture[2], 1);
    EXPECT_EQ(texture[texture.size() - 4], 1);
    ASSERT_FALSE(notes.empty());
    EXPECT_EQ(notes[notes.size() - 1],
              "1 of 3 faces have no texture coordinates that can be read, the first in line 11")
        << face;
  };
  for (const char* face : {"f 1 2 3", "f 1/1 2/2 3", "f 1//1 2//1 3//1", "f 1/1 2/2 3/6", "f 1/1 2/2 3/0",
                           "f 1/1 2/2 3/-6", "f 1/1 2/2 3/x", "f 1/1 2/2 3/4", "f 1/1 2/5 3/3",
                           "f 1/1 2/2 3/99999999999999999999", "f 1/1 2/2 3/3000000000"})
    expect_none_in_second(face);
  // Without any that can be read there is no texture; without any that are asked for there is no note either.
  Notes notes;
  EXPECT_TRUE(texture_of(*parse_obj(square + "f 1/1 2/2 3/3\n", "a.obj", &notes)).empty());
  EXPECT_EQ(notes.size(), 2u);  // and a vertex of no triangle
  notes.clear();
  EXPECT_TRUE(texture_of(*parse_obj(points + "f 1 2 3\nf 1//2 3//2 4//2\n", "a.obj", &notes)).empty());
  EXPECT_TRUE(notes.empty());
}

TEST(Obj, PolygonsWithoutTextureCoordinatesCountOnce) {
  Notes notes;
  const auto mesh =
      parse_obj(square + "vt 2 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3 4\nf 1/1 2/2 3/3\n", "a.obj", &notes);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(texture_of(*mesh), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 1, 1}));
  EXPECT_EQ(notes[1], "1 of 2 faces have no texture coordinates that can be read, the first in line 8");
}

TEST(Obj, TextureCoordinatesStayWithTheirTrianglesWhenOthersAreLeftOut) {
  const auto mesh = parse_obj(square + "vt 3 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 2/3\nf 1/3 3/1 4/2\n", "a.obj");
  ASSERT_TRUE(mesh);
  EXPECT_EQ(texture_of(*mesh), (std::vector<double>{1, 1, 3, 0, 1, 0}));
}

TEST(Obj, TextureCoordinatesComeBackBitForBit) {
  const TriMesh tube = *mesh::make_tube_sheet({.radius = 1.0 / 3, .length = 0.7});
  const TriMesh crossed = *mesh::make_grid_sheet({.size = {1.0 / 3, 0.1}, .pattern = mesh::Pattern::crossed});
  TriMesh partly = crossed;
  for (int k = 0; k < 6; ++k) partly.element_data.at(mesh::texture_data).values[6 * 5 + k] = 0;
  for (const TriMesh* mesh : {&tube, &crossed, static_cast<const TriMesh*>(&partly)}) {
    const std::string text = format_obj(*mesh);
    const auto back = parse_obj(text, "a.obj");
    ASSERT_TRUE(back) << back.error().text();
    expect_same_geometry(*mesh, *back);
    EXPECT_EQ(texture_of(*back), texture_of(*mesh));
    EXPECT_EQ(format_obj(*back), text);
  }
  // Each pair is written once: the points of the grid are those of the texture.
  const std::string text = format_obj(crossed);
  size_t count = 0;
  for (size_t at = text.find("vt "); at != text.npos; at = text.find("vt ", at + 1)) ++count;
  EXPECT_EQ(count, crossed.vertices.size());
}

TEST(Obj, ARealClothHasItsFlatPattern) {
#ifdef SINEW_SHARED_DATA
  const std::string path = SINEW_SHARED_DATA "/cloth/cloth100.obj";
#else
  const std::string path = std::string(SINEW_SOURCE_DIR) + "/../shared/data/cloth/cloth100.obj";
#endif
  if (!std::filesystem::is_regular_file(path)) GTEST_SKIP() << "there is no file " << path;
  const auto mesh = read_tri_mesh(path);
  ASSERT_TRUE(mesh) << mesh.error().text();
  const auto patterns = mesh::flat_patterns(*mesh, {}, path);
  ASSERT_TRUE(patterns) << patterns.error().text();
  EXPECT_EQ(patterns->count, 1);
  EXPECT_NEAR(patterns->area, 1, 1e-5);  // of a square metre; the file has six digits
  EXPECT_NEAR(patterns->area_in_space, 1, 1e-5);
  EXPECT_NEAR(patterns->least_ratio, 1, 1e-3);
  EXPECT_NEAR(patterns->most_ratio, 1, 1e-3);
}

}  // namespace
}  // namespace sinew::io
