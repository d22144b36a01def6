// The solvers for any matrix against dense algebra.
#include "solve/general_solvers.h"

#include <gtest/gtest.h>

#include "unit/solve/stretched_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

struct Problem {
  model::Model model = stretched_bar({.pull = -0.4, .turn = 0, .cells = {3, 2, 2}});
  System system{model};
  std::vector<Vec3d> x = model.X;
  std::vector<Vec3d> b, q;

  Problem() {
    set_time_1(system);
    system.dofs().retract(x);
    b = random_vectors(3, system.dofs().block_count());
    q.resize(b.size());
  }
  double error(Hessian hessian) {
    const Eigen::VectorXd y = dense(system, x, hessian).fullPivLu().solve(flat(b));
    return (flat(q) - y).norm() / y.norm();
  }
};

TEST(GeneralSolvers, LuSolvesAnIndefiniteMatrix) {
  Problem problem;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      dense(problem.system, problem.x, Hessian::exact));
  ASSERT_LT(eigen.eigenvalues().minCoeff(), -1);
  const auto lu = make_lu();
  ASSERT_TRUE(lu->prepare(problem.system, problem.x, Hessian::exact));
  EXPECT_TRUE(lu->solve(problem.b, problem.q, 0, 0).converged);
  EXPECT_LT(problem.error(Hessian::exact), 1e-10);
  // The second matrix of the same pattern.
  ASSERT_TRUE(lu->prepare(problem.system, problem.x, Hessian::modified));
  lu->solve(problem.b, problem.q, 0, 0);
  EXPECT_LT(problem.error(Hessian::modified), 1e-10);
  EXPECT_GT(lu->bytes(), 0);
}

TEST(GeneralSolvers, BicgstabSolvesAnIndefiniteMatrix) {
  Problem problem;
  const auto solver = make_bicgstab();
  for (const Hessian hessian : {Hessian::exact, Hessian::modified}) {
    ASSERT_TRUE(solver->prepare(problem.system, problem.x, hessian));
    const LinearReport report = solver->solve(problem.b, problem.q, 1e-8, 2000);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(problem.error(hessian), 1e-5);
  }
  EXPECT_EQ(solver->solve(problem.b, problem.q, 0, 3).iterations, 3);
}

// The sweeps are those of the textbook on the matrix with its rows ordered by colour: whatever the order, the residual of
// a row that was visited last is zero without relaxation, and the sweeps converge.
TEST(GeneralSolvers, GaussSeidelConvergesForAnyRelaxation) {
  Problem problem;
  for (const double relaxation : {0.7, 1.0, 1.3, 1.9}) {
    const auto solver = make_gauss_seidel(relaxation);
    ASSERT_TRUE(solver->prepare(problem.system, problem.x, Hessian::modified));
    const LinearReport report = solver->solve(problem.b, problem.q, 0, 600);
    EXPECT_EQ(report.iterations, 600);
    EXPECT_LT(problem.error(Hessian::modified), 1e-8) << relaxation;
  }
}

TEST(GeneralSolvers, OneSweepOfGaussSeidelLowersTheQuadraticForm) {
  Problem problem;
  const Eigen::MatrixXd A = dense(problem.system, problem.x, Hessian::modified);
  const auto value = [&] {
    const Eigen::VectorXd q = flat(problem.q);
    return 0.5 * q.dot(A * q) - q.dot(flat(problem.b));
  };
  for (const double relaxation : {0.5, 1.3, 1.99}) {
    const auto solver = make_gauss_seidel(relaxation);
    ASSERT_TRUE(solver->prepare(problem.system, problem.x, Hessian::modified));
    double before = 0;
    for (int sweeps = 1; sweeps < 6; ++sweeps) {
      solver->solve(problem.b, problem.q, 0, sweeps);
      EXPECT_LT(value(), before);
      before = value();
    }
  }
}

}  // namespace
}  // namespace sinew::solve
