// Steps of the whole body between sweeps: the same equilibria as Newton's method, in few sweeps where sweeps alone crawl; energy
// that never rises; the same bits for any number of threads.
#include "solve/coarse_correction.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solve/newton.h"
#include "solve/pbng.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

// A bar ten times as long as wide that bends under its weight.
Model cantilever(const std::string& law) {
  Model model = held_block({.law = law, .cells = {30, 3, 3}, .size = {10, 1, 1}, .hold_right = false});
  add_gravity(model, {0, 0, -1});
  return model;
}

struct Solved {
  std::vector<Vec3d> x;
  SolveReport report;
};

Solved solve_with(const Model& model, const PbngOptions& options, double tolerance) {
  System system(model);
  system.set_inputs(inputs_at(model, 0));
  Solved solved{model.X, {}};
  solved.report = make_pbng(system, options)->solve(solved.x, tolerance, {});
  return solved;
}

TEST(CoarseCorrection, ComesToNewtonsEquilibriumInFewSweeps) {
  for (const char* law : {"stable_neo_hookean", "corotated", "neo_hookean"}) {
    const Model model = cantilever(law);
    System system(model);
    system.set_inputs(inputs_at(model, 0));
    std::vector<Vec3d> newton = model.X;
    ASSERT_EQ(Newton(system, {}).solve(newton, 1e-11, {}).status, SolveStatus::converged);
    for (const Levels levels : {Levels::multi, Levels::automatic}) {
      const Solved solved = solve_with(model, {.iterations = 500, .levels = levels}, 1e-10);
      EXPECT_EQ(solved.report.status, SolveStatus::converged) << law;
      EXPECT_LE(solved.report.iterations, 500) << law;
      for (size_t i = 0; i < newton.size(); ++i) EXPECT_LT(norm(solved.x[i] - newton[i]), 1e-6) << law;
    }
    EXPECT_NE(solve_with(model, {.iterations = 500, .levels = Levels::single}, 1e-10).report.status,
              SolveStatus::converged)
        << law;
  }
}

TEST(CoarseCorrection, AutoSweepsAloneWhileThatPays) {
  // Held at both ends and short: sweeps take off many decades in 48.
  const Model model = held_block(
      {.law = "stable_neo_hookean", .cells = {4, 4, 4}, .size = {1, 1, 1}, .right = {{0, {0.1, 0, 0}}}});
  const Solved single = solve_with(model, {.iterations = 200, .levels = Levels::single}, 1e-9),
               both = solve_with(model, {.iterations = 200}, 1e-9);
  EXPECT_EQ(single.report.status, SolveStatus::converged);
  EXPECT_EQ(flat(single.x), flat(both.x));
  EXPECT_EQ(both.report.linear_iterations, 0);
}

TEST(CoarseCorrection, NeverRaisesTheEnergy) {
  const Model model = cantilever("stable_neo_hookean");
  System system(model);
  system.set_inputs(inputs_at(model, 0));
  std::vector<Vec3d> x = model.X, gradient(x.size());
  std::vector<double> energies;
  Control control;
  control.on_iterate = [&](std::span<const double> c) {
    std::vector<Vec3d> now(c.size() / 3);
    for (size_t i = 0; i < now.size(); ++i) now[i] = {c[3 * i], c[3 * i + 1], c[3 * i + 2]};
    energies.push_back(system.evaluate(now, gradient).energy);
  };
  make_pbng(system, {.iterations = 300, .levels = Levels::multi})->solve(x, 1e-8, control);
  ASSERT_GT(energies.size(), 3u);
  for (size_t k = 1; k < energies.size(); ++k)
    EXPECT_LE(energies[k], energies[k - 1] + 1e-12 * std::abs(energies[k])) << k;
}

// A block on springs of 1e8 N/m, which hold sweeps up for ever.
TEST(CoarseCorrection, MovesTiedNodesAsOne) {
  const std::array<int32_t, 3> cells = {4, 4, 4};
  Model model =
      held_block({.law = "corotated", .young = 1000, .cells = cells, .size = {1, 1, 1}, .hold_right = false});
  const int32_t other = add_block(model, {.cells = cells, .size = {1, 1, 1}, .density = 10});
  add_set(model, other, *material::find_law("corotated"), 1000, 0.3);
  const int32_t first = model.bodies[other].nodes.begin;
  for (int32_t i = first; i < model.bodies[other].nodes.end; ++i) model.X[i] += Vec3d{1.1, 0, 0};
  const auto a = face_nodes(cells, 0, true), b = face_nodes(cells, 0, false);
  for (size_t i = 0; i < a.size(); ++i)
    add_link(model, model::Site::at_node(a[i]), model::Site::at_node(first + b[i]), 1e8, 1e8);
  EXPECT_NE(solve_with(model, {.iterations = 500, .levels = Levels::single}, 1e-8).report.status,
            SolveStatus::converged);
  const Solved solved = solve_with(model, {.iterations = 500}, 1e-8);
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_LT(norm(solved.x[a[i]] - solved.x[first + b[i]]), 1e-6);
}

TEST(CoarseCorrection, HasTheSameBitsForAnyThreads) {
  const Model model = cantilever("neo_hookean");
  set_thread_count(1);
  const Solved one = solve_with(model, {.iterations = 300, .levels = Levels::multi}, 1e-9);
  for (int threads : {2, 3, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(flat(one.x), flat(solve_with(model, {.iterations = 300, .levels = Levels::multi}, 1e-9).x));
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve
