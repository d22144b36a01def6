#include "plot/raster.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace sinew::plot {
namespace {

using Triangles = std::vector<std::array<int32_t, 3>>;

// A square facing the eye of a camera that looks along -z, corners in the order of a turn to the left.
std::vector<Vec3d> square(double x0, double x1, double y0, double y1, double z) {
  return {{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}};
}
const Triangles two = {{0, 1, 2}, {0, 2, 3}};

// One unit a pixel, the origin in the lower left corner of a picture of that size.
Camera plain(int width, int height) {
  Camera camera;
  camera.x = width * 0.5;
  camera.y = height * 0.5;
  return camera;
}

int covered(const Image& image) {
  int count = 0;
  for (size_t i = 3; i < image.rgba.size(); i += 4) count += image.rgba[i] == 255;
  return count;
}

bool reddish(const uint8_t* p) { return p[3] == 255 && p[0] > 2 * p[2]; }
bool bluish(const uint8_t* p) { return p[3] == 255 && p[2] > 2 * p[0]; }

constexpr std::array<uint8_t, 3> red = {200, 20, 20}, blue = {20, 20, 200};

TEST(Raster, ASquareCoversItsPixels) {
  const std::vector<Vec3d> points = square(3, 13, 2, 7, 0);
  const Surface surface{points, two, red};
  const Image image = draw({&surface, 1}, plain(20, 10), 20, 10);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x) {
      // Rows count from the top.
      const bool inside = x >= 3 && x < 13 && y >= 3 && y < 8;
      EXPECT_EQ(image.at(x, y)[3], inside ? 255 : 0) << x << " " << y;
    }
}

TEST(Raster, HalfAPixelIsHalfOpaque) {
  const std::vector<Vec3d> points = square(3.5, 13, 2, 7, 0);
  const Surface surface{points, two, red};
  const Image image = draw({&surface, 1}, plain(20, 10), 20, 10);
  EXPECT_EQ(image.at(3, 5)[3], 128);
  EXPECT_EQ(image.at(4, 5)[3], 255);
}

TEST(Raster, TheNearerIsSeenWhateverTheOrder) {
  const std::vector<Vec3d> near = square(2, 12, 2, 12, 1), far = square(8, 18, 2, 12, -1);
  const Surface front{near, two, red}, back{far, two, blue};
  for (const auto& order : {std::vector{front, back}, std::vector{back, front}}) {
    const Image image = draw(order, plain(20, 14), 20, 14);
    EXPECT_TRUE(reddish(image.at(10, 6)));
    EXPECT_TRUE(bluish(image.at(15, 6)));
  }
}

TEST(Raster, SurfacesThatCrossAreSplitWhereTheyDo) {
  const std::vector<Vec3d> level = square(0, 20, 0, 10, 0);
  std::vector<Vec3d> tilted = level;
  for (Vec3d& p : tilted) p[2] = p[0] - 10;
  const std::vector<Surface> both = {{level, two, red}, {tilted, two, blue}};
  const Image image = draw(both, plain(20, 10), 20, 10);
  EXPECT_TRUE(reddish(image.at(4, 5)));
  EXPECT_TRUE(bluish(image.at(15, 5)));
}

TEST(Raster, GhostsAreSeenThrough) {
  const std::vector<Vec3d> solid = square(2, 10, 2, 12, 0), before = square(0, 20, 0, 14, 5);
  const std::vector<Surface> both = {{solid, two, red}, {before, two, {150, 150, 150}, Surface::Look::ghost}};
  const Image image = draw(both, plain(20, 14), 20, 14);
  EXPECT_TRUE(image.at(5, 6)[0] > image.at(5, 6)[2] + 40);  // still red
  EXPECT_GT(image.at(15, 6)[3], 0);
  EXPECT_LT(image.at(15, 6)[3], 255);
  // The wall towards the eye of a hollow shape is left out.
  const Surface wall{before, two, {150, 150, 150}, Surface::Look::inside};
  EXPECT_EQ(draw({&wall, 1}, plain(20, 14), 20, 14).at(15, 6)[3], 0);
}

