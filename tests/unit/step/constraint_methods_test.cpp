// The methods pbd and xpbd against the figures of a separate program for the bar of unit/solve/lattice_bar.h, and
// against what is known of their bias.
#include <gtest/gtest.h>

#include "solve/system.h"
#include "step/problem.h"
#include "unit/solve/lattice_bar.h"
#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

Settings settings_of(const char* method, Mode mode, int iterations) {
  Settings settings;
  settings.mode = mode;
  settings.tolerance = 1e-12;
  settings.options = FieldValues(find_method(method)->fields);
  settings.options.set("iterations", static_cast<double>(iterations));
  return settings;
}

// Takes one step and hands over every iterate.
template <class F>
StepReport iterate(const char* method, const Model& model, const Settings& settings, double time,
                   model::State& state, F&& visit) {
  const auto stepper = std::move(*find_method(method)->make(model, settings));
  int n = 0;
  Control control;
  control.on_iterate = [&](std::span<const double> coordinates) {
    visit(++n, std::span(reinterpret_cast<const Vec3d*>(coordinates.data()), coordinates.size() / 3));
  };
  return stepper->step(model.inputs, time, state, control);
}

TEST(Xpbd, StagnatesAboveItsStart) {
  const Model model = lattice_bar();
  const double dt = 1.0 / 30;
  Motion exact(model, newton_settings(Mode::dynamic, 1e-9));
  for (int n = 1; n <= 6; ++n) ASSERT_EQ(exact.to(n * dt).status, StepStatus::converged);

  solve::System system(model);
  const Settings settings = settings_of("xpbd", Mode::dynamic, 300);
  StepProblem problem(model, settings);
  Positions x;
  problem.begin(system, model.inputs, 7 * dt, exact.state, true, x);
  system.dofs().retract(x);
  std::vector<Vec3d> g(x.size());
  std::vector<double> residual = {system.evaluate(x, g).residual};
  const StepReport report =
      iterate("xpbd", model, settings, 7 * dt, exact.state,
              [&](int, std::span<const Vec3d> y) { residual.push_back(system.evaluate(y, g).residual); });
  EXPECT_EQ(report.status, StepStatus::stalled);
  EXPECT_TRUE(report.taken());
  const struct {
    int iteration;
    double residual;
  } reference[] = {{0, 3.90}, {10, 7.5}, {50, 4.29}, {100, 4.29}, {200, 4.29}};
  for (const auto& [iteration, expected] : reference) {
    std::printf("R2 %d %g (%g)\n", iteration, residual[iteration], expected);
    EXPECT_NEAR(residual[iteration], expected, 0.2 * expected) << "iteration " << iteration;
  }
  EXPECT_NEAR(residual[200] / residual[100], 1, 0.01);
}

TEST(Pbd, ForgetsTheLoad) {
  const Model model = lattice_bar();
  Motion start(model, newton_settings());
  std::vector<double> sag = {0};
  const auto tip = face_nodes({8, 4, 4}, 0, true);
  const StepReport report = iterate("pbd", model, settings_of("pbd", Mode::quasistatic, 2000), 1, start.state,
                                    [&](int, std::span<const Vec3d> x) {
                                      double sum = 0;
                                      for (int32_t node : tip) sum += x[node][1] - model.X[node][1];
                                      sag.push_back(sum / static_cast<double>(tip.size()));
                                    });
  EXPECT_TRUE(report.taken());
  ASSERT_GT(sag.size(), 201u);
  std::printf("R3 %g %g %g (%zu)\n", sag[10], sag[200], sag.back(), sag.size());
  EXPECT_NEAR(sag[10], -0.0120, 0.2 * 0.0120);
  EXPECT_NEAR(sag[200], -0.0058, 0.2 * 0.0058);
  EXPECT_NEAR(sag.back(), 0, 5e-5);
  for (size_t n = 51; n < sag.size(); ++n)
    ASSERT_LE(std::abs(sag[n]), std::abs(sag[n - 1]) + 1e-12) << "iteration " << n;
}

// Two blocks, the upper one held at its top, the lower one hung from it by stiff springs.
Model hung_blocks() {
  Model model;
  const std::array<int32_t, 3> cells = {4, 4, 4};
  add_lattice(model, cells, {0, 0.5, 0}, "corotated");
  add_lattice(model, cells, {0, 0, 0}, "corotated");
  hold(model, "top", face_nodes(cells, 1, true));
  add_gravity(model, {0, -9.8, 0});
  const int32_t lower = model.bodies[1].nodes.begin;
  const auto under = face_nodes(cells, 1, false), above = face_nodes(cells, 1, true);
  for (size_t i = 0; i < under.size(); ++i)
    add_link(model, model::Site::at_node(under[i]), model::Site::at_node(lower + above[i]), 1e8, 1e8);
  return model;
}

double gap(const Model& model, std::span<const Vec3d> x) {
  double largest = 0;
  for (const auto& link : model.links)
    largest = std::max(largest, norm(position(link.a, x, {}) - position(link.b, x, {})));
  return largest;
}

TEST(Xpbd, DependsOnTheOrderOfConstraints) {
  const Model model = hung_blocks();
  std::vector<std::vector<Vec3d>> reached;
  for (const char* order : {"elastic_first", "links_first"}) {
    Settings settings = settings_of("xpbd", Mode::quasistatic, 1000);
    settings.options.set("order", std::string(order));
    Motion start(model, newton_settings());
    ASSERT_TRUE(iterate("xpbd", model, settings, 1, start.state, [](auto...) {}).taken());
    reached.emplace_back(start.state.x().begin(), start.state.x().end());
    std::printf("S11 %s gap %g\n", order, gap(model, reached.back()));
  }
  EXPECT_GT(distance(reached[0], reached[1]), 1e-4);
  EXPECT_LT(gap(model, reached[0]), 0.1 * gap(model, reached[1]));
}

TEST(Xpbd, FreeFallIsExact) {
  Model model;
  add_lattice(model, {2, 2, 2}, {0, 0, 0}, "corotated");
  add_gravity(model, {0, 0, -10});
  const auto stepper = std::move(*find_method("xpbd")->make(model, settings_of("xpbd", Mode::dynamic, 20)));
  model::StateLayout layout;
  stepper->declare(layout);
  model::State state = model.make_state(layout);
  const double h = 0.01;
  for (int n = 1; n <= 5; ++n) ASSERT_TRUE(stepper->step(model.inputs, n * h, state, {}).taken());
  for (size_t i = 0; i < model.X.size(); ++i)
    EXPECT_LT(norm(state.x()[i] - model.X[i] - Vec3d{0, 0, -10 * h * h * 15}), 1e-9);
}

TEST(ConstraintMethods, SayWhatTheyLack) {
  Model model = lattice_bar();
  model.bodies[0].stiffness_damping = 0.1;
  model.params.density[0].values = {0};
  Settings settings = settings_of("xpbd", Mode::dynamic, 10);
  settings.integrator = Integrator::bdf2;
  EXPECT_EQ(find_method("xpbd")->lacks(model, settings).size(), 3u);
  EXPECT_EQ(find_method("pbd")->lacks(model, settings).size(), 3u);
  EXPECT_TRUE(find_method("pbd")->lacks(lattice_bar(), settings_of("pbd", Mode::quasistatic, 10)).empty());
}

}  // namespace
}  // namespace sinew::step
