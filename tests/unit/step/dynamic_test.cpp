#include <gtest/gtest.h>
#include <numbers>

#include "unit/plates.h"
#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

Settings dynamic_settings(Integrator integrator, double tolerance = 1e-9) {
  Settings settings = newton_settings(Mode::dynamic, tolerance);
  settings.integrator = integrator;
  return settings;
}

// One tet with its base held: the tip is a mass on a linear spring of stiffness `spring(model)`.
Model oscillator(const char* law, double alpha = 0, double beta = 0) {
  Model model;
  model.X = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  model.elements = element::Connectivity(std::vector<model::Tet>{{0, 1, 2, 3}});
  model.bodies.push_back({.name = "tet",
                          .nodes = {0, 4},
                          .elements = {0, 1},
                          .surface = {},
                          .mass_damping = alpha,
                          .stiffness_damping = beta});
  model.params.density.push_back({{1000}});
  add_set(model, 0, *material::find_law(law), 6e4, 0);
  hold(model, "base", {0, 1, 2});
  return model;
}
// Poisson's ratio 0: the tip feels E V / h^2 = E / 6 along z, and a quarter of the mass moves.
constexpr double spring = 6e4 / 6, tip_mass = 1000.0 / 6 / 4;
const double omega = std::sqrt(spring / tip_mass);

struct Rayleigh {
  const char* name;
  double alpha, beta;
};
class Damping : public testing::TestWithParam<Rayleigh> {};

// u'' + (alpha + beta omega^2) u' + omega^2 u = 0.
TEST_P(Damping, DecaysAtThePredictedRate) {
  const Model model = oscillator("linear", GetParam().alpha, GetParam().beta);
  Motion run(model, dynamic_settings(Integrator::bdf2, 1e-11));
  const double u0 = 0.1, rate = (GetParam().alpha + GetParam().beta * omega * omega) / 2;
  const double frequency = std::sqrt(omega * omega - rate * rate), period = 2 * std::numbers::pi / frequency;
  run.state.x()[3][2] += u0;
  const int steps = 1600;
  double error = 0;
  for (int k = 1; k <= 2 * steps; ++k) {  // two periods
    const double t = period * k / steps;
    ASSERT_EQ(run.to(t).status, StepStatus::converged);
    const double exact =
        u0 * std::exp(-rate * t) * (std::cos(frequency * t) + rate / frequency * std::sin(frequency * t));
    error = std::max(error, std::abs(run.state.x()[3][2] - 1 - exact));
  }
  EXPECT_LT(error, 2e-3 * u0);
}
INSTANTIATE_TEST_SUITE_P(Rates, Damping,
                         testing::Values(Rayleigh{"none", 0, 0}, Rayleigh{"mass", 3, 0},
                                         Rayleigh{"stiffness", 0, 0.02}, Rayleigh{"both", 2, 0.01}),
                         [](const auto& info) { return info.param.name; });

// A soft neo-Hookean beam let go in gravity: its tip sinks by a tenth of its length.
Model beam() {
  Model model = held_block({.young = 2e5, .cells = {3, 1, 1}, .size = {3, 1, 1}, .hold_right = false});
  add_gravity(model, {0, 0, -9.81});
  model.bodies[0].stiffness_damping = 0.002;
  return model;
}

std::vector<Vec3d> beam_after(Integrator integrator, int steps) {
  const Model model = beam();
  Motion run(model, dynamic_settings(integrator, 1e-10));
  const double end = 0.2;
  for (int k = 1; k <= steps; ++k) EXPECT_EQ(run.to(end * k / steps).status, StepStatus::converged);
  return {run.state.x().begin(), run.state.x().end()};
}

class Order : public testing::TestWithParam<std::tuple<Integrator, double>> {};

TEST_P(Order, OfConvergence) {
  const auto [integrator, order] = GetParam();
  const std::vector<Vec3d> reference = beam_after(Integrator::bdf2, 1280);
  ASSERT_GT(distance(reference, beam().X), 0.1);
  std::vector<double> error;
  for (int steps : {40, 80, 160}) error.push_back(distance(beam_after(integrator, steps), reference));
  for (size_t k = 0; k + 1 < error.size(); ++k)
    EXPECT_NEAR(std::log2(error[k] / error[k + 1]), order, 0.25) << error[k] << " " << error[k + 1];
}
INSTANTIATE_TEST_SUITE_P(Integrators, Order,
                         testing::Values(std::tuple{Integrator::backward_euler, 1.0},
                                         std::tuple{Integrator::bdf2, 2.0}),
                         [](const auto& info) {
                           return std::get<1>(info.param) == 1 ? "backward_euler" : "bdf2";
                         });

