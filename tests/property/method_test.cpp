// What every registered method must do, whatever its algorithm: keep nothing between steps but State, give
// the same bits for any number of threads, leave State alone when cancelled, and find the same equilibrium
// however the mesh is numbered, whatever the units and along whatever path.
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

#include "base/parallel.h"
#include "math/random.h"
#include "mesh/shapes.h"
#include "scene_motion.h"
#include "step/stepper.h"
#include "verify/specimen.h"

namespace sinew::step {
namespace {

using math::Vec3d;
using verify::Specimen;

struct Kind {
  const char* name;
  Mode mode;
  Integrator integrator;
};
constexpr Kind kinds[] = {{"quasistatic", Mode::quasistatic, Integrator::backward_euler},
                          {"backward_euler", Mode::dynamic, Integrator::backward_euler},
                          {"bdf2", Mode::dynamic, Integrator::bdf2}};

Settings settings_of(const Method& method, const Kind& kind, double tolerance) {
  FieldValues options(method.fields);
  if (method.budgeted) options.set("iterations", 20000.0);
  return {kind.mode, kind.integrator, tolerance, options};
}

model::State state_of(const model::Model& model, const Stepper& stepper) {
  model::StateLayout layout;
  stepper.declare(layout);
  return model.make_state(layout);
}

// A soft bar from x = 0 to x = 2 in units of `unit`, clamped at x = 0; the other end follows the keys.
struct Bar {
  std::array<int32_t, 3> cells = {4, 2, 2};
  std::vector<model::PoseKey> keys = {{}};
  Vec3d gravity = {0, -9.81, 0};  // [m/s^2]
  double length = 1, mass = 1;    // units, in [m] and [kg]

