// Reasons at points made for them: the right body, a place within the right element, and causes that something else confirms.
#include "step/reason.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

#include "element/shape.h"
#include "unit/plates.h"
#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

constexpr double tolerance = 1e-6;

// A bar of two bodies' worth of names: what is looked for is in the second.
Model two_blocks(const std::array<int32_t, 3>& cells = {4, 2, 2}) {
  Model model = held_block({});
  const int32_t body = add_block(model, {.cells = cells, .size = {2, 1, 1}, .jitter = 0, .density = 1000});
  for (int32_t i = model.bodies[body].nodes.begin; i < model.bodies[body].nodes.end; ++i)
    model.X[i] += Vec3d{0, 0, 3};
  add_set(model, body, *material::find_law("neo_hookean"), 1e5, 0.3);
  return model;
}

void hold_second(Model& model, const std::array<int32_t, 3>& cells) {
  for (const bool last : {false, true}) {
    std::vector<int32_t> nodes = face_nodes(cells, 0, last);
    for (int32_t& node : nodes) node += model.bodies[1].nodes.begin;
    hold(model, last ? "far" : "near", nodes);
  }
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// Elements with a negative volume at x, and whether the place lies in the element that the reason names.
int inverted_at(const Model& model, std::span<const Vec3d> x) {
  int count = 0;
  for (size_t e = 0; e < model.elements.size(); ++e)
    count += mesh::tet_volume(x, model.elements.nodes<4>(e)) <= 0;
  return count;
}
bool place_is_in_element(const Model& model, const Reason& reason) {
  for (const model::Body& body : model.bodies)
    if (body.name == reason.body && reason.element >= 0 && reason.element < body.elements.size()) {
      const auto L = element::barycentric(reason.place, model.X,
                                          model.elements.nodes<4>(body.elements.begin + reason.element));
      return std::all_of(L.begin(), L.end(), [](double w) { return w >= 0; });
    }
  return false;
}

TEST(Reason, AnElementCrushedBesideAGrip) {
  const std::array<int32_t, 3> cells = {4, 2, 2};
  Model model = two_blocks(cells);
  hold_second(model, cells);
  std::vector<Vec3d> x = model.X;
  const int32_t node =
      model.bodies[1].nodes.begin + 1 + 5 * (1 + 3);  // in the middle of the first layer behind the face
  ASSERT_NEAR(norm(model.X[node] - Vec3d{0.5, 0.5, 3.5}), 0, 1e-12);
  x[node][0] = -0.4;
  const solve::System system(model);
  const Reason reason = find_reason({.system = system, .x = x, .tolerance = tolerance});
  EXPECT_EQ(reason.body, "block1");
  EXPECT_TRUE(place_is_in_element(model, reason)) << reason.text();
  EXPECT_LT(reason.place[0], 0.5);
  EXPECT_TRUE(says(reason.cause, std::to_string(inverted_at(model, x)) + " elements are inverted"))
      << reason.cause;
  EXPECT_TRUE(says(reason.cause, "crushed beside the attachment \"near\"")) << reason.cause;
  EXPECT_TRUE(says(reason.advice, "\"hold\": \"soft\"")) << reason.advice;
  EXPECT_FALSE(says(reason.text(), "--improve")) << reason.text();
}

TEST(Reason, ASliverThatTurnedOver) {
  const std::array<int32_t, 3> cells = {6, 2, 2};
  Model model = two_blocks(cells);
  hold_second(model, cells);
  const int32_t node = model.bodies[1].nodes.begin + 3 + 7 * (1 + 3);
  int32_t sliver = -1;
  for (int32_t e = model.bodies[1].elements.begin; sliver < 0; ++e)
    for (const int32_t other : model.elements[e])
      if (other == node) sliver = e;
  const auto noise = random_vectors(5, model.X.size());
  for (size_t i = model.bodies[1].nodes.begin; i < model.X.size(); ++i) model.X[i] += noise[i] * 0.03;
  Vec3d centre = {0, 0, 0};
  for (const int32_t other : model.elements[sliver])
    if (other != node) centre += model.X[other] * (1.0 / 3);
  const Vec3d height = model.X[node] - centre;
  model.X[node] = centre + height * 1e-3;
  ASSERT_EQ(inverted_at(model, model.X), 0);
  std::vector<Vec3d> x = model.X;
  x[node] = centre - height * 1e-3;
  ASSERT_EQ(inverted_at(model, x), 1);
  const double ratio = mesh::radius_ratio(model.X, model.elements.nodes<4>(sliver));
  const solve::System system(model);
  const Reason reason = find_reason({.system = system, .x = x, .tolerance = tolerance});
  EXPECT_EQ(reason.body, "block1");
  EXPECT_EQ(reason.element, sliver - model.bodies[1].elements.begin);
  EXPECT_TRUE(place_is_in_element(model, reason));
  EXPECT_TRUE(says(reason.cause, "1 element is inverted")) << reason.cause;
  EXPECT_TRUE(says(reason.cause, fmt::format("a sliver at rest with the radius ratio {:.2g}", ratio)))
      << reason.cause;
  EXPECT_TRUE(says(reason.advice, "sinew convert --improve")) << reason.advice;
  EXPECT_FALSE(says(reason.cause, "attachment")) << reason.cause;
}

TEST(Reason, AnElementOfSecondOrderIsFoundByItsQuadraturePoints) {
  Model model;
  add_block(model, {.cells = {2, 1, 1}, .jitter = 0, .elements = "quadratic"});
  add_set(model, 0, *material::find_law("neo_hookean"), 1e5, 0.3);
  std::vector<Vec3d> x = model.X;
  const auto nodes = model.elements[3];
  x[nodes[0]] = x[nodes[0]] + (x[nodes[1]] + x[nodes[2]] + x[nodes[3]] - x[nodes[0]] * 3) * 0.9;
  const solve::System system(model);
  std::vector<Vec3d> gradient(x.size());
  ASSERT_GT(system.evaluate(x, gradient).inverted, 0);
  const Reason reason = find_reason({.system = system, .x = x, .tolerance = tolerance});
  EXPECT_TRUE(says(reason.cause, fmt::format("det F = {:.2g}", system.evaluate(x, gradient).min_det_F)))
      << reason.cause;
}

TEST(Reason, APartThatNothingHolds) {
  Model model = two_blocks();
  add_gravity(model, {0, -9.81, 0});
  const solve::System system(model);
  const Reason reason = find_reason({.system = system, .x = model.X, .tolerance = tolerance});
  EXPECT_EQ(reason.body, "block1");
  EXPECT_GE(reason.place[2], 3);
  EXPECT_TRUE(says(reason.cause, "free to move (translation along x")) << reason.cause;
  EXPECT_TRUE(says(reason.cause, fmt::format("{:.3g}", -2 * 1000 * 9.81))) << reason.cause;
  // Also where it has fallen so far that its forces are rounding.
  std::vector<Vec3d> far = model.X;
  for (int32_t i = model.bodies[1].nodes.begin; i < model.bodies[1].nodes.end; ++i) far[i][1] -= 1e9;
  EXPECT_TRUE(says(find_reason({.system = system, .x = far, .tolerance = tolerance}).cause, "free to move"));
  // Once it is held the same point is only out of balance.
  hold_second(model, {4, 2, 2});
  const solve::System held(model);
  EXPECT_FALSE(
      says(find_reason({.system = held, .x = model.X, .tolerance = tolerance}).cause, "free to move"));
}

// The unknowns of edges stand nowhere, and bear no weight.
TEST(Reason, ASheetHeldByContactAlone) {
  Model model = plate({.cells = {6, 4}, .size = {1.2, 0.8}});
  for (size_t i = 0; i < model.X.size(); ++i)
    if (!is_hidden(model, i)) model.X[i][2] += 5;
  add_gravity(model, {0, 0, -9.81});
  model.contact.rules.assign(1, {});
  const solve::System system(model);
  const Reason reason = find_reason({.system = system, .x = model.X, .tolerance = tolerance});
  EXPECT_TRUE(says(reason.cause, "held by contact alone, free to move (translation along x, y, z"))
      << reason.cause;
  EXPECT_TRUE(says(reason.cause, fmt::format("{:.3g}", -1.2 * 0.8 * 0.05 * 1000 * 9.81))) << reason.cause;
  EXPECT_NEAR(reason.place[2], 5, 1e-12);
}

// p a b pushes at b / 2 from the edge that is held.
TEST(Reason, ASheetThatPressureTurns) {
  Model model = plate({.cells = {6, 4}, .size = {1.2, 0.8}});
  const int factor = model.inputs.add_numbers("load", {{0, {1}}});
  model.pressure_loads.push_back({"wind", model.bodies[0].surface, 50, factor, false});
  model::Attachment edge;
  for (int32_t i = 0; i <= 6; ++i) edge.nodes.push_back(i);
  edge.pose = model.inputs.add_pose("edge", {{}});
  model.attachments = {edge};
  const auto cause = [&] {
    solve::System system(model);
    std::vector<double> inputs(model.inputs.size());
    model.inputs.evaluate(0, inputs);
    system.set_inputs(inputs);
    return find_reason({.system = system, .x = model.X, .tolerance = tolerance}).cause;
  };
  EXPECT_TRUE(says(cause(), "free to move (rotation about x)")) << cause();
  EXPECT_TRUE(
      says(cause(), fmt::format("pressure turns with it, with a moment of {:.3g} N m", 50 * 1.2 * 0.8 * 0.4)))
      << cause();
  model.attachments[0].clamped = edge.nodes;
  EXPECT_FALSE(says(cause(), "free to move")) << cause();
}

// A column held at both ends, shortened along its axis. Euler's strain is (2 pi / L)^2 h^2 / 12 = 0.008.
TEST(Reason, AColumnThatBuckles) {
  for (const double strain : {0.002, 0.05}) {
    Model model = held_block({.poisson = 0.3, .cells = {16, 1, 1}, .size = {2, 0.1, 0.1}});
    const auto noise = random_vectors(3, model.X.size());
    std::vector<Vec3d> x = model.X;
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = Vec3d{x[i][0] * (1 - strain), x[i][1], x[i][2]} + noise[i] * 1e-5;
    const solve::System system(model);
    const double lowest =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(system, x, solve::Hessian::exact))
            .eigenvalues()[0];
    const Reason reason = find_reason({.system = system, .x = x, .tolerance = tolerance, .done = 0.25});
    EXPECT_EQ(lowest<0, strain> 0.01) << lowest;
    EXPECT_EQ(says(reason.cause, "buckles or snaps through at the load factor 0.25"), lowest < 0)
        << reason.cause;
    if (lowest < 0) {
      EXPECT_GT(reason.place[0], 0.4);  // not at its ends
      EXPECT_LT(reason.place[0], 1.6);
      EXPECT_TRUE(says(reason.advice, "dynamic"));
    }
  }
}

// What is out of balance may be the turn of an edge, which is no point: then an end of the edge is named.
TEST(Reason, NamesPointsOfSheets) {
  Model model = plate({.jitter = 0});
  clamp(model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; });
  const solve::System system(model);
  std::vector<Vec3d> gradient(model.X.size());
  int turns = 0;
  for (const model::Hinge& hinge : model.hinges) {
    if (hinge.nodes[3] < 0) continue;
    std::vector<Vec3d> x = model.X;
    x[hinge.turn][0] += 0.01;
    const Reason reason = find_reason({.system = system, .x = x, .tolerance = tolerance, .budgeted = true});
    ASSERT_GE(reason.node, 0);
    ASSERT_LT(reason.node, model.bodies[0].visible().end);
    EXPECT_EQ(norm(reason.place - model.X[reason.node]), 0);
    system.evaluate(x, gradient);
    const auto largest = std::max_element(gradient.begin(), gradient.end(),
                                          [](const Vec3d& a, const Vec3d& b) { return norm2(a) < norm2(b); });
    if (largest - gradient.begin() != hinge.turn) continue;
    ++turns;
    EXPECT_TRUE(reason.node == hinge.nodes[0] || reason.node == hinge.nodes[1]);
  }
  EXPECT_GT(turns, 0);
}