// One step of backward Euler on the oscillator, by hand.
TEST(BackwardEuler, OneStepByHand) {
  const Model model = oscillator("linear", 3, 0.01);
  Motion run(model, dynamic_settings(Integrator::backward_euler, 1e-12));
  const double u0 = 0.1, v0 = -2, h = 0.02, damping = 3 + 0.01 * omega * omega;
  run.state.x()[3][2] += u0;
  run.state.v()[3][2] = v0;
  ASSERT_EQ(run.to(h).status, StepStatus::converged);
  // (v - v0) / h + damping v + omega^2 (u0 + h v) = 0
  const double v = (v0 - h * omega * omega * u0) / (1 + h * damping + h * h * omega * omega);
  EXPECT_NEAR(run.state.v()[3][2], v, 1e-8);
  EXPECT_NEAR(run.state.x()[3][2], 1 + u0 + h * v, 1e-10);
}

// Free fall needs no elasticity: backward Euler gives x = g h^2 n (n + 1) / 2.
TEST(BackwardEuler, FreeFallByHand) {
  Model model = block("stable_neo_hookean", {.jitter = 0});
  add_gravity(model, {0, 0, -10});
  Motion run(model, dynamic_settings(Integrator::backward_euler, 1e-10));
  const double h = 0.01;
  for (int n = 1; n <= 10; ++n) {
    ASSERT_EQ(run.to(n * h).status, StepStatus::converged);
    for (size_t i = 0; i < model.X.size(); ++i) {
      EXPECT_NEAR(run.state.x()[i][2] - model.X[i][2], -10 * h * h * n * (n + 1) / 2, 1e-10);
      EXPECT_NEAR(run.state.v()[i][2], -10 * h * n, 1e-9);
    }
  }
}

// The same of sheets, without an iteration: the turns of edges have no weight, and rounding is no force, not even where two vertices are
// 1e-5 m from each other.
TEST(BackwardEuler, SheetsFallByHand) {
  for (const bool sliver : {false, true}) {
    const PlateOptions options = {.jitter = 0, .young = 1e5};
    mesh::TriMesh mesh = plate_mesh(options);
    if (sliver) mesh.vertices[6] = mesh.vertices[7] - Vec3d{1e-5, 0, 0};
    for (Vec3d& X : mesh.vertices) X = bowl(X) + Vec3d{1, 2, 3};
    Model model;
    add_plate(model, mesh, options);
    const Vec3d g = {3, -9, 1};
    add_gravity(model, g);
    Motion run(model, dynamic_settings(Integrator::backward_euler, 1e-6));
    const double h = 0.02;
    for (int n = 1; n <= 5; ++n) {
      const StepReport report = run.to(n * h);
      EXPECT_EQ(report.status, StepStatus::converged);
      EXPECT_EQ(report.iterations, 0) << "step " << n;
      for (size_t i = 0; i < model.X.size(); ++i)
        EXPECT_LT(norm(run.state.x()[i] - model.X[i] -
                       (is_hidden(model, i) ? Vec3d::zero() : g * (h * h * n * (n + 1) / 2))),
                  1e-12);
    }
  }
}

class Absurd : public testing::TestWithParam<std::tuple<Integrator, double>> {};

