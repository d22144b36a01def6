#include "solve/l_bfgs.h"

#include <gtest/gtest.h>

#include "solve/newton.h"
#include "unit/solve/stretched_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

std::vector<Vec3d> newton(System& system) {
  std::vector<Vec3d> x = system.model().X;
  EXPECT_EQ(Newton(system, {}).solve(x, 1e-11, {}).status, SolveStatus::converged);
  return x;
}

TEST(LBfgs, FindsTheEquilibriumOfNewton) {
  for (const char* law : {"corotated", "neo_hookean", "stable_neo_hookean", "stvk"}) {
    const model::Model model = stretched_bar({.law = law});
    System system(model);
    set_time_1(system);
    LBfgs solver(system, {});
    std::vector<Vec3d> x = model.X;
    const SolveReport report = solver.solve(x, 1e-11, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << law;
    EXPECT_LT(distance(x, newton(system)), 1e-8) << law;
    EXPECT_LT(report.iterations, 200) << law;
  }
}

// On a quadratic energy the first step is the answer: the Hessian at rest is the Hessian.
TEST(LBfgs, SolvesALinearBodyInOneIteration) {
  model::Model model = stretched_bar({.law = "linear", .pull = 0.01, .turn = 0});
  add_gravity(model, {0, -9.81, 0});
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X;
  const SolveReport report = LBfgs(system, {}).solve(x, 1e-9, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.iterations, 2);
}

TEST(LBfgs, MemoryPaysOff) {
  const model::Model model = stretched_bar();
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X, y = model.X;
  const SolveReport with = LBfgs(system, {}).solve(x, 1e-6, {});
  const SolveReport without = LBfgs(system, {.max_iterations = 5000, .memory = 0}).solve(y, 1e-6, {});
  EXPECT_EQ(with.status, SolveStatus::converged);
  EXPECT_EQ(without.status, SolveStatus::converged);
  EXPECT_LT(3 * with.iterations, without.iterations);
}

// A stiffer body or a shorter step asks for new factors: with the old ones the first step would not be right.
TEST(LBfgs, FactorsAnewWhenParametersOrInertiaChange) {
  model::Model model = stretched_bar({.law = "linear", .pull = 0.01, .turn = 0});
  add_gravity(model, {0, -9.81, 0});
  System system(model);
  set_time_1(system);
  LBfgs solver(system, {});
  const auto iterations = [&] {
    std::vector<Vec3d> x = model.X;
    const SolveReport report = solver.solve(x, 1e-9, {});
    EXPECT_EQ(report.status, SolveStatus::converged);
    return report.iterations;
  };
  EXPECT_LE(iterations(), 2);
  model::Params params = model.params;
  params.material[0][0].values = {3e5};
  system.set_params(params);
  EXPECT_LE(iterations(), 2);
  for (const double w : {1e3, 1e5}) {
    system.set_inertia(std::vector<double>(model.X.size(), w), model.X);
    EXPECT_LE(iterations(), 2) << w;
  }
}

TEST(LBfgs, FromATangledStartTheEnergyFalls) {
  const model::Model model = stretched_bar();
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X, gradient(x.size());
  scatter(system.dofs(), 7, x);
  const Evaluation start = system.evaluate(x, gradient);
  ASSERT_GT(start.inverted, 100);
  const SolveReport report = LBfgs(system, {.max_iterations = 50}).solve(x, 1e-8, {});
  EXPECT_EQ(report.iterations, 50);
  EXPECT_TRUE(all_finite(x));
  EXPECT_LT(report.last.energy, 0.1 * start.energy);
}

}  // namespace
}  // namespace sinew::solve
