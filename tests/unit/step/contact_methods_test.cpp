// Every method against Coulomb's law, balances, and each other, where blocks meet a floor and other blocks.
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "unit/solve/held_block.h"
#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

constexpr std::array<int32_t, 3> cells = {2, 2, 2};

struct Contact {
  double friction = 0;
  double stiffness = 0;  // [N/m]; 0: automatic
};

void add_block_at(Model& model, const Vec3d& corner, const Vec3d& size, double young = 1e5) {
  const int32_t body = add_block(
      model, {.cells = cells, .size = size, .jitter = 0, .density = 1000, .split = mesh::Split::six});
  for (int32_t i = model.bodies[body].nodes.begin; i < model.bodies[body].nodes.end; ++i)
    model.X[i] += corner;
  add_set(model, body, *material::find_law("corotated"), young, 0.3);
}

// The floor z <= 0.
void add_floor(Model& model) {
  model::Collider floor;
  floor.name = "floor";
  floor.pose = model.inputs.add_pose("collider.floor", {{}});
  model.colliders.push_back(floor);
}

constexpr double thickness = 0.05;  // between blocks [m]

// Everything against everything else, but nothing against itself.
void touch(Model& model, const Contact& contact) {
  const size_t bodies = model.bodies.size(), all = bodies + model.colliders.size();
  model.contact.rules.resize(bodies * all);
  for (size_t a = 0; a < bodies; ++a)
    for (size_t b = 0; b < all; ++b)
      model.contact.rules[a * all + b] = {.on = a != b,
                                          .friction = contact.friction,
                                          .thickness = b < bodies ? thickness : 0,
                                          .stiffness = contact.stiffness};
}

struct Course {
  Course(const Model& model, const char* method, Mode mode, int iterations, double tolerance = 1e-8)
      : model(model) {
    Settings settings;
    settings.mode = mode;
    settings.tolerance = tolerance;
    settings.options = FieldValues(find_method(method)->fields);
    settings.options.set("iterations", static_cast<double>(iterations));
    // Whole steps go back and forth between sticking and sliding.
    if (std::string(method) == "plain_newton") settings.options.set("line_search", true);
    auto made = find_method(method)->make(model, settings);
    EXPECT_TRUE(made) << made.error().text();
    stepper = std::move(*made);
    model::StateLayout layout;
    stepper->declare(layout);
    state = model.make_state(layout);
  }
  StepReport to(double time) { return stepper->step(model.inputs, time, state, {}); }
  void steps(int count, double dt) {
    const double begin = state.time();
    for (int n = 1; n <= count; ++n) ASSERT_TRUE(to(begin + n * dt).taken()) << "step " << n;
  }
  Vec3d mean(std::span<const Vec3d> of) const {
    Vec3d sum = {0, 0, 0};
    for (const Vec3d& value : of) sum += value;
    return sum * (1.0 / static_cast<double>(of.size()));
  }
  Vec3d moved() const { return mean(state.x()) - mean(model.X); }

  const Model& model;
  std::unique_ptr<Stepper> stepper;
  model::State state;
};

