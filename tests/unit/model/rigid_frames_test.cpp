#include "model/rigid_frames.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "math/random.h"
#include "model/inputs.h"

namespace sinew::model {
namespace {

std::vector<Vec3d> vectors(uint64_t seed, size_t count) {
  const math::Random random(seed);
  std::vector<Vec3d> list(count);
  for (size_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) list[i][k] = random.uniform(3 * i + k, -1, 1);
  return list;
}

// A box of 3 x 3 x 3 nodes, and five nodes anywhere with weights; nodes 32 and 33 belong to neither.
class RigidFramesTest : public testing::Test {
 protected:
  RigidFramesTest() {
    for (int i = 0; i < 27; ++i) x.push_back({0.5 * (i % 3), 0.5 * (i / 3 % 3), 0.5 * (i / 9)});
    for (const Vec3d& v : vectors(1, 7)) x.push_back(v + Vec3d{3, -1, 2});
    RigidPart box, scattered{{31, 27, 28, 30, 29}, {0, 2, 1, 0.5, 3}};
    for (int i = 0; i < 27; ++i) box.nodes.push_back(i);
    frames = RigidFrames(std::vector<RigidPart>{box, scattered}, x);
    q = vectors(5, 4);
    g = vectors(6, x.size());
  }
  std::vector<Vec3d> pushed(std::span<const Vec3d> unknowns) const {
    std::vector<Vec3d> d(x.size(), Vec3d{0, 0, 0});
    frames.push(x, unknowns, d);
    return d;
  }
  std::vector<Vec3d> advanced(std::span<const Vec3d> d, double a) const {
    std::vector<Vec3d> out = x;
    frames.advance(x, d, a, out);
    return out;
  }
  std::vector<Vec3d> pulled(std::span<const Vec3d> at) const {
    std::vector<Vec3d> out(4);
    frames.pull(at, g, out);
    return out;
  }
  double distance_error(std::span<const Vec3d> y) const {
    double worst = 0;
    for (int32_t frame = 0; frame < frames.count(); ++frame)
      for (int32_t i : frames.nodes(frame))
        for (int32_t j : frames.nodes(frame))
          worst = std::max(worst, std::abs(norm(y[i] - y[j]) - norm(x[i] - x[j])));
    return worst;
  }

