#include "exporting/glb_writer.h"

#include <filesystem>

#include "sample_export.h"

namespace sinew::exporting {
namespace {

struct Glb {
  json::Json json;
  std::string bin;

  explicit Glb(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(number_at<uint32_t>(bytes, 4), 2u);
    EXPECT_EQ(number_at<uint32_t>(bytes, 8), bytes.size());
    const auto json_size = number_at<uint32_t>(bytes, 12);
    EXPECT_EQ(json_size % 4, 0u);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    const Result<json::Json> parsed = json::parse_json(bytes.substr(20, json_size), "glb");
    if (!parsed) ADD_FAILURE() << parsed.error().text();
    if (parsed) json = *parsed;
    EXPECT_EQ(bytes.substr(24 + json_size, 4), std::string("BIN\0", 4));
    bin = bytes.substr(28 + json_size);
    EXPECT_EQ(number_at<uint32_t>(bytes, 20 + json_size), bin.size());
    EXPECT_EQ(json["buffers"].item(0)["byteLength"].number(), static_cast<double>(bin.size()));
  }

  size_t place(size_t accessor) const {
    const json::Json& a = json["accessors"].item(accessor);
    const json::Json& view = json["bufferViews"].item(static_cast<size_t>(a["bufferView"].number()));
    return static_cast<size_t>(a["byteOffset"].number() + view["byteOffset"].number());
  }
  size_t count(size_t accessor) const {
    return static_cast<size_t>(json["accessors"].item(accessor)["count"].number());
  }
  std::vector<Vec3d> vectors(size_t accessor) const {
    EXPECT_EQ(json["accessors"].item(accessor)["type"].text(), "VEC3");
    std::vector<Vec3d> list;
    for (size_t i = 0; i < count(accessor); ++i) list.push_back(point_at(bin, place(accessor) + 12 * i));
    return list;
  }
  std::vector<std::array<double, 2>> pairs(size_t accessor) const {
    EXPECT_EQ(json["accessors"].item(accessor)["type"].text(), "VEC2");
    std::vector<std::array<double, 2>> list;
    for (size_t i = 0; i < count(accessor); ++i)
      list.push_back({number_at<float>(bin, place(accessor) + 8 * i),
                      number_at<float>(bin, place(accessor) + 8 * i + 4)});
    return list;
  }
  // Positions, and that the bounds which are told are theirs.
  std::vector<Vec3d> points(size_t accessor) const {
    const json::Json& a = json["accessors"].item(accessor);
    const std::vector<Vec3d> list = vectors(accessor);
    for (int k = 0; k < 3; ++k) {
      double low = list[0][k], high = list[0][k];
      for (const Vec3d& p : list) {
        low = std::min(low, p[k]);
        high = std::max(high, p[k]);
      }
      EXPECT_EQ(static_cast<float>(a["min"].item(k).number()), static_cast<float>(low));
      EXPECT_EQ(static_cast<float>(a["max"].item(k).number()), static_cast<float>(high));
    }
    return list;
  }
};

TEST(GlbWriter, TargetsAreDifferencesToTheFirstFrame) {
  SampleExport sample;
  const Result<Files> files = sample.write("glb");
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_EQ(*files, Files{"glb/scene.glb"});
  const Glb glb(sample.bytes("glb/scene.glb"));
  const json::Json& primitive = glb.json["meshes"].item(0)["primitives"].item(0);
  EXPECT_EQ(glb.json["nodes"].item(0)["name"].text(), "beam");
  const std::vector<int32_t> surface = SampleExport::surface();

  const auto corners = static_cast<size_t>(primitive["indices"].number());
  const auto& wanted = sample.model.bodies[0].surface;
  ASSERT_EQ(glb.count(corners), 3 * wanted.size());
  for (size_t i = 0; i < glb.count(corners); ++i)
    EXPECT_EQ(surface[number_at<uint32_t>(glb.bin, glb.place(corners) + 4 * i)], wanted[i / 3][i % 3]);

  const auto first = glb.points(static_cast<size_t>(primitive["attributes"]["POSITION"].number()));
  ASSERT_EQ(first.size(), surface.size());
  for (size_t i = 0; i < surface.size(); ++i) expect_point(first[i], sample.x(surface[i], 2));
  const auto normals = glb.vectors(static_cast<size_t>(primitive["attributes"]["NORMAL"].number()));
  ASSERT_EQ(normals.size(), surface.size());
  ASSERT_EQ(primitive["targets"].size(), 2u);
  for (size_t k = 0; k < 2; ++k) {
    const auto target = glb.points(static_cast<size_t>(primitive["targets"].item(k)["POSITION"].number()));
    for (size_t i = 0; i < surface.size(); ++i)
      EXPECT_LT(norm(first[i] + target[i] - sample.x(surface[i], sample.frames[k + 1])), 3e-7);
    const auto turned = glb.vectors(static_cast<size_t>(primitive["targets"].item(k)["NORMAL"].number()));
    for (size_t i = 0; i < surface.size(); ++i) EXPECT_NEAR(norm(normals[i] + turned[i]), 1, 1e-6);
  }

  const json::Json& animation = glb.json["animations"].item(0);
  EXPECT_EQ(animation["channels"].item(0)["target"]["path"].text(), "weights");
  const json::Json& sampler = animation["samplers"].item(0);
  const auto input = static_cast<size_t>(sampler["input"].number());
  const auto output = static_cast<size_t>(sampler["output"].number());
  ASSERT_EQ(glb.count(input), 3u);
  ASSERT_EQ(glb.count(output), 6u);
  for (size_t f = 0; f < 3; ++f) {
    EXPECT_FLOAT_EQ(number_at<float>(glb.bin, glb.place(input) + 4 * f), static_cast<float>(2 * f) / 30);
    for (size_t k = 0; k < 2; ++k)
      EXPECT_EQ(number_at<float>(glb.bin, glb.place(output) + 4 * (2 * f + k)), f == k + 1 ? 1 : 0);
  }
}

TEST(GlbWriter, SeveralMeshesShareTheFile) {
  const ScratchFolder folder;
  const std::vector<Vec3d> a = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                           b = {{5, 5, 5}, {6, 5, 5}, {5, 6, 5}, {5, 5, 6}};
  const std::vector<std::array<int32_t, 3>> one = {{0, 1, 2}}, two = {{0, 1, 2}, {0, 2, 3}};
  std::vector<FrameMesh> meshes(2);
  meshes[0] = {"a \"quoted\"", a, {}, {}, one, {}, {}};
  meshes[1] = {"b", b, {}, {}, two, {}, {}};
  const std::string path = (folder / "two.glb").string();
  {
    auto out = GlbWriter::open(path, meshes, {1, 1.5});
    ASSERT_TRUE(out);
    ASSERT_TRUE(out->add(meshes));
    std::vector<Vec3d> moved = b;
    for (Vec3d& p : moved) p += Vec3d{0, 0, -1e-6};
    meshes[1].points = moved;
    ASSERT_TRUE(out->add(meshes));
    ASSERT_TRUE(out->commit());
  }
  const Glb glb(contents(path));
  EXPECT_EQ(glb.json["nodes"].item(0)["name"].text(), "a \"quoted\"");
  ASSERT_EQ(glb.json["accessors"].size(), 12u);
  EXPECT_EQ(number_at<uint32_t>(glb.bin, glb.place(1) + 20), 3u);
  EXPECT_EQ(glb.points(2).size(), 3u);
  EXPECT_EQ(glb.points(4).size(), 4u);
  EXPECT_EQ(norm(glb.points(8)[2]), 0);
  EXPECT_NEAR(glb.points(10)[3][2], -1e-6, 5e-7);
  // The normal of a flat triangle; where two of the same size meet, that of both.
  EXPECT_LT(norm(glb.vectors(3)[0] - Vec3d{0, 0, 1}), 1e-7);
  EXPECT_LT(norm(glb.vectors(5)[0] - Vec3d{std::sqrt(0.5), 0, std::sqrt(0.5)}), 1e-7);
  EXPECT_EQ(norm(glb.vectors(11)[3]), 0);
  EXPECT_EQ(glb.json["animations"].item(0)["channels"].size(), 2u);
}

// Whatever vertices there are, each corner has the place of its point and its own texture coordinates, in every frame.
TEST(GlbWriter, VerticesAreSplitAlongSeams) {
  const ScratchFolder folder;
  const std::vector<Vec3d> bare = {{5, 5, 5}, {6, 5, 5}, {5, 6, 5}},
                           rest = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<std::array<int32_t, 3>> one = {{0, 1, 2}}, two = {{0, 1, 2}, {0, 2, 3}};
  // Joined at point 0, torn at point 2.
  const std::vector<mesh::FlatTriangle> texture = {{{{0, 0}, {1, 0}, {1, 1}}},
                                                   {{{0, 0}, {0.5, 0.75}, {0, 1}}}};
  const std::string path = (folder / "cloth.glb").string();
  const auto at = [&](size_t point, int frame) {
    return rest[point] + Vec3d{0.25, -0.5, 1} * (frame * static_cast<double>(point + 1));
  };
  std::vector<FrameMesh> meshes(2);
  meshes[0] = {"bare", bare, {}, {}, one, {}, {}};
  meshes[1] = {"cloth", rest, {}, {}, two, {}, {}, texture};
  for (const std::vector<double>& times : {std::vector<double>{0}, std::vector<double>{0, 1, 2}}) {
    auto out = GlbWriter::open(path, meshes, times);
    ASSERT_TRUE(out);
    for (size_t frame = 0; frame < times.size(); ++frame) {
      std::vector<Vec3d> points;
      for (size_t i = 0; i < 4; ++i) points.push_back(at(i, static_cast<int>(frame)));
      std::vector<FrameMesh> moved = meshes;
      moved[1].points = points;
      ASSERT_TRUE(out->add(moved));
    }
    ASSERT_TRUE(out->commit());
    const Glb glb(contents(path));
    const auto primitive = [&](size_t m) { return glb.json["meshes"].item(m)["primitives"].item(0); };
    EXPECT_FALSE(primitive(0)["attributes"].has("TEXCOORD_0"));
    const auto accessor = [&](const json::Json& of, const char* name) {
      return static_cast<size_t>(of[name].number());
    };
    const json::Json cloth = primitive(1);
    const std::vector<Vec3d> first = glb.points(accessor(cloth["attributes"], "POSITION"));
    const auto uv = glb.pairs(accessor(cloth["attributes"], "TEXCOORD_0"));
    EXPECT_EQ(first.size(), 5u);
    ASSERT_EQ(uv.size(), first.size());
    ASSERT_EQ(glb.vectors(accessor(cloth["attributes"], "NORMAL")).size(), first.size());
    ASSERT_EQ(cloth["targets"].size(), times.size() - 1);
    const size_t corners = accessor(cloth, "indices");
    ASSERT_EQ(glb.count(corners), 6u);
    for (size_t c = 0; c < 6; ++c) {
      const auto vertex = number_at<uint32_t>(glb.bin, glb.place(corners) + 4 * c);
      const auto point = static_cast<size_t>(two[c / 3][c % 3]);
      ASSERT_LT(vertex, first.size());
      // glTF counts v from the upper edge of the picture.
      EXPECT_EQ(uv[vertex][0], texture[c / 3][c % 3][0]);
      EXPECT_EQ(uv[vertex][1], 1 - texture[c / 3][c % 3][1]);
      expect_point(first[vertex], at(point, 0));
      for (size_t k = 1; k < times.size(); ++k) {
        const auto target = glb.points(accessor(cloth["targets"].item(k - 1), "POSITION"));
        expect_point(first[vertex] + target[vertex], at(point, static_cast<int>(k)));
      }
    }
    const json::Json& view = glb.json["bufferViews"].item(glb.json["bufferViews"].size() - 1);
    EXPECT_EQ(view["byteStride"].number(), 8);
    EXPECT_EQ(view["byteLength"].number(), 40);
  }
}

TEST(GlbWriter, RefusesWhatItCannotHold) {
  SampleExport sample;
  sample.frames.clear();
  for (int64_t f = 0; f <= 500; ++f) sample.frames.push_back(f);
  const Result<Files> long_run = sample.write("glb");
  ASSERT_FALSE(long_run);
  EXPECT_NE(long_run.error().text().find("at most 500 frames, there are 501"), std::string::npos);
  EXPECT_NE(long_run.error().text().find("glb_frames"), std::string::npos);
  sample.frames = {1};
  sample.shape.z_up = true;
  const Result<Files> turned = sample.write("glb");
  ASSERT_FALSE(turned);
  EXPECT_NE(turned.error().text().find("y up and in metres"), std::string::npos);
  EXPECT_EQ(sample.file_count(), 0u);

  const ScratchFolder folder;
  const std::vector<Vec3d> points(1000000);
  const std::vector<std::array<int32_t, 3>> triangle = {{0, 1, 2}};
  const FrameMesh large{"large", points, {}, {}, triangle, {}, {}};
  const auto out = GlbWriter::open((folder / "large.glb").string(), {&large, 1}, std::vector<double>(400));
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().text().find("--frames"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace sinew::exporting
