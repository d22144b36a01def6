// The node kernels of every law beside its stress and its Hessian, for tets of given shape around one node.
#include "material/node_kernels.h"

#include <gtest/gtest.h>
#include <set>

#include "unit/material/law_at.h"

namespace sinew::material {
namespace {

using math::PackD;
using math::PackF;

// The gradient of a tet's energy in the position of one node, and the node's block.
struct NodeAnswer {
  Vector3d gradient;
  Matrix3d block;
};

// A tet whose gradients g_1, g_2, g_3 are the rows of G Q^T, G a lower triangle, around a node at x0.
struct Corner {
  Matrix3d G, Q;
  Vector3d x0 = {0.3, -0.7, 1.1};
  double volume = 0.37;

  explicit Corner(uint64_t i, bool turned) {
    const math::Random random(17);
    const auto r = [&](int k) { return random.uniform(8 * i + k, -1, 1); };
    G << 1.3 + 0.4 * r(0), 0, 0, r(1), -1.1 + 0.4 * r(2), 0, r(3), r(4), 1.2 + 0.4 * r(5);
    Q = turned ? random_rotation(random.stream(1), i) : Matrix3d::Identity();
  }
  // Of the node's own shape function.
  Vector3d g() const { return -(Q * G.transpose() * Vector3d::Ones()); }

  // What the kernel of the law gives with the other nodes placed so that the deformation gradient is F, and the node moved
  // by d from there.
  template <class Pack>
  NodeAnswer run(const Law& law, const std::vector<Pack>& params, const Matrix3d& F,
                 const Vector3d& d = Vector3d::Zero(), const std::vector<Pack>& lame = {}) const {
    using S = math::ScalarOf<Pack>;
    constexpr int lanes = math::lanes_of<Pack>;
    const Matrix3d edges = F * Q * G.inverse();  // by columns
    std::vector<S> x(12);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) x[4 * j + k] = static_cast<S>(x0[k] + edges(k, j));
    std::vector<int32_t> others(3 * lanes);
    for (int k = 0; k < 3 * lanes; ++k) others[k] = k / lanes;
    std::vector<Pack> rest;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i <= j; ++i) rest.push_back(Pack(G(j, i)));
    rest.push_back(Pack(volume));
    for (int k = 0; k < 9; ++k) rest.push_back(Pack(Q(k % 3, k / 3)));
    NodeTets<Pack> tets{.count = 1,
                        .others = others.data(),
                        .rest = rest.data(),
                        .params = params.data(),
                        .lame = lame.empty() ? nullptr : lame.data()};
    NodeSums<Pack> sums{math::Vec3<Pack>::zero(), {}};
    for (Pack& b : sums.block) b = Pack(0);
    math::Vec3<Pack> at;
    for (int k = 0; k < 3; ++k) at[k] = Pack(x0[k] + d[k]);
    if constexpr (sizeof(S) == 8)
      law.d.node(tets, x.data(), at, sums);
    else
      law.f.node(tets, x.data(), at, sums);
    NodeAnswer answer;
    for (int i = 0, m = 0; i < 3; ++i) {
      answer.gradient[i] = sums.gradient[i][lanes - 1];
      for (int j = i; j < 3; ++j, ++m) answer.block(i, j) = answer.block(j, i) = sums.block[m][lanes - 1];
    }
    return answer;
  }
};

Matrix3d contracted(const Matrix9d& C, const Vector3d& g) {
  Matrix3d A = Matrix3d::Zero();
  for (int j = 0; j < 3; ++j)
    for (int l = 0; l < 3; ++l) A += C.block<3, 3>(3 * j, 3 * l) * g[j] * g[l];
  return A;
}

template <class M>
double min_eigenvalue(const M& A) {
  return Eigen::SelfAdjointEigenSolver<M>(A).eigenvalues()[0];
}

Matrix3d nearest_semi_definite(const Matrix3d& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> e(A);
  return e.eigenvectors() * e.eigenvalues().cwiseMax(0).asDiagonal() * e.eigenvectors().transpose();
}

const std::set<std::string_view> with_trace = {"arap", "corotated", "corotated_linear"};

class NodeKernels : public testing::TestWithParam<const Law*> {
 protected:
  const Law& law() const { return *GetParam(); }
  LawAt at{*GetParam()};
  // Regular, strongly compressed and inverted.
  std::vector<Matrix3d> gradients = [] {
    std::vector<Matrix3d> list = random_gradients(3, 40);
    for (const Matrix3d& F : random_gradients(4, 10, 0.02, 0.2)) list.push_back(F);
    for (const Matrix3d& F : random_gradients(5, 20, -2, -0.05)) list.push_back(F);
    return list;
  }();
};

TEST_P(NodeKernels, TheGradientIsTheSlopeOfTheEnergy) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Corner corner(i, !law().frame_invariant);
    const Vector3d found = corner.run(law(), at.params(), gradients[i]).gradient;
    const Vector3d stress = at.P(gradients[i]) * corner.g() * corner.volume;
    EXPECT_LT((found - stress).norm(), 1e-11 * (stress.norm() + at.P(gradients[i]).norm())) << i;
    const double J = gradients[i].determinant();
    if (std::abs(J - extension_start) < 0.1) continue;  // third derivatives jump
    Vector3d slopes;
    for (int k = 0; k < 3; ++k)
      slopes[k] =
          corner.volume *
          slope(
              [&](double t) { return at.psi(gradients[i] + t * Vector3d::Unit(k) * corner.g().transpose()); },
              1e-4);
    EXPECT_LT((found - slopes).norm(), 1e-6 * (slopes.norm() + at.P(gradients[i]).norm())) << i;
  }
}