class OnConstraints : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, OnConstraints, testing::Values("pbd", "xpbd"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(OnConstraints, ABlockComesToRestOnTheFloor) {
  const double k = 1e4, edge = 0.2, g = 10;
  Model model;
  add_block_at(model, {0, 0, 0}, {edge, edge, edge});
  add_gravity(model, {0, 0, -g});
  add_floor(model);
  touch(model, {.stiffness = k});
  model.bodies[0].mass_damping = 20;
  Course run(model, GetParam(), Mode::dynamic, 50);
  run.steps(60, 0.01);
  const auto bottom = face_nodes(cells, 2, false);
  double depth = 0;
  for (int32_t node : bottom) depth -= run.state.x()[node][2] / static_cast<double>(bottom.size());
  // Hard contacts give way to nothing; the others carry the weight on nine springs.
  const double expected = std::string(GetParam()) == "pbd" ? 0 : 1000 * edge * edge * edge * g / (9 * k);
  EXPECT_NEAR(depth, expected, 1e-3 * expected + 1e-7);
  EXPECT_LT(norm(run.mean(run.state.v())), 1e-4);
}

TEST_P(OnConstraints, CollidingBlocksKeepTheirMomentum) {
  Model model;
  add_block_at(model, {0, 0, 0}, {1, 1, 1});
  add_block_at(model, {1.06, 0.3, 0.2}, {1, 1, 1});
  touch(model, {.friction = 0.4});
  Course run(model, GetParam(), Mode::dynamic, 30);
  const std::vector<double> mass = model.lumped_mass(model.params);
  const int32_t second = model.bodies[1].nodes.begin;
  for (size_t i = 0; i < mass.size(); ++i)
    run.state.v()[i] = static_cast<int32_t>(i) < second ? Vec3d{1, 0.2, 0} : Vec3d{-0.5, 0, 0.1};
  const auto momentum = [&](size_t begin, size_t end) {
    Vec3d sum = {0, 0, 0};
    for (size_t i = begin; i < end; ++i) sum += run.state.v()[i] * mass[i];
    return sum;
  };
  const Vec3d before = momentum(0, mass.size()), first = momentum(0, second);
  run.steps(20, 0.01);
  EXPECT_LT(norm(momentum(0, mass.size()) - before), 1e-9 * norm(before));
  EXPECT_LT(momentum(0, second)[0], 0.5 * first[0]);
}

TEST_P(OnConstraints, FrictionStopsABlock) {
  const double v = 1, mu = 0.5, g = 10;
  Model model;
  add_block_at(model, {0, 0, 0}, {0.4, 0.4, 0.1}, 1e6);
  add_gravity(model, {0, 0, -g});
  add_floor(model);
  touch(model, {.friction = mu});
  Course run(model, GetParam(), Mode::dynamic, 40);
  for (Vec3d& velocity : run.state.v()) velocity = {0.8 * v, 0.6 * v, 0};
  run.steps(50, 0.005);
  const Vec3d way = run.moved();
  EXPECT_NEAR(norm(Vec3d{way[0], way[1], 0}), v * v / (2 * mu * g), 0.1 * v * v / (2 * mu * g));
  EXPECT_NEAR(way[1] / way[0], 0.75, 0.02);
  run.steps(10, 0.005);
  EXPECT_LT(norm(run.moved() - way), 1e-3 * norm(way));
}

TEST_P(OnConstraints, TheSameBitsForAnyNumberOfThreads) {
  Model model;
  add_block_at(model, {0, 0, 0.01}, {1, 1, 1});
  add_block_at(model, {0.3, 0.4, 1.06}, {1, 1, 1});
  add_gravity(model, {1, 0, -10});
  add_floor(model);
  touch(model, {.friction = 0.4});
  const auto hash = [&](int threads) {
    set_thread_count(threads);
    Course run(model, GetParam(), Mode::dynamic, 10);
    run.steps(8, 0.02);
    EXPECT_GT(run.state.integers("contact_key").size(), 0u);
    return run.state.hash();
  };
  const int before = thread_count();
  const uint64_t one = hash(1);
  EXPECT_EQ(hash(2), one);
  EXPECT_EQ(hash(5), one);
  set_thread_count(before);
}

// A block whose top is pushed down and sideways, onto the floor or onto another block that is held below.
Model pressed(bool floor) {
  Model model;
  add_block_at(model, {0, 0, floor ? 0.0 : 1.05}, {1, 1, 1});
  hold(model, "top", face_nodes(cells, 2, true),
       {{.time = 0}, {.time = 1, .translate = {0.02, 0.01, floor ? -0.05 : -0.06}}});
  if (floor) {
    add_floor(model);
  } else {
    add_block_at(model, {0.15, 0.1, 0}, {1, 1, 1}, 2e5);
    std::vector<int32_t> bottom = face_nodes(cells, 2, false);
    for (int32_t& node : bottom) node += model.bodies[1].nodes.begin;
    hold(model, "bottom", bottom);
  }
  touch(model, {.friction = 0.3});
  return model;
}

struct Case {
  const char* method;
  int iterations;
};
class Minimising : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Minimising,
                         testing::Values(Case{"gradient_descent", 20000}, Case{"l_bfgs", 2000},
                                         Case{"plain_newton", 1000}, Case{"hybrid", 200},
                                         Case{"pbng", 20000}),
                         [](const auto& info) { return std::string(info.param.method); });

TEST_P(Minimising, PressesAsNewtonDoes) {
  for (const bool floor : {true, false}) {
    const Model model = pressed(floor);
    Course newton(model, "newton", Mode::quasistatic, 100),
        other(model, GetParam().method, Mode::quasistatic, GetParam().iterations);
    for (double time : {0.5, 1.0}) {
      const StepReport exact = newton.to(time), report = other.to(time);
      ASSERT_EQ(exact.status, StepStatus::converged) << floor << " at " << time;
      ASSERT_EQ(exact.increments, 1);
      EXPECT_EQ(report.status, StepStatus::converged) << floor << " at " << time;
      EXPECT_GT(exact.contacts, 0);
      EXPECT_EQ(report.contacts, exact.contacts);
      EXPECT_LT(distance(other.state.x(), newton.state.x()), 1e-6) << floor << " at " << time;
    }
  }
}

}  // namespace
}  // namespace sinew::step
