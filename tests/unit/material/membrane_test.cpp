// The kernels of triangles. Those of an isotropic law must agree with its kernels of solids at F = (f_1 f_2 t n), where no stress
// acts across; that is an independent way to the energy and the stress, since it knows neither the stretches nor how t was found.
#include <gtest/gtest.h>

#include "math/pack.h"
#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

using Matrix32d = Eigen::Matrix<double, 3, 2>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Eigen::Vector2d;

constexpr PointOptions exact{.hessian = Hessian::exact};
constexpr PointOptions exact_fixed{.hessian = Hessian::exact, .fixed_thickness = true};

template <class Pack>
class MembraneIn {
 public:
  using T = math::ScalarOf<Pack>;
  static constexpr int lanes = math::lanes_of<Pack>;

  explicit MembraneIn(const Law& law, std::vector<double> fields = {}) : law_(law) {
    if (fields.empty()) fields = field_values(law, 2.5, 0.3);
    std::vector<double> p(law.param_count);
    law.convert(fields.data(), p.data());
    for (double value : p) params_.push_back(Pack(value));
  }
  double psi(const Matrix32d& F, PointOptions options = exact) const {
    Pack value;
    kernels().evaluate(1, params_.data(), 0, packed(F).data(), options, &value, nullptr);
    return value[lanes - 1];
  }
  Matrix32d P(const Matrix32d& F, PointOptions options = exact) const {
    Pack value[6];
    kernels().evaluate(1, params_.data(), 0, packed(F).data(), options, nullptr, value);
    Matrix32d m;
    for (int k = 0; k < 6; ++k) m(k % 3, k / 3) = value[k][lanes - 1];
    return m;
  }
  Matrix6d C(const Matrix32d& F, PointOptions options = exact) const {
    Pack value[membrane_upper_count];
    kernels().linearise(1, params_.data(), 0, packed(F).data(), options, value);
    Matrix6d m;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) m(i, j) = m(j, i) = value[upper<6>(i, j)][lanes - 1];
    return m;
  }
  double thickness(const Matrix32d& F, PointOptions options = exact) const {
    Pack value;
    kernels().thickness(1, params_.data(), 0, packed(F).data(), options, &value);
    return value[lanes - 1];
  }
  void node(const Matrix32d& F, const Vector2d& g, PointOptions options, Vector3d& Pg, Matrix3d& A) const {
    math::Vec3<Pack> force;
    Pack block[6];
    kernels().node(params_.data(), packed(F).data(), {Pack(g[0]), Pack(g[1])}, options, force, block);
    for (int i = 0, m = 0; i < 3; ++i) {
      Pg[i] = force[i][lanes - 1];
      for (int j = i; j < 3; ++j, ++m) A(i, j) = A(j, i) = block[m][lanes - 1];
    }
  }
  void constraint(const Matrix32d& F, double& C, Matrix32d& G) const {
    Pack value, gradient[6];
    kernels().energy_constraint(params_.data(), packed(F).data(), exact, &value, gradient);
    C = value[lanes - 1];
    for (int k = 0; k < 6; ++k) G(k % 3, k / 3) = gradient[k][lanes - 1];
  }

 private:
  static std::vector<Pack> packed(const Matrix32d& F) {
    std::vector<Pack> packs;
    for (int k = 0; k < 6; ++k) packs.push_back(Pack(F(k % 3, k / 3)));
    return packs;
  }
  const MembraneKernels<Pack>& kernels() const {
    if constexpr (sizeof(T) == 8)
      return law_.membrane_d;
    else
      return law_.membrane_f;
  }
  const Law& law_;
  std::vector<Pack> params_;
};

using Membrane = MembraneIn<math::PackD>;

// Stretches from 0.6 to 1.6, some of them equal, turned at random in space and in the plane.
std::vector<Matrix32d> sheets(uint64_t seed, int count) {
  const math::Random random(seed);
  std::vector<Matrix32d> list;
  for (int i = 0; i < count; ++i) {
    const double a = random.uniform(3 * i, 0.6, 1.6), turn = random.uniform(3 * i + 1, 0.0, 6.2);
    const double b = i % 4 == 0 ? a : random.uniform(3 * i + 2, 0.6, 1.6);
    const Eigen::Matrix2d V = Eigen::Rotation2Dd(turn).toRotationMatrix();
    list.push_back(random_rotation(random.stream(1), i).leftCols<2>() * Vector2d(a, b).asDiagonal() *
                   V.transpose());
  }
  return list;
}