TEST(Reason, OtherwiseTheLargestForceOutOfBalance) {
  const Model model = held_block({});
  std::vector<Vec3d> x = model.X;
  const int32_t node = 2 + 5 * (1 + 3);
  x[node] += Vec3d{0.01, 0.02, 0};
  const solve::System system(model);
  for (const bool budgeted : {false, true}) {
    const Reason reason =
        find_reason({.system = system, .x = x, .tolerance = tolerance, .budgeted = budgeted});
    EXPECT_EQ(reason.node, node);
    EXPECT_EQ(distance({&reason.place, 1}, {&model.X[node], 1}), 0);
    EXPECT_TRUE(says(reason.cause, "above the tolerance 1e-06")) << reason.cause;
    EXPECT_EQ(says(reason.advice, "hybrid"), !budgeted) << reason.advice;
  }
}

// Two vertices at nearly one place.
TEST(Reason, ASliverBesideTheLargestForceIsNamed) {
  const PlateOptions options = {.cells = {4, 3}, .jitter = 0};
  for (const bool sliver : {false, true}) {
    mesh::TriMesh mesh = plate_mesh(options);
    if (sliver) mesh.vertices[6] = mesh.vertices[7] - Vec3d{1e-4, 0, 0};
    Model model;
    add_plate(model, mesh, options);
    std::vector<Vec3d> x = model.X;
    x[6][0] -= 1e-7;
    const solve::System system(model);
    const Reason reason = find_reason({.system = system, .x = x, .tolerance = tolerance});
    EXPECT_EQ(says(reason.cause, "a sliver at rest with the radius ratio"), sliver) << reason.text();
    EXPECT_EQ(says(reason.advice, "\"hinge\""), sliver) << reason.text();
  }
}

