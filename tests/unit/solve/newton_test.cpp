#include "solve/newton.h"

#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "unit/solve/flat_strip.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

const Mat3d stretch = Mat3d::columns({1.3, 0.1, 0}, {-0.1, 0.9, 0.05}, {0.1, 0, 1.1});

// The right face pulled outwards and turned about x.
std::vector<model::PoseKey> pulled(double length, double angle = 0) {
  return {
      {.time = 0},
      {.time = 1, .translate = {length, 0, 0}, .axis = {1, 0, 0}, .angle = angle, .about = {2, 0.5, 0.5}}};
}

TEST(Newton, RestTakesNoStep) {
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.rest_stable || !law->traits.lame) continue;
    const Model model = held_block({.law = std::string(law->name), .poisson = 0.4, .jitter = 0.1});
    System system(model);
    std::vector<Vec3d> x = model.X;
    const SolveReport report = Newton(system, {}).solve(x, 1e-10, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << law->name;
    EXPECT_EQ(report.iterations, 0) << law->name;
    EXPECT_EQ(distance(x, model.X), 0) << law->name;
  }
}

// Half a turn in one step is no small motion. A caller that can ask for less hears so at once; another gets what can be had.
TEST(Newton, AFirstStepThatIsTooLargeIsRefusedWhereLessCanBeAskedFor) {
  const Model model = held_block({.right = pulled(0, std::numbers::pi)});
  System system(model);
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(1, inputs);
  system.set_inputs(inputs);
  Newton newton(system, {});
  std::vector<Vec3d> x = model.X;
  newton.set_patience(40);
  const SolveReport refused = newton.solve(x, 1e-6, {});
  EXPECT_GT(refused.excess, 1);
  EXPECT_EQ(refused.iterations, 1);
  EXPECT_EQ(distance(x, model.X), 0);
  newton.set_patience(std::numeric_limits<int>::max());
  EXPECT_EQ(newton.solve(x, 1e-6, {}).excess, 1);
  EXPECT_GT(distance(x, model.X), 0.1);
}

// An affine map on the boundary of an irregular mesh gives the same map inside.
class Patch : public testing::TestWithParam<std::string> {};

TEST_P(Patch, IsAffineInFewSteps) {
  Model model;
  const std::array<int32_t, 3> cells = {4, 3, 3};
  add_set(model, add_block(model, {.cells = cells, .size = {2, 1, 1}, .jitter = 0.2}),
          *material::find_law(GetParam()), 1e5, 0.4);
  std::vector<int32_t> boundary;
  for (int axis = 0; axis < 3; ++axis)
    for (bool last : {false, true})
      for (int32_t i : face_nodes(cells, axis, last)) boundary.push_back(i);
  std::sort(boundary.begin(), boundary.end());
  boundary.erase(std::unique(boundary.begin(), boundary.end()), boundary.end());
  hold(model, "boundary", boundary);
  System system(model);
  std::vector<double> inputs(model.inputs.size());
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) inputs[3 * c + r] = stretch(r, c);
  inputs[9] = 0.3;
  system.set_inputs(inputs);

  std::vector<Vec3d> x = model.X, expected = model.X;
  for (Vec3d& p : expected) p = stretch * p + Vec3d{0.3, 0, 0};
  const SolveReport report = Newton(system, {}).solve(x, 1e-11, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.iterations, 8);
  EXPECT_LT(distance(x, expected), 1e-8);
}
INSTANTIATE_TEST_SUITE_P(Laws, Patch,
                         testing::Values("neo_hookean", "stable_neo_hookean", "corotated", "linear", "stvk"),
                         [](const auto& info) { return info.param; });

// Energies at every accepted point, by a System of its own.
class EnergyWatch {
 public:
  EnergyWatch(const Model& model, std::span<const double> inputs, std::span<const Vec3d> x)
      : system_(model), x_(x) {
    system_.set_inputs(inputs);
  }
  Control control() {
    return {.cancel = nullptr, .on_residual = [this](double) { at_.push_back(now()); }};
  }
  Evaluation now() {
    std::vector<Vec3d> g(x_.size());
    return system_.evaluate(x_, g);
  }
  std::span<const Evaluation> at() const { return at_; }

 private:
  System system_;
  std::span<const Vec3d> x_;
  std::vector<Evaluation> at_;
};

