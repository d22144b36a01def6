#include "solve/incomplete_cholesky.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solve/linear_solver.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// A chain: every block is coupled to the one before and the one after, so that Cholesky makes no fill.
energy::BlockMatrix chain(int32_t rows) {
  std::vector<int32_t> pairs, self(rows);
  for (int32_t i = 0; i < rows; ++i) {
    self[i] = i;
    if (i > 0) pairs.insert(pairs.end(), {i - 1, i});
  }
  const energy::Stencils stencils{2, pairs};
  energy::BlockMatrix matrix;
  matrix.reset(std::make_shared<const energy::BlockPattern>(energy::make_pattern({&stencils, 1}, self, rows)),
               energy::Precision::full);
  const math::Random random(4);
  for (int32_t i = 0; i < rows; ++i) {
    const Vec3d v = random_vector(random, i);
    matrix.add(matrix.pattern().diagonal[i], Mat3d::identity() * 4.0 + math::outer(v, v));
    if (i == 0) continue;
    const Mat3d B = math::outer(v, random_vector(random, i + rows)) - Mat3d::identity();
    matrix.add(matrix.pattern().slot(i, i - 1), B);
    matrix.add(matrix.pattern().slot(i - 1, i), transpose(B));
  }
  return matrix;
}

Eigen::MatrixXd dense(const energy::BlockMatrix& matrix) {
  const int n = matrix.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int64_t s = matrix.pattern().row_begin[i]; s < matrix.pattern().row_begin[i + 1]; ++s)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) A(3 * i + r, 3 * matrix.pattern().column[s] + c) = matrix.block(s)(r, c);
  return A;
}

LinearReport solve_with(const IncompleteCholesky& cholesky, const energy::BlockMatrix& matrix,
                        std::span<const Vec3d> b, double tolerance) {
  std::vector<Vec3d> x(b.size());
  return ConjugateGradients().solve(
      [&](std::span<const Vec3d> p, std::span<Vec3d> out) { return matrix.multiply_dot(p, out); },
      [&](std::span<const Vec3d> r, std::span<Vec3d> z) { cholesky.solve(r, z); }, b, x, tolerance, 3000);
}

TEST(IncompleteCholesky, IsExactWithoutFill) {
  const energy::BlockMatrix matrix = chain(40);
  IncompleteCholesky cholesky;
  cholesky.factor(matrix);
  const std::vector<Vec3d> r = random_vectors(1, 40);
  std::vector<Vec3d> z(40);
  cholesky.solve(r, z);
  const Eigen::VectorXd exact = dense(matrix).llt().solve(flat(r));
  EXPECT_LT((flat(z) - exact).norm(), 1e-6 * exact.norm());  // L has single precision
  EXPECT_GT(cholesky.bytes(), 0);
}

// Every block is there, so nothing is left out: the factorisation is the whole one.
TEST(IncompleteCholesky, IsExactForAFullMatrix) {
  constexpr int32_t rows = 8;
  std::vector<int32_t> all(rows);
  for (int32_t i = 0; i < rows; ++i) all[i] = i;
  const energy::Stencils stencils{rows, all};
  energy::BlockMatrix matrix;
  matrix.reset(std::make_shared<const energy::BlockPattern>(energy::make_pattern({&stencils, 1}, all, rows)),
               energy::Precision::full);
  const math::Random random(6);
  for (int32_t i = 0; i < rows; ++i)
    for (int32_t j = 0; j <= i; ++j) {
      Mat3d B = math::outer(random_vector(random, i * rows + j), random_vector(random, 1000 + i * rows + j));
      if (i == j) B = (B + transpose(B)) * 0.5 + Mat3d::identity() * 12.0;
      matrix.set(matrix.pattern().slot(i, j), B);
      matrix.set(matrix.pattern().slot(j, i), transpose(B));
    }
  IncompleteCholesky cholesky;
  cholesky.factor(matrix);
  const std::vector<Vec3d> r = random_vectors(1, rows);
  std::vector<Vec3d> z(rows);
  cholesky.solve(r, z);
  const Eigen::VectorXd exact = dense(matrix).llt().solve(flat(r));
  EXPECT_LT((flat(z) - exact).norm(), 1e-6 * exact.norm());
}