TEST_P(NodeKernels, TheBlockIsThatOfTheEnergyOrBoundsIt) {
  int definite = 0;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Corner corner(i, !law().frame_invariant);
    const Matrix3d A = corner.run(law(), at.params(), gradients[i]).block / corner.volume;
    const Matrix9d C = at.C(gradients[i], {.hessian = Hessian::exact});
    const Matrix3d B = contracted(C, corner.g());
    const double size = C.norm() * corner.g().squaredNorm();
    EXPECT_GT(min_eigenvalue(A), -1e-10 * size) << i;
    if (with_trace.contains(law().name)) {
      if (law().node_majorant) {
        EXPECT_GT(min_eigenvalue(Matrix3d(A - B)), -1e-10 * size) << i;
      }
    } else if (min_eigenvalue(B) > 1e-8 * size && min_eigenvalue(C) > -1e-12 * size) {
      ++definite;
      EXPECT_LT((A - B).norm(), 1e-9 * size) << i;
    } else if (law().name != "ogden") {  // takes the contraction of the projected Hessian
      EXPECT_LT((A - nearest_semi_definite(B)).norm(), 1e-7 * size) << i;
    }
  }
  if (!with_trace.contains(law().name)) {
    EXPECT_GT(definite, 0);
  }
}

// det F is affine in a node's position: the second derivative of det F has no part in the block.
TEST_P(NodeKernels, TheBlockIsTheSlopeOfTheGradient) {
  if (with_trace.contains(law().name)) GTEST_SKIP() << "its block bounds the energy";
  for (size_t i = 0; i < 40; ++i) {
    const Corner corner(i, !law().frame_invariant);
    Matrix3d B;
    for (int k = 0; k < 3; ++k)
      B.col(k) = slope(
          [&](double t) {
            return corner.run(law(), at.params(), gradients[i], t * Vector3d::Unit(k)).gradient;
          },
          1e-4);
    const Matrix3d A = corner.run(law(), at.params(), gradients[i]).block;
    const double size = A.norm() + B.norm();
    if (law().name == "ogden") {
      if (min_eigenvalue(at.C(gradients[i], {.hessian = Hessian::exact})) < 0) continue;
    } else if (min_eigenvalue(Matrix3d(0.5 * (B + B.transpose()))) < 1e-6 * size) {
      continue;
    }
    EXPECT_LT((A - B).norm(), 1e-5 * size) << i;
  }
}

TEST_P(NodeKernels, ModifiedBlocksAreThoseOfTheModifiedHessian) {
  const double mu = 1.7, lambda = 2.9;
  const std::vector<PackD> lame = {PackD(mu), PackD(lambda)};
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Corner corner(i, !law().frame_invariant);
    const Matrix3d& F = gradients[i];
    const Matrix3d cof = F.determinant() * F.inverse().transpose();
    const Eigen::Map<const Eigen::Matrix<double, 9, 1>> c(cof.data());
    const Matrix9d C = 2 * mu * Matrix9d::Identity() + lambda * c * c.transpose();
    const auto values = Eigen::SelfAdjointEigenSolver<Matrix9d>(C).eigenvalues();
    EXPECT_NEAR(values[0], 2 * mu, 1e-9);
    EXPECT_NEAR(values[7], 2 * mu, 1e-9);
    EXPECT_NEAR(values[8], 2 * mu + lambda * cof.squaredNorm(), 1e-9 * values[8]);
    const NodeAnswer own = corner.run(law(), at.params(), F),
                     found = corner.run(law(), at.params(), F, Vector3d::Zero(), lame);
    const Matrix3d expected = corner.volume * contracted(C, corner.g());
    EXPECT_LT((found.block - expected).norm(), 1e-10 * expected.norm()) << i;
    EXPECT_EQ(found.gradient, own.gradient) << i;
  }
}

TEST_P(NodeKernels, SingleAgreesWithDouble) {
  const LawAtSingle single(law());
  for (size_t i = 0; i < 40; ++i) {
    const Corner corner(i, !law().frame_invariant);
    const NodeAnswer d = corner.run(law(), at.params(), gradients[i]);
    const NodeAnswer f = corner.run(law(), single.params(), gradients[i]);
    const double force = at.P(gradients[i]).norm() + d.block.norm();  // edges are of size 1
    EXPECT_LT((f.gradient - d.gradient).norm(), 2e-4 * force) << i;
    EXPECT_LT((f.block - d.block).norm(), 2e-3 * d.block.norm() + 1e-3 * at.P(gradients[i]).norm()) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, NodeKernels, testing::ValuesIn(solid_laws().begin(), solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

// Where the modified block does not bound a neo-Hookean energy, and where it does: lambda >= mu.
TEST(NodeKernels, TheModifiedBlockBoundsTwiceTheNeoHookeanOneFromAQuarterOn) {
  const Law& law = *find_law("stable_neo_hookean");
  for (double nu : {0.1, 0.26}) {
    const LawAt at(law, 2.5, nu);
    const Lame lame = Lame::from(2.5, nu);
    int short_of = 0;
    for (size_t i = 0; const Matrix3d& F : random_gradients(6, 100, -3, 3)) {
      const Corner corner(i++, false);
      const Matrix3d own = corner.run(law, at.params(), 3.0 * F).block;
      const Matrix3d modified =
          corner.run(law, at.params(), 3.0 * F, Vector3d::Zero(), {PackD(lame.mu), PackD(lame.lambda)}).block;
      if (min_eigenvalue(Matrix3d(2 * modified - own)) < 0) ++short_of;
    }
    if (nu < 0.25)
      EXPECT_GT(short_of, 10);
    else
      EXPECT_EQ(short_of, 0);
  }
}

}  // namespace
}  // namespace sinew::material
