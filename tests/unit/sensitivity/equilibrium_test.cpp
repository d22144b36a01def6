// Derivatives of equilibria against differences of equilibria that are solved again, against each other, and against a
// closed form.
#include "sensitivity/equilibrium.h"

#include <gtest/gtest.h>

#include "sensitivity/equilibrium_contacts.h"
#include "solve/newton.h"
#include "unit/solve/held_block.h"

namespace sinew::sensitivity {
namespace {

using namespace sinew::sample;
using model::Model;

std::vector<Vec3d> solved(const Model& model, std::span<const double> inputs, std::span<const Vec3d> start) {
  solve::System system(model);
  system.set_inputs(inputs);
  std::vector<Vec3d> x(start.begin(), start.end());
  const solve::SolveReport report = solve::Newton(system, {}).solve(x, 1e-13, {});
  // Below the rounding of the forces nothing can be gained.
  EXPECT_LE(report.last.relative, 1e-11);
  return x;
}

model::State state_of(const Model& model, std::span<const Vec3d> x) {
  model::State state = model.make_state(model::StateLayout());
  std::copy(x.begin(), x.end(), state.x().begin());
  return state;
}

// A bent block with everything that has a parameter: per-element Young's moduli, gravity, a force, a closed pressure, a soft
// pin, a spring, a held face that is moved and turned, and some nodes on a plane and a line. Of its elements at least half is
// material.
Model rich_block(std::string_view elements, bool open_pressure = false) {
  Model model;
  const std::array<int32_t, 3> cells = {3, 2, 2};
  const int32_t body =
      add_block(model, {.cells = cells, .size = {1.5, 1, 1}, .jitter = 0.1, .elements = elements});
  const char* law = "neo_hookean";
  add_set(model, body, *material::find_law(law), 1e5, 0.35);
  std::vector<double>& young = model.params.material[0][0].values;
  young.clear();
  for (size_t t = 0; t < model.sets[0].elements.size(); ++t)
    young.push_back(1e5 * (1 + 0.3 * std::sin(double(t))));
  cover_in_part(model);
  for (double& share : model.coverage) share = 0.5 + 0.5 * share;
  hold(model, "left", face_nodes(cells, 0, false),
       {{.translate = {0.02, 0.05, -0.03}, .axis = normalized(Vec3d{1, 2, 3}), .angle = 0.2}});
  const std::vector<int32_t> right = face_nodes(cells, 0, true);
  const model::PoseKey turned = {.translate = {0.1, 0.02, 0}, .axis = {0, 1, 0}, .angle = 0.15};
  hold(model, "plane", {right[0], right[1], right[4]}, {turned}, model::Hold::plane, {1, 0, 0});
  hold(model, "other", {right[4]}, {{.translate = {0, 0.01, 0}}}, model::Hold::plane,
       normalized(Vec3d{0.2, 1, 0}));
  hold(model, "line", {right[8]}, {turned}, model::Hold::line, normalized(Vec3d{0, 1, 1}));
  add_gravity(model, {0.5, -3, -9.81});
  const int push = model.inputs.add_numbers("load.push", {{0, {1.5}}});
  model.nodal_loads.push_back({"push", {right[3], right[5]}, {{0, 0, 400}, {0, -300, 100}}, push});
  const int factor = model.inputs.add_numbers("load.pressure", {{0, {0.8}}});
  model::PressureLoad load{"pressure", {}, 2000, factor, !open_pressure};
  load.faces = model.bodies[0].surface;
  if (open_pressure) load.faces.resize(load.faces.size() / 2);
  model.pressure_loads.push_back(load);
  const int pose =
      model.inputs.add_pose("attach.soft", {{.translate = {0, 0, 0.1}, .axis = {1, 0, 0}, .angle = 0.1}});
  const int32_t middle = face_nodes(cells, 2, true)[5];
  add_link(model, model::Site::at_node(middle), model::Site::on_frame(pose, model.X[middle]), 3000, 1500);
  add_link(model, model::Site::on_frame(pose, {0.7, 0.5, 2}), model::Site::at_node(right[5]), 500, 0, 0.8);
  return model;
}

struct Balance {
  Model model;
  std::vector<double> inputs;
  std::vector<Vec3d> x;
  model::State state;

