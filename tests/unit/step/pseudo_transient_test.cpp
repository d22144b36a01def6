#include "step/pseudo_transient.h"

#include <gtest/gtest.h>

#include "solve/newton.h"
#include "unit/solve/held_block.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;

// From nodes anywhere the flow ends where the energy is least: at rest, between ends that are where they were.
TEST(PseudoTransient, ComesToRestFromATangledStart) {
  for (const char* law : {"stable_neo_hookean", "corotated"}) {
    const model::Model model = held_block({.law = law, .poisson = 0.4});
    solve::System system(model);
    solve::Newton newton(system, {});
    NonlinearLoop nonlinear(model);
    std::vector<Vec3d> x = model.X;
    scatter(system.dofs(), 1, x);
    StepReport report;
    const solve::SolveReport last = follow_gradient_flow(system, newton, nonlinear, x, 1e-9, {}, report);
    EXPECT_EQ(last.status, solve::SolveStatus::converged) << law;
    EXPECT_LT(distance(x, model.X), 1e-6) << law;
    EXPECT_GT(report.iterations, last.iterations) << law;  // steps on the way
    EXPECT_TRUE(system.inertia_weight().empty()) << law;
  }
}

}  // namespace
}  // namespace sinew::step
