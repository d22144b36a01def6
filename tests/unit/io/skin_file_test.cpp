#include "io/skin_file.h"

#include <gtest/gtest.h>

#include "io/npz.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

mesh::Skin skin() {
  return {
      {4, 0, 2}, {{0.25, 0.25, 0.25, 0.25}, {1, 0, 0, 0}, {0.5, 0.125, 0.375, 0}}, {{0, 1, 2}, {2, 1, 0}}};
}

TEST(SkinFile, ComesBackBitForBit) {
  Scratch scratch;
  const std::string path = scratch.path("skin.npz");
  ASSERT_TRUE(write_skin(path, skin()));
  const Result<mesh::Skin> back = read_skin(path, 5);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->tet, skin().tet);
  EXPECT_EQ(back->weights, skin().weights);
  EXPECT_EQ(back->triangles, skin().triangles);
}

TEST(SkinFile, RefusesWhatNoMeshCanCarry) {
  Scratch scratch;
  const std::string path = scratch.path("skin.npz");
  const auto refusal = [&](const mesh::Skin& given, int64_t tets) {
    EXPECT_TRUE(write_skin(path, given));
    const Result<mesh::Skin> back = read_skin(path, tets);
    return back ? std::string() : back.error().text();
  };
  const auto says = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(refusal(skin(), 4), "vertex 0 is carried by tet 4, expected one of the 4"));
  mesh::Skin other = skin();
  other.tet[1] = -1;
  EXPECT_TRUE(says(refusal(other, 5), "tet -1"));
  other = skin();
  other.weights[2][0] = 0.6;
  EXPECT_TRUE(says(refusal(other, 5), "weights of vertex 2 add up to 1.1"));
  other.weights[2][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(refusal(other, 5), "weights of vertex 2"));
  other = skin();
  other.triangles[1][2] = 3;
  EXPECT_TRUE(says(refusal(other, 5), "triangle 1 names vertex 3 of 3"));
  other.triangles.clear();
  EXPECT_TRUE(says(refusal(other, 5), "no triangles"));

  Npz arrays;
  ASSERT_TRUE(write_npz(path, arrays));
  EXPECT_TRUE(says(read_skin(path, 5).error().text(), "no array \"triangles\""));
  const std::vector<double> numbers = {1, 2, 3};
  arrays["triangles"] = npy_array<double>(numbers, {1, 3});
  ASSERT_TRUE(write_npz(path, arrays));
  EXPECT_TRUE(says(read_skin(path, 5).error().text(), "expected int32 of shape (any, 3)"));
  EXPECT_EQ(read_skin(scratch.path("no_such.npz"), 5).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace sinew::io
