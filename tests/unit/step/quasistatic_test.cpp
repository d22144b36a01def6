#include <gtest/gtest.h>
#include <numbers>

#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;
using model::PoseKey;

constexpr double pi = std::numbers::pi;

// The right face of a bar of length `length` turned about its axis.
PoseKey turned(double time, double angle, double length, double pull = 0) {
  return {.time = time,
          .translate = {pull, 0, 0},
          .axis = {1, 0, 0},
          .angle = angle,
          .about = {length, 0.5, 0.5}};
}

Model bar(std::vector<PoseKey> right, double poisson = 0.45, const char* law = "neo_hookean") {
  return held_block(
      {.law = law, .poisson = poisson, .cells = {9, 3, 3}, .size = {3, 1, 1}, .right = std::move(right)});
}

TEST(Quasistatic, RestStaysRest) {
  const Model model = bar({{}});
  Motion run(model, newton_settings());
  const StepReport report = run.to(1);
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.increments, 1);
  EXPECT_EQ(distance(run.state.x(), model.X), 0);
  EXPECT_FALSE(report.linear_solver.empty());
}

TEST(Quasistatic, OneStepAndFortyAgree) {
  const Model model = bar({{.time = 0}, {.time = 1, .translate = {3, 0, 0}}});
  Motion once(model, newton_settings(Mode::quasistatic, 1e-8)),
      often = Motion(model, newton_settings(Mode::quasistatic, 1e-8));
  EXPECT_EQ(once.to(1).status, StepStatus::converged);
  for (int k = 1; k <= 40; ++k) ASSERT_EQ(often.to(k / 40.0).status, StepStatus::converged) << k;
  EXPECT_LT(distance(once.state.x(), often.state.x()), 1e-5);
  EXPECT_EQ(often.state.step(), 40);
}

TEST(Quasistatic, AFullTurnAndBackIsRest) {
  const Model model = bar({turned(0, 0, 3), turned(1, 2 * pi, 3), turned(2, 0, 3)});
  Motion run(model, newton_settings());
  double most = 0;
  for (int k = 1; k <= 80; ++k) {
    const StepReport report = run.to(k / 40.0);
    ASSERT_EQ(report.status, StepStatus::converged) << "step " << k;
    ASSERT_EQ(report.inverted, 0) << "step " << k;
    if (k == 40) most = distance(run.state.x(), model.X);
  }
  EXPECT_GT(most, 0.1);  // wound up half way
  EXPECT_LT(distance(run.state.x(), model.X), 1e-4);
}

// The boundary after a full turn is that of rest: a single step has nothing to do.
TEST(Quasistatic, AFullTurnInOneStepIsRest) {
  const Model model = bar({turned(0, 0, 3), turned(1, 2 * pi, 3)});
  Motion run(model, newton_settings());
  const StepReport report = run.to(1);
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_EQ(report.increments, 1);
  EXPECT_LT(distance(run.state.x(), model.X), 1e-8);
}

TEST(Quasistatic, IncrementsHalveAndGrowBack) {
  const Model model = bar({turned(0, 0, 3), turned(1, pi, 3), turned(9, pi, 3)});
  Motion run(model, newton_settings());
  const StepReport turn = run.to(1);
  EXPECT_EQ(turn.status, StepStatus::converged);
  EXPECT_EQ(turn.inverted, 0);
  EXPECT_GT(turn.increments, 1);
  // A resting boundary: every step doubles the increment.
  for (int k = 2; k <= 8; ++k) EXPECT_EQ(run.to(k).status, StepStatus::converged);
  EXPECT_EQ(run.state.increment(), 1);
  EXPECT_EQ(run.to(9).increments, 1);

  // The same way in many steps.
  Motion slow(model, newton_settings());
  for (int k = 1; k <= 20; ++k) ASSERT_EQ(slow.to(k / 20.0).status, StepStatus::converged);
  EXPECT_LT(distance(run.state.x(), slow.state.x()), 1e-3);
}

TEST(Quasistatic, AWarmStartIsCheaper) {
  const Model model = bar({turned(0, 0, 3), turned(1, 1.5, 3, 0.5)});
  Motion run(model, newton_settings());
  const int cold = run.to(0.9).iterations, warm = run.to(0.91).iterations;
  EXPECT_LT(warm, cold);
}