  Specimen make() const {
    const double pressure = 1 / length * mass, density = mass / (length * length * length);
    Specimen bar(*mesh::make_box({.size = {2 * length, length, length}, .cells = cells}),
                 {"neo_hookean", 1e5 * pressure, 0.4, 1000 * density});
    bar.hold(bar.group("xmin"), bar.still());
    std::vector<model::PoseKey> scaled = keys;
    for (model::PoseKey& key : scaled) {
      key.translate *= length;
      key.about *= length;
    }
    bar.hold(bar.group("xmax"), bar.model().inputs.add_pose("end", scaled));
    bar.set_gravity(gravity * length);
    return bar;
  }
};

std::vector<model::PoseKey> pull_and_turn(double stretch, double angle) {
  return {
      {},
      {.time = 1, .translate = {stretch, 0, 0}, .axis = {1, 0, 0}, .angle = angle, .about = {2, 0.5, 0.5}}};
}

double largest_distance(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

class Methods : public testing::TestWithParam<std::tuple<const Method*, Kind>> {
 protected:
  const Method& method() const { return *std::get<0>(GetParam()); }
  const Kind& kind() const { return std::get<1>(GetParam()); }

  // Null, and the test is skipped, where the method cannot run the model this way.
  std::unique_ptr<Stepper> make(const model::Model& model, const Settings& settings) {
    auto stepper = method().make(model, settings);
    return stepper ? std::move(*stepper) : nullptr;
  }
  std::unique_ptr<Stepper> make(const model::Model& model, double tolerance = 1e-6) {
    return make(model, settings_of(method(), kind(), tolerance));
  }

  // Equilibrium or motion at t = 1 in the given number of steps.
  model::State run(const model::Model& model, int steps, double tolerance, double end = 1) {
    const auto stepper = make(model, tolerance);
    model::State state = state_of(model, *stepper);
    for (int n = 1; n <= steps; ++n)
      EXPECT_EQ(stepper->step(model.inputs, end * n / steps, state, {}).status, StepStatus::converged)
          << "step " << n;
    return state;
  }
};

#define SKIP_UNLESS_MADE(model) \
  if (!make(model)) GTEST_SKIP() << "the method does not do this"
#define SKIP_UNLESS_CONVERGENT(model) \
  SKIP_UNLESS_MADE(model);            \
  if (!method().converges) GTEST_SKIP() << "the method does not converge to the equilibrium"

TEST_P(Methods, AFreshStepperContinuesToTheSameBits) {
  const Specimen bar = Bar{.keys = pull_and_turn(0.6, 1.0)}.make();
  SKIP_UNLESS_MADE(bar.model());
  const auto stepper = make(bar.model());
  model::State state = state_of(bar.model(), *stepper);
  for (int n = 1; n <= 8; ++n) {
    model::State copy = state;
    const StepReport report = stepper->step(bar.model().inputs, n / 8.0, state, {});
    ASSERT_TRUE(report.taken());
    const StepReport fresh = make(bar.model())->step(bar.model().inputs, n / 8.0, copy, {});
    EXPECT_EQ(fresh.iterations, report.iterations) << "step " << n;
    ASSERT_EQ(copy.hash(), state.hash()) << "step " << n;
    ASSERT_TRUE(copy == state);
  }
}

// Two blocks on a floor, the upper one pushed down and along: contacts come, stick, slip and go.
TEST_P(Methods, AFreshStepperContinuesToTheSameBitsInContact) {
  const auto built = build_text(R"({"sinew": 1, "bodies": {
    "low": {"mesh": {"box": {"size": [0.4, 0.3, 0.1], "cells": [4, 3, 1]}}, "density": 1000,
            "material": {"model": "neo_hookean", "young": 1e5, "poisson": 0.3}},
    "high": {"mesh": {"box": {"size": [0.2, 0.2, 0.1], "cells": [2, 2, 1], "origin": [0.05, 0.04, 0.12]}},
             "density": 1000, "material": {"model": "neo_hookean", "young": 1e5, "poisson": 0.3}}},
    "attach": [{"what": "low.xmin"}, {"what": "high.zmax", "motion": [{"time": 0},
      {"time": 0.125, "translate": [0, 0, -0.03]}, {"time": 0.25, "translate": [0.05, 0.01, -0.02]}]}],
    "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, -0.001], "normal": [0, 0, 1]}}}},
    "contact": {"friction": 0.3}, "gravity": [0, 0, -9.81]})");
  ASSERT_TRUE(built);
  const model::Model& model = built->model;
  Settings settings = settings_of(method(), kind(), 1e-5);
  if (method().budgeted) settings.options.set("iterations", 30.0);
  const auto stepper = make(model, settings);
  if (!stepper) GTEST_SKIP() << "the method does not do this";
  model::State state = state_of(model, *stepper);
  int64_t contacts = 0;
  for (int n = 1; n <= 8; ++n) {
    model::State copy = state;
    const StepReport report = stepper->step(model.inputs, n / 32.0, state, {});
    ASSERT_TRUE(report.taken()) << "step " << n;
    contacts = std::max(contacts, report.contacts);
    const StepReport fresh = make(model, settings)->step(model.inputs, n / 32.0, copy, {});
    EXPECT_EQ(fresh.iterations, report.iterations) << "step " << n;
    ASSERT_TRUE(copy == state) << "step " << n;
  }
  EXPECT_GT(contacts, 5);
}

TEST_P(Methods, TheSameBitsForAnyNumberOfThreads) {
  // Long enough for several chunks of tets that share no node.
  const Specimen bar = Bar{.cells = {24, 3, 3}, .keys = pull_and_turn(0.5, 0.5)}.make();
  SKIP_UNLESS_MADE(bar.model());
  std::vector<std::string> solvers = {""};
  for (const Field& field : method().fields)
    if (field.name == "linear") {
      solvers.assign(field.choices.begin(), field.choices.end());
      std::erase(solvers, "auto");  // is one of them
    }
  const int before = thread_count();
  for (const std::string& solver : solvers) {
    uint64_t one = 0;
    for (int threads : {1, 2, 3, 5}) {
      set_thread_count(threads);
      Settings settings = settings_of(method(), kind(), 1e-3);
      if (!solver.empty()) settings.options.set("linear", solver);
      const auto stepper = make(bar.model(), settings);
      model::State state = state_of(bar.model(), *stepper);
      ASSERT_TRUE(stepper->step(bar.model().inputs, 0.1, state, {}).taken()) << solver;
      if (threads == 1) one = state.hash();
      EXPECT_EQ(state.hash(), one) << threads << " threads, linear solver " << solver;
    }
  }
  set_thread_count(before);
}

TEST_P(Methods, ACancelledStepLeavesTheStateAsItWas) {
  const Specimen bar = Bar{.keys = pull_and_turn(0.6, 1.0)}.make();
  SKIP_UNLESS_MADE(bar.model());
  const auto stepper = make(bar.model());
  model::State state = state_of(bar.model(), *stepper);
  ASSERT_TRUE(stepper->step(bar.model().inputs, 0.25, state, {}).taken());
  const model::State before = state;

  Cancel at_once, later;
  at_once.request();
  EXPECT_EQ(stepper->step(bar.model().inputs, 0.5, state, {.cancel = &at_once, .on_residual = {}}).status,
            StepStatus::cancelled);
  EXPECT_TRUE(state == before);
  const Control in_between = {.cancel = &later, .on_residual = [&](double) { later.request(); }};
  EXPECT_EQ(stepper->step(bar.model().inputs, 0.5, state, in_between).status, StepStatus::cancelled);
  EXPECT_TRUE(state == before);

  model::State undisturbed = before;
  ASSERT_TRUE(make(bar.model())->step(bar.model().inputs, 0.5, undisturbed, {}).taken());
  ASSERT_TRUE(stepper->step(bar.model().inputs, 0.5, state, {}).taken());
  EXPECT_EQ(state.hash(), undisturbed.hash());
}

TEST_P(Methods, NumberingOfVerticesAndTetsDoesNotMatter) {
  const Specimen bar = Bar{.keys = pull_and_turn(0.4, 0.5)}.make();
  SKIP_UNLESS_CONVERGENT(bar.model());
  const size_t nodes = bar.model().X.size(), tets = bar.model().elements.size();
  const auto shuffled = [](size_t count, uint64_t seed) {
    std::vector<int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    const math::Random random(seed);
    for (size_t i = count - 1; i > 0; --i) std::swap(order[i], order[random.bits(i) % (i + 1)]);
    return order;
  };
  const std::vector<int32_t> new_node = shuffled(nodes, 1), old_tet = shuffled(tets, 2);
  model::Model other = bar.model();
  for (size_t i = 0; i < nodes; ++i) other.X[new_node[i]] = bar.model().X[i];
  std::vector<model::Tet> renumbered(tets);
  for (size_t t = 0; t < tets; ++t)
    for (int k = 0; k < 4; ++k)  // an even permutation of the corners as well
      renumbered[t][k] = new_node[bar.model().elements[old_tet[t]][k < 3 ? (k + 1) % 3 : 3]];
  other.elements = element::Connectivity(renumbered);
  for (model::Attachment& attachment : other.attachments)
    for (int32_t& node : attachment.nodes) node = new_node[node];

  const model::State a = run(bar.model(), 2, 1e-11, 0.5), b = run(other, 2, 1e-11, 0.5);
  double largest = 0;
  for (size_t i = 0; i < nodes; ++i) largest = std::max(largest, norm(a.x()[i] - b.x()[new_node[i]]));
  EXPECT_LT(largest, 1e-9);
}

TEST_P(Methods, UnitsDoNotMatter) {
  Bar in_metres{.keys = pull_and_turn(0.4, 0.5)}, in_millimetres = in_metres;
  in_millimetres.length = 1000;
  in_millimetres.mass = 1000;  // grams
  const Specimen a = in_metres.make(), b = in_millimetres.make();
  SKIP_UNLESS_CONVERGENT(a.model());
  const model::State metres = run(a.model(), 2, 1e-11, 0.5), millimetres = run(b.model(), 2, 1e-11, 0.5);
  double largest = 0;
  for (size_t i = 0; i < metres.x().size(); ++i)
    largest = std::max(largest, norm(metres.x()[i] - millimetres.x()[i] * 1e-3));
  EXPECT_LT(largest, 1e-10 * 2);  // of the length of the bar
}

TEST_P(Methods, TwistingAndTurningBackEndsAtRest) {
  if (kind().mode != Mode::quasistatic) GTEST_SKIP() << "a motion in time does not";
  model::PoseKey turned{.time = 1, .axis = {1, 0, 0}, .angle = std::numbers::pi / 2, .about = {2, 0.5, 0.5}};
  model::PoseKey back = turned;
  back.time = 2;
  back.angle = 0;
  const Specimen bar = Bar{.keys = {{}, turned, back}, .gravity = {0, 0, 0}}.make();
  SKIP_UNLESS_CONVERGENT(bar.model());
  EXPECT_GT(largest_distance(run(bar.model(), 4, 1e-9, 1).x(), bar.model().X), 0.5);
  EXPECT_LT(largest_distance(run(bar.model(), 8, 1e-9, 2).x(), bar.model().X), 1e-6);
}

TEST_P(Methods, OneStepAndTenReachTheSameEquilibrium) {
  if (kind().mode != Mode::quasistatic) GTEST_SKIP() << "a motion in time does not";
  const Specimen bar = Bar{.keys = pull_and_turn(1.0, 0)}.make();
  SKIP_UNLESS_CONVERGENT(bar.model());
  EXPECT_LT(largest_distance(run(bar.model(), 1, 1e-9).x(), run(bar.model(), 10, 1e-9).x()), 1e-6);
}

// Without forces there is nothing to solve; rounding errors of large coordinates must not look like forces.
TEST_P(Methods, FreeFlightFarFromTheOrigin) {
  if (kind().mode == Mode::quasistatic) GTEST_SKIP() << "a free body has no equilibrium of its own";
  mesh::TetMesh box = *mesh::make_box({.cells = {2, 2, 2}});
  for (Vec3d& X : box.vertices) X[0] += 1000;
  const Specimen cube(std::move(box), {"neo_hookean", 1e5, 0.3, 1000});
  SKIP_UNLESS_CONVERGENT(cube.model());
  const auto stepper = make(cube.model());
  model::State state = state_of(cube.model(), *stepper);
  const Vec3d velocity = {1, 0.3, 0.7};
  for (Vec3d& v : state.v()) v = velocity;
  for (int n = 1; n <= 10; ++n) {
    const StepReport report = stepper->step(cube.model().inputs, n * 1e-3, state, {});
    EXPECT_EQ(report.status, StepStatus::converged) << "step " << n;
    EXPECT_EQ(report.increments, 1) << "step " << n;
  }
  std::vector<Vec3d> expected = cube.model().X;
  for (Vec3d& x : expected) x += velocity * 0.01;
  EXPECT_LT(largest_distance(state.x(), expected), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(All, Methods,
                         testing::Combine(testing::ValuesIn(methods().begin(), methods().end()),
                                          testing::ValuesIn(kinds)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)->name) + "_" +
                                  std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace sinew::step
