#include "solve/iteration.h"

#include <gtest/gtest.h>
#include <limits>

#include "unit/solve/stretched_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

struct Loop {
  model::Model model = stretched_bar({.cells = {2, 1, 1}});
  System system{model};
  std::vector<Vec3d> x = model.X;
  Iterate point{system};
  SolveReport report;

  // Whether a loop at this residual goes on.
  bool continues(double residual, const StoppingCriteria& criteria, const Control& control = {},
                 bool feasible = true) {
    report = {};
    point.x = x;
    point.at = {.residual = residual, .relative = residual};
    report.iterations = 5;
    return Iteration(point, criteria, control, report).continues(feasible);
  }
};

TEST(Iteration, EndsForOneReasonAtATime) {
  Loop loop;
  EXPECT_TRUE(loop.continues(1, {.tolerance = 1e-3, .max_iterations = 6}));
  EXPECT_FALSE(loop.continues(1, {.tolerance = 1e-3, .max_iterations = 5}));
  EXPECT_EQ(loop.report.status, SolveStatus::stalled);
  EXPECT_FALSE(loop.continues(1e-3, {.tolerance = 1e-3, .max_iterations = 5}));
  EXPECT_EQ(loop.report.status, SolveStatus::converged);
  EXPECT_TRUE(loop.continues(1e-3, {.tolerance = 1e-3, .max_iterations = 6}, {}, false));
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE(
      loop.continues(1e-4, {.tolerance = 1e-3, .max_iterations = 6}, {.cancel = &cancel, .on_residual = {}}));
  EXPECT_EQ(loop.report.status, SolveStatus::cancelled);
}

TEST(Iteration, DivergenceIsAnInfiniteResidual) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Loop loop;
  for (const double residual : {11.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(loop.continues(residual, {.tolerance = 1e-3, .max_iterations = 6, .max_residual = 10.0}));
    EXPECT_EQ(loop.report.status, SolveStatus::stalled);
    EXPECT_EQ(loop.report.last.residual, infinity);
    EXPECT_TRUE(loop.continues(residual, {.tolerance = 1e-3, .max_iterations = 6}));
  }
}

TEST(Iteration, TellsOfEveryStep) {
  Loop loop;
  std::vector<double> heard;
  const double* coordinates = nullptr;
  const Control control{.on_residual = [&](double relative) { heard.push_back(relative); },
                        .on_iterate = [&](std::span<const double> x) { coordinates = x.data(); }};
  loop.point.start(loop.x, loop.report);
  Iteration iteration(loop.point, {.tolerance = 0, .max_iterations = 10}, control, loop.report);
  loop.point.at.relative = 0.25;
  iteration.accepted();
  EXPECT_EQ(heard, std::vector<double>{0.25});
  EXPECT_EQ(coordinates, loop.x.data()->v);
  ASSERT_EQ(loop.report.residuals.size(), 2u);
  EXPECT_EQ(loop.report.residuals[1], 0.25);
}

TEST(StallCounter, CountsSinceTheResidualFellByATenth) {
  StallCounter stall{1};
  for (const auto& [residual, count] :
       {std::pair{0.95, 1}, {0.92, 2}, {0.82, 0}, {5.0, 1}, {0.74, 2}, {0.6, 0}}) {
    stall.note(residual);
    EXPECT_EQ(stall.count, count) << residual;
  }
  stall.note(7, true);
  EXPECT_EQ(stall.count, 0);
  EXPECT_EQ(stall.best, 0.6);
}

}  // namespace
}  // namespace sinew::solve
