// Each law against its closed formulas for psi and P, written here in F with Eigen, and against tabled values
// of homogeneous deformations.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

constexpr double young = 2.5, poisson = 0.3;
constexpr double mu = young / (2 * (1 + poisson));
constexpr double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
constexpr double kappa = lambda + 2 * mu / 3;

Matrix3d cof(const Matrix3d& F) { return F.determinant() * F.inverse().transpose(); }

Matrix3d rotation_of(const Matrix3d& F) {
  const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

Vector3d fibre() { return Vector3d(0.48, 0.6, 0.64).normalized(); }

double guccione_exponent(const Matrix3d& F) {
  Matrix3d R;  // axes along and across the fibre
  R.col(0) = fibre();
  R.col(1) = fibre().unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  const Matrix3d E = R.transpose() * (F.transpose() * F - Matrix3d::Identity()) / 2 * R;
  return 8 * E(0, 0) * E(0, 0) + 2 * (E(1, 1) * E(1, 1) + E(2, 2) * E(2, 2) + 2 * E(1, 2) * E(1, 2)) +
         4 * 2 * (E(0, 1) * E(0, 1) + E(0, 2) * E(0, 2));
}

constexpr std::pair<double, double> ogden_terms[] = {{0.9, 1.3}, {0.05, 4.1}, {-0.2, -1.7}};  // mu, alpha

struct Formula {
  const char* law;
  std::function<double(const Matrix3d&)> psi;
  std::function<Matrix3d(const Matrix3d&)> P;
};

// Valid for det F > extension_start.
const Formula formulas[] = {
    {"neo_hookean",
     [](const Matrix3d& F) {
       const double l = std::log(F.determinant());
       return mu / 2 * (F.squaredNorm() - 3) - mu * l + lambda / 2 * l * l;
     },
     [](const Matrix3d& F) -> Matrix3d {
       const Matrix3d G = F.inverse().transpose();
       return mu * (F - G) + lambda * std::log(F.determinant()) * G;
     }},
    {"neo_hookean_decoupled",
     [](const Matrix3d& F) {
       const double J = F.determinant();
       return mu / 2 * (std::pow(J, -2.0 / 3) * F.squaredNorm() - 3) + kappa / 2 * (J - 1) * (J - 1);
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double J = F.determinant();
       return mu * std::pow(J, -2.0 / 3) * (F - F.squaredNorm() / 3 * F.inverse().transpose()) +
              kappa * (J - 1) * cof(F);
     }},
    {"stable_neo_hookean",
     [](const Matrix3d& F) {
       const double a = 1 + mu / (lambda + mu), J = F.determinant();
       return mu / 2 * (F.squaredNorm() - 3) + (lambda + mu) / 2 * ((J - a) * (J - a) - (1 - a) * (1 - a));
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double a = 1 + mu / (lambda + mu);
       return mu * F + (lambda + mu) * (F.determinant() - a) * cof(F);
     }},
    {"stable_neo_hookean_log",
     [](const Matrix3d& F) {
       const double m = 4 * mu / 3, l = lambda + 5 * mu / 6, a = 1 + 0.75 * m / l, J = F.determinant();
       return m / 2 * (F.squaredNorm() - 3) + l / 2 * (J - a) * (J - a) -
              m / 2 * std::log(1 + F.squaredNorm()) - (l / 2 * (1 - a) * (1 - a) - m / 2 * std::log(4.0));
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double m = 4 * mu / 3, l = lambda + 5 * mu / 6, a = 1 + 0.75 * m / l;
       return m * (1 - 1 / (1 + F.squaredNorm())) * F + l * (F.determinant() - a) * cof(F);
     }},
    {"stvk",
     [](const Matrix3d& F) {
       const Matrix3d E = 0.5 * (F.transpose() * F - Matrix3d::Identity());
       return mu * E.squaredNorm() + lambda / 2 * E.trace() * E.trace();
     },
     [](const Matrix3d& F) -> Matrix3d {
       const Matrix3d E = 0.5 * (F.transpose() * F - Matrix3d::Identity());
       return F * (2 * mu * E + lambda * E.trace() * Matrix3d::Identity());
     }},
    {"corotated",
     [](const Matrix3d& F) {
       const double J = F.determinant();
       return mu * (F - rotation_of(F)).squaredNorm() + lambda / 2 * (J - 1) * (J - 1);
     },
     [](const Matrix3d& F) -> Matrix3d {
       return 2 * mu * (F - rotation_of(F)) + lambda * (F.determinant() - 1) * cof(F);
     }},
    {"linear",
     [](const Matrix3d& F) {
       const Matrix3d e = 0.5 * (F + F.transpose()) - Matrix3d::Identity();
       return mu * e.squaredNorm() + lambda / 2 * e.trace() * e.trace();
     },
     [](const Matrix3d& F) -> Matrix3d {
       const Matrix3d e = 0.5 * (F + F.transpose()) - Matrix3d::Identity();
       return 2 * mu * e + lambda * e.trace() * Matrix3d::Identity();
     }},
    {"arap", [](const Matrix3d& F) { return (F - rotation_of(F)).squaredNorm(); },
     [](const Matrix3d& F) -> Matrix3d { return 2 * (F - rotation_of(F)); }},
    {"corotated_linear",
     [](const Matrix3d& F) {
       const Matrix3d R = rotation_of(F);
       const double e = (R.transpose() * F).trace() - 3;
       return mu * (F - R).squaredNorm() + lambda / 2 * e * e;
     },
     [](const Matrix3d& F) -> Matrix3d {
       const Matrix3d R = rotation_of(F);
       return 2 * mu * (F - R) + lambda * ((R.transpose() * F).trace() - 3) * R;
     }},
    {"neo_hookean_ciarlet",
     [](const Matrix3d& F) {
       const double J = F.determinant();
       return mu / 2 * (F.squaredNorm() - 3) + lambda / 4 * (J * J - 1) - (lambda / 2 + mu) * std::log(J);
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double J = F.determinant();
       return mu * F + (lambda / 2 * J * J - lambda / 2 - mu) * F.inverse().transpose();
     }},
    {"macklin_mueller",
     [](const Matrix3d& F) {
       const double C = F.determinant() - 1 - mu / lambda;
       return mu / 2 * (F.squaredNorm() - 3) + lambda / 2 * C * C - mu * mu / (2 * lambda);
     },
     [](const Matrix3d& F) -> Matrix3d {
       return mu * F + lambda * (F.determinant() - 1 - mu / lambda) * cof(F);
     }},
    // c10 = c01 = bulk = 1
    {"mooney_rivlin",
     [](const Matrix3d& F) {
       const double J = F.determinant();
       const Matrix3d C = std::pow(J, -2.0 / 3) * F.transpose() * F;
       const double I1 = C.trace(), I2 = (I1 * I1 - (C * C).trace()) / 2;
       return I1 - 3 + I2 - 3 + (J - 1) * (J - 1) / 2;
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double J = F.determinant(), g = std::pow(J, -2.0 / 3), I = F.squaredNorm();
       const Matrix3d C = F.transpose() * F, G = F.inverse().transpose();
       const double II = (C * C).trace();
       return (2 * g + 2 * I * g * g) * F - 2 * g * g * F * C -
              (2.0 / 3 * I * g + 2.0 / 3 * (I * I - II) * g * g) * G + (J - 1) * cof(F);
     }},
    {"yeoh",
     [](const Matrix3d& F) {
       const double J = F.determinant(), e = std::pow(J, -2.0 / 3) * F.squaredNorm() - 3;
       return 1.1 * e + 0.07 * e * e + 0.013 * e * e * e + 2.3 / 2 * (J - 1) * (J - 1);
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double J = F.determinant(), e = std::pow(J, -2.0 / 3) * F.squaredNorm() - 3;
       return (1.1 + 0.14 * e + 0.039 * e * e) * 2 * std::pow(J, -2.0 / 3) *
                  (F - F.squaredNorm() / 3 * F.inverse().transpose()) +
              2.3 * (J - 1) * cof(F);
     }},
    {"fung",
     [](const Matrix3d& F) {
       const double J = F.determinant(), b = 0.37, Q = b * (std::pow(J, -2.0 / 3) * F.squaredNorm() - 3);
       const double e = Q < 10 ? std::exp(Q) : std::exp(10) * (Q - 9);
       return mu / (2 * b) * (e - 1) + kappa / 2 * (J - 1) * (J - 1);
     },
     [](const Matrix3d& F) -> Matrix3d {
       const double J = F.determinant(), b = 0.37, g = std::pow(J, -2.0 / 3),
                    Q = b * (g * F.squaredNorm() - 3);
       return mu * std::exp(std::min(Q, 10.0)) * g * (F - F.squaredNorm() / 3 * F.inverse().transpose()) +
              kappa * (J - 1) * cof(F);
     }},
    {"ogden",
     [](const Matrix3d& F) {
       const double J = F.determinant();
       const Vector3d s = std::pow(J, -1.0 / 3) * F.jacobiSvd().singularValues();
       double psi = 2.3 / 2 * (J - 1) * (J - 1);
       for (auto [m, a] : ogden_terms)
         psi += m / a * (std::pow(s[0], a) + std::pow(s[1], a) + std::pow(s[2], a) - 3);
       return psi;
     },
     [](const Matrix3d& F) -> Matrix3d {
       const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
       const double J = F.determinant();
       const Vector3d s = std::pow(J, -1.0 / 3) * svd.singularValues();
       Vector3d tension = Vector3d::Zero();  // sigma_i dpsi/dsigma_i, without the volumetric part
       for (auto [m, a] : ogden_terms) {
         const Vector3d power(std::pow(s[0], a), std::pow(s[1], a), std::pow(s[2], a));
         tension += m * (power - Vector3d::Constant(power.sum() / 3));
       }
       const Vector3d P = tension.cwiseQuotient(svd.singularValues());
       return svd.matrixU() * P.asDiagonal() * svd.matrixV().transpose() + 2.3 * (J - 1) * cof(F);
     }},
    // c = bulk = 1, b_f = 8, b_t = 2, b_fs = 4
    {"guccione",
     [](const Matrix3d& F) {
       const double J = F.determinant(), Q = guccione_exponent(F);
       return ((Q < 10 ? std::exp(Q) : std::exp(10) * (Q - 9)) - 1) / 2 + (J - 1) * (J - 1) / 2;
     },
     [](const Matrix3d& F) -> Matrix3d {
       const Matrix3d E = (F.transpose() * F - Matrix3d::Identity()) / 2, N = fibre() * fibre().transpose();
       // Q = b_t E:E + 2 (b_fs - b_t) |E f|^2 + (b_f + b_t - 2 b_fs) (f.E f)^2
       const Matrix3d dQ = 4 * E + 4 * (E * N + N * E) + 4 * fibre().dot(E * fibre()) * N;
       return F * dQ * std::exp(std::min(guccione_exponent(F), 10.0)) / 2 + (F.determinant() - 1) * cof(F);
     }},
    // tension 1, of second Piola-Kirchhoff kind
    {"active_fibre", [](const Matrix3d& F) { return ((F * fibre()).squaredNorm() - 1) / 2; },
     [](const Matrix3d& F) -> Matrix3d { return F * fibre() * fibre().transpose(); }},
};

// A law may do without a formula here: derivatives, symmetries and projection are tested for every law. The muscle has
// tests of its own.
TEST(Formulas, CoverTheLaws) {
  std::string without;
  for (const Law* law : solid_laws())
    if (law->name != "muscle" && std::none_of(std::begin(formulas), std::end(formulas),
                                              [&](const Formula& f) { return f.law == law->name; }))
      without += " " + std::string(law->name);
  if (!without.empty()) GTEST_SKIP() << "laws without an independent formula:" << without;
}

TEST(Formulas, EnergyAndStressOfEveryLaw) {
  for (const Formula& formula : formulas) {
    SCOPED_TRACE(formula.law);
    const Law* law = find_law(formula.law);
    ASSERT_NE(law, nullptr);
    const LawAt at(*law, young, poisson);
    for (const Matrix3d& F : random_gradients(21, 500, 0.11, 4)) {
      if (F.jacobiSvd().singularValues()[2] < 0.1) continue;  // there Ogden's powers are continued
      const Matrix3d P = formula.P(F);
      // psi loses digits near rest; its parts have the scale of the stress and of the moduli.
      const double scale = std::max(P.norm() * F.norm(), lambda + mu);
      ASSERT_NEAR(at.psi(F), formula.psi(F), 1e-12 * scale) << F;
      ASSERT_LT((at.P(F) - P).norm(), 1e-12 * scale) << F;
    }
  }
}

// Laws that need no continuation keep their formula for inverted gradients.
TEST(Formulas, HoldForInvertedGradientsWhereTheLawIsDefined) {
  for (const char* name :
       {"stable_neo_hookean", "stable_neo_hookean_log", "macklin_mueller", "stvk", "linear"}) {
    SCOPED_TRACE(name);
    const Formula* formula = std::find_if(std::begin(formulas), std::end(formulas),
                                          [&](const Formula& f) { return std::string(f.law) == name; });
    const LawAt at(*find_law(name), young, poisson);
    for (const Matrix3d& F : random_gradients(22, 200, -3, -0.01)) {
      const Matrix3d P = formula->P(F);
      const double scale = std::max(P.norm() * F.norm(), lambda + mu);
      ASSERT_NEAR(at.psi(F), formula->psi(F), 1e-11 * scale) << F;
      ASSERT_LT((at.P(F) - P).norm(), 1e-11 * scale) << F;
    }
  }
}

// The continuation is the Taylor polynomial of second order in J, at fixed |F|.
TEST(Formulas, ContinuationIsTheTaylorPolynomial) {
  const double J0 = extension_start;
  const auto taylor = [&](double J, double h, double h1, double h2) {
    return h + (J - J0) * h1 + (J - J0) * (J - J0) * h2 / 2;
  };
  const double l0 = std::log(J0);
  const LawAt log_law(*find_law("neo_hookean"), young, poisson);
  const LawAt power_law(*find_law("neo_hookean_decoupled"), young, poisson);
  for (const Matrix3d& F : random_gradients(23, 200, -2, J0)) {
    const double J = F.determinant(), I = F.squaredNorm();
    const double log_part = taylor(J, -mu * l0 + lambda / 2 * l0 * l0, (-mu + lambda * l0) / J0,
                                   (mu + lambda - lambda * l0) / (J0 * J0));
    ASSERT_NEAR(log_law.psi(F), mu / 2 * (I - 3) + log_part, 1e-12 * (std::abs(log_part) + mu * I));
    const double power = taylor(J, std::pow(J0, -2.0 / 3), -2.0 / 3 * std::pow(J0, -5.0 / 3),
                                10.0 / 9 * std::pow(J0, -8.0 / 3));
    const double psi = mu / 2 * (power * I - 3) + kappa / 2 * (J - 1) * (J - 1);
    ASSERT_NEAR(power_law.psi(F), psi, 1e-12 * std::abs(psi));
  }
}

// Uniaxial tension with free sides, E = 1, nu = 0.3 (values computed with 30 digits).
TEST(TabledValues, UniaxialTension) {
  struct Row {
    const char* law;
    double stretch, lateral, P11;
  };
  const Row rows[] = {{"neo_hookean", 0.7, 1.107934733, -0.4052304243},
                      {"neo_hookean", 1.5, 0.8801745918, 0.3782801764},
                      {"neo_hookean", 2, 0.7980775445, 0.6467446602},
                      {"neo_hookean_decoupled", 0.7, 1.104472315, -0.4455493667},
                      {"neo_hookean_decoupled", 1.5, 0.8843382454, 0.3383971662},
                      {"neo_hookean_decoupled", 2, 0.8131437194, 0.5329383372},
                      {"stable_neo_hookean", 0.7, 1.087967587, -0.3811392689},
                      {"stable_neo_hookean", 1.5, 0.8692269874, 0.3831908832},
                      {"stable_neo_hookean", 2, 0.7745966692, 0.6538461538},
                      {"stvk", 0.7, 1.073778376, -0.1785},
                      {"stvk", 1.5, 0.790569415, 0.9375},
                      {"stvk", 2, 0.316227766, 3.0},
                      {"corotated", 0.7, 1.093536259, -0.3431706489},
                      {"corotated", 1.5, 0.8693320998, 0.4428686154},
                      {"corotated", 2, 0.7731701698, 0.8366838686}};
  for (const Row& row : rows) {
    const LawAt at(*find_law(row.law), 1, 0.3);
    const Matrix3d P = at.P(Vector3d(row.stretch, row.lateral, row.lateral).asDiagonal());
    EXPECT_NEAR(P(0, 0), row.P11, 5e-9) << row.law << " " << row.stretch;
    EXPECT_NEAR(P(1, 1), 0, 5e-9) << row.law << " " << row.stretch;
    EXPECT_NEAR(P(2, 2), 0, 5e-9) << row.law << " " << row.stretch;
  }
}

// Simple shear by gamma: Cauchy stress, and Rivlin's universal relation (s11 - s22) / s12 = gamma.
TEST(TabledValues, SimpleShear) {
  const auto cauchy = [](const char* name, double gamma) -> Matrix3d {
    Matrix3d F = Matrix3d::Identity();
    F(0, 1) = gamma;
    return LawAt(*find_law(name), 1, 0.3).P(F) * F.transpose();
  };
  const double shear_modulus = 1 / 2.6;
  for (const char* name : {"neo_hookean", "neo_hookean_decoupled", "stable_neo_hookean"})
    for (double gamma : {0.5, 1.0})
      EXPECT_NEAR(cauchy(name, gamma)(0, 1), shear_modulus * gamma, 1e-12) << name;
  EXPECT_NEAR(cauchy("neo_hookean", 1)(0, 0), 0.3846153846, 1e-10);
  EXPECT_NEAR(cauchy("neo_hookean_decoupled", 1)(0, 0), 0.2564102564, 1e-10);
  EXPECT_NEAR(cauchy("neo_hookean_decoupled", 1)(1, 1), -0.1282051282, 1e-10);
  const Matrix3d stvk = cauchy("stvk", 1), corotated = cauchy("corotated", 1);
  EXPECT_NEAR(stvk(0, 1), 1.057692308, 1e-9);
  EXPECT_NEAR(stvk(0, 0), 1.730769231, 1e-9);
  EXPECT_NEAR(stvk(1, 1), 0.6730769231, 1e-9);
  EXPECT_NEAR(stvk(2, 2), 0.2884615385, 1e-9);
  EXPECT_NEAR(corotated(0, 1), 0.4252203112, 1e-9);
  EXPECT_NEAR(corotated(0, 0), 0.5064301642, 1e-9);
  EXPECT_NEAR(corotated(1, 1), 0.08120985308, 1e-9);
  EXPECT_NEAR(corotated(2, 2), 0, 1e-9);
  for (const Law* law : solid_laws())
    if (law->traits.isotropic && law->traits.objective) {
      const Matrix3d sigma = cauchy(std::string(law->name).c_str(), 0.7);
      EXPECT_NEAR((sigma(0, 0) - sigma(1, 1)) / (0.7 * sigma(0, 1)), 1, 1e-10) << law->name;
    }
}

}  // namespace
}  // namespace sinew::material