// Two domains: only the coupling between them is missing, a change of rank six.
TEST(IncompleteCholesky, JoinsDomains) {
  const energy::BlockMatrix matrix = chain(5000);
  const std::vector<Vec3d> b = random_vectors(1, 5000);
  std::vector<Vec3d> one(5000), many(5000);
  for (int threads : {1, 3}) {
    set_thread_count(threads);
    IncompleteCholesky cholesky;
    cholesky.factor(matrix);
    const LinearReport report = solve_with(cholesky, matrix, b, 1e-6);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 10);
    cholesky.solve(b, threads == 1 ? one : many);
  }
  set_thread_count(0);
  EXPECT_EQ(flat(one), flat(many));
}

TEST(IncompleteCholesky, IsSymmetricAndDefinite) {
  const model::Model model = held_block({.poisson = 0.45, .cells = {4, 3, 3}, .jitter = 0.1});
  const System system(model);
  energy::BlockMatrix matrix;
  matrix.reset(system.pattern(), energy::Precision::single);
  system.assemble(deformed(model), Hessian::projected, matrix);
  IncompleteCholesky cholesky;
  cholesky.factor(matrix);
  const size_t n = matrix.rows();
  const std::vector<Vec3d> a = random_vectors(1, n), b = random_vectors(2, n);
  std::vector<Vec3d> Ma(n), Mb(n);
  cholesky.solve(a, Ma);
  cholesky.solve(b, Mb);
  EXPECT_NEAR(flat(a).dot(flat(Mb)), flat(b).dot(flat(Ma)), 1e-10 * flat(a).norm() * flat(Mb).norm());
  EXPECT_GT(flat(a).dot(flat(Ma)), 0);
}

class Stiff : public testing::TestWithParam<double> {};

TEST_P(Stiff, NeedsFewerIterationsThanJacobi) {
  const model::Model model = held_block({.poisson = GetParam(), .cells = {10, 5, 5}, .jitter = 0.1});
  const System system(model);
  std::vector<Vec3d> b = random_vectors(3, system.dofs().block_count()), q(b.size());
  const auto iterations = [&](const char* name) {
    auto solver = make_linear_solver(name, system);
    EXPECT_TRUE(solver->prepare(system, deformed(model, 0), Hessian::projected));
    const LinearReport report = solver->solve(b, q, 1e-6, 5000);
    EXPECT_TRUE(report.converged) << name;
    return report.iterations;
  };
  const int jacobi = iterations("pcg"), cholesky = iterations("pcg_cholesky");
  EXPECT_LT(cholesky, 0.7 * jacobi);
  RecordProperty("jacobi", jacobi);
  RecordProperty("cholesky", cholesky);
}
INSTANTIATE_TEST_SUITE_P(Poisson, Stiff, testing::Values(0.3, 0.45, 0.49),
                         [](const auto& info) { return std::to_string(std::lround(100 * info.param)); });

// Whatever the matrix, the factorisation ends and the result is finite.
TEST(IncompleteCholesky, EndsOnAnyMatrix) {
  const std::vector<Vec3d> r = random_vectors(1, 20);
  std::vector<Vec3d> z(20);
  for (const double diagonal : {-10.0, 0.0, 1e-30, 1e30}) {
    energy::BlockMatrix matrix = chain(20);
    for (int32_t i = 0; i < 20; i += 3)
      matrix.set(matrix.pattern().diagonal[i], Mat3d::identity() * diagonal);
    IncompleteCholesky cholesky;
    cholesky.factor(matrix);
    cholesky.solve(r, z);
    EXPECT_TRUE(all_finite(z)) << diagonal;
  }
}

}  // namespace
}  // namespace sinew::solve