  std::vector<Vec3d> x, q, g;
  RigidFrames frames;
};

TEST_F(RigidFramesTest, LengthIsTheRadiusOfGyration) {
  // 27 nodes at -0.5, 0, 0.5 along each axis: <r^2> = 3 * 0.25 * 2/3.
  EXPECT_NEAR(frames.length(0), std::sqrt(0.5), 1e-15);
  Vec3d centre = {0, 0, 0};
  const std::pair<int, double> weights[] = {{27, 2}, {28, 1}, {30, 0.5}, {29, 3}};
  for (const auto& [node, weight] : weights) centre += x[node] * (weight / 6.5);
  double square = 0;
  for (const auto& [node, weight] : weights) square += weight / 6.5 * norm2(x[node] - centre);
  EXPECT_NEAR(frames.length(1), std::sqrt(square), 1e-14);
  EXPECT_LT(norm(frames.centres(x)[1] - centre), 1e-14);
}

TEST_F(RigidFramesTest, PushIsTheDerivativeOfAdvance) {
  const std::vector<Vec3d> d = pushed(q);
  const double s = 1e-5;
  const std::vector<Vec3d> plus = advanced(d, s), minus = advanced(d, -s);
  for (size_t i = 0; i < 32; ++i) EXPECT_LT(norm((plus[i] - minus[i]) * (0.5 / s) - d[i]), 1e-9) << i;
  for (size_t i = 32; i < 34; ++i) EXPECT_EQ(norm(plus[i] - x[i]), 0);
}

TEST_F(RigidFramesTest, PullIsTheTransposeOfPush) {
  const std::vector<Vec3d> d = pushed(q), r = pulled(x);
  double left = 0, right = 0;
  for (size_t i = 0; i < x.size(); ++i) left += dot(g[i], d[i]);
  for (size_t k = 0; k < q.size(); ++k) right += dot(r[k], q[k]);
  EXPECT_NEAR(left, right, 1e-13);
}

TEST_F(RigidFramesTest, PullGivesForceAndTorque) {
  const std::vector<Vec3d> r = pulled(x);
  for (int32_t frame = 0; frame < 2; ++frame) {
    Vec3d force = {0, 0, 0}, about_origin = {0, 0, 0};
    for (int32_t i : frames.nodes(frame)) {
      force += g[i];
      about_origin += cross(x[i], g[i]);
    }
    const Vec3d torque = about_origin - cross(frames.centres(x)[frame], force);
    EXPECT_LT(norm(r[2 * frame] - force), 1e-14);
    EXPECT_LT(norm(r[2 * frame + 1] * frames.length(frame) - torque), 1e-13);
  }
}

TEST_F(RigidFramesTest, FiniteTurnsKeepAllDistances) {
  std::vector<Vec3d> y = x, next = x, d(x.size(), Vec3d{0, 0, 0});
  for (uint64_t k = 0; k < 20; ++k) {
    std::vector<Vec3d> unknowns = vectors(k, 4);
    for (int f = 0; f < 2; ++f) unknowns[2 * f + 1] *= k < 10 ? 3.0 : 0.1;  // up to several radians
    frames.push(y, unknowns, d);
    frames.advance(y, d, 0.7, next);
    std::swap(y, next);
  }
  EXPECT_LE(distance_error(y), 1e-14);
  EXPECT_GT(norm(y[26] - x[26]), 0.1);
}

TEST_F(RigidFramesTest, AdvanceIsARotationAboutTheCentre) {
  const Vec3d axis = normalized(Vec3d{1, 2, -2}), translation = {0.3, 0.1, -0.4};
  const double angle = 2.2;
  std::vector<Vec3d> unknowns = {translation, axis * (angle * frames.length(0)), {0, 0, 0}, {0, 0, 0}};
  const std::vector<Vec3d> out = advanced(pushed(unknowns), 1);
  const Mat3d R = rotation(axis, angle);
  const Vec3d centre = {0.5, 0.5, 0.5};
  for (int i = 0; i < 27; ++i) EXPECT_LT(norm(out[i] - centre - translation - R * (x[i] - centre)), 1e-14);
  for (int i = 27; i < 34; ++i) EXPECT_EQ(norm(out[i] - x[i]), 0);
}

// Along advance(x, d, s) a constant gradient has an energy whose second derivative is the curvature alone.
TEST_F(RigidFramesTest, CurvatureIsTheSecondDifferenceOfTheEnergy) {
  const std::vector<Mat3d> C = frames.curvature(x, g);
  const auto energy = [&](std::span<const Vec3d> y) {
    double e = 0;
    for (size_t i = 0; i < 32; ++i) e += dot(g[i], y[i] - x[i]);
    return e;
  };
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const std::vector<Vec3d> unknowns = vectors(20 + seed, 4), d = pushed(unknowns);
    const double s = 1e-4, second = (energy(advanced(d, s)) + energy(advanced(d, -s))) / (s * s);
    double expected = 0;
    for (int f = 0; f < 2; ++f) expected += dot(unknowns[2 * f + 1], C[f] * unknowns[2 * f + 1]);
    EXPECT_NEAR(second, expected, 1e-6 * (1 + std::abs(expected)));
  }
}

// The derivative of the torque along the rotations is the curvature and half a cross product with the torque itself.
TEST_F(RigidFramesTest, CurvatureIsTheSymmetricPartOfTheDifferenceOfPull) {
  const std::vector<Mat3d> C = frames.curvature(x, g);
  const double s = 1e-6;
  for (int f = 0; f < 2; ++f) {
    Mat3d D;
    for (int k = 0; k < 3; ++k) {
      std::vector<Vec3d> unit(4, Vec3d{0, 0, 0});
      unit[2 * f + 1][k] = 1;
      const std::vector<Vec3d> d = pushed(unit);
      D.col(k) = (pulled(advanced(d, s))[2 * f + 1] - pulled(advanced(d, -s))[2 * f + 1]) * (0.5 / s);
    }
    const Mat3d difference = (D + transpose(D)) * 0.5 - C[f];
    EXPECT_LT(std::sqrt(contract(difference, difference)), 1e-8);
    EXPECT_EQ(C[f](0, 1), C[f](1, 0));
  }
}

TEST_F(RigidFramesTest, RetractFitsTheShape) {
  const Mat3d R = rotation(normalized(Vec3d{1, -1, 0.5}), 2.5);
  std::vector<Vec3d> moved(x.size());
  for (size_t i = 0; i < x.size(); ++i) moved[i] = R * x[i] + Vec3d{10, 20, 30};
  std::vector<Vec3d> y = moved;
  frames.retract(y);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(norm(y[i] - moved[i]), 0) << "a rigid image stays";
  const std::vector<Vec3d> noise = vectors(8, x.size());
  for (size_t i = 0; i < x.size(); ++i) y[i] += noise[i] * 1e-3;
  frames.retract(y);
  EXPECT_LT(distance_error(y), 1e-13);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(norm(y[i] - moved[i]), 1e-2);
}

TEST_F(RigidFramesTest, PartOfAWayIsPartOfTheTurn) {
  const Vec3d axis = normalized(Vec3d{1, 2, 3}), translation = {1, 0, -1}, centre = {0.5, 0.5, 0.5};
  std::vector<Vec3d> x1 = x, out = x;
  const Mat3d R = rotation(axis, 2), third = rotation(axis, 0.5);
  for (int i = 0; i < 27; ++i) x1[i] = centre + translation + R * (x[i] - centre);
  std::vector<double> share(x.size(), 1.0);
  share[13] = 0.25;
  frames.limit(share);
  frames.part_way(x, x1, share, out);
  for (int i = 0; i < 27; ++i) {
    EXPECT_EQ(share[i], 0.25);
    EXPECT_LT(norm(out[i] - centre - translation * 0.25 - third * (x[i] - centre)), 1e-14);
  }
  for (int i = 27; i < 34; ++i) EXPECT_EQ(norm(out[i] - x1[i]), 0);
}

TEST(RigidFrames, HaveTheSameBitsForAnyNumberOfThreads) {
  const std::vector<Vec3d> x = vectors(1, 5000), g = vectors(2, 5000);
  RigidPart large, small;
  for (int32_t i = 0; i < 4000; ++i) large.nodes.push_back(i);
  for (int32_t i = 4000; i < 4010; ++i) small.nodes.push_back(i);
  const RigidFrames frames(std::vector<RigidPart>{small, large}, x);
  std::vector<Vec3d> one(4), many(4);
  set_thread_count(1);
  frames.pull(x, g, one);
  set_thread_count(3);
  frames.pull(x, g, many);
  set_thread_count(0);
  for (int k = 0; k < 4; ++k)
    for (int c = 0; c < 3; ++c) EXPECT_EQ(one[k][c], many[k][c]);
}

}  // namespace
}  // namespace sinew::model
