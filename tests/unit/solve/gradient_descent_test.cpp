#include "solve/gradient_descent.h"

#include <gtest/gtest.h>

#include "solve/newton.h"
#include "unit/solve/stretched_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

TEST(GradientDescent, CreepsToTheEquilibriumOfNewton) {
  const model::Model model = stretched_bar({.cells = {4, 2, 2}});
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X, expected = model.X;
  ASSERT_EQ(Newton(system, {}).solve(expected, 1e-11, {}).status, SolveStatus::converged);
  const SolveReport report = GradientDescent(system, 20000).solve(x, 1e-8, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_GT(report.iterations, 50);
  EXPECT_LT(distance(x, expected), 1e-6);
}

TEST(GradientDescent, EveryStepLowersTheEnergy) {
  model::Model model = stretched_bar({.law = "neo_hookean"});
  add_gravity(model, {0, -9.81, 0});
  hold(model, "rail", face_nodes({8, 4, 4}, 1, true), {{}}, model::Hold::plane, {0, 0, 1});
  System system(model);
  set_time_1(system);
  std::vector<Vec3d> x = model.X, gradient(x.size());
  double before = std::numeric_limits<double>::infinity();
  const Control control = {.on_residual = [&](double) {
    const double energy = system.evaluate(x, gradient).energy;
    EXPECT_LT(energy, before);
    before = energy;
  }};
  EXPECT_EQ(GradientDescent(system, 100).solve(x, 1e-8, control).iterations, 100);
  std::vector<Vec3d> held = x;
  system.dofs().retract(held);
  EXPECT_LT(distance(x, held), 1e-12);
}

}  // namespace
}  // namespace sinew::solve