  explicit Balance(Model m) : model(std::move(m)), inputs(inputs_at(model, 0)) {
    x = solved(model, inputs, model.X);
    state = state_of(model, x);
  }
  EquilibriumDerivative derivative() const {
    auto result = EquilibriumDerivative::at(model, inputs, state);
    EXPECT_TRUE(result) << (result ? "" : result.error().text());
    return std::move(*result);
  }
};

// dx by central differences of equilibria in the size of a change, extrapolated once.
template <class Apply>
std::vector<Vec3d> resolved_change(const Balance& balance, double step, const Apply& apply) {
  const auto central = [&](double h) {
    std::vector<Vec3d> ends[2];
    for (int side = 0; side < 2; ++side) {
      Model model = balance.model;
      std::vector<double> inputs = balance.inputs;
      apply(side ? h : -h, model, inputs);
      ends[side] = solved(model, inputs, balance.x);
    }
    for (size_t i = 0; i < ends[0].size(); ++i) ends[1][i] = (ends[1][i] - ends[0][i]) * (0.5 / h);
    return ends[1];
  };
  std::vector<Vec3d> coarse = central(step), fine = central(step / 2);
  for (size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) * (1.0 / 3);
  return fine;
}

double largest(std::span<const Vec3d> v) {
  double size = 0;
  for (const Vec3d& a : v) size = std::max(size, norm(a));
  return size;
}

model::Params empty_like(const Model& model) {
  model::Params params;
  for (const auto& set : model.params.material) params.material.emplace_back(set.size());
  params.density.resize(model.bodies.size());
  return params;
}

void expect_close(const Balance& balance, const std::vector<Vec3d>& expected, const Change& change,
                  const std::string& what) {
  const auto dx = balance.derivative().forward(change);
  ASSERT_TRUE(dx) << what << ": " << dx.error().text();
  EXPECT_GT(largest(expected), 0) << what;
  EXPECT_LE(distance(*dx, expected), 1e-7 * largest(expected)) << what;
}

class EveryElement : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Equilibrium, EveryElement, testing::Values("linear", "averaged", "quadratic"));

TEST_P(EveryElement, InputsAgreeWithResolvedEquilibria) {
  const Balance balance(rich_block(GetParam()));
  EXPECT_TRUE(balance.derivative().warnings().empty());
  for (const auto& block : balance.model.inputs.blocks()) {
    // One number of each block, and a mixed direction of all its numbers.
    Change change;
    change.inputs.assign(balance.inputs.size(), 0.0);
    for (int k = 0; k < block.width; ++k) change.inputs[block.first + k] = std::cos(1.0 + k);
    const auto expected = resolved_change(balance, 2e-3, [&](double h, Model&, std::vector<double>& inputs) {
      for (size_t j = 0; j < inputs.size(); ++j) inputs[j] += h * change.inputs[j];
    });
    expect_close(balance, expected, change, block.name);
  }
}

TEST_P(EveryElement, ParametersAgreeWithResolvedEquilibria) {
  const Balance balance(rich_block(GetParam()));
  Change change;
  change.params = empty_like(balance.model);
  change.params.material[0][1].values = {1};
  expect_close(
      balance,
      resolved_change(balance, 2e-3,
                      [](double h, Model& model, auto&) { model.params.material[0][1].values[0] += h; }),
      change, "poisson");

  change.params = empty_like(balance.model);
  std::vector<double>& young = change.params.material[0][0].values;
  for (size_t t = 0; t < balance.model.sets[0].elements.size(); ++t)
    young.push_back(1e5 * std::cos(double(t)));
  expect_close(balance,
               resolved_change(balance, 5e-3,
                               [&](double h, Model& model, auto&) {
                                 for (size_t t = 0; t < young.size(); ++t)
                                   model.params.material[0][0].values[t] += h * young[t];
                               }),
               change, "young of each element");

  change.params = empty_like(balance.model);
  change.params.density[0].values = {800};
  expect_close(
      balance,
      resolved_change(balance, 5e-2,
                      [](double h, Model& model, auto&) { model.params.density[0].values[0] += 800 * h; }),
      change, "density");

  change.params = empty_like(balance.model);
  change.params.link_normal = {3000, 500};
  change.params.link_tangent = {1000, 0};
  expect_close(balance,
               resolved_change(balance, 1e-2,
                               [&](double h, Model& model, auto&) {
                                 for (int i = 0; i < 2; ++i) {
                                   model.params.link_normal[i] += h * change.params.link_normal[i];
                                   model.params.link_tangent[i] += h * change.params.link_tangent[i];
                                 }
                               }),
               change, "links");
}

// dL/dx . dx of the forward mode is the gradient of the adjoint times the change, for a random L and a change of everything.
void expect_dual(const Balance& balance) {
  const Model& model = balance.model;
  const auto derivative = balance.derivative();
  const auto w = random_vectors(3, model.X.size());
  const auto gradient = derivative.adjoint(w);
  ASSERT_TRUE(gradient) << gradient.error().text();
  const math::Random random(5);
  Change change;
  uint64_t k = 0;
  const auto next = [&](double scale) { return scale * random.uniform(k++, -1, 1); };
  for (int j = 0; j < model.inputs.size(); ++j) change.inputs.push_back(next(0.1));
  change.params = gradient->params;  // for its shape
  double product = 0, size = 0;
  const auto fill = [&](std::vector<double>& list, double scale, const std::vector<double>& g) {
    for (size_t i = 0; i < list.size(); ++i) {
      list[i] = next(scale);
      product += list[i] * g[i];
      size += std::abs(list[i] * g[i]);
    }
  };
  for (size_t v = 0; v < change.params.material[0].size(); ++v)
    fill(change.params.material[0][v].values, v == 0 ? 1e4 : 0.1, gradient->params.material[0][v].values);
  fill(change.params.density[0].values, 100, gradient->params.density[0].values);
  fill(change.params.link_normal, 100, gradient->params.link_normal);
  fill(change.params.link_tangent, 100, gradient->params.link_tangent);
  for (size_t j = 0; j < change.inputs.size(); ++j) {
    product += change.inputs[j] * gradient->inputs[j];
    size += std::abs(change.inputs[j] * gradient->inputs[j]);
  }
  const auto dx = derivative.forward(change);
  ASSERT_TRUE(dx);
  double forward = 0;
  for (size_t i = 0; i < w.size(); ++i) forward += dot(w[i], (*dx)[i]);
  EXPECT_NEAR(forward, product, 1e-10 * size);
  EXPECT_GT(size, 0);
}

TEST_P(EveryElement, ForwardAndAdjointAgree) { expect_dual(Balance(rich_block(GetParam()))); }

// Of a list as one by one, and by multigrid as by factors.
TEST_P(EveryElement, OfManyAtOnceIsThatOfEach) {
  const Balance balance(rich_block(GetParam()));
  std::vector<std::vector<Vec3d>> w;
  std::vector<Change> changes(4);
  for (size_t k = 0; k < changes.size(); ++k) {
    w.push_back(random_vectors(k + 1, balance.x.size()));
    changes[k].inputs.assign(balance.inputs.size(), 0.0);
    changes[k].inputs[3 * k] = 1;
    changes[k].params = empty_like(balance.model);
    changes[k].params.material[0][0].values = {double(k)};
  }
  const auto alone = balance.derivative();
  for (const int32_t most : {0, EquilibriumDerivative::max_factored}) {
    const auto many = EquilibriumDerivative::at(balance.model, balance.inputs, balance.state, most);
    ASSERT_TRUE(many) << many.error().text();
    EXPECT_EQ(many->linear_solver() == "pcg_multigrid", most == 0);
    const auto dx = many->forward(changes);
    const auto gradients = many->adjoint(w);
    ASSERT_TRUE(dx && gradients);
    ASSERT_EQ(dx->size(), 4u);
    ASSERT_EQ(gradients->size(), 4u);
    for (size_t k = 0; k < 4; ++k) {
      const auto dx_k = alone.forward(changes[k]);
      const auto gradient = alone.adjoint(w[k]);
      ASSERT_TRUE(dx_k && gradient);
      EXPECT_LE(distance(*dx_k, (*dx)[k]), 1e-10 * largest(*dx_k)) << k;
      const auto expect_near = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double size = 0;
        for (double v : a) size = std::max(size, std::abs(v));
        for (size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-10 * size) << k;
      };
      expect_near(gradient->inputs, (*gradients)[k].inputs);
      for (size_t v = 0; v < gradient->params.material[0].size(); ++v)
        expect_near(gradient->params.material[0][v].values, (*gradients)[k].params.material[0][v].values);
    }
  }
}

