#include "model/inputs.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "math/random.h"
#include "unit/eigen.h"

namespace sinew::model {
namespace {

using std::numbers::pi;

Pose pose_of(const InputCurve& curve, int first, double time) {
  std::vector<double> inputs(curve.size());
  curve.evaluate(time, inputs);
  return pose_at(inputs, first);
}

double distance(const Mat3d& a, const Eigen::Matrix3d& b) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s += std::abs(a(i, j) - b(i, j));
  return s;
}

Eigen::Vector3d eigen(const Vec3d& v) { return {v[0], v[1], v[2]}; }

TEST(Rotation, AgreesWithEigen) {
  for (uint64_t i = 0; i < 50; ++i) {
    const math::Random r = math::Random(1).stream(i);
    const Vec3d axis = normalized(Vec3d{r.normal(0), r.normal(1), r.normal(2)});
    const double angle = r.uniform(3, -10, 10);
    EXPECT_LE(distance(rotation(axis, angle), Eigen::AngleAxisd(angle, eigen(axis)).toRotationMatrix()),
              1e-13);
  }
}

TEST(InputCurve, NumbersAreLinearBetweenKeysAndConstantOutside) {
  InputCurve curve;
  const int a = curve.add_numbers("a", {{1, {2, 10}}, {2, {4, 20}}, {4, {0, 20}}});
  const int b = curve.add_numbers("b", {{0, {7}}});
  EXPECT_EQ(curve.size(), 3);
  EXPECT_EQ(curve.blocks().size(), 2u);
  EXPECT_EQ(curve.blocks()[1].name, "b");
  const auto at = [&](double time) {
    std::vector<double> v(3);
    curve.evaluate(time, v);
    return v;
  };
  EXPECT_EQ(at(-5)[a], 2);
  EXPECT_EQ(at(1)[a + 1], 10);
  EXPECT_DOUBLE_EQ(at(1.25)[a], 2.5);
  EXPECT_DOUBLE_EQ(at(1.25)[a + 1], 12.5);
  EXPECT_EQ(at(2)[a], 4);
  EXPECT_DOUBLE_EQ(at(3)[a], 2);
  EXPECT_EQ(at(4)[a], 0);
  EXPECT_EQ(at(1e9)[a + 1], 20);
  EXPECT_EQ(at(3)[b], 7);
}

TEST(InputCurve, PoseTurnsAboutItsPointAndTranslates) {
  InputCurve curve;
  const int first = curve.add_pose(
      "p",
      {{.time = 0}, {.time = 1, .translate = {0, 0, 2}, .axis = {0, 0, 1}, .angle = pi, .about = {1, 0, 0}}});
  const Pose rest = pose_of(curve, first, 0);
  EXPECT_LE(norm(rest({3, 4, 5}) - Vec3d{3, 4, 5}), 1e-15);
  const Pose end = pose_of(curve, first, 1);
  EXPECT_LE(norm(end({1, 0, 0}) - Vec3d{1, 0, 2}), 1e-15);
  EXPECT_LE(norm(end({2, 0, 0}) - Vec3d{0, 0, 2}), 1e-15);
}

TEST(InputCurve, TwoFullTurnsAreKept) {
  InputCurve curve;
  const Vec3d axis = normalized(Vec3d{1, 1, 0.5});
  const int first =
      curve.add_pose("p", {{.time = 0, .axis = {0, 0, 1}}, {.time = 1, .axis = axis, .angle = 4 * pi}});
  for (double t : {0.1, 0.25, 0.3, 0.5, 0.625, 0.9, 1.0}) {
    const Eigen::Matrix3d R = Eigen::AngleAxisd(4 * pi * t, eigen(axis)).toRotationMatrix();
    EXPECT_LE(distance(pose_of(curve, first, t).A, R), 1e-13) << t;
  }
  // And back: a key without a turn takes the other's axis.
  InputCurve back;
  const int second = back.add_pose("p", {{.time = 0, .axis = axis, .angle = 4 * pi}, {.time = 1}});
  EXPECT_LE(
      distance(pose_of(back, second, 0.125).A, Eigen::AngleAxisd(3.5 * pi, eigen(axis)).toRotationMatrix()),
      1e-13);
}

TEST(InputCurve, DifferentAxesTakeTheShortestWay) {
  for (uint64_t i = 0; i < 50; ++i) {
    const math::Random r = math::Random(2).stream(i);
    const Vec3d u = normalized(Vec3d{r.normal(0), r.normal(1), r.normal(2)});
    const Vec3d w = normalized(Vec3d{r.normal(3), r.normal(4), r.normal(5)});
    const double alpha = r.uniform(6, 0.1, 3), beta = r.uniform(7, 0.1, 3);
    InputCurve curve;
    const int first =
        curve.add_pose("p", {{.time = 2, .axis = u, .angle = alpha}, {.time = 4, .axis = w, .angle = beta}});
    const Eigen::Quaterniond a(Eigen::AngleAxisd(alpha, eigen(u))), b(Eigen::AngleAxisd(beta, eigen(w)));
    for (double t : {0.0, 0.2, 0.5, 0.77, 1.0})
      EXPECT_LE(distance(pose_of(curve, first, 2 + 2 * t).A, a.slerp(t, b).toRotationMatrix()), 1e-11)
          << i << " " << t;
  }
}

TEST(InputCurve, HalfATurnBetweenKeysIsARotation) {
  InputCurve curve;
  const int first = curve.add_pose(
      "p", {{.time = 0, .axis = {1, 0, 0}, .angle = pi}, {.time = 1, .axis = {0, 1, 0}, .angle = pi}});
  for (double t : {0.0, 0.3, 0.5, 1.0}) {
    const Mat3d A = pose_of(curve, first, t).A, error = transpose(A) * A - Mat3d::identity();
    EXPECT_LE(contract(error, error), 1e-24);
    EXPECT_NEAR(det(A), 1, 1e-12);
  }
  EXPECT_LE(distance(pose_of(curve, first, 1).A,
                     Eigen::AngleAxisd(pi, Eigen::Vector3d::UnitY()).toRotationMatrix()),
            1e-11);
}

TEST(InputCurve, EqualTimesJump) {
  InputCurve curve;
  const int a = curve.add_numbers("a", {{0, {0}}, {1, {1}}, {1, {5}}, {2, {6}}});
  std::vector<double> v(1);
  curve.evaluate(1, v);
  EXPECT_EQ(v[a], 5);
  curve.evaluate(1.5, v);
  EXPECT_EQ(v[a], 5.5);
}

}  // namespace
}  // namespace sinew::model