TEST(Raster, FinePartsMakeAWhole) {
  // A disc of many thin triangles has the area of the circle.
  std::vector<Vec3d> points = {{50, 50, 0}};
  Triangles fan;
  const int count = 20000;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * M_PI * k / count;
    points.push_back({50 + 40 * std::cos(angle), 50 + 40 * std::sin(angle), 0});
    fan.push_back({0, 1 + k, 1 + (k + 1) % count});
  }
  const Surface disc{points, fan, red};
  const Image image = draw({&disc, 1}, plain(100, 100), 100, 100);
  double area = 0;
  for (size_t i = 3; i < image.rgba.size(); i += 4) area += image.rgba[i] / 255.0;
  EXPECT_NEAR(area, M_PI * 40 * 40, 20);
}

TEST(Raster, WhatIsNotFiniteOrFarOffIsLeftOut) {
  std::vector<Vec3d> points = square(3, 13, 2, 7, 0);
  points.push_back({NAN, 0, 0});
  points.push_back({1e300, 0, 0});
  points.push_back({0, INFINITY, 0});
  const Triangles triangles = {{0, 1, 2}, {0, 2, 3}, {0, 1, 4}, {0, 5, 2}, {6, 1, 2}, {1, 1, 1}};
  const Surface surface{points, triangles, red};
  EXPECT_EQ(covered(draw({&surface, 1}, plain(20, 10), 20, 10)), 50);
}

TEST(Raster, ATangleTakesBoundedTime) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0, 600);
  std::vector<Vec3d> points(3000);
  for (Vec3d& p : points) p = {place(random), place(random), place(random)};
  Triangles triangles(100000);
  for (auto& t : triangles)
    for (int32_t& node : t) node = static_cast<int32_t>(random() % points.size());
  const Surface surface{points, triangles, red};
  EXPECT_GT(covered(draw({&surface, 1}, plain(600, 600), 600, 600)), 300000);
}

TEST(Camera, ShowsWhatItIsFittedTo) {
  for (const int vertical : {0, 1, 2}) {
    const Camera camera = camera_at(30, 20, vertical);
    EXPECT_NEAR(dot(camera.right, camera.up), 0, 1e-15);
    EXPECT_NEAR(norm(cross(camera.right, camera.up) - camera.back), 0, 1e-15);
    EXPECT_GT(camera.up[vertical], 0.9);
    EXPECT_EQ(camera.right[vertical], 0);
    std::vector<Vec3d> box;
    for (int k = 0; k < 8; ++k) box.push_back({k & 1 ? 7.0 : -1.0, k & 2 ? 2.0 : 0.0, k & 4 ? 1.0 : -3.0});
    View view;
    view.add(camera, box);
    const Camera fitted = view.fit(camera, 200, 100);
    double widest = 0;
    for (const Vec3d& p : box) {
      const double u = (dot(fitted.right, p) - fitted.x) / fitted.pixel,
                   v = (dot(fitted.up, p) - fitted.y) / fitted.pixel;
      EXPECT_LE(std::abs(u), 100);
      EXPECT_LE(std::abs(v), 50);
      widest = std::max({widest, std::abs(u) / 100, std::abs(v) / 50});
    }
    EXPECT_GT(widest, 0.8);
  }
}

TEST(Camera, FarPartsAreShownOnlySoFar) {
  const Camera camera = camera_at(0, 0, 1);
  const std::vector<Vec3d> bodies = {{0, 0, 0}, {1, 1, 0}},
                           floor = {{-100, 0, 0}, {100, 0.5, 0}, {NAN, 0, 0}};
  View view;
  view.add(camera, bodies);
  const View around = view;
  view.add_within(camera, floor, around, 0.5);
  const Camera fitted = view.fit(camera, 100, 100);
  EXPECT_NEAR(fitted.x, 0.5, 1e-12);
  EXPECT_GT(fitted.pixel * 100, 2);
  EXPECT_LT(fitted.pixel * 100, 3);
}

TEST(Colour, OfAName) { EXPECT_EQ(colour_bytes("#0172ff"), (std::array<uint8_t, 3>{1, 0x72, 255})); }

}  // namespace
}  // namespace sinew::plot
