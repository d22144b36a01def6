#include "solve/conjugate_gradients.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

Mat3d in_double(const Mat3f& m) {
  Mat3d d;
  for (int k = 0; k < 9; ++k) d.c[k / 3].v[k % 3] = m.c[k / 3].v[k % 3];
  return d;
}

using namespace sinew::sample;

// A dense matrix as a product over 3-vectors.
Product product_of(const Eigen::MatrixXd& A) {
  return [&A](std::span<const Vec3d> p, std::span<Vec3d> out) {
    const Eigen::VectorXd y = A * flat(p);
    for (size_t i = 0; i < out.size(); ++i) out[i] = {y[3 * i], y[3 * i + 1], y[3 * i + 2]};
    return flat(p).dot(y);
  };
}

void identity(std::span<const Vec3d> r, std::span<Vec3d> z) { std::copy(r.begin(), r.end(), z.begin()); }

Eigen::MatrixXd with_eigenvalues(const Eigen::VectorXd& values) {
  const Eigen::Index n = values.size();
  const auto noise = random_vectors(9, static_cast<size_t>(n * n + 2) / 3);
  const Eigen::MatrixXd Q =
      Eigen::Map<const Eigen::MatrixXd>(noise.data()->v, n, n).householderQr().householderQ();
  return Q * values.asDiagonal() * Q.transpose();
}

TEST(ConjugateGradients, SolvesADenseSystem) {
  const Eigen::MatrixXd A = with_eigenvalues(Eigen::VectorXd::LinSpaced(30, 1, 50));
  const std::vector<Vec3d> b = random_vectors(2, 10);
  std::vector<Vec3d> x(10);
  ConjugateGradients cg;
  const LinearReport report = cg.solve(product_of(A), identity, b, x, 1e-12, 200);
  EXPECT_TRUE(report.converged);
  EXPECT_LT((flat(x) - A.llt().solve(flat(b))).norm(), 1e-10 * flat(x).norm());
}

// As many iterations as there are different eigenvalues.
TEST(ConjugateGradients, NeedsAsManyIterationsAsEigenvalues) {
  Eigen::VectorXd values(30);
  for (int i = 0; i < 30; ++i) values[i] = std::array{1.0, 4.0, 20.0}[i % 3];
  const Eigen::MatrixXd A = with_eigenvalues(values);
  const std::vector<Vec3d> b = random_vectors(2, 10);
  std::vector<Vec3d> x(10);
  const LinearReport report = ConjugateGradients().solve(product_of(A), identity, b, x, 1e-9, 200);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 3);
}

TEST(ConjugateGradients, StopsAtTheToleranceAndAtTheLimit) {
  const Eigen::MatrixXd A = with_eigenvalues(Eigen::VectorXd::LinSpaced(60, 1, 1000));
  const std::vector<Vec3d> b = random_vectors(2, 20);
  std::vector<Vec3d> x(20);
  ConjugateGradients cg;
  const LinearReport loose = cg.solve(product_of(A), identity, b, x, 1e-2, 500);
  EXPECT_TRUE(loose.converged);
  EXPECT_LE((A * flat(x) - flat(b)).norm(), 1.01e-2 * flat(b).norm());
  const LinearReport tight = cg.solve(product_of(A), identity, b, x, 1e-8, 500);
  EXPECT_GT(tight.iterations, loose.iterations);
  const LinearReport cut = cg.solve(product_of(A), identity, b, x, 1e-8, 5);
  EXPECT_FALSE(cut.converged);
  EXPECT_EQ(cut.iterations, 5);
}

// What was reached before the negative direction still points downhill.
TEST(ConjugateGradients, StopsAtNegativeCurvature) {
  Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(30, 1, 50);
  values[0] = -0.5;
  const Eigen::MatrixXd A = with_eigenvalues(values);
  const std::vector<Vec3d> b = random_vectors(2, 10);
  std::vector<Vec3d> x(10);
  const LinearReport report = ConjugateGradients().solve(product_of(A), identity, b, x, 1e-10, 200);
  EXPECT_TRUE(report.negative_curvature);
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.iterations, 0);
  EXPECT_GT(flat(x).dot(flat(b)), 0);
}

TEST(ConjugateGradients, BothPreconditionersAgree) {
  const Eigen::MatrixXd A = with_eigenvalues(Eigen::VectorXd::LinSpaced(30, 1, 50));
  std::vector<Mat3f> inverse(10);
  for (int i = 0; i < 10; ++i) {
    const Eigen::Matrix3d block = A.block<3, 3>(3 * i, 3 * i).inverse();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) inverse[i](r, c) = static_cast<float>(block(r, c));
  }
  const Precondition jacobi = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
    for (size_t i = 0; i < r.size(); ++i) z[i] = in_double(inverse[i]) * r[i];
  };
  const std::vector<Vec3d> b = random_vectors(2, 10);
  std::vector<Vec3d> x(10), y(10);
  ConjugateGradients cg;
  const LinearReport first = cg.solve(product_of(A), jacobi, b, x, 1e-8, 100);
  const LinearReport second = cg.solve(product_of(A), inverse, b, y, 1e-8, 100);
  EXPECT_EQ(first.iterations, second.iterations);
  EXPECT_LT((flat(x) - flat(y)).norm(), 1e-12 * flat(x).norm());
}

TEST(ConjugateGradients, SameBitsForAnyNumberOfThreads) {
  const model::Model model = held_block({.cells = {30, 8, 8}});  // more nodes than one block of a sum
  const System system(model);
  energy::BlockMatrix matrix;
  matrix.reset(system.pattern(), energy::Precision::single);
  system.assemble(deformed(model, 0.01), Hessian::projected, matrix);
  const Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
    return matrix.multiply_dot(p, out);
  };
  const std::vector<Vec3d> b = random_vectors(1, matrix.rows());
  std::vector<Vec3d> one(b.size()), many(b.size());
  for (int threads : {1, 2, 5}) {
    set_thread_count(threads);
    ConjugateGradients().solve(product, identity, b, threads == 1 ? one : many, 1e-3, 20);
    if (threads > 1) {
      EXPECT_EQ(flat(one), flat(many)) << threads;
    }
  }
  set_thread_count(0);
}

TEST(SafeInverse, IsTheInverseOrTheIdentity) {
  const Mat3d A = {{{4, 1, 0.5}, {1, 3, -1}, {0.5, -1, 5}}};
  const Mat3d I = A * in_double(safe_inverse(A));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(I(i, j), i == j, 1e-6);
  Mat3d indefinite = A;
  indefinite(2, 2) = -5;
  for (const Mat3d& bad : {indefinite, Mat3d::zero(), Mat3d::identity() * -1.0, Mat3d::identity() * NAN}) {
    const Mat3f inverse = safe_inverse(bad);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_EQ(inverse(i, j), i == j);
  }
}

}  // namespace
}  // namespace sinew::solve
