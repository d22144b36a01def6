#include "solve/negative_curvature.h"

#include <gtest/gtest.h>

#include "solve/newton.h"
#include "solve/vectors.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// A slender bar between two clamps, whose straight state is in balance when it is pressed by a share of its length.
struct Strut {
  explicit Strut(double share, double poisson = 0)
      : model(held_block({.law = "corotated",
                          .poisson = poisson,
                          .cells = {20, 1, 1},
                          .size = {2, 0.1, 0.1},
                          .right = {{.time = 0}, {.time = 1, .translate = {-2 * share, 0, 0}}}})),
        system(model),
        x(model.X) {
    std::vector<double> inputs(model.inputs.size());
    model.inputs.evaluate(1, inputs);
    system.set_inputs(inputs);
    for (Vec3d& p : x) p[0] *= 1 - share;
  }
  double least_eigenvalue() const {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(system, x, Hessian::exact)).eigenvalues()[0];
  }
  // Whether a direction of negative curvature is found; it must be one.
  bool found() {
    const auto linear = make_linear_solver("pcg", system);
    EXPECT_TRUE(linear->prepare(system, x, Hessian::projected));
    std::vector<Vec3d> d(x.size()), Hd(x.size());
    if (!find_negative_curvature(system, *linear, x, d)) return false;
    system.product(x, Hessian::exact, d, Hd);
    EXPECT_LT(dot_of(d, Hd), 0);
    return true;
  }

  model::Model model;
  System system;
  std::vector<Vec3d> x;
};

TEST(NegativeCurvature, IsFoundWhereTheHessianHasANegativeEigenvalue) {
  for (const double share : {0.001, 0.02, 0.05}) {
    Strut strut(share);
    EXPECT_EQ(strut.found(), strut.least_eigenvalue() < 0) << share;
  }
}

// Newton's method from the unloaded state: it passes the straight equilibrium, a saddle point, and ends in a minimum.
TEST(NegativeCurvature, NewtonLeavesASaddlePoint) {
  Strut strut(0.05, 0.3);
  ASSERT_LT(strut.least_eigenvalue(), 0);
  std::vector<Vec3d> gradient(strut.x.size());
  const double straight = strut.system.evaluate(strut.x, gradient).energy;
  strut.x = strut.model.X;
  const SolveReport report = Newton(strut.system, {}).solve(strut.x, 1e-9, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_FALSE(report.unstable);
  EXPECT_LT(report.last.energy, 0.9 * straight);
  EXPECT_GT(strut.least_eigenvalue(), 0);
}

}  // namespace
}  // namespace sinew::solve
