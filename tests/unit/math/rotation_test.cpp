#include "math/rotation.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "unit/eigen.h"

namespace sinew::math {
namespace {

Eigen::Vector3d eigen(const Vec3d& v) { return {v[0], v[1], v[2]}; }

TEST(Rotation, TurnsAsAngleAxisDoes) {
  const Random random(1);
  for (const double angle : {0.0, 1e-12, 1e-6, 0.3, 2.0, 3.141592, 7.5}) {
    const Vec3d axis =
        normalized(Vec3d{random.uniform(0, -1, 1), random.uniform(1, -1, 1), random.uniform(2, -1, 1)});
    const Vec3d r = {0.4, -1.2, 0.7};
    const Eigen::Vector3d expected = Eigen::AngleAxisd(angle, eigen(axis)) * eigen(r) - eigen(r);
    EXPECT_LT((eigen(turn(axis * angle, r)) - expected).norm(), 1e-15 + 1e-14 * expected.norm()) << angle;
  }
}

TEST(Rotation, AxisAndAngleGiveTheMatrixBack) {
  for (const double angle : {1e-6, 0.3, 2.0, 3.141592653589793}) {
    const Vec3d axis = normalized(Vec3d{0.3, -0.5, 0.8});
    const Eigen::Matrix3d expected = Eigen::AngleAxisd(angle, eigen(axis)).toRotationMatrix();
    Mat3d R;
    for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = expected(k / 3, k % 3);
    const auto [found_axis, found_angle] = axis_angle(R);
    const Eigen::Matrix3d found = Eigen::AngleAxisd(found_angle, eigen(found_axis)).toRotationMatrix();
    EXPECT_LT((found - expected).norm(), 1e-9) << angle;
  }
}

}  // namespace
}  // namespace sinew::math
