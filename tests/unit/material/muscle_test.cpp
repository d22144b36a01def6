// The muscle's fibre against the force-length curve written as a force, and against the closed stress formulas.
#include <gtest/gtest.h>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

// f_total at e = stretch/optimal - 1.
double force(double e, double activation) {
  const double a = std::abs(e), P1 = 0.05, P2 = 6.6;
  const double active = a < 0.4 ? 1 - 25.0 / 6 * a * a : a < 0.6 ? 25.0 / 3 * (a - 0.6) * (a - 0.6) : 0;
  const double P3 = P1 * P2 * (std::exp(0.4 * P2) - 1);
  const double P4 = P1 * (std::exp(0.4 * P2) * (1 - 1.4 * P2) + P2 - 1);
  const double passive = e <= 0 ? 0 : e <= 0.4 ? P1 * (std::exp(P2 * e) - P2 * e - 1) : P3 * (1 + e) + P4;
  return activation * active + passive;
}

class Muscle {
 public:
  Muscle(double c10, double c01, double bulk, double peak, double optimal, double activation, bool isochoric,
         const Vector3d& fibre)
      : law_(*find_law("muscle")), params_(law_.param_count) {
    const double fields[] = {c10,      c01,      bulk,    peak, optimal, activation, isochoric * 1.0,
                             fibre[0], fibre[1], fibre[2]};
    std::vector<double> p(law_.param_count);
    law_.convert(fields, p.data());
    for (size_t k = 0; k < p.size(); ++k) params_[k] = math::PackD(p[k]);
  }
  double psi(const Matrix3d& F) const {
    math::PackD psi;
    evaluate(F, &psi, nullptr);
    return psi[0];
  }
  Matrix3d P(const Matrix3d& F) const {
    math::PackD P[9];
    evaluate(F, nullptr, P);
    Matrix3d m;
    for (int k = 0; k < 9; ++k) m(k % 3, k / 3) = P[k][0];
    return m;
  }

 private:
  void evaluate(const Matrix3d& F, math::PackD* psi, math::PackD* P) const {
    math::PackD packs[9];
    for (int k = 0; k < 9; ++k) packs[k] = math::PackD(F(k % 3, k / 3));
    law_.d.evaluate(1, params_.data(), 0, packs, {}, psi, P);
  }
  const Law& law_;
  std::vector<math::PackD> params_;
};

const Vector3d fibre = Vector3d(0.48, 0.6, 0.64).normalized();

TEST(MuscleTest, StressIsTheMatrixAndTheFibre) {
  const double c10 = 6, c01 = 2, bulk = 30, peak = 25, optimal = 1.1, activation = 0.7;
  for (bool isochoric : {true, false}) {
    const Muscle muscle(c10, c01, bulk, peak, optimal, activation, isochoric, fibre);
    for (const Matrix3d& F : random_gradients(31, 300, 0.2, 3)) {
      const double J = F.determinant(), I1 = F.squaredNorm(), g = std::pow(J, -2.0 / 3);
      const Matrix3d C = F.transpose() * F, G = F.inverse().transpose();
      const double I2 = (C * C).trace();
      Matrix3d P = (2 * c10 * g + 2 * c01 * I1 * g * g) * F - 2 * c01 * g * g * F * C +
                   (bulk * std::log(J) - 2 * c10 / 3 * I1 * g - 2 * c01 / 3 * (I1 * I1 - I2) * g * g) * G;
      const double length = (F * fibre).norm(), stretch = isochoric ? std::cbrt(1 / J) * length : length;
      const double T = peak / optimal * force(stretch / optimal - 1, activation);
      if (isochoric)
        P += T * (g / stretch * F * fibre * fibre.transpose() - stretch / 3 * G);
      else
        P += T / length * F * fibre * fibre.transpose();
      EXPECT_LT((muscle.P(F) - P).norm(), 1e-11 * P.norm()) << F;
    }
  }
}

TEST(MuscleTest, IsochoricFibreDoesNoVolumetricWork) {
  const Muscle active(1e-12, 0, 1e-12, 1, 1, 1, true, fibre);
  for (const Matrix3d& F : random_gradients(32, 100))
    EXPECT_NEAR((active.P(F).cwiseProduct(F)).sum(), 0, 1e-10);
}

TEST(MuscleTest, ForceLengthCurveHasNoCorners) {
  // Along the fibre, with the volume kept: |F f| is the stretch.
  const Muscle muscle(1e-12, 0, 1e-12, 1, 1, 1, false, Vector3d::UnitX());
  const auto pull = [&](double stretch) { return muscle.P(Vector3d(stretch, 1, 1).asDiagonal())(0, 0); };
  EXPECT_NEAR(pull(1), 1, 1e-9);
  for (double corner : {0.4, 0.6, 1.0, 1.4, 1.6}) {
    const double h = 1e-7, left = (pull(corner) - pull(corner - h)) / h,
                 right = (pull(corner + h) - pull(corner)) / h;
    EXPECT_NEAR(left, right, 1e-5) << corner;
  }
  EXPECT_NEAR(pull(0.35), 0, 1e-9);
}

TEST(MuscleTest, TurningTheMeshAndTheFibreChangesNothing) {
  const math::Random random(33);
  const auto list = random_gradients(34, 100);
  for (size_t i = 0; i < list.size(); ++i) {
    const Matrix3d Q = random_rotation(random, i);
    const Muscle here(6, 2, 30, 25, 1, 0.5, true, fibre), turned(6, 2, 30, 25, 1, 0.5, true, Q * fibre);
    const double psi = here.psi(list[i]);
    EXPECT_NEAR(turned.psi(list[i] * Q.transpose()), psi, 1e-12 * std::max(std::abs(psi), 30.0));
  }
}

}  // namespace
}  // namespace sinew::material