// An open follower pressure has no energy: its stiffness is not symmetric.
TEST(Equilibrium, OfAnOpenPressure) {
  const Balance balance(rich_block("linear", true));
  expect_dual(balance);
  for (const char* name : {"attach.left", "load.pressure"}) {
    const auto& block = balance.model.inputs.blocks()[balance.model.inputs.find(name)];
    Change change;
    change.inputs.assign(balance.inputs.size(), 0.0);
    for (int k = 0; k < block.width; ++k) change.inputs[block.first + k] = std::sin(2.0 + k);
    const auto expected = resolved_change(balance, 2e-3, [&](double h, Model&, std::vector<double>& inputs) {
      for (size_t j = 0; j < inputs.size(); ++j) inputs[j] += h * change.inputs[j];
    });
    expect_close(balance, expected, change, name);
  }
}

// A bar under a force at its end: u = F L / (E A), so du/dE = -u / E and du/dF = u / F. Linear law, nu = 0: exact in tets.
void expect_bar(const std::array<int32_t, 3>& cells, bool large, double tolerance) {
  const double young = 2e5, force = 300;
  Model model =
      held_block({.law = "linear", .young = young, .poisson = 0, .cells = cells, .hold_right = false});
  const std::vector<int32_t> right = face_nodes(cells, 0, true);
  const int factor = model.inputs.add_numbers("load.pull", {{0, {1}}});
  std::vector<Vec3d> forces(model.X.size(), Vec3d{0, 0, 0});  // a traction, lumped
  for (const auto& face : model.bodies[0].surface)
    if (model.X[face[0]][0] + model.X[face[1]][0] + model.X[face[2]][0] > 6 - 1e-9)
      for (int32_t node : face) forces[node] += Vec3d{force / (2 * cells[1] * cells[2]) / 3, 0, 0};
  model::NodalLoad load{"pull", right, {}, factor};
  for (int32_t node : right) load.forces.push_back(forces[node]);
  model.nodal_loads.push_back(load);
  const double u = force * 2 / young;  // area 1, length 2
  std::vector<Vec3d> x = model.X, dL_dx(model.X.size(), Vec3d{0, 0, 0});
  for (Vec3d& p : x) p[0] *= 1 + u / 2;
  const int32_t tip = right[right.size() / 2];
  dL_dx[tip] = {1, 0, 0};

  const auto derivative = EquilibriumDerivative::at(model, inputs_at(model, 0), state_of(model, x));
  ASSERT_TRUE(derivative) << derivative.error().text();
  EXPECT_TRUE(derivative->warnings().empty());
  EXPECT_EQ(derivative->linear_solver() == "pcg_multigrid", large);
  const auto gradient = derivative->adjoint(dL_dx);
  ASSERT_TRUE(gradient) << gradient.error().text();
  const model::Params params = gathered(gradient->params, model.params);
  ASSERT_EQ(params.material[0][0].values.size(), 1u);
  EXPECT_NEAR(params.material[0][0].values[0], -u / young, tolerance * u / young);
  EXPECT_NEAR(gradient->inputs[factor], u, tolerance * u);
}