// The force on the wall is the weight of the block.
TEST(Quasistatic, TheWallCarriesTheWeight) {
  Model model = held_block({.poisson = 0.4, .cells = {4, 2, 2}, .hold_right = false});
  add_gravity(model, {0, 0, -9.81});
  Motion run(model, newton_settings(Mode::quasistatic, 1e-9));
  ASSERT_EQ(run.to(1).status, StepStatus::converged);
  solve::System system(model);
  std::vector<Vec3d> g(model.X.size());
  system.evaluate(run.state.x(), g);
  Vec3d wall{0, 0, 0};
  for (int32_t i : model.attachments[0].nodes) wall += g[i];
  EXPECT_NEAR(wall[2], 2 * 1000 * 9.81, 2e-3);  // 2 m^3 of 1000 kg/m^3
  EXPECT_NEAR(wall[0], 0, 2e-3);
  EXPECT_NEAR(wall[1], 0, 2e-3);
}

// Small loads on a block of one law and on the linear law: the same mesh, so the same deflection.
TEST(Quasistatic, SmallDeflectionsAreLinear) {
  double deflection[2];
  for (int k = 0; k < 2; ++k) {
    Model model = held_block(
        {.law = k ? "linear" : "neo_hookean", .cells = {8, 2, 2}, .size = {4, 1, 1}, .hold_right = false});
    add_gravity(model, {0, 0, -1e-3});
    Motion run(model, newton_settings(Mode::quasistatic, 1e-9));
    ASSERT_EQ(run.to(1).status, StepStatus::converged);
    deflection[k] = run.state.x()[8][2] - model.X[8][2];
  }
  EXPECT_LT(deflection[1], -1e-7);
  EXPECT_NEAR(deflection[0], deflection[1], 0.01 * std::abs(deflection[1]));
}

// One cube pulled along x, free to contract: neo-Hookean stress at the stretches that leave its sides free,
// psi = mu/2 (I1 - 3) - mu log J + lambda/2 log^2 J.
TEST(Quasistatic, ACubeInTensionFollowsTheClosedForm) {
  const double E = 1e5, nu = 0.3, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  for (const double a : {0.6, 1.5, 2.0}) {
    Model model;
    add_set(model, add_block(model, {.cells = {1, 1, 1}, .size = {1, 1, 1}, .jitter = 0}),
            *material::find_law("neo_hookean"), E, nu);
    for (int axis = 0; axis < 3; ++axis)
      hold(model, "low" + std::to_string(axis), face_nodes({1, 1, 1}, axis, false), {{}}, model::Hold::plane,
           Vec3d::unit(axis));
    hold(model, "pull", face_nodes({1, 1, 1}, 0, true),
         {{.time = 0}, {.time = 1, .translate = {a - 1, 0, 0}}}, model::Hold::plane, {1, 0, 0});
    Motion run(model, newton_settings(Mode::quasistatic, 1e-11));
    ASSERT_EQ(run.to(1).status, StepStatus::converged);
    // Sides: mu (b - 1/b) + lambda log(a b^2) / b = 0, by bisection.
    double low = 0.1, high = 3;
    for (int k = 0; k < 100; ++k) {
      const double b = (low + high) / 2;
      (mu * (b - 1 / b) + lambda * std::log(a * b * b) / b > 0 ? high : low) = b;
    }
    const Vec3d corner = run.state.x()[7];
    EXPECT_NEAR(corner[0], a, 1e-9);
    EXPECT_NEAR(corner[1], low, 1e-7);
    EXPECT_NEAR(corner[2], low, 1e-7);
    std::vector<Vec3d> g(model.X.size());
    solve::System system(model);
    system.evaluate(run.state.x(), g);
    double force = 0;
    for (int32_t i : model.attachments[3].nodes) force += g[i][0];
    EXPECT_NEAR(force, mu * (a - 1 / a) + lambda * std::log(a * low * low) / a, 1e-6 * E);
  }
}

