#include "math/eigen_symmetric.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sample_matrices.h"

namespace sinew::math {
namespace {

Mat3d symmetric_sample(int i) {
  const Mat3d A = sample(i);
  if (i % 3 == 0) return transpose(A) * A;
  return (A + transpose(A)) * 0.5;
}

TEST(EigenSymmetric, Decomposes) {
  for (int first = 0; first < 80000; first += 8) {
    const Mat3<PackD> A = pack_of<PackD>([&](int l) { return symmetric_sample(first + l); });
    const EigenSymmetric<PackD> e = eigen_symmetric(A);
    for (int l = 0; l < 8; ++l) {
      const Mat3d B = lane_of(A, l), Q = lane_of(e.Q, l);
      const Vec3d lambda = {lane(e.lambda[0], l), lane(e.lambda[1], l), lane(e.lambda[2], l)};
      ASSERT_LE(frobenius(Q * Mat3d::diagonal(lambda) * transpose(Q) - B), 1e-13 * frobenius(B)) << first + l;
      ASSERT_LT(frobenius(transpose(Q) * Q - Mat3d::identity()), 1e-13) << first + l;
      ASSERT_NEAR(det(Q), 1, 1e-13);
      ASSERT_GE(lambda[0], lambda[1]);
      ASSERT_GE(lambda[1], lambda[2]);
    }
  }
}

TEST(EigenSymmetric, EigenvaluesOfEigen) {
  for (int i = 0; i < 4000; ++i) {
    const Mat3d A = symmetric_sample(i);
    const Eigen::Map<const Eigen::Matrix3d> B(&A.c[0].v[0]);
    const Eigen::Vector3d reference = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(B).eigenvalues();
    const Vec3d lambda = eigen_symmetric(A).lambda;
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(lambda[k], reference[2 - k], 1e-13 * frobenius(A)) << i;
  }
}

TEST(ProjectPsd, NearestSemiDefiniteMatrix) {
  for (int i = 0; i < 4000; ++i) {
    const Mat3d A = symmetric_sample(i), P = project_psd(A, 0.0);
    const Eigen::Map<const Eigen::Matrix3d> B(&A.c[0].v[0]);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> reference(B);
    const Eigen::Matrix3d expected = reference.eigenvectors() *
                                     reference.eigenvalues().cwiseMax(0.0).asDiagonal() *
                                     reference.eigenvectors().transpose();
    for (int k = 0; k < 9; ++k)
      ASSERT_NEAR(P(k % 3, k / 3), expected(k % 3, k / 3), 1e-12 * frobenius(A)) << i;
  }
}

TEST(ProjectPsd, KeepsTheBitsOfDefiniteLanes) {
  for (int first = 0; first < 4000; first += 8) {
    const Mat3<PackD> A = pack_of<PackD>([&](int l) {
      const Mat3d B = sample(first + l), S = transpose(B) * B;
      return l % 2 ? S + Mat3d::identity() * (0.01 * trace(S)) : S - Mat3d::identity() * trace(S);
    });
    const Mat3<PackD> P = project_psd(A, PackD(0));
    for (int l = 0; l < 8; ++l)
      for (int k = 0; k < 9; ++k) {
        const double a = lane(A(k % 3, k / 3), l), p = lane(P(k % 3, k / 3), l);
        if (l % 2)
          ASSERT_EQ(a, p);
        else
          ASSERT_NEAR(p, 0, 1e-13 * frobenius(lane_of(A, l)));
      }
  }
}

TEST(ProjectPsd, FloorInFloatLanes) {
  const Mat3<PackF> A = Mat3<PackF>::diagonal({PackF(3), PackF(-2), PackF(0.5)});
  const Mat3<PackF> P = project_psd(A, PackF(1));
  for (int l = 0; l < 16; ++l)
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(lane(P(k % 3, k / 3), l), k == 0 ? 3 : k % 4 == 0 ? 1 : 0, 1e-6);
}

}  // namespace
}  // namespace sinew::math
