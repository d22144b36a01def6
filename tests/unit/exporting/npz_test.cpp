#include "io/npz.h"

#include "sample_export.h"

namespace sinew::exporting {
namespace {

TEST(NpzExport, AllFramesOfABody) {
  SampleExport sample;
  sample.fields = {"displacement", "det_F", "strain"};
  const Result<Files> files = sample.write("npz");
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_EQ(*files, Files{"npz/beam.npz"});
  const Result<io::Npz> arrays = io::read_npz((sample.folder / "npz/beam.npz").string());
  ASSERT_TRUE(arrays) << arrays.error().text();
  const auto tets = static_cast<int64_t>(sample.model.elements.size());
  using Shape = std::vector<int64_t>;
  EXPECT_EQ(arrays->at("rest").shape, (Shape{27, 3}));
  EXPECT_EQ(arrays->at("triangles").shape, (Shape{48, 3}));
  EXPECT_EQ(arrays->at("tets").shape, (Shape{tets, 4}));
  EXPECT_EQ(arrays->at("positions").shape, (Shape{3, 27, 3}));
  EXPECT_EQ(arrays->at("displacement").shape, (Shape{3, 27, 3}));
  EXPECT_EQ(arrays->at("det_F").shape, (Shape{3, tets}));
  EXPECT_EQ(arrays->at("strain").shape, (Shape{3, tets, 6}));
  EXPECT_FALSE(arrays->contains("nodes"));
  EXPECT_EQ(arrays->at("frame").view<int64_t>()[2], 6);
  EXPECT_EQ(arrays->at("time").view<double>()[2], 0.2);
  const auto positions = arrays->at("positions").view<float>(),
             moved = arrays->at("displacement").view<float>();
  for (size_t f = 0; f < 3; ++f)
    for (int32_t i = 0; i < 27; ++i)
      for (int k = 0; k < 3; ++k) {
        const Vec3d x = sample.x(i, sample.frames[f]), X = sample.model.X[i];
        EXPECT_EQ(positions[(f * 27 + i) * 3 + k], static_cast<float>(x[k]));
        EXPECT_EQ(moved[(f * 27 + i) * 3 + k], static_cast<float>(x[k] - X[k]));
      }
}

// A surface says which nodes its vertices are.
TEST(NpzExport, NodesOfASurface) {
  SampleExport sample;
  sample.what = What::surface;
  ASSERT_TRUE(sample.write("npz"));
  const Result<io::Npz> arrays = io::read_npz((sample.folder / "npz/beam.npz").string());
  ASSERT_TRUE(arrays);
  EXPECT_FALSE(arrays->contains("tets"));
  const auto nodes = arrays->at("nodes").view<int32_t>();
  EXPECT_EQ(std::vector<int32_t>(nodes.begin(), nodes.end()), SampleExport::surface());
  const auto triangles = arrays->at("triangles").view<int32_t>();
  EXPECT_EQ(nodes[triangles[100]], sample.model.bodies[0].surface[33][1]);
}

}  // namespace
}  // namespace sinew::exporting