class Scattered : public testing::TestWithParam<std::string> {};

TEST_P(Scattered, EnergyOnlyFalls) {
  const Model model = held_block({.law = GetParam()});
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    System system(model);
    std::vector<Vec3d> x = model.X;
    scatter(system.dofs(), seed, x);
    EnergyWatch watch(model, system.inputs(), x);
    Evaluation before = watch.now();
    const double start = before.energy;
    const SolveReport report = Newton(system, {.max_iterations = 200}).solve(x, 1e-8, watch.control());
    // From here the logarithmic law may stall: the stepper's soft start is for that.
    if (GetParam() != "neo_hookean") {
      EXPECT_EQ(report.status, SolveStatus::converged) << "seed " << seed;
    }
    EXPECT_EQ(report.residuals.size(), watch.at().size() + 1);
    ASSERT_FALSE(watch.at().empty());
    EXPECT_LT(watch.now().energy, 0.1 * start);
    for (const Evaluation& after : watch.at()) {
      EXPECT_LE(after.energy, before.energy + after.energy_noise + before.energy_noise);
      before = after;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Laws, Scattered, testing::Values("neo_hookean", "stable_neo_hookean", "corotated"),
                         [](const auto& info) { return info.param; });

TEST(Newton, ConvergesQuadraticallyNearTheSolution) {
  const Model model = held_block({.law = "stable_neo_hookean", .poisson = 0.4, .right = pulled(0.8, 0.6)});
  System system(model);
  system.set_inputs(inputs_at(model, 1));
  if (!make_direct_solver(system)) GTEST_SKIP() << "no direct solver in this build";
  std::vector<Vec3d> x = model.X;
  const SolveReport report = Newton(system, {}).solve(x, 1e-12, {});
  ASSERT_EQ(report.status, SolveStatus::converged);
  int seen = 0;
  for (size_t k = 0; k + 1 < report.residuals.size(); ++k) {
    const double now = report.residuals[k], next = report.residuals[k + 1];
    if (now > 1e-2 || now < 1e-7) continue;
    EXPECT_LT(next, 30 * now * now) << "iteration " << k;
    ++seen;
  }
  EXPECT_GE(seen, 1);
}

// A squeezed bar, where the projection changes the operator: full steps with the projected operator alone end
// where Newton ends.
TEST(Newton, ProjectionDoesNotMoveTheEquilibrium) {
  const Model model = held_block({.poisson = 0.4, .cells = {4, 3, 3}, .right = pulled(-0.4, 0.5)});
  System system(model);
  system.set_inputs(inputs_at(model, 1));
  std::vector<Vec3d> x = model.X;
  ASSERT_EQ(Newton(system, {}).solve(x, 1e-11, {}).status, SolveStatus::converged);
  const Eigen::MatrixXd exact = dense(system, x, Hessian::exact),
                        projected = dense(system, x, Hessian::projected);
  ASSERT_GT((exact - projected).norm(), 1e-4 * exact.norm());

  std::vector<Vec3d> y = x, g(x.size()), q(system.dofs().block_count()), d(x.size());
  for (size_t i = 0; i < y.size(); ++i) y[i] += random_vector(math::Random(8), i) * 0.01;
  system.dofs().retract(y);
  auto solver = make_linear_solver("pcg", system);
  double residual = 1;
  for (int step = 0; step < 200 && residual > 1e-9; ++step) {
    residual = system.evaluate(y, g).relative;
    solver->prepare(system, y, Hessian::projected);
    system.dofs().pull(g, q);
    const std::vector<Vec3d> b = q;
    solver->solve(b, q, 1e-4, 1000);
    system.dofs().push(q, d);
    for (size_t i = 0; i < y.size(); ++i) y[i] -= d[i];
  }
  EXPECT_LE(residual, 1e-9);
  EXPECT_LT(distance(x, y), 1e-6);
}

TEST(Newton, EveryLinearSolverReachesTheSameEquilibrium) {
  const Model model = held_block({.law = "stable_neo_hookean", .poisson = 0.45, .right = pulled(0.6, 1)});
  std::vector<Vec3d> reference;
  for (std::string_view name : linear_solver_names()) {
    System system(model);
    system.set_inputs(inputs_at(model, 1));
    std::vector<Vec3d> x = model.X;
    Newton newton(system, {.linear = std::string(name)});
    const SolveReport report = newton.solve(x, 1e-9, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << name;
    EXPECT_EQ(report.last.inverted, 0) << name;
    if (name != "auto") {
      EXPECT_EQ(newton.linear_solver(), name);
    }
    if (reference.empty()) reference = x;
    EXPECT_LT(distance(x, reference), 1e-6) << name;
  }
}

TEST(Newton, IsCancelledBetweenIterations) {
  const Model model = held_block({.poisson = 0.45});
  System system(model);
  std::vector<Vec3d> x = model.X;
  scatter(system.dofs(), 1, x);
  Cancel cancel;
  int heard = 0;
  const Control control{.cancel = &cancel, .on_residual = [&](double) {
                          if (++heard == 3) cancel.request();
                        }};
  const SolveReport report = Newton(system, {}).solve(x, 1e-8, control);
  EXPECT_EQ(report.status, SolveStatus::cancelled);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_TRUE(all_finite(x));
}

TEST(Newton, StopsAtItsIterations) {
  const Model model = held_block({.poisson = 0.45});
  System system(model);
  std::vector<Vec3d> x = model.X;
  scatter(system.dofs(), 1, x);
  const SolveReport report = Newton(system, {.max_iterations = 2}).solve(x, 1e-12, {});
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_GT(report.last.relative, 1e-12);
}

TEST(Newton, ALimitIsForSolvesToCome) {
  const Model model = held_block({.poisson = 0.45});
  System system(model);
  std::vector<Vec3d> x = model.X;
  scatter(system.dofs(), 1, x);
  Newton newton(system, {});
  newton.set_limit(3);
  EXPECT_EQ(newton.solve(x, 1e-8, {}).iterations, 3);
  newton.set_limit(std::numeric_limits<int>::max());
  EXPECT_GT(newton.solve(x, 1e-8, {}).iterations, 3);
}

struct Absurd {
  const char* name;
  Vec3d (*place)(const Vec3d& X, uint64_t i);
};
class AbsurdStart : public testing::TestWithParam<Absurd> {};

TEST_P(AbsurdStart, StaysFinite) {
  for (const char* law : {"neo_hookean", "stable_neo_hookean", "corotated", "stvk"})
    for (const material::Inversion inversion : {material::Inversion::extend, material::Inversion::clamp}) {
      const Model model = held_block({.law = law, .poisson = 0.45});
      System system(model);
      system.set_inversion(inversion, 0.25);
      std::vector<Vec3d> x = model.X;
      for (size_t i = 0; i < x.size(); ++i) x[i] = GetParam().place(x[i], i);
      const SolveReport report = Newton(system, {}).solve(x, 1e-6, {});
      EXPECT_TRUE(all_finite(x)) << law;
      EXPECT_TRUE(std::isfinite(report.last.residual)) << law;
    }
}
INSTANTIATE_TEST_SUITE_P(
    From, AbsurdStart,
    testing::Values(Absurd{"one_point",
                           [](const Vec3d&, uint64_t) {
                             return Vec3d{1, 0.5, 0.5};
                           }},
                    Absurd{"a_million_times", [](const Vec3d& X, uint64_t) { return X * 1e6; }},
                    Absurd{"a_millionth", [](const Vec3d& X, uint64_t) { return X * 1e-6; }},
                    Absurd{"far_noise",
                           [](const Vec3d&, uint64_t i) { return random_vector(math::Random(3), i) * 1e8; }},
                    Absurd{"flat",
                           [](const Vec3d& X, uint64_t) {
                             return Vec3d{X[0], X[1], 0.5};
                           }}),
    [](const auto& info) { return info.param.name; });

TEST(Newton, StaysFiniteWhenTheBoundaryJumpsFar) {
  for (const double far : {10.0, 1e4, 1e9}) {
    const Model model = held_block({.law = "stable_neo_hookean", .poisson = 0.45, .right = pulled(far, 3)});
    System system(model);
    system.set_inputs(inputs_at(model, 1));
    std::vector<Vec3d> x = model.X;
    Newton(system, {}).solve(x, 1e-6, {});
    EXPECT_TRUE(all_finite(x)) << far;
  }
}

// Held nodes end where their frames put them.
TEST(Newton, MovesHeldNodesToTheirTargets) {
  const Model model = held_block({.poisson = 0.4, .right = pulled(0.5, 0.8)});
  System system(model);
  system.set_inputs(inputs_at(model, 1));
  std::vector<Vec3d> x = model.X, expected = model.X;
  system.dofs().retract(expected);
  ASSERT_EQ(Newton(system, {}).solve(x, 1e-8, {}).status, SolveStatus::converged);
  for (const auto& attachment : model.attachments)
    for (int32_t i : attachment.nodes) EXPECT_NEAR(norm(x[i] - expected[i]), 0, 1e-15);
}

// Nothing held and balanced loads: the body neither drifts nor turns.
TEST(Newton, ABalancedFreeBodyStaysWhereItIs) {
  Model model = block("neo_hookean", {.cells = {3, 2, 2}, .size = {1.5, 1, 1}, .jitter = 0});
  const std::array<int32_t, 3> cells = {3, 2, 2};
  const int factor = model.inputs.add_numbers("load.pull", {{0, {1}}});
  for (const bool last : {false, true}) {
    const auto nodes = face_nodes(cells, 0, last);
    model.nodal_loads.push_back({last ? "right" : "left", nodes,
                                 std::vector<Vec3d>(nodes.size(), Vec3d{last ? 100.0 : -100.0, 0, 0}),
                                 factor});
  }
  const auto centre = [&](std::span<const Vec3d> x) {
    Vec3d c{0, 0, 0};
    for (const Vec3d& p : x) c += p * (1.0 / static_cast<double>(x.size()));
    return c;
  };
  for (const char* linear : {"pcg", "pcg_cholesky", "matrix_free"}) {
    System system(model);
    std::vector<Vec3d> x = model.X;
    const SolveReport report = Newton(system, {.linear = linear}).solve(x, 1e-8, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << linear;
    EXPECT_TRUE(all_finite(x)) << linear;
    EXPECT_GT(x[cells[0]][0] - x[0][0], 1.6) << linear;  // longer than 1.5 m at rest
    EXPECT_LT(norm(centre(x) - centre(model.X)), 0.05) << linear;
    Vec3d spin{0, 0, 0};
    for (size_t i = 0; i < x.size(); ++i) spin += cross(model.X[i] - centre(model.X), x[i] - model.X[i]);
    EXPECT_LT(norm(spin), 0.1) << linear;
  }
}

// The rise of a buckled strip of length L that is shortened by d is about 2/pi sqrt(d L).
TEST(Newton, AFlatStripBucklesWhereOneStepReachesItsFlatEquilibrium) {
  const Model model = flat_strip();
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(1, inputs);
  for (const char* linear : {"auto", "pcg"}) {
    System system(model);
    system.set_inputs(inputs);
    std::vector<Vec3d> x = model.X;
    const SolveReport report = Newton(system, {.linear = linear}).solve(x, 1e-5, {});
    EXPECT_EQ(report.status, SolveStatus::converged) << linear;
    EXPECT_FALSE(report.unstable) << linear;
    double rise = 0;
    for (int32_t i = 0; i < model.bodies[0].visible().end; ++i) rise = std::max(rise, std::abs(x[i][2]));
    EXPECT_NEAR(rise, 2 / std::numbers::pi * std::sqrt(0.06 * 1.2), 0.01) << linear;
  }
}

// Three oblique planes hold their nodes completely, to the last bit of rounding.
TEST(Newton, PlanesThatHoldEveryDirection) {
  Model model = held_block({.right = pulled(0.3), .hold_right = true});
  const std::vector<int32_t> nodes = {7, 22};  // between the held faces
  for (const Vec3d& normal :
       {normalized(Vec3d{1, 1, 0.3}), normalized(Vec3d{-0.2, 1, 0.5}), normalized(Vec3d{0.4, -0.3, 1})})
    hold(model, "plane" + std::to_string(model.attachments.size()), nodes, {{}}, model::Hold::plane, normal);
  System system(model);
  system.set_inputs(inputs_at(model, 1));
  std::vector<Vec3d> x = model.X;
  const SolveReport report = Newton(system, {}).solve(x, 1e-10, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  for (int32_t node : nodes) EXPECT_LT(norm(x[node] - model.X[node]), 1e-12);
}

}  // namespace
}  // namespace sinew::solve
