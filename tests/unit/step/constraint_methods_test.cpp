// The methods pbd and xpbd on the bar of unit/solve/lattice_bar.h, against plain loops over its tets and the figures that
// an independent program found for it.
#include <gtest/gtest.h>
#include <numeric>

#include "solve/element_constraints.h"
#include "step/time_step.h"
#include "unit/solve/lattice_bar.h"
#include "unit/solve/scalar_constraints.h"
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

std::vector<double> mobilities(const solve::System& system, std::span<const double> weight) {
  std::vector<double> mobility;
  for (size_t i = 0; i < weight.size(); ++i)
    mobility.push_back(system.dofs().block_of_node()[i] < 0 ? 0 : 1 / weight[i]);
  return mobility;
}

// The tets as they stand, and colour by colour as the sweeps take them.
std::vector<int32_t> element_order(const Model& model) {
  std::vector<int32_t> order(model.elements.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}
std::vector<int32_t> colour_order(const solve::System& system) {
  const solve::ElementConstraints<element::Tet4> constraints(system, 0, false);
  std::vector<int32_t> order;
  for (int c = 0; c < constraints.colour_count(); ++c)
    for (int32_t t : constraints.elements_of(c)) order.push_back(t);
  return order;
}

// One value for each iteration, from 0 on: by the method, and by plain loops in two orders of the tets.
struct Histories {
  std::vector<double> method, colours, elements;
};

struct Expected {
  size_t iteration;
  double value;
};

// The figures hold for plain loops in the order of the tets. Colours come in another order, which converges or
// stagnates alike, at `other`.
void expect_history(const Histories& found, std::span<const Expected> figures,
                    std::span<const Expected> other) {
  for (size_t n = 0; n < std::min<size_t>(found.method.size(), 60); ++n)
    ASSERT_NEAR(found.method[n], found.colours[n], 1e-6 * std::abs(found.colours[n])) << "iteration " << n;
  for (const auto& [n, value] : figures)
    EXPECT_NEAR(found.elements[n], value, 0.02 * std::abs(value)) << "iteration " << n;
  for (const auto& [n, value] : other)
    EXPECT_NEAR(found.method[n], value, 0.2 * std::abs(value)) << "iteration " << n;
}

TEST(Xpbd, StagnatesAboveItsStart) {
  const Model model = lattice_bar();
  const double dt = 1.0 / 30;
  Motion exact(model, newton_settings(Mode::dynamic, 1e-9));
  for (int n = 1; n <= 6; ++n) ASSERT_EQ(exact.to(n * dt).status, StepStatus::converged);

  solve::System system(model);
  const Settings settings = settings_of("xpbd", Mode::dynamic, 300);
  TimeStep step(model, settings);
  Positions start;
  step.begin(system, model.inputs, 7 * dt, exact.state, start);
  system.dofs().retract(start);
  const auto residual = [&](std::span<const Vec3d> x) {
    std::vector<Vec3d> g(x.size());
    return system.evaluate(x, g).residual;
  };
  const auto plain = [&](const std::vector<int32_t>& order) {
    Positions x = start;
    ScalarConstraints loops(model, mobilities(system, system.inertia_weight()), false);
    std::vector<double> history = {residual(x)};
    for (int n = 0; n < 100; ++n) {
      loops.sweep(x, order);
      history.push_back(residual(x));
    }
    return history;
  };
  Histories found{{residual(start)}, plain(colour_order(system)), plain(element_order(model))};
  const StepReport report =
      iterate("xpbd", model, settings, 7 * dt, exact.state,
              [&](int, std::span<const Vec3d> x) { found.method.push_back(residual(x)); });
  EXPECT_EQ(report.status, StepStatus::stalled);
  EXPECT_TRUE(report.taken());
  constexpr Expected figures[] = {{0, 3.90}, {10, 7.5}, {50, 4.29}, {100, 4.29}};
  constexpr Expected other[] = {{0, 3.90}, {10, 7.5}, {50, 4.29}, {100, 4.29}, {200, 4.29}};
  expect_history(found, figures, other);
  EXPECT_NEAR(found.method[200] / found.method[100], 1, 0.01);
}

TEST(Pbd, ForgetsTheLoad) {
  const Model model = lattice_bar();
  const solve::System system(model);
  const auto tip = face_nodes({8, 4, 4}, 0, true);
  const auto sag = [&](std::span<const Vec3d> x) {
    double sum = 0;
    for (int32_t node : tip) sum += x[node][1] - model.X[node][1];
    return sum / static_cast<double>(tip.size());
  };
  const auto plain = [&](const std::vector<int32_t>& order, int sweeps) {
    Positions x = model.X;
    for (Vec3d& p : x) p[1] -= 9.8 / 900;
    system.dofs().retract(x);
    ScalarConstraints loops(model, mobilities(system, model.lumped_mass(model.params)), true);
    std::vector<double> history = {sag(x)};
    for (int n = 0; n < sweeps; ++n) {
      loops.sweep(x, order);
      history.push_back(sag(x));
    }
    return history;
  };
  Histories found{{-9.8 / 900}, plain(colour_order(system), 60), plain(element_order(model), 2000)};
  Motion run(model, newton_settings());
  const StepReport report = iterate("pbd", model, settings_of("pbd", Mode::quasistatic, 2000), 1, run.state,
                                    [&](int, std::span<const Vec3d> x) { found.method.push_back(sag(x)); });
  EXPECT_TRUE(report.taken());
  ASSERT_GT(found.method.size(), 1000u);
  constexpr Expected figures[] = {{10, -0.0120}, {200, -0.0058}};
  constexpr Expected other[] = {{10, -0.0120}, {200, -0.0040}};
  expect_history(found, figures, other);
  for (const auto& history : {found.method, found.elements}) EXPECT_NEAR(history.back(), 0, 5e-5);
  for (size_t n = 51; n < found.method.size(); ++n)
    ASSERT_LE(std::abs(found.method[n]), std::abs(found.method[n - 1]) + 1e-8) << "iteration " << n;
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
