#include <sstream>

#include "sample_export.h"

namespace sinew::exporting {
namespace {

// The numbers of the first list after a text: "(1, 2, 3), (4, ...)".
std::vector<double> list_after(const std::string& text, const std::string& key) {
  const size_t at = text.find(key);
  EXPECT_NE(at, std::string::npos) << key;
  if (at == std::string::npos) return {};
  const size_t begin = text.find('[', at + key.size());
  std::string numbers = text.substr(begin + 1, text.find(']', begin) - begin - 1);
  for (char& c : numbers)
    if (c == '(' || c == ')' || c == ',') c = ' ';
  std::istringstream in(numbers);
  std::vector<double> list;
  for (double value = 0; in >> value;) list.push_back(value);
  return list;
}

void expect_points(const std::vector<double>& found, const std::vector<Vec3d>& wanted) {
  ASSERT_EQ(found.size(), 3 * wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    expect_point({found[3 * i], found[3 * i + 1], found[3 * i + 2]}, wanted[i]);
}

TEST(Usda, TimeSamplesOfEveryFrame) {
  SampleExport sample;
  const Result<Files> files = sample.write("usda");
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_EQ(*files, (Files{"usda/beam.usda", "usda/scene.usda"}));
  const std::string text = sample.bytes("usda/beam.usda");
  EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
  for (const char* part :
       {"defaultPrim = \"beam\"", "startTimeCode = 2\n", "endTimeCode = 6\n", "timeCodesPerSecond = 30\n",
        "metersPerUnit = 1\n", "upAxis = \"Y\"", "def Mesh \"beam\"", "subdivisionScheme = \"none\""})
    EXPECT_NE(text.find(part), std::string::npos) << part;

  const std::vector<int32_t> surface = SampleExport::surface();
  const auto& triangles = sample.model.bodies[0].surface;
  EXPECT_EQ(list_after(text, "faceVertexCounts ="), std::vector<double>(triangles.size(), 3));
  const std::vector<double> corners = list_after(text, "faceVertexIndices =");
  ASSERT_EQ(corners.size(), 3 * triangles.size());
  for (size_t i = 0; i < corners.size(); ++i)
    EXPECT_EQ(surface[static_cast<size_t>(corners[i])], triangles[i / 3][i % 3]);

  std::vector<Vec3d> rest;
  for (int32_t node : surface) rest.push_back(sample.model.X[node]);
  expect_points(list_after(text, "point3f[] points ="), rest);
  const std::string samples = text.substr(text.find("points.timeSamples"));
  const size_t extents = samples.find("extent.timeSamples");
  for (int64_t frame : sample.frames) {
    std::vector<Vec3d> wanted;
    Vec3d low = sample.x(0, frame), high = low;
    for (int32_t node : surface) {
      wanted.push_back(sample.x(node, frame));
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], wanted.back()[k]);
        high[k] = std::max(high[k], wanted.back()[k]);
      }
    }
    const std::string key = "\n        " + std::to_string(frame) + ":";
    expect_points(list_after(samples.substr(0, extents), key), wanted);
    expect_points(list_after(samples.substr(extents), key), {low, high});
  }
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  EXPECT_NE(sample.bytes("usda/scene.usda").find("prepend references = @./beam.usda@"), std::string::npos);
}

TEST(Usda, AxesAndUnitAreTold) {
  SampleExport sample;
  sample.shape.z_up = true;
  sample.shape.unit = 0.01;
  sample.rest = true;
  sample.frames = {0};
  ASSERT_TRUE(sample.write("usda"));
  const std::string text = sample.bytes("usda/beam_rest.usda");
  EXPECT_NE(text.find("metersPerUnit = 0.01\n"), std::string::npos);
  EXPECT_NE(text.find("upAxis = \"Z\""), std::string::npos);
  EXPECT_EQ(text.find("timeSamples"), std::string::npos);
  const std::vector<double> points = list_after(text, "point3f[] points =");
  const Vec3d X = sample.model.X[26];
  expect_point({points[75], points[76], points[77]}, Vec3d{X[0], -X[2], X[1]} / 0.01);
  EXPECT_NE(sample.bytes("usda/scene_rest.usda").find("@./beam_rest.usda@"), std::string::npos);
}

// A pair for each corner: seams need no vertices of their own.
TEST(Usda, TextureCoordinatesOfCorners) {
  const ScratchFolder folder;
  const std::vector<Vec3d> points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<std::array<int32_t, 3>> two = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<mesh::FlatTriangle> texture = {{{{0, 0}, {1, 0}, {1, 1}}},
                                                   {{{0, 0}, {0.5, 0.75}, {0, 1}}}};
  const std::vector<FrameMesh> meshes = {{"cloth", points, {}, {}, two, {}, {}, texture}};
  ExportPlan plan;
  plan.folder = folder.path();
  plan.meshes = meshes;
  plan.frames = {{0, 0}, {1, 0.1}};
  auto out = find_exporter("usda")->begin(plan);
  ASSERT_TRUE(out);
  Frame frame;
  frame.meshes = meshes;
  for (int k = 0; k < 2; ++k) {
    frame.index = k;
    ASSERT_TRUE((*out)->frame(frame));
  }
  ASSERT_TRUE((*out)->end());
  const std::string text = contents(folder / "usda/cloth.usda");
  EXPECT_EQ(list_after(text, "texCoord2f[] primvars:st ="),
            (std::vector<double>{0, 0, 1, 0, 1, 1, 0, 0, 0.5, 0.75, 0, 1}));
  EXPECT_NE(text.find("] (\n        interpolation = \"faceVarying\"\n    )\n"), std::string::npos) << text;
  EXPECT_EQ(list_after(text, "faceVertexIndices =").size(), 6u);
}

// Names of bodies may have a dash or begin with a digit; names of prims may not. Two may meet there.
TEST(Usda, NamesOfPrims) {
  const ScratchFolder folder;
  const std::vector<Vec3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<int32_t, 3>> triangle = {{0, 1, 2}};
  std::vector<FrameMesh> meshes;
  for (const char* name : {"2-a", "2_a", "scene"}) meshes.push_back({name, points, {}, {}, triangle, {}, {}});
  ExportPlan plan;
  plan.folder = folder.path();
  plan.meshes = meshes;
  plan.frames = {{0, 0}};
  auto out = find_exporter("usda")->begin(plan);
  ASSERT_TRUE(out);
  Frame frame;
  frame.meshes = meshes;
  ASSERT_TRUE((*out)->frame(frame));
  ASSERT_TRUE((*out)->end());
  EXPECT_EQ((*out)->main_files(), Files{"usda/scene_.usda"});
  const std::string list = contents(folder / "usda/scene_.usda");
  for (const char* part : {"def \"_2_a\" (\n        prepend references = @./2-a.usda@",
                           "def \"_2_a_\" (\n        prepend references = @./2_a.usda@", "def \"scene\" ("})
    EXPECT_NE(list.find(part), std::string::npos) << list;
  EXPECT_NE(contents(folder / "usda/2-a.usda").find("def Mesh \"_2_a\""), std::string::npos);
}

}  // namespace
}  // namespace sinew::exporting