Matrix3d with_normal(const Matrix32d& F, double thickness) {
  Matrix3d whole;
  const Vector3d f = F.col(0), g = F.col(1);
  whole << F, f.cross(g).normalized() * thickness;
  return whole;
}

class EveryMembrane : public testing::TestWithParam<const Law*> {
 protected:
  const Law& law() const { return *GetParam(); }
  const Membrane at{law()};
};

INSTANTIATE_TEST_SUITE_P(Laws, EveryMembrane,
                         testing::ValuesIn(membrane_laws().begin(), membrane_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(EveryMembrane, IsTheSolidWithoutStressAcross) {
  if (!law().for_solids()) GTEST_SKIP() << "of sheets alone";
  const LawAt solid(law());
  for (const Matrix32d& F : sheets(1, 200)) {
    const double t = at.thickness(F);
    if (t < 0.3) continue;  // St. Venant's material far out: as a solid it is continued below some det F
    const Matrix3d whole = with_normal(F, t), P = solid.P(whole);
    const double scale = solid.C(Matrix3d::Identity(), exact).norm();
    ASSERT_LT(P.col(2).norm(), 1e-9 * scale) << F;
    ASSERT_LT((at.P(F) - P.leftCols<2>()).norm(), 1e-9 * scale) << F;
    ASSERT_NEAR(at.psi(F), solid.psi(whole), 1e-9 * scale) << F;
    const Matrix3d fixed = with_normal(F, 1);
    ASSERT_LT((at.P(F, exact_fixed) - solid.P(fixed).leftCols<2>()).norm(), 1e-9 * scale) << F;
    ASSERT_NEAR(at.psi(F, exact_fixed), solid.psi(fixed), 1e-9 * scale) << F;
  }
}

TEST_P(EveryMembrane, DerivativesAgreeWithDifferences) {
  const double h = 2e-4;
  for (const PointOptions& options : {exact, exact_fixed})
    for (const Matrix32d& F : sheets(2, 100)) {
      const Matrix32d P = at.P(F, options);
      const Matrix6d C = at.C(F, options);
      for (int k = 0; k < 6; ++k) {
        Matrix32d E = Matrix32d::Zero();
        E(k % 3, k / 3) = 1;
        const double dpsi = slope([&](double t) { return at.psi(F + t * E, options); }, h);
        ASSERT_NEAR(P(k % 3, k / 3), dpsi, 1e-7 * C.norm()) << F;
        const Matrix32d dP = slope([&](double t) { return Matrix32d(at.P(F + t * E, options)); }, h);
        ASSERT_LT((C.col(k) - Eigen::Map<const Eigen::Matrix<double, 6, 1>>(dP.data())).norm(),
                  1e-6 * C.norm())
            << F;
      }
    }
}

TEST_P(EveryMembrane, ProjectionIsPositiveAndNoMoreThanNeeded) {
  int indefinite = 0;
  auto list = sheets(3, 200);
  const math::Random random(4);
  for (int i = 0; i < 40; ++i) {  // lines and points
    list.push_back(random_rotation(random, i).leftCols<2>() * Vector2d(1.1, 0).asDiagonal());
    list.push_back(Matrix32d::Zero());
  }
  for (const Matrix32d& F : list) {
    const Matrix6d C = at.C(F), projected = at.C(F, {.hessian = Hessian::projected});
    ASSERT_TRUE(projected.allFinite()) << F;
    const Eigen::SelfAdjointEigenSolver<Matrix6d> of(C), after(projected);
    ASSERT_GE(after.eigenvalues()[0], -1e-10 * projected.norm()) << F;
    indefinite += of.eigenvalues()[0] < -1e-6 * C.norm();
    const Matrix6d nearest =
        of.eigenvectors() * of.eigenvalues().cwiseMax(0).asDiagonal() * of.eigenvectors().transpose();
    ASSERT_LE((projected - nearest).norm(), 1e-9 * C.norm()) << F;
  }
  EXPECT_GT(indefinite, 20) << "the sample does not test the projection";
}

TEST_P(EveryMembrane, IsFiniteWhereItHasCollapsed) {
  for (const Matrix32d& F : {Matrix32d(Matrix32d::Zero()), Matrix32d(Matrix32d::Constant(0.3)),
                             Matrix32d(1e-200 * Matrix32d::Ones()), Matrix32d(1e4 * Matrix32d::Identity())})
    for (const PointOptions& options : {exact, exact_fixed}) {
      EXPECT_TRUE(at.P(F, options).allFinite()) << F;
      EXPECT_TRUE(at.C(F, options).allFinite()) << F;
      EXPECT_TRUE(std::isfinite(at.psi(F, options))) << F;
    }
}

TEST_P(EveryMembrane, NodeKernelIsTheContraction) {
  const math::Random random(5);
  const auto list = sheets(6, 100);
  for (size_t i = 0; i < list.size(); ++i) {
    const Matrix32d& F = list[i];
    const Vector2d g(random.normal(2 * i), random.normal(2 * i + 1));
    Vector3d Pg;
    Matrix3d A, reference = Matrix3d::Zero();
    at.node(F, g, exact, Pg, A);
    const Matrix6d C = at.C(F);
    for (int j = 0; j < 2; ++j)
      for (int l = 0; l < 2; ++l) reference += g[j] * g[l] * C.block<3, 3>(3 * j, 3 * l);
    ASSERT_LT((Pg - at.P(F) * g).norm(), 1e-12 * C.norm() * g.norm()) << F;
    ASSERT_LT((A - reference).norm(), 1e-11 * C.norm() * g.squaredNorm()) << F;
    at.node(F, g, {.hessian = Hessian::projected}, Pg, A);
    ASSERT_GE(Eigen::SelfAdjointEigenSolver<Matrix3d>(A).eigenvalues()[0], -1e-12 * A.norm()) << F;
  }
}

TEST_P(EveryMembrane, ConstraintIsTheRootOfTheEnergy) {
  for (const Matrix32d& F : sheets(7, 50)) {
    double C = 0;
    Matrix32d G;
    at.constraint(F, C, G);
    ASSERT_NEAR(0.5 * C * C, at.psi(F), 1e-13) << F;
    ASSERT_LT((C * G - at.P(F)).norm(), 1e-12) << F;
  }
}

TEST_P(EveryMembrane, SinglePrecisionFollowsDouble) {
  const MembraneIn<math::PackF> single(law());
  for (const Matrix32d& F : sheets(8, 100)) {
    const double scale = at.C(F).norm();
    ASSERT_LT((single.P(F) - at.P(F)).norm(), 2e-4 * scale) << F;
    ASSERT_LT((single.C(F) - at.C(F)).norm(), 5e-3 * scale) << F;
  }
}

// V02 of the problems with known answers, to ten digits.
TEST(Membranes, ThicknessUnderEquibiaxialTension) {
  const struct {
    const char* law;
    double stretch, thickness, P11;
  } rows[] = {{"neo_hookean", 1.2, 0.8425870041, 0.2339894681},
              {"neo_hookean_decoupled", 1.5, 0.6007705106, 0.3962085072},
              {"stable_neo_hookean", 1.2, 0.8150064683, 0.248642454},
              {"corotated", 1.5, 0.5602605863, 0.5109582881}};
  for (const auto& row : rows) {
    const Membrane at(*find_law(row.law), {1, 0.3});
    const Matrix32d F = row.stretch * Matrix32d::Identity();
    EXPECT_NEAR(at.thickness(F), row.thickness, 1e-9) << row.law;
    EXPECT_NEAR(at.P(F)(0, 0), row.P11, 1e-9) << row.law;
  }
}

// Small tension along an axis at an angle to the warp (Jones: Mechanics of Composite Materials, 1999, eq. 2.97).
TEST(Membranes, OffAxisModulusOfWovenCloth) {
  const double warp = 2.5, weft = 1.5, poisson = 0.25, shear = 0.4;
  const Membrane at(*find_law("orthotropic"), {warp, weft, poisson, shear});
  const Matrix6d C = at.C(Matrix32d::Identity());
  for (double degrees : {0.0, 10.0, 30.0, 45.0, 75.0, 90.0}) {
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    Eigen::Matrix3d D;  // stress (11 22 12) over strain (11 22 2*12)
    const int at_F[3] = {0, 4, 3};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) D(i, j) = C(at_F[i], at_F[j]);
    const Vector3d stress(c * c, s * s, c * s), strain = D.inverse() * stress;
    const double along = c * c * strain[0] + s * s * strain[1] + c * s * strain[2];
    const double reference = 1 / (std::pow(c, 4) / warp + (1 / shear - 2 * poisson / warp) * c * c * s * s +
                                  std::pow(s, 4) / weft);
    EXPECT_NEAR(1 / along, reference, 1e-12) << degrees;
  }
}

// Three springs between the corners of a triangle, each as stiff as Van Gelder has it for its side.
TEST(Membranes, EdgeSpringsAreSpringsBetweenCorners) {
  const double young = 2.5, share = 0.3;
  const math::Random random(12);
  const auto list = sheets(13, 100);
  for (size_t i = 0; i < list.size(); ++i) {
    Vector2d X[3];
    for (int k = 0; k < 6; ++k)
      X[k / 2][k % 2] = random.uniform(6 * i + k, -1, 1) + (k == 0 || k == 3 ? 2 : 0);
    const double area = 0.5 * ((X[1] - X[0]).x() * (X[2] - X[0]).y() - (X[1] - X[0]).y() * (X[2] - X[0]).x());
    if (std::abs(area) < 0.1) continue;
    std::vector<double> fields = {young, share};
    double energy = 0;
    for (int k = 0; k < 3; ++k) {
      const Vector2d edge = X[(k + 1) % 3] - X[k];
      fields.insert(fields.end(), {edge.x(), edge.y(), 0});
      const double longer = (list[i] * edge).norm() - edge.norm();
      const double stiffness = young * std::abs(area) / edge.squaredNorm() * (longer < 0 ? share : 1);
      energy += 0.5 * stiffness * longer * longer;
    }
    const Membrane at(*find_law("edge_springs"), fields);
    EXPECT_NEAR(at.psi(list[i]) * std::abs(area), energy, 1e-12 * energy);
  }
}

std::vector<double> springs_along(double young, double compression, std::initializer_list<double> degrees) {
  std::vector<double> fields = {young, compression};
  for (const double angle : degrees)
    fields.insert(fields.end(), {2 * std::cos(angle * M_PI / 180), 2 * std::sin(angle * M_PI / 180), 0});
  return fields;
}

// Three directions at 60 degrees are isotropic with Poisson's ratio 1/3, wherever the first one points; in halved squares the
// diagonal alone resists shear.
TEST(Membranes, ModuliOfSpringGrids) {
  const double young = 2.5;
  const auto tangent = [](const std::vector<double>& fields) {
    return Membrane(*find_law("edge_springs"), fields).C(Matrix32d::Identity());
  };
  for (const double turn : {0.0, 17.0, 30.0}) {
    const Matrix6d C = tangent(springs_along(young, 1, {turn, turn + 60, turn + 120}));
    const double poisson = 1.0 / 3, stretch = young / (1 - poisson * poisson);
    EXPECT_NEAR(C(0, 0), stretch, 1e-13);
    EXPECT_NEAR(C(4, 4), stretch, 1e-13);
    EXPECT_NEAR(C(0, 4), stretch * poisson, 1e-13);
    EXPECT_NEAR(C(1, 3), young / (2 * (1 + poisson)), 1e-13);
    EXPECT_NEAR(C(0, 1), 0, 1e-13);
  }
  const Matrix6d square = tangent(springs_along(young, 1, {0, 90, 135}));
  EXPECT_NEAR(square(0, 0), 1.25 * young, 1e-13);
  EXPECT_NEAR(square(0, 4), young / 4, 1e-13);
  EXPECT_NEAR(square(1, 3), young / 4, 1e-13);
}

TEST(Membranes, SlackThreadsCarryNothing) {
  const Membrane at(*find_law("edge_springs"), springs_along(2.5, 0, {0, 60, 120}));
  Matrix32d F = 0.7 * Matrix32d::Identity();
  EXPECT_EQ(at.psi(F), 0);
  EXPECT_EQ(at.P(F).norm(), 0);
  EXPECT_EQ(at.C(F).norm(), 0);
  F(0, 0) = 1.2;  // the first thread alone is longer than at rest
  EXPECT_NEAR(at.psi(F), 0.5 * 2.5 * 0.04, 1e-14);
  EXPECT_NEAR(at.P(F)(0, 0), 2.5 * 0.2, 1e-14);
  EXPECT_NEAR(at.P(F)(1, 1), 0, 1e-14);
}

}  // namespace
}  // namespace sinew::material
