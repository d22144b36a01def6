// PC2 and MDD, taken apart by hand.
#include "exporting/point_cache.h"

#include <sstream>

#include "sample_export.h"

namespace sinew::exporting {
namespace {

struct Cache {
  int32_t points = 0;
  std::vector<float> times;   // of MDD [s]
  float start = 0, rate = 0;  // of PC2 [frames]
  std::vector<std::vector<Vec3d>> frames;
};

Cache read_pc2(const std::string& bytes) {
  Cache cache;
  EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(number_at<int32_t>(bytes, 12), 1);
  cache.points = number_at<int32_t>(bytes, 16);
  cache.start = number_at<float>(bytes, 20);
  cache.rate = number_at<float>(bytes, 24);
  const auto samples = static_cast<size_t>(number_at<int32_t>(bytes, 28));
  EXPECT_EQ(bytes.size(), 32 + samples * 12 * static_cast<size_t>(cache.points));
  size_t at = 32;
  for (size_t s = 0; s < samples; ++s) {
    auto& frame = cache.frames.emplace_back();
    for (int32_t i = 0; i < cache.points; ++i, at += 12) frame.push_back(point_at(bytes, at));
  }
  return cache;
}

Cache read_mdd(const std::string& bytes) {
  Cache cache;
  const auto frames = static_cast<size_t>(number_at<int32_t>(bytes, 0, true));
  cache.points = number_at<int32_t>(bytes, 4, true);
  size_t at = 8;
  for (size_t f = 0; f < frames; ++f, at += 4) cache.times.push_back(number_at<float>(bytes, at, true));
  EXPECT_EQ(bytes.size(), at + frames * 12 * static_cast<size_t>(cache.points));
  for (size_t f = 0; f < frames; ++f) {
    auto& frame = cache.frames.emplace_back();
    for (int32_t i = 0; i < cache.points; ++i, at += 12) frame.push_back(point_at(bytes, at, true));
  }
  return cache;
}

int lines_with(const std::string& text, const std::string& begin) {
  std::istringstream in(text);
  int count = 0;
  for (std::string line; std::getline(in, line);) count += line.starts_with(begin);
  return count;
}

TEST(PointCache, Pc2HoldsTheSurfaceOfEveryFrame) {
  SampleExport sample;
  const Result<Files> files = sample.write("pc2");
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_EQ(*files, (Files{"pc2/beam.obj", "pc2/beam.pc2"}));
  const Cache cache = read_pc2(sample.bytes("pc2/beam.pc2"));
  EXPECT_EQ(cache.points, 26);
  EXPECT_EQ(cache.start, 2);
  EXPECT_EQ(cache.rate, 2);
  ASSERT_EQ(cache.frames.size(), 3u);
  const std::vector<int32_t> surface = SampleExport::surface();
  for (size_t f = 0; f < 3; ++f)
    for (size_t i = 0; i < surface.size(); ++i)
      expect_point(cache.frames[f][i], sample.x(surface[i], sample.frames[f]));
}

TEST(PointCache, MddIsTheSameTheOtherWayRound) {
  SampleExport sample;
  ASSERT_TRUE(sample.write("mdd"));
  const Cache cache = read_mdd(sample.bytes("mdd/beam.mdd"));
  ASSERT_EQ(cache.frames.size(), 3u);
  for (size_t f = 0; f < 3; ++f) EXPECT_FLOAT_EQ(cache.times[f], static_cast<float>(2 * (f + 1)) / 30);
  const std::vector<int32_t> surface = SampleExport::surface();
  for (size_t i = 0; i < surface.size(); ++i) expect_point(cache.frames[2][i], sample.x(surface[i], 6));
}

// The mesh beside the cache has its vertices, at rest.
TEST(PointCache, TheMeshHasTheVerticesOfTheCache) {
  for (const std::string format : {"pc2", "mdd"}) {
    SampleExport sample;
    ASSERT_TRUE(sample.write(format));
    const std::string obj = sample.bytes(format + "/beam.obj");
    EXPECT_EQ(lines_with(obj, "v "), 26);
    EXPECT_EQ(lines_with(obj, "f "), 48);
    std::istringstream in(obj);
    for (int32_t node : SampleExport::surface()) {
      std::string v;
      Vec3d p;
      in >> v >> p[0] >> p[1] >> p[2];
      EXPECT_EQ(norm(p - sample.model.X[node]), 0);
    }
    // All nodes, where they were asked for.
    sample.what = What::volume;
    ASSERT_TRUE(sample.write(format));
    EXPECT_EQ(lines_with(sample.bytes(format + "/beam.obj"), "v "), 27);
  }
}

TEST(PointCache, AxesAndUnit) {
  SampleExport sample;
  sample.shape.z_up = true;
  sample.shape.unit = 0.01;
  ASSERT_TRUE(sample.write("pc2"));
  const Cache cache = read_pc2(sample.bytes("pc2/beam.pc2"));
  const Vec3d x = sample.x(26, 4);
  expect_point(cache.frames[1][25], Vec3d{x[0], -x[2], x[1]} / 0.01);
}

TEST(PointCache, AnInterruptionLeavesNothing) {
  for (const char* format : {"pc2", "mdd", "glb", "usda", "npz"}) {
    SampleExport sample;
    const Result<Files> files = sample.write(format, 2);
    ASSERT_TRUE(files);
    EXPECT_TRUE(files->empty());
    EXPECT_EQ(sample.file_count(), 0u) << format;
  }
}

TEST(PointCache, RestPose) {
  SampleExport sample;
  sample.rest = true;
  sample.frames = {0};
  ASSERT_TRUE(sample.write("pc2"));
  const Cache cache = read_pc2(sample.bytes("pc2/beam_rest.pc2"));
  ASSERT_EQ(cache.frames.size(), 1u);
  expect_point(cache.frames[0][25], sample.model.X[26]);
}

}  // namespace
}  // namespace sinew::exporting
