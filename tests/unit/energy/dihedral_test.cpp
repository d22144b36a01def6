#include "energy/dihedral.h"

#include <functional>
#include <gtest/gtest.h>

#include "math/random.h"
#include "unit/eigen.h"

namespace sinew::energy {
namespace {

using math::Vec3d;
using Points = std::array<Vec3d, 4>;
using Eigen::Matrix;
using Eigen::Vector;

// Folds of all sizes about edges of any direction: nearly flat, in between, and all but folded over.
Points fold(uint64_t seed) {
  const math::Random random(seed);
  const auto vector = [&](uint64_t k) {
    return Vec3d{random.uniform(3 * k, -1, 1), random.uniform(3 * k + 1, -1, 1),
                 random.uniform(3 * k + 2, -1, 1)};
  };
  Points y = {vector(0), vector(1), vector(2), {}};
  const Vec3d e = normalized(y[1] - y[0]), side = y[2] - y[0];
  const Vec3d across = normalized(side - e * dot(side, e)), normal = cross(e, across);
  const double size = seed % 3 == 0 ? 1e-6 : seed % 3 == 1 ? 1.0 : 3.0;
  const double theta = size * random.uniform(20, -1, 1);
  y[3] = y[0] + e * random.uniform(21, -1, 1) -
         (across * std::cos(theta) + normal * std::sin(theta)) * random.uniform(22, 0.3, 1);
  return y;
}

Dihedral<double> at(const Points& y) { return {y[0], y[1], y[2], y[3]}; }

// By the angle between the normals, its sign by the side on which the fourth point lies.
double angle(const Points& y) {
  const Vec3d n1 = normalized(cross(y[1] - y[0], y[2] - y[0])),
              n2 = normalized(cross(y[3] - y[0], y[1] - y[0]));
  return std::copysign(2 * std::asin(std::min(1.0, norm(n1 - n2) / 2)), -dot(n1, y[3] - y[0]));
}

Points moved(const Points& y, int k, double h) {
  Points z = y;
  z[k / 3][k % 3] += h;
  return z;
}

Vector<double, 12> gradient(const Points& y) {
  Vector<double, 12> g;
  for (int k = 0; k < 12; ++k) g[k] = at(y).gradient(k / 3)[k % 3];
  return g;
}

Matrix<double, 12, 12> second(const Points& y, double alpha, double beta, bool definite) {
  PairForm<double> forms[4];
  at(y).second(alpha, beta, definite, forms);
  Matrix<double, 12, 12> H = Matrix<double, 12, 12>::Zero();
  for (const auto& form : forms) {
    Vector<double, 12> u, v;
    for (int k = 0; k < 12; ++k) u[k] = form.u[k / 3][k % 3], v[k] = form.v[k / 3][k % 3];
    H += form.uu * u * u.transpose() + form.uv * (u * v.transpose() + v * u.transpose()) +
         form.vv * v * v.transpose();
  }
  return H;
}

TEST(Dihedral, TheAngleAndItsSign) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Dihedral<double> d = at(fold(seed));
    EXPECT_NEAR(d.beyond(1, 0), angle(fold(seed)), 1e-12);
    EXPECT_NEAR(d.sine * d.sine + d.cosine * d.cosine, 1, 1e-14);
  }
}

TEST(Dihedral, BeyondAnotherAngleItStaysInHalfATurn) {
  const double pi = std::acos(-1.0);
  for (uint64_t seed = 1; seed < 300; seed += 3)
    for (const double rest : {-3.0, -1.0, 0.5, 3.1}) {
      const double theta = angle(fold(seed)), found = at(fold(seed)).beyond(std::cos(rest), std::sin(rest));
      EXPECT_LE(std::abs(found), pi);
      EXPECT_NEAR(std::remainder(found - (theta - rest), 2 * pi), 0, 1e-12);
    }
}

TEST(Dihedral, TheGradientIsTheDerivativeOfTheAngle) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Points y = fold(seed);
    const Vector<double, 12> g = gradient(y);
    const double h = 1e-4 / g.norm();
    for (int k = 0; k < 12; ++k) {
      const double near = angle(moved(y, k, h)) - angle(moved(y, k, -h));
      const double far = angle(moved(y, k, 2 * h)) - angle(moved(y, k, -2 * h));
      ASSERT_NEAR((8 * near - far) / (12 * h), g[k], 1e-8 * g.norm()) << seed;
    }
  }
}

TEST(Dihedral, SecondDerivativesAreThoseOfTheGradient) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Points y = fold(seed);
    const Matrix<double, 12, 12> H = second(y, 0, 1, false);
    const double h = 1e-4 / gradient(y).norm();
    EXPECT_LE((H - H.transpose()).norm(), 1e-13 * H.norm());
    for (int k = 0; k < 12; ++k) {
      const Vector<double, 12> near = gradient(moved(y, k, h)) - gradient(moved(y, k, -h));
      const Vector<double, 12> far = gradient(moved(y, k, 2 * h)) - gradient(moved(y, k, -2 * h));
      ASSERT_LE(((8 * near - far) / (12 * h) - H.col(k)).norm(), 1e-8 * H.norm()) << seed;
    }
    const Vector<double, 12> g = gradient(y);
    EXPECT_LE((second(y, 3, -2, false) - 3 * g * g.transpose() + 2 * H).norm(),
              1e-13 * (H.norm() + g.squaredNorm()));
  }
}

// Positive semi-definite, nowhere below the exact form, and the exact form where that is definite by parts.
TEST(Dihedral, Projected) {
  for (uint64_t seed = 0; seed < 300; ++seed)
    for (const auto& [alpha, beta] :
         {std::pair{1.0, 0.3}, {1.0, -2.0}, {-0.5, 1.0}, {0.0, 0.0}, {1.0, 0.0}}) {
      const Matrix<double, 12, 12> H = second(fold(seed), alpha, beta, false),
                                   P = second(fold(seed), alpha, beta, true);
      const double size = H.norm() + P.norm();
      using Solver = Eigen::SelfAdjointEigenSolver<Matrix<double, 12, 12>>;
      EXPECT_GE(Solver(P).eigenvalues()[0], -1e-13 * size);
      EXPECT_GE(Solver(P - H).eigenvalues()[0], -1e-13 * size);
      if (beta == 0 && alpha >= 0) {
        EXPECT_LE((P - H).norm(), 1e-13 * size);
      }
      // The parts are no larger than the four negative eigenvalues call for, times a few.
      EXPECT_LE(P.norm(), 4 * H.norm());
    }
}

// Triangles without area and ends that are one point: numbers all the same.
TEST(Dihedral, DegenerateTrianglesGiveFiniteNumbers) {
  const Vec3d o = {0, 0, 0}, e = {1, 0, 0}, up = {0, 1, 0};
  for (const Points& y :
       {Points{o, e, e, -up}, Points{o, o, up, -up}, Points{o, o, o, o}, Points{o, e, up, up}}) {
    EXPECT_TRUE(std::isfinite(at(y).beyond(1, 0)));
    EXPECT_TRUE(gradient(y).allFinite());
  }
}

}  // namespace
}  // namespace sinew::energy