TEST(Equilibrium, OfABarIsTheClosedForm) { expect_bar({4, 2, 2}, false, 1e-10); }
// Too many nodes to be factored.
TEST(Equilibrium, LongOfALargeBarIsTheClosedForm) { expect_bar({42, 28, 28}, true, 1e-9); }

TEST(Equilibrium, WarnsOfAResidual) {
  const Balance balance(rich_block("linear"));
  std::vector<Vec3d> x = balance.x;
  x[face_nodes({3, 2, 2}, 2, true)[5]] += Vec3d{0.01, 0, 0};
  const auto moved = EquilibriumDerivative::at(balance.model, balance.inputs, state_of(balance.model, x));
  ASSERT_TRUE(moved);
  ASSERT_EQ(moved->warnings().size(), 1u);
  EXPECT_NE(moved->warnings()[0].find("not an equilibrium"), std::string::npos);
  EXPECT_GT(moved->relative_residual(), 1e-3);
}

TEST(Equilibrium, WarnsOfInvertedElements) {
  Model model = held_block({.law = "stable_neo_hookean", .poisson = 0.3});
  std::vector<Vec3d> x = model.X;
  const int32_t inner = 2 + 5 * (1 + 3 * 1);
  x[inner] += Vec3d{0.9, 0, 0};
  const auto result = EquilibriumDerivative::at(model, inputs_at(model, 0), state_of(model, x));
  ASSERT_TRUE(result) << result.error().text();
  bool said = false;
  for (const std::string& warning : result->warnings()) said |= warning.find("inverted") != std::string::npos;
  EXPECT_TRUE(said);
}

