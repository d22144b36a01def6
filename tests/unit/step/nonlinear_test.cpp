// What a step keeps of its contacts in State, and what it does where surfaces would cross.
#include "step/nonlinear.h"

#include <gtest/gtest.h>

#include "exact/crossings.h"
#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

int32_t add_cube(Model& model, double bottom, double young) {
  const int32_t body = add_block(model, {.cells = {2, 2, 2},
                                         .size = {0.2, 0.2, 0.2},
                                         .jitter = 0,
                                         .density = 1000,
                                         .split = mesh::Split::five});
  for (int32_t i = model.bodies[body].nodes.begin; i < model.bodies[body].nodes.end; ++i)
    model.X[i] += Vec3d{0.01 * body, 0.02 * body, bottom};
  add_set(model, body, *material::find_law("corotated"), young, 0.3);
  return body;
}

void meet(Model& model, const model::ContactRule& rule) {
  const size_t all = model.bodies.size() + model.colliders.size();
  model.contact.rules.resize(model.bodies.size() * all);
  for (size_t a = 0; a < model.bodies.size(); ++a)
    for (size_t b = 0; b < all; ++b)
      if (a != b) {
        model.contact.rules[a * all + b] = rule;
        if (b >= model.bodies.size()) model.contact.rules[a * all + b].thickness = 0;
      }
}

Settings pbng_settings(int sweeps) {
  Settings settings;
  settings.mode = Mode::dynamic;
  settings.options = FieldValues(find_method("pbng")->fields);
  settings.options.set("iterations", static_cast<double>(sweeps));
  return settings;
}

// Two cubes on each other on a floor, pulled sideways.
Model two_on_a_floor() {
  Model model;
  add_cube(model, 0, 1e6);
  add_cube(model, 0.205, 1e6);
  model::Collider floor;
  floor.name = "floor";
  floor.pose = model.inputs.add_pose("collider.floor", {{}});
  model.colliders.push_back(floor);
  model.gravity = model.inputs.add_numbers("gravity", {{0, {2, 0, -9.81}}});
  meet(model, {.on = true, .friction = 0.5, .thickness = 0.005, .stiffness = 0});
  for (model::Body& body : model.bodies) body.mass_damping = 50;
  return model;
}

TEST(NonlinearLoop, StateHoldsTheForcesOfWhatRests) {
  const Model model = two_on_a_floor();
  Motion motion(model, newton_settings(Mode::dynamic, 1e-8));
  StepReport report;
  for (int k = 1; k <= 40; ++k) ASSERT_TRUE((report = motion.to(0.01 * k)).taken());
  const auto keys = motion.state.integers("contact_key");
  const auto forces = motion.state.vectors("contact_force"),
             nodes = motion.state.vectors("contact_node_force");
  ASSERT_EQ(keys.size(), 6 * forces.size());
  EXPECT_EQ(report.contacts, static_cast<int64_t>(forces.size()));
  Vec3d floor = {0, 0, 0}, on_nodes = {0, 0, 0};
  for (size_t i = 0; i < forces.size(); ++i)
    if (keys[6 * i + 5] >= 0) floor += forces[i];
  for (const Vec3d& force : nodes) on_nodes += force;
  const double mass = 2 * 1000 * 0.008;
  EXPECT_LT(norm(floor - Vec3d{-2 * mass, 0, 9.81 * mass}), 1e-3 * mass);  // 2 < 0.5 * 9.81: it sticks
  EXPECT_LT(norm(on_nodes - floor), 1e-9 * mass);                          // between the cubes they cancel
  EXPECT_LT(norm(motion.state.x()[0] - model.X[0]), 1e-3);
}

// Rows that fit no model are passed over: a checkpoint is input.
TEST(NonlinearLoop, ForgetsRowsThatMakeNoSense) {
  const Model model = two_on_a_floor();
  Motion motion(model, newton_settings(Mode::dynamic));
  ASSERT_TRUE(motion.to(0.01).taken());
  std::vector<int64_t>& keys = motion.state.rows("contact_key").i64;
  ASSERT_GE(keys.size(), 12u);
  keys[1] = 1 << 30;
  keys[6 + 5] = 77;
  keys[6 + 2] = -1000000;
  EXPECT_TRUE(motion.to(0.02).taken());
}

// One sweep a step is no solution, yet the upper cube, thrown down at a hundred edges a step, stays above the lower one.
TEST(NonlinearLoop, WhatIsNotSolvedIsLimited) {
  Model model;
  add_cube(model, 0, 1e4);
  add_cube(model, 0.3, 1e4);
  meet(model, {.on = true, .friction = 0, .thickness = 0.005, .stiffness = 0});
  model.attachments.push_back(
      {.name = "held", .nodes = {0, 1, 2}, .pose = model.inputs.add_pose("held", {{}})});
  Motion motion(model, pbng_settings(1), "pbng");
  model::State& state = motion.state;
  const model::Range upper = model.bodies[1].nodes;
  for (int32_t i = upper.begin; i < upper.end; ++i) state.v()[i] = {0, 0, -1000};
  for (int k = 1; k <= 4; ++k) {
    const std::vector<Vec3d> before(state.x().begin(), state.x().end());
    ASSERT_TRUE(motion.to(0.01 * k).taken()) << k;
    ASSERT_TRUE(state.finite());
    contact::Detector detector(model);
    std::vector<contact::Pair> crossed;
    detector.crossings({before, {}, state.x(), {}, 0.01}, crossed);
    EXPECT_EQ(crossed.size(), 0u) << k;
    std::vector<model::Triangle> triangles = model.bodies[0].surface;
    const size_t lower = triangles.size();
    triangles.insert(triangles.end(), model.bodies[1].surface.begin(), model.bodies[1].surface.end());
    for (const auto& [a, b] : exact::crossings(state.x(), triangles))
      EXPECT_EQ(static_cast<size_t>(a) < lower, static_cast<size_t>(b) < lower) << k;
  }
}

