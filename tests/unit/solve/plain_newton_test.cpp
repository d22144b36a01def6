// Newton without safeguards: against dense algebra for one step, against solve::Newton for the answer, and where it
// must fail.
#include "solve/plain_newton.h"

#include <gtest/gtest.h>

#include "solve/newton.h"
#include "solve/pbng.h"
#include "unit/solve/stretched_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

struct Solved {
  SolveReport report;
  std::vector<Vec3d> x;
};

Solved run(const model::Model& model, const PlainNewtonOptions& options, double tolerance = 1e-9) {
  System system(model);
  set_time_1(system);
  Solved result{{}, model.X};
  result.report = PlainNewton(system, options).solve(result.x, tolerance, {});
  return result;
}

std::vector<Vec3d> equilibrium(const model::Model& model) {
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X;
  EXPECT_EQ(Newton(system, {}).solve(x, 1e-11, {}).status, SolveStatus::converged);
  return x;
}

TEST(PlainNewton, OneIterationIsTheDenseStep) {
  const model::Model model = stretched_bar({.cells = {3, 2, 2}});
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> start = model.X, gradient(start.size());
  system.dofs().retract(start);
  system.evaluate(start, gradient);
  std::vector<Vec3d> b(system.dofs().block_count()), q(b.size()), d(start.size());
  system.dofs().pull(gradient, b);
  for (const Hessian hessian : {Hessian::modified, Hessian::projected, Hessian::exact}) {
    const Eigen::VectorXd y = dense(system, start, hessian).fullPivLu().solve(-flat(b));
    for (size_t i = 0; i < q.size(); ++i) q[i] = {y[3 * i], y[3 * i + 1], y[3 * i + 2]};
    system.dofs().push(q, d);
    for (const char* linear : {"cg", "multigrid", "plain_cg", "gauss_seidel", "bicgstab", "direct"}) {
      // Conjugate gradients and Gauss-Seidel need a definite matrix.
      const std::string name = linear;
      if (hessian == Hessian::exact && name != "bicgstab" && name != "direct") continue;
      const Solved one =
          run(model, {.max_iterations = 1, .hessian = hessian, .linear = linear, .linear_iterations = 1000});
      EXPECT_EQ(one.report.iterations, 1);
      double off = 0;
      for (size_t i = 0; i < d.size(); ++i) off = std::max(off, norm(one.x[i] - start[i] - d[i]));
      // The matrix of conjugate gradients is in single precision.
      EXPECT_LT(off, (name == "cg" || name == "multigrid" ? 1e-4 : 1e-7) * flat(d).lpNorm<Eigen::Infinity>())
          << linear;
    }
  }
}

TEST(PlainNewton, WithTheModifiedHessianItConverges) {
  const model::Model model = stretched_bar();
  const std::vector<Vec3d> expected = equilibrium(model);
  for (const char* linear : {"cg", "multigrid", "plain_cg", "gauss_seidel", "bicgstab", "direct"}) {
    const Solved result = run(model, {.max_iterations = 400, .linear = linear});
    EXPECT_EQ(result.report.status, SolveStatus::converged) << linear;
    EXPECT_LT(distance(result.x, expected), 1e-6) << linear;
  }
}

TEST(PlainNewton, WithALineSearchTheEnergyFalls) {
  const model::Model model = stretched_bar({.law = "neo_hookean", .poisson = 0.1});
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X, gradient(x.size());
  double before = std::numeric_limits<double>::infinity();
  const Control control = {.on_residual = [&](double) {
    const double energy = system.evaluate(x, gradient).energy;
    EXPECT_LE(energy, before + 1e-9);
    before = energy;
  }};
  PlainNewton newton(system, {.max_iterations = 1000, .line_search = true});
  EXPECT_EQ(newton.solve(x, 1e-8, control).status, SolveStatus::converged);
  EXPECT_LT(distance(x, equilibrium(model)), 1e-5);
}

// Far from equilibrium the exact Hessian is indefinite, and whole steps with it lead astray.
TEST(PlainNewton, WithTheExactHessianItGoesAstray) {
  const model::Model model = stretched_bar({.pull = 1, .turn = 2.5});
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X, gradient(x.size());
  system.dofs().retract(x);
  const double start = system.evaluate(x, gradient).residual;
  const Solved modified = run(model, {.max_iterations = 400, .linear = "direct"});
  EXPECT_EQ(modified.report.status, SolveStatus::converged);
  for (const char* linear : {"direct", "bicgstab", "gauss_seidel"}) {
    const Solved exact = run(
        model, {.max_iterations = 20, .hessian = Hessian::exact, .linear = linear, .linear_iterations = 200});
    EXPECT_EQ(exact.report.status, SolveStatus::stalled) << linear;
    EXPECT_GT(exact.report.last.residual, start) << linear;
    EXPECT_TRUE(all_finite(exact.x)) << linear;
  }
}

// Few iterations of each kind, as in comparisons at a small budget and a larger one: sweeps over the nonlinear problem
// leave less than as many sweeps over its linear systems.
TEST(PlainNewton, SweepsOverTheLinearSystemsLeaveMoreThanNonlinearOnes) {
  const model::Model model = stretched_bar();
  const auto residual = [&](int iterations, const char* linear, int linear_iterations) {
    const Solved result =
        run(model, {.max_iterations = iterations, .linear = linear, .linear_iterations = linear_iterations});
    EXPECT_EQ(result.report.iterations, iterations);
    EXPECT_EQ(result.report.linear_iterations, iterations * linear_iterations);
    return result.report.last.residual;
  };
  const double few = residual(2, "gauss_seidel", 3), more = residual(6, "gauss_seidel", 7);
  EXPECT_LT(more, 0.2 * few);
  EXPECT_LT(residual(11, "cg", 10), 0.2 * residual(2, "cg", 7));
  const auto swept = [&](int sweeps) {
    System system(model);
    set_time_1(system);
    std::vector<Vec3d> x = model.X;
    return make_pbng(system, {.iterations = sweeps, .acceleration = Acceleration::in_sweep})
        ->solve(x, 1e-9, {})
        .last.residual;
  };
  EXPECT_LT(swept(6), 0.9 * few);
  EXPECT_LT(swept(42), 0.3 * more);
}

}  // namespace
}  // namespace sinew::solve
