// Figures named R1 and R2 were computed by an independent program (plain loops over nodes, Eigen) for the same lattice.
#include "solve/pbng.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solve/newton.h"
#include "solve/node_sweeps.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// 9 x 5 x 5 nodes, both ends held, x = 1 moved by 0.5 and turned by one radian about the axis.
model::Model r1_bar(const std::string& law = "corotated", double poisson = 0.3) {
  return held_block(
      {.law = law,
       .poisson = poisson,
       .cells = {8, 4, 4},
       .size = {1, 0.5, 0.5},
       .right =
           {{},
            {.time = 1, .translate = {0.5, 0, 0}, .axis = {1, 0, 0}, .angle = 1, .about = {1, 0.25, 0.25}}},
       .split = mesh::Split::five,
       .density = 10});
}

// Greedy colours of the bar's nodes in the order of that program: z runs fastest, x slowest.
std::vector<int32_t> z_first_colours(const model::Model& bar) {
  const auto other = [](int32_t node) { return node / 45 + 5 * (node / 9 % 5) + 25 * (node % 9); };
  std::vector<int32_t> nodes;
  for (const auto& tet : bar.tets)
    for (int32_t node : tet) nodes.push_back(other(node));
  const energy::Stencils stencils{4, nodes};
  const std::vector<int32_t> found = energy::colour_nodes({&stencils, 1}, static_cast<int64_t>(bar.X.size()));
  std::vector<int32_t> colours(bar.X.size());
  for (size_t i = 0; i < colours.size(); ++i) colours[i] = found[other(static_cast<int32_t>(i))];
  return colours;
}

double residual_of(const System& system, std::span<const Vec3d> x) {
  std::vector<Vec3d> gradient(x.size());
  return system.evaluate(x, gradient).residual;
}

// The residual after each of the given numbers of iterations.
std::vector<double> residuals(System& system, const PbngOptions& options, std::vector<int> at,
                              std::vector<Vec3d> x) {
  std::vector<double> result;
  int count = 0;
  PbngOptions all = options;
  all.iterations = at.back();
  Control control;
  control.on_iterate = [&](std::span<const double> c) {
    if (std::find(at.begin(), at.end(), ++count) == at.end()) return;
    std::vector<Vec3d> now(c.size() / 3);
    for (size_t i = 0; i < c.size(); ++i) now[i / 3][i % 3] = c[i];
    result.push_back(residual_of(system, now));
  };
  make_pbng(system, all)->solve(x, 1e-16, control);
  return result;
}

struct Row {
  Acceleration acceleration;
  std::vector<double> expected;  // after 10, 20, 40, 100, 200 sweeps [N]
};

class R1 : public testing::TestWithParam<Row> {};

TEST_P(R1, ResidualsOfTheIndependentProgram) {
  const model::Model bar = r1_bar();
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  std::vector<Vec3d> x = bar.X;
  system.dofs().retract(x);
  EXPECT_NEAR(residual_of(system, x), 4.05e4, 0.01e4);
  const auto found =
      residuals(system, {.acceleration = GetParam().acceleration, .colours = z_first_colours(bar)},
                {10, 20, 40, 100, 200}, bar.X);
  for (size_t k = 0; k < GetParam().expected.size(); ++k)
    EXPECT_NEAR(found[k], GetParam().expected[k], 0.2 * GetParam().expected[k]) << k;
}

INSTANTIATE_TEST_SUITE_P(Pbng, R1,
                         testing::Values(Row{Acceleration::none, {2.75e3, 1.54e3, 5.80e2, 7.29e1, 7.59}},
                                         Row{Acceleration::sor, {5.67e3, 1.31e3, 7.08e1, 1.25e-2, 1.9e-8}},
                                         Row{Acceleration::chebyshev, {1.56e3, 9.92e1, 1.40, 9.3e-5}},
                                         Row{Acceleration::in_sweep, {1.48e3, 3.82e2, 7.37e1, 1.36}}));

}  // namespace
}  // namespace sinew::solve