// A cube at rest on a floor that nodes are clamped to: what is left are the forces of the floor, and it moves no more.
TEST(NonlinearLoop, ClampedNodesComeToRest) {
  Model model;
  add_cube(model, 0.001, 1e5);
  model.bodies[0].mass_damping = 50;
  model::Collider floor;
  floor.name = "floor";
  floor.response = model::Collider::Response::clamp;
  floor.pose = model.inputs.add_pose("collider.floor", {{}});
  model.colliders.push_back(floor);
  model.gravity = model.inputs.add_numbers("gravity", {{0, {0, 0, -9.81}}});
  meet(model, {.on = true, .friction = 0, .thickness = 0, .stiffness = 0});
  Motion motion(model, pbng_settings(400), "pbng");
  for (int k = 1; k <= 40; ++k) EXPECT_EQ(motion.to(0.01 * k).status, StepStatus::converged) << k;
  double lowest = 1;
  for (const Vec3d& x : motion.state.x()) lowest = std::min(lowest, x[2]);
  EXPECT_NEAR(lowest, 0, 1e-12);
}

// A cube whose top is pushed towards a floor in one step: vertices that were out of reach of the floor when the step began are
// stopped as well, and what the report says is how deep the deepest one is.
TEST(NonlinearLoop, VerticesThatComeFromFarDoNotSink) {
  Model model;
  add_cube(model, 0.04, 1e6);
  model::Collider floor;
  floor.name = "floor";
  floor.pose = model.inputs.add_pose("collider.floor", {{}});
  model.colliders.push_back(floor);
  meet(model, {.on = true, .friction = 0, .thickness = 0, .stiffness = 0});
  model::Attachment top;
  top.name = "top";
  for (int32_t i = 0; i < static_cast<int32_t>(model.X.size()); ++i)
    if (model.X[i][2] > 0.239) top.nodes.push_back(i);
  top.pose = model.inputs.add_pose("attach.top", {{.time = 0}, {.time = 0.02, .translate = {0, 0, -0.14}}});
  model.attachments.push_back(top);
  Motion motion(model, pbng_settings(40), "pbng");
  double deepest = 0;
  for (int k = 1; k <= 4; ++k) {
    const StepReport report = motion.to(0.02 * k);
    ASSERT_TRUE(report.taken()) << k;
    double lowest = 0;
    for (const model::Triangle& triangle : model.bodies[0].surface)
      for (const int32_t node : triangle) lowest = std::min(lowest, motion.state.x()[node][2]);
    EXPECT_NEAR(report.penetration, -lowest, 1e-12) << k;
    deepest = std::max(deepest, -lowest);
  }
  EXPECT_GT(deepest, 0);
  EXPECT_LT(deepest, 0.01);  // a tenth of an edge
}

// Vertex on vertex and rim on rim: where the lower cube bulges, the upper one's rim is not inside it.
TEST(NonlinearLoop, CubesThatStartFaceToFaceDoNotCross) {
  Model model = two_on_a_floor();
  for (int32_t i = model.bodies[1].nodes.begin; i < model.bodies[1].nodes.end; ++i)
    model.X[i] -= Vec3d{0.01, 0.02, 0.005};
  for (model::ContactRule& rule : model.contact.rules) rule.thickness *= 0.02;
  Motion motion(model, newton_settings(Mode::dynamic, 1e-6));
  for (int k = 1; k <= 5; ++k) {
    const StepReport report = motion.to(0.01 * k);
    EXPECT_EQ(report.status, StepStatus::converged) << k;
    EXPECT_EQ(report.increments, 1) << k;
  }
}

// A plate thinner than its way in a step pushes what it hits before it, and does not pass.
TEST(NonlinearLoop, AFastThinColliderTakesTheBodyAlong) {
  Model model;
  add_cube(model, 0, 1e6);
  model::Collider plate;
  plate.name = "plate";
  plate.shape = model::Collider::Shape::box;
  plate.size = {0.01, 1, 1};
  plate.transform.b = {-0.05, 0, 0};
  plate.pose = model.inputs.add_pose("collider.plate", {{.time = 0}, {.time = 1, .translate = {30, 0, 0}}});
  model.colliders.push_back(plate);
  meet(model, {.on = true, .friction = 0, .thickness = 0, .stiffness = 0});
  Motion motion(model, newton_settings(Mode::dynamic, 1e-6));
  for (int k = 1; k <= 8; ++k) {
    ASSERT_TRUE(motion.to(0.001 * k).taken()) << k;
    const double middle = -0.05 + 0.03 * k;
    for (const Vec3d& x : motion.state.x()) ASSERT_GT(x[0], middle) << k;
  }
}

}  // namespace
}  // namespace sinew::step