// A held face moved beyond the block: nothing can be done, and it is said.
TEST(Quasistatic, AnImpossibleMotionIsReportedAndFinite) {
  const Model model = held_block({.law = "stable_neo_hookean",
                                  .poisson = 0.45,
                                  .cells = {3, 2, 2},
                                  .right = {{.time = 0}, {.time = 1, .translate = {-5, 0, 0}}}});
  Settings settings = newton_settings();
  settings.options.set("iterations", 30.0);
  Motion run(model, settings);
  const StepReport report = run.to(1);
  EXPECT_TRUE(run.state.finite());
  EXPECT_EQ(run.state.time(), 1);
  EXPECT_TRUE(report.inverted > 0 || report.status == StepStatus::stalled);
  EXPECT_EQ(report.reason.has_value(), report.status == StepStatus::stalled);
  EXPECT_FALSE(report.notes.empty());
}

// A steady motion is continued from the last two equilibria; a state that has forgotten them needs more iterations
// for the same answer.
TEST(Quasistatic, ContinuesASteadyMotion) {
  const Model model = bar({turned(0, 0, 3), turned(1, 1.2, 3, 1)});
  Motion steady(model, newton_settings(Mode::quasistatic, 1e-8)),
      forgetful(model, newton_settings(Mode::quasistatic, 1e-8));
  int iterations[2] = {0, 0};
  for (int k = 1; k <= 10; ++k) {
    iterations[0] += steady.to(k / 10.0).iterations;
    forgetful.state.numbers("time_before")[0] = forgetful.state.time();
    iterations[1] += forgetful.to(k / 10.0).iterations;
  }
  EXPECT_LT(iterations[0], iterations[1]);
  EXPECT_LT(distance(steady.state.x(), forgetful.state.x()), 1e-6);
}

// A run stopped after any step and gone on with a new stepper has the bits of one that was not.
TEST(Quasistatic, StateIsAllThatAStepNeeds) {
  const Model model = bar({turned(0, 0, 3), turned(1, 2, 3, 1)});
  Motion whole(model, newton_settings()), first(model, newton_settings()), second(model, newton_settings());
  for (int k = 1; k <= 6; ++k) whole.to(k / 6.0);
  for (int k = 1; k <= 3; ++k) first.to(k / 6.0);
  second.state = first.state;
  for (int k = 4; k <= 6; ++k) second.to(k / 6.0);
  EXPECT_EQ(whole.state.hash(), second.state.hash());
}

class CancelAfter : public testing::TestWithParam<int> {};

TEST_P(CancelAfter, LeavesEveryBitOfTheState) {
  const Model model = bar({turned(0, 0, 3), turned(1, pi, 3)});
  for (const bool tangled : {false, true}) {
    Motion run(model, newton_settings());
    if (tangled) scatter(model::DofMap(model), 1, run.state.x());
    const uint64_t before = run.state.hash();
    Cancel cancel;
    int heard = 0;
    const StepReport report = run.to(1, {.cancel = &cancel, .on_residual = [&](double) {
                                           if (++heard >= GetParam()) cancel.request();
                                         }});
    EXPECT_EQ(report.status, StepStatus::cancelled);
    EXPECT_FALSE(report.taken());
    EXPECT_EQ(run.state.hash(), before);
    // The same stepper goes on as if nothing had been.
    if (!tangled) {
      EXPECT_EQ(run.to(0.1).status, StepStatus::converged);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Iterations, CancelAfter, testing::Values(1, 5, 12));

TEST(Method, IsFoundByName) {
  const Method* newton = find_method("newton");
  ASSERT_NE(newton, nullptr);
  EXPECT_EQ(find_method("no such method"), nullptr);
  EXPECT_TRUE(std::is_sorted(methods().begin(), methods().end(),
                             [](const Method* a, const Method* b) { return a->name < b->name; }));
  EXPECT_EQ(std::string(name_of(StepStatus::stalled)), "stalled");
}

TEST(Method, SaysWhatItLacks) {
  const Method limited = {.name = "limited",
                          .title = "",
                          .doc = "",
                          .fields = {},
                          .lacks =
                              [](const Model&, const Settings&) {
                                return std::vector<std::string>{"pressure", "dynamics"};
                              },
                          .create = nullptr};
  const Model model = bar({{}});
  const auto stepper = limited.make(model, {});
  ASSERT_FALSE(stepper);
  EXPECT_EQ(stepper.error().kind, ErrorKind::usage);
  EXPECT_NE(stepper.error().what.find("lacks pressure, dynamics"), std::string::npos);
}

}  // namespace
}  // namespace sinew::step