// A block that is held at one end and lies on a floor with the other.
Model block_on_floor() {
  Model model = held_block({.law = "neo_hookean", .jitter = 0, .hold_right = false});
  add_gravity(model, {0, 0, -9.81});
  model::Collider floor;
  floor.name = "floor";
  floor.transform.b = {0, 0, -0.02};
  floor.pose = model.inputs.add_pose("collider.floor", {{}});
  model.colliders.push_back(floor);
  model.contact.rules.assign(2, {});
  model.contact.rules[1] = {.on = true, .friction = 0, .thickness = 0.002, .stiffness = 1e4};
  return model;
}

// Contacts are found again where each solve ended, until the shape stands.
std::vector<Vec3d> settled(const Model& model, std::span<const double> inputs, std::vector<Vec3d> x) {
  for (int round = 0; round < 30; ++round) {
    solve::System system(model);
    system.set_inputs(inputs);
    system.set_contacts(contacts_of(model, inputs, state_of(model, x)).set);
    const std::vector<Vec3d> before = x;
    solve::Newton(system, {}).solve(x, 1e-13, {});
    if (distance(before, x) < 1e-13) return x;
  }
  ADD_FAILURE() << "contacts do not settle";
  return x;
}

TEST(Equilibrium, OnAFlatFloorIsExactWhileTheSameNodesTouchAndSaysSo) {
  const Model model = block_on_floor();
  const std::vector<double> inputs = inputs_at(model, 0);
  const std::vector<Vec3d> x = settled(model, inputs, model.X);
  const auto result = EquilibriumDerivative::at(model, inputs, state_of(model, x));
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->warnings().size(), 1u);
  EXPECT_EQ(result->warnings()[0].find("contacts: "), 0u);
  EXPECT_EQ(result->warnings()[0].find("contacts: 0"), std::string::npos);
  const int32_t floor = model.colliders[0].pose;
  for (const int32_t j : {model.gravity + 2, floor + 11}) {
    const double h = j == model.gravity + 2 ? 1e-3 : 1e-5;
    std::vector<Vec3d> ends[2];
    for (int side = 0; side < 2; ++side) {
      std::vector<double> moved = inputs;
      moved[j] += side ? h : -h;
      ends[side] = settled(model, moved, x);
    }
    for (size_t i = 0; i < x.size(); ++i) ends[1][i] = (ends[1][i] - ends[0][i]) * (0.5 / h);
    Change change;
    change.inputs.assign(inputs.size(), 0.0);
    change.inputs[j] = 1;
    const auto dx = result->forward(change);
    ASSERT_TRUE(dx);
    EXPECT_LE(distance(*dx, ends[1]), 1e-6 * largest(ends[1])) << j;
  }
}

// The end of a block between two balls that press it: a barrier, whose normals turn as nodes slide along the balls.
Model block_between_balls() {
  Model model = held_block({.law = "neo_hookean", .jitter = 0, .hold_right = false});
  Vec3d low = model.X[0], high = low;
  for (const Vec3d& X : model.X)
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], X[a]);
      high[a] = std::max(high[a], X[a]);
    }
  for (const double side : {-1.0, 1.0}) {
    model::Collider ball;
    ball.name = "ball";
    ball.shape = model::Collider::Shape::sphere;
    ball.size = {0.8, 0, 0};
    ball.transform.b = {high[0] - 0.1, 0.5 * (low[1] + high[1]) + 0.05,
                        side < 0 ? low[2] - 0.75 : high[2] + 0.77};
    ball.pose = model.inputs.add_pose("collider.ball", {{}});
    model.colliders.push_back(ball);
  }
  model.contact.rules.assign(3, {});
  model.contact.rules[1] = model.contact.rules[2] = {.on = true, .thickness = 0.01};
  model.contact.barrier = true;
  return model;
}

