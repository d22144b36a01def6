// A file for every frame: OBJ, PLY, VTU and GLB.
#include "exporting/sequence.h"

#include <filesystem>
#include <sstream>

#include "io/vtu.h"
#include "sample_export.h"

namespace sinew::exporting {
namespace {

TEST(Sequence, ObjOfEveryFrame) {
  SampleExport sample;
  const Result<Files> files = sample.write("obj");
  ASSERT_TRUE(files);
  EXPECT_EQ(*files, (Files{"obj/beam_00002.obj", "obj/beam_00004.obj", "obj/beam_00006.obj"}));
  std::istringstream in(sample.bytes("obj/beam_00004.obj"));
  std::vector<Vec3d> points;
  std::vector<std::array<int, 3>> faces;
  for (std::string word; in >> word;) {
    if (word == "v") {
      Vec3d p;
      in >> p[0] >> p[1] >> p[2];
      points.push_back(p);
    } else {
      ASSERT_EQ(word, "f");
      auto& face = faces.emplace_back();
      in >> face[0] >> face[1] >> face[2];
    }
  }
  const std::vector<int32_t> surface = SampleExport::surface();
  ASSERT_EQ(points.size(), surface.size());
  for (size_t i = 0; i < surface.size(); ++i) EXPECT_EQ(norm(points[i] - sample.x(surface[i], 4)), 0);
  // The triangles of the body, with its nodes.
  const auto& wanted = sample.model.bodies[0].surface;
  ASSERT_EQ(faces.size(), wanted.size());
  for (size_t t = 0; t < faces.size(); ++t)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(surface[faces[t][k] - 1], wanted[t][k]);
}

// After an interruption the files of whole frames stay.
TEST(Sequence, FramesThatWereWrittenStay) {
  SampleExport sample;
  ASSERT_TRUE(sample.write("obj", 2));
  EXPECT_EQ(sample.file_count(), 2u);
}

TEST(Sequence, PlyWithFields) {
  SampleExport sample;
  sample.fields = {"displacement", "det_F"};
  sample.shape.z_up = true;
  ASSERT_TRUE(sample.write("ply"));
  const std::string bytes = sample.bytes("ply/beam_00002.ply");
  const size_t end = bytes.find("end_header\n") + 11;
  const std::string header = bytes.substr(0, end);
  EXPECT_NE(header.find("format binary_little_endian 1.0\nelement vertex 26\n"), std::string::npos);
  EXPECT_NE(header.find("property double displacement_0\n"), std::string::npos);
  EXPECT_NE(header.find("element face 48\n"), std::string::npos);
  EXPECT_NE(header.find("property double det_F\n"), std::string::npos);
  EXPECT_EQ(bytes.size(), end + 26 * 48 + 48 * (13 + 8));
  const Vec3d x = sample.x(26, 2), moved = x - sample.model.X[26];
  const double wanted[] = {x[0], -x[2], x[1], moved[0], -moved[2], moved[1]};
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(number_at<double>(bytes, end + 25 * 48 + 8 * k), wanted[k]);
}

TEST(Sequence, PvdOfASurface) {
  SampleExport sample;
  sample.fields = {"displacement", "det_F"};
  sample.what = What::surface;
  const Result<Files> files = sample.write("pvd");
  ASSERT_TRUE(files) << files.error().text();
  const Result<mesh::TriMesh> mesh =
      io::parse_vtu_triangles(sample.bytes("vtk/beam_00006.vtu"), "beam_00006.vtu");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 26u);
  EXPECT_EQ(norm(mesh->vertices[25] - sample.x(26, 6)), 0);
  EXPECT_EQ(mesh->element_data.at("det_F").values.size(), 48u);
}

TEST(Sequence, GlbOfEveryFrameIsStill) {
  SampleExport sample;
  const Result<Files> files = sample.write("glb_frames");
  ASSERT_TRUE(files);
  EXPECT_EQ(files->back(), "glb_frames/frame_00006.glb");
  const std::string bytes = sample.bytes(files->back());
  const auto json_size = number_at<uint32_t>(bytes, 12);
  const Result<json::Json> json = json::parse_json(bytes.substr(20, json_size), "glb");
  ASSERT_TRUE(json) << json.error().text();
  EXPECT_FALSE(json->has("animations"));
  EXPECT_EQ(bytes.size(), 28 + json_size + 48 * 12 + 26 * 24);
  expect_point(point_at(bytes, bytes.size() - 27 * 12), sample.x(26, 6));  // normals follow
}

TEST(Sequence, RestPoseHasItsOwnName) {
  SampleExport sample;
  sample.rest = true;
  sample.frames = {0};
  for (const char* format : {"obj", "ply", "pvd", "glb_frames"}) ASSERT_TRUE(sample.write(format)) << format;
  for (const char* file : {"obj/beam_rest.obj", "ply/beam_rest.ply", "vtk/beam_rest.pvd", "vtk/beam_rest.vtu",
                           "glb_frames/frame_rest.glb"})
    EXPECT_TRUE(std::filesystem::exists(sample.folder / file)) << file;
}

}  // namespace
}  // namespace sinew::exporting