TEST_P(Absurd, StepsLeaveTheStateFinite) {
  const auto [integrator, dt] = GetParam();
  for (const char* law : {"neo_hookean", "stable_neo_hookean", "corotated"}) {
    Model model = held_block({.law = law, .poisson = 0.45, .cells = {3, 2, 2}, .hold_right = false});
    add_gravity(model, {0, 0, -9.81});
    Settings settings = dynamic_settings(integrator, 1e-6);
    settings.options.set("iterations", 50.0);
    Motion run(model, settings);
    for (size_t i = 0; i < model.X.size(); ++i) run.state.v()[i] = random_vector(math::Random(2), i) * 50.0;
    for (int k = 1; k <= 3; ++k) {
      const StepReport report = run.to(k * dt);
      EXPECT_TRUE(run.state.finite()) << law << " step " << k;
      EXPECT_TRUE(report.taken()) << law;
      EXPECT_EQ(run.state.time(), k * dt);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Steps, Absurd,
                         testing::Combine(testing::Values(Integrator::backward_euler, Integrator::bdf2),
                                          testing::Values(1e-9, 0.1, 10.0, 1e4)));

TEST(Splitting, IsNotedAndConverges) {
  Model model = held_block({.poisson = 0.45, .cells = {3, 2, 2}, .hold_right = false});
  Settings settings = dynamic_settings(Integrator::backward_euler, 1e-8);
  settings.options.set("iterations", 6.0);  // too few for so large a step
  Motion run(model, settings);
  for (size_t i = 0; i < model.X.size(); ++i) run.state.v()[i] = random_vector(math::Random(2), i) * 20.0;
  const StepReport report = run.to(0.05);
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_GT(report.increments, 1);
  EXPECT_FALSE(report.notes.empty());
  EXPECT_EQ(run.state.time(), 0.05);
  EXPECT_EQ(run.state.step(), 1);
}

// Of a body that grows at the rate s everywhere the velocity gradient is s, however fast the whole of it moves.
TEST(AutoSteps, AreAsManyAsTheMotionAsksFor) {
  Model model = held_block({.poisson = 0.3, .cells = {3, 2, 2}, .hold_right = false});
  model.attachments.clear();  // free
  constexpr double dt = 0.05;
  struct Case {
    double rate;
    int steps;
  };
  for (const Case& each : {Case{0, 1}, Case{9, 1}, Case{11, 2}, Case{28, 3}, Case{1e4, 16}}) {
    Settings settings = dynamic_settings(Integrator::backward_euler, 1e-8);
    Motion by_hand(model, settings);
    settings.auto_steps = true;
    Motion run(model, settings);
    for (Motion* motion : {&run, &by_hand})
      for (size_t i = 0; i < model.X.size(); ++i)
        motion->state.v()[i] = model.X[i] * each.rate + Vec3d{500, 0, 0};
    const StepReport report = run.to(dt);
    ASSERT_TRUE(report.taken());
    EXPECT_EQ(run.state.time(), dt);
    EXPECT_EQ(run.state.step(), 1);
    if (each.rate > 1e3) {
      EXPECT_GE(report.increments, each.steps);
      continue;
    }
    ASSERT_EQ(report.increments, each.steps) << each.rate;
    for (int k = 1; k <= each.steps; ++k) by_hand.to(k == each.steps ? dt : dt * k / each.steps);
    for (size_t i = 0; i < model.X.size(); ++i) EXPECT_EQ(norm(run.state.x()[i] - by_hand.state.x()[i]), 0);
  }
}

class CancelDynamic : public testing::TestWithParam<Integrator> {};

TEST_P(CancelDynamic, LeavesEveryBitOfTheState) {
  const Model model = beam();
  Motion run(model, dynamic_settings(GetParam()));
  for (int k = 1; k <= 3; ++k) ASSERT_TRUE(run.to(0.02 * k).taken());
  const uint64_t before = run.state.hash();
  Cancel cancel;
  const StepReport report =
      run.to(0.08, {.cancel = &cancel, .on_residual = [&](double) { cancel.request(); }});
  EXPECT_EQ(report.status, StepStatus::cancelled);
  EXPECT_EQ(run.state.hash(), before);
  EXPECT_TRUE(run.to(0.08).taken());
  EXPECT_EQ(run.state.step(), 4);
}
INSTANTIATE_TEST_SUITE_P(Integrators, CancelDynamic,
                         testing::Values(Integrator::backward_euler, Integrator::bdf2));

// A run stopped after any step and gone on with a new stepper has the bits of one that was not.
TEST(Dynamic, StateIsAllThatAStepNeeds) {
  const Model model = beam();
  for (const Integrator integrator : {Integrator::backward_euler, Integrator::bdf2}) {
    Motion whole(model, dynamic_settings(integrator)), first(model, dynamic_settings(integrator));
    for (int k = 1; k <= 6; ++k) whole.to(0.02 * k);
    for (int k = 1; k <= 3; ++k) first.to(0.02 * k);
    Motion second(model, dynamic_settings(integrator));
    second.state = first.state;
    for (int k = 4; k <= 6; ++k) second.to(0.02 * k);
    EXPECT_EQ(whole.state.hash(), second.state.hash());
  }
}

}  // namespace
}  // namespace sinew::step
