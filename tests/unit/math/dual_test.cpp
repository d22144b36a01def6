#include "math/dual.h"

#include <Eigen/Core>
#include <algorithm>
#include <gtest/gtest.h>
#include <unsupported/Eigen/AutoDiff>

#include "math/pack.h"
#include "math/random.h"

namespace sinew::math {
namespace {

// Every operation once. `power` and `larger` stand for functions that Eigen spells differently.
template <class T, class Power, class Larger>
T expression(const T& x, const T& y, const T& z, Power power, Larger larger) {
  T f = x * y - z / x + T(2) * x;
  f += sqrt(x * x + y * y) * exp(T(-1) * z);
  f -= log(x * y * z) / (y + T(0.5));
  f *= power(y, 1.7) + T(1) / z;
  return f + larger(x * z, y) - x;
}

template <class T>
Dual<T, 3> dual_expression(const T& x, const T& y, const T& z) {
  using D = Dual<T, 3>;
  return expression(
      D::variable(x, 0), D::variable(y, 1), D::variable(z, 2), [](const D& a, double p) { return pow(a, p); },
      [](const D& a, const D& b) { return max(a, b); });
}

// The same by Eigen's first-order numbers, nested once.
using First = Eigen::AutoDiffScalar<Eigen::Vector3d>;
using Second = Eigen::AutoDiffScalar<Eigen::Matrix<First, 3, 1>>;
Second reference_expression(const double (&at)[3]) {
  Second v[3];
  for (int i = 0; i < 3; ++i) {
    v[i].value() = First(at[i], 3, i);
    v[i].derivatives().setZero();
    for (int j = 0; j < 3; ++j) v[i].derivatives()[j] = First(i == j ? 1.0 : 0.0, Eigen::Vector3d::Zero());
  }
  return expression(
      v[0], v[1], v[2], [](const Second& a, double p) -> Second { return exp(Second(log(a) * First(p))); },
      [](const Second& a, const Second& b) -> Second {
        return a.value().value() < b.value().value() ? b : a;
      });
}

TEST(Dual, AgreesWithEigenAutoDiff) {
  const Random random(8);
  for (int i = 0; i < 200; ++i) {
    const double at[3] = {random.uniform(3 * i, 0.3, 2), random.uniform(3 * i + 1, 0.3, 2),
                          random.uniform(3 * i + 2, 0.3, 2)};
    const auto f = dual_expression(at[0], at[1], at[2]);
    const Second r = reference_expression(at);
    double size = 1;
    for (int j = 0; j < 3; ++j) size = std::max(size, r.derivatives()[j].derivatives().cwiseAbs().maxCoeff());
    EXPECT_NEAR(f.value, r.value().value(), 1e-13 * size);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(f.gradient[j], r.value().derivatives()[j], 1e-13 * size);
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(f.hessian(j, k), r.derivatives()[j].derivatives()[k], 1e-13 * size);
    }
  }
}

template <class P>
void expect_lanes_agree(double tolerance) {
  const Random random(9);
  const auto at = [&](int k) {
    return P::generate([&](int l) { return random.uniform(lanes_of<P> * k + l, 0.5, 1.5); });
  };
  const P x = at(0), y = at(1), z = at(2);
  const auto f = dual_expression(x, y, z);
  for (int l = 0; l < lanes_of<P>; ++l) {
    const auto g = dual_expression<double>(x[l], y[l], z[l]);
    EXPECT_NEAR(lane(f.value, l), g.value, tolerance);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(lane(f.gradient[i], l), g.gradient[i], tolerance);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(lane(f.hessian(i, j), l), g.hessian(i, j), tolerance);
    }
  }
}

TEST(Dual, PackLanes) {
  expect_lanes_agree<PackD>(1e-11);
  expect_lanes_agree<PackF>(2e-3);
}

TEST(Dual, ClosedForms) {
  using D = Dual<double, 2>;
  const D x = D::variable(8, 0), y = D::variable(-3, 1);
  const D c = cbrt(x), a = abs(y), m = min(x, y), s = select(x > y, x * x, y), r = 1 / x, t = 5 - y * y;
  EXPECT_NEAR(c.value, 2, 1e-15);
  EXPECT_NEAR(c.gradient[0], 1.0 / 12, 1e-15);
  EXPECT_NEAR(c.hessian(0, 0), -1.0 / 144, 1e-15);
  EXPECT_EQ(a.value, 3);
  EXPECT_EQ(a.gradient[1], -1);
  EXPECT_EQ(m.value, -3);
  EXPECT_EQ(s.hessian(0, 0), 2);
  EXPECT_EQ(r.hessian(0, 0), 2.0 / 512);
  EXPECT_EQ(t.value, -4);
  EXPECT_EQ(t.hessian_matrix()(1, 1), -2);
  EXPECT_EQ(t.gradient_vector()[1], 6);
}

// d det(F) / dF = cof(F) through Mat.
TEST(Dual, InsideMatrices) {
  using D = Dual<double, 9>;
  Mat3<D> F;
  Mat3d A;
  const Random random(10);
  for (int k = 0; k < 9; ++k) {
    A(k % 3, k / 3) = random.uniform(k, -1, 1);
    F(k % 3, k / 3) = D::variable(A(k % 3, k / 3), k);
  }
  const D J = det(F);
  const Mat3d cof = cofactor(A);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(J.gradient[k], cof(k % 3, k / 3), 1e-15);
  EXPECT_NEAR(J.hessian(0, 4), A(2, 2), 1e-15);
  const D one = dot(inverse(F).row(0), F.col(0));
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(one.gradient[k], 0, 1e-12);
}

}  // namespace
}  // namespace sinew::math
