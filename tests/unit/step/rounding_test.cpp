// Positions that are too coarse for their elements: a step that ends at their rounding has not converged.
#include <gtest/gtest.h>

#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

constexpr double g = 9.81;

// A stiff bar under its weight, held at its left end.
Model heavy_bar(const Vec3d& at, double young = 1e9) {
  Model model = held_block({.young = young, .cells = {10, 2, 2}, .size = {1, 0.2, 0.2}, .hold_right = false});
  for (Vec3d& X : model.X) X += at;
  add_gravity(model, {0, -g, 0});
  return model;
}

bool says_rounding(const StepReport& report) {
  return report.reason && report.reason->cause.starts_with("rounding limits the residual") &&
         report.reason->advice.starts_with("move the scene to the origin");
}

TEST(Rounding, ABarFarFromTheOriginHasNotConverged) {
  for (const char* method : {"newton", "hybrid", "l_bfgs"}) {
    const Model model = heavy_bar({1e8, 0, 0});
    Settings settings = newton_settings();
    settings.options = FieldValues(find_method(method)->fields);
    Motion run(model, settings, method);
    const StepReport report = run.to(1);
    EXPECT_EQ(report.status, StepStatus::stalled) << method;
    EXPECT_GT(report.relative_residual, 0.01) << method;
    EXPECT_TRUE(says_rounding(report)) << method;
  }
}

TEST(Rounding, TheSameBarAtTheOriginConverges) {
  for (const double at : {0.0, 1.0, 1e3}) {
    const Model model = heavy_bar({at, 0, 0});
    Motion run(model, newton_settings());
    const StepReport report = run.to(1);
    EXPECT_EQ(report.status, StepStatus::converged) << at;
    EXPECT_FALSE(says_rounding(report)) << at;
  }
}

// A soft one sags enough for what 1e6 m leave of its digits.
TEST(Rounding, IsJudgedAgainstTheForces) {
  const Model model = heavy_bar({1e6, 0, 0}, 1e5);
  Motion run(model, newton_settings());
  EXPECT_EQ(run.to(1).status, StepStatus::converged);
}

// Splinters that nothing holds are found far below after a step that had no equilibrium; the coordinates of the rest are small.
TEST(Rounding, ASplinterFarAwayIsNoEquilibrium) {
  auto mesh = mesh::make_box({.size = {1, 0.2, 0.2}, .cells = {10, 2, 2}});
  const auto splinter = mesh::make_box({.size = {0.1, 0.1, 0.1}, .cells = {1, 2, 2}});
  ASSERT_TRUE(mesh && splinter);
  const auto first = static_cast<int32_t>(mesh->vertices.size());
  for (const Vec3d& p : splinter->vertices) mesh->vertices.push_back(p + Vec3d{1.5, 0, 0});
  for (const auto& [a, b, c, d] : splinter->elements)
    mesh->elements.push_back({a + first, b + first, c + first, d + first});
  Model model;
  model::add_body(model, "deltoid", element::default_kind(), *mesh, mesh::boundary(*mesh));
  model.params.density.push_back({{1000}});
  add_set(model, 0, *material::find_law("neo_hookean"), 1e8, 0.3);
  hold(model, "left", face_nodes({10, 2, 2}, 0, false));
  add_gravity(model, {0, -g, 0});
  Motion run(model, newton_settings());
  for (size_t i = first; i < model.X.size(); ++i) run.state.x()[i][1] -= 5e9;
  const StepReport report = run.to(1);
  EXPECT_EQ(report.status, StepStatus::stalled);
  EXPECT_GT(report.relative_residual, 1);
  EXPECT_TRUE(says_rounding(report));
}

TEST(Rounding, ABodyAtRestHasConvergedWhereverItIs) {
  Model model = held_block({});
  for (Vec3d& X : model.X) X += Vec3d{3e7, 0, 0};
  Motion run(model, newton_settings());
  EXPECT_EQ(run.to(1).status, StepStatus::converged);
}

}  // namespace
}  // namespace sinew::step