TEST(Reason, NumbersThatAreNotFinite) {
  const Model model = two_blocks();
  std::vector<Vec3d> x = model.X, v(x.size());
  const int32_t node = model.bodies[1].nodes.begin + 7;
  x[node][1] = std::numeric_limits<double>::quiet_NaN();
  const solve::System system(model);
  for (const Reason& reason :
       {find_reason({.system = system, .x = x, .tolerance = tolerance}), not_finite(model, x, v)}) {
    EXPECT_EQ(reason.body, "block1");
    EXPECT_EQ(reason.node, 7);
    EXPECT_TRUE(says(reason.cause, "beyond all numbers")) << reason.cause;
  }
}

TEST(Reason, ItsTextNamesBodyPlaceCauseAndAdvice) {
  const Reason reason{
      .body = "a", .other = "b", .place = {1, 2.5, -3}, .element = 4, .cause = "why", .advice = "try"};
  EXPECT_EQ(reason.text(), "the body \"a\" against \"b\" at (1, 2.5, -3) m, element 4: why; try");
}

// One block pushed into another: after a single round contacts have only just been found.
TEST(Reason, ContactsThatDoNotSettle) {
  Model model = two_blocks({2, 2, 2});
  for (int32_t i = model.bodies[1].nodes.begin; i < model.bodies[1].nodes.end; ++i)
    model.X[i] = model.X[i] * 0.5 + Vec3d{0.3, 0.2, -0.49};
  std::vector<int32_t> top = face_nodes({2, 2, 2}, 2, true);
  for (int32_t& node : top) node += model.bodies[1].nodes.begin;
  hold(model, "top", top, {{.time = 0}, {.time = 1, .translate = {0, 0, -0.1}}});
  model.contact.rules.assign(4, {});
  model.contact.rules[1] =
      model.contact.rules[2] = {.on = true, .friction = 0, .thickness = 0.005, .stiffness = 0};
  model.contact.rounds = 1;
  Motion run(model, newton_settings());
  const StepReport report = run.to(1);
  EXPECT_EQ(report.status, StepStatus::stalled);
  ASSERT_TRUE(report.reason);
  EXPECT_NE(report.reason->body, report.reason->other);
  EXPECT_FALSE(report.reason->other.empty());
  EXPECT_TRUE(says(report.reason->cause, "contacts did not settle in 1 round")) << report.reason->text();
  EXPECT_NEAR(report.reason->place[2], 1, 0.02);  // where they touch
}

// One rule for all methods: a face pushed through the block and out on its other side is kept, with the reason.
TEST(Reason, WhatIsFiniteIsKeptByEveryMethod) {
  const Model model = held_block({.law = "neo_hookean",
                                  .poisson = 0.45,
                                  .cells = {3, 2, 2},
                                  .right = {{.time = 0}, {.time = 1, .translate = {-5, 0, 0}}}});
  for (const char* method : {"newton", "hybrid", "l_bfgs"}) {
    Settings settings = newton_settings();
    settings.options = FieldValues(find_method(method)->fields);
    settings.options.set("iterations", 2.0);
    Motion run(model, settings, method);
    const StepReport report = run.to(1);
    EXPECT_EQ(report.status, StepStatus::stalled) << method;
    EXPECT_TRUE(run.state.finite()) << method;
    EXPECT_EQ(run.state.time(), 1) << method;
    EXPECT_NEAR(run.state.x()[3][0], -3, 1e-12) << method;  // the held face is where it was told to be
    ASSERT_TRUE(report.reason) << method;
    EXPECT_EQ(report.reason->body, "block0") << method;
    EXPECT_FALSE(report.reason->cause.empty() || report.reason->advice.empty()) << method;
  }
}

TEST(Reason, AStepThatConvergesHasNone) {
  const Model model = held_block({.right = {{.time = 0}, {.time = 1, .translate = {0.2, 0, 0}}}});
  Motion run(model, newton_settings());
  const StepReport report = run.to(1);
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_FALSE(report.reason);
}

}  // namespace
}  // namespace sinew::step