std::vector<Vec3d> balanced(const Model& model, std::span<const double> inputs, std::vector<Vec3d> x) {
  solve::System system(model);
  system.set_inputs(inputs);
  contact::BarrierPairs pairs(model);
  pairs.begin(inputs, 0);
  system.set_barrier(&pairs);
  system.clear_way(x, x);
  EXPECT_EQ(solve::Newton(system, {}).solve(x, 1e-13, {}).status, solve::SolveStatus::converged);
  return x;
}

TEST(Equilibrium, BetweenBallsFollowsTheNormals) {
  const Model model = block_between_balls();
  const std::vector<double> inputs = inputs_at(model, 0);
  const std::vector<Vec3d> x = balanced(model, inputs, model.X);
  const auto result = EquilibriumDerivative::at(model, inputs, state_of(model, x));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_LT(result->relative_residual(), 1e-9);
  std::vector<Vec3d> weights(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    weights[i] = {std::sin(1.0 + i), std::cos(2.0 * i), std::sin(3.0 * i)};
  const auto adjoint = result->adjoint(weights);
  ASSERT_TRUE(adjoint);
  const int32_t pose = model.colliders[1].pose;
  // Moved along all axes, and turned about x and y: a ball about the origin, not about its centre.
  for (const auto& entries : {std::vector<int32_t>{9}, {10}, {11}, {5, -7}, {6, -2}}) {
    constexpr double h = 1e-5;
    std::vector<Vec3d> ends[2];
    Change change;
    change.inputs.assign(inputs.size(), 0.0);
    for (const int32_t entry : entries) change.inputs[pose + std::abs(entry)] = entry < 0 ? -1 : 1;
    for (int side = 0; side < 2; ++side) {
      std::vector<double> moved = inputs;
      for (size_t j = 0; j < moved.size(); ++j) moved[j] += (side ? h : -h) * change.inputs[j];
      ends[side] = balanced(model, moved, x);
    }
    for (size_t i = 0; i < x.size(); ++i) ends[1][i] = (ends[1][i] - ends[0][i]) * (0.5 / h);
    const auto dx = result->forward(change);
    ASSERT_TRUE(dx);
    EXPECT_LE(distance(*dx, ends[1]), 1e-6 * largest(ends[1])) << entries[0];
    double forward = 0, backward = 0;
    for (size_t i = 0; i < x.size(); ++i) forward += dot(weights[i], (*dx)[i]);
    for (size_t j = 0; j < inputs.size(); ++j) backward += adjoint->inputs[j] * change.inputs[j];
    EXPECT_NEAR(forward, backward, 1e-9 * (1 + std::abs(forward))) << entries[0];
  }
}

TEST(Equilibrium, RefusesWhatHasNone) {
  Model model;
  add_set(model, add_block(model), *material::find_law("neo_hookean"));
  const auto free = EquilibriumDerivative::at(model, {}, state_of(model, model.X));
  ASSERT_FALSE(free);
  EXPECT_NE(free.error().what.find("singular"), std::string::npos);

  Model held = held_block({});
  std::vector<double> inputs = inputs_at(held, 0);
  const model::State state = state_of(held, held.X);
  EXPECT_FALSE(EquilibriumDerivative::at(held, std::span(inputs).first(3), state));
  inputs[9] = 0.1;
  const auto elsewhere = EquilibriumDerivative::at(held, inputs, state);
  ASSERT_FALSE(elsewhere);
  EXPECT_NE(elsewhere.error().what.find("0.1 m"), std::string::npos);
  inputs[9] = NAN;
  EXPECT_FALSE(EquilibriumDerivative::at(held, inputs, state));
  inputs[9] = 0;

  const auto derivative = EquilibriumDerivative::at(held, inputs, state);
  ASSERT_TRUE(derivative);
  EXPECT_FALSE(derivative->adjoint(std::vector<Vec3d>(3)));
  EXPECT_FALSE(derivative->adjoint(std::vector<Vec3d>(held.X.size(), Vec3d{NAN, 0, 0})));
  EXPECT_FALSE(derivative->forward({.inputs = {1, 2}}));
  Change change;
  change.params.density = {{{1, 2, 3}}};
  EXPECT_FALSE(derivative->forward(change));
}

}  // namespace
}  // namespace sinew::sensitivity
