// Figures named R1, R2 and R3 were computed by an independent program (plain loops over nodes, Eigen) for the same lattice.
#include "solve/pbng.h"

#include <gtest/gtest.h>
#include <set>

#include "solve/newton.h"
#include "solve/node_sweeps.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// 9 x 5 x 5 nodes, both ends held, x = 1 moved by 0.5 and turned by one radian about the axis.
model::Model r1_bar(const std::string& law = "corotated", double poisson = 0.3) {
  return held_block(
      {.law = law,
       .poisson = poisson,
       .cells = {8, 4, 4},
       .size = {1, 0.5, 0.5},
       .right =
           {{},
            {.time = 1, .translate = {0.5, 0, 0}, .axis = {1, 0, 0}, .angle = 1, .about = {1, 0.25, 0.25}}},
       .split = mesh::Split::five,
       .density = 10});
}

// Greedy colours of the bar's nodes in the order of that program: z runs fastest, x slowest.
std::vector<int32_t> z_first_colours(const model::Model& bar) {
  const auto other = [](int32_t node) { return node / 45 + 5 * (node / 9 % 5) + 25 * (node % 9); };
  std::vector<int32_t> nodes;
  for (const auto& tet : bar.elements.rows<4>())
    for (int32_t node : tet) nodes.push_back(other(node));
  const energy::Stencils stencils{4, nodes};
  const std::vector<int32_t> found = energy::colour_nodes({&stencils, 1}, static_cast<int64_t>(bar.X.size()));
  std::vector<int32_t> colours(bar.X.size());
  for (size_t i = 0; i < colours.size(); ++i) colours[i] = found[other(static_cast<int32_t>(i))];
  return colours;
}

double residual_of(const System& system, std::span<const Vec3d> x) {
  std::vector<Vec3d> gradient(x.size());
  return system.evaluate(x, gradient).residual;
}

// Positions after each of the given numbers of iterations.
std::vector<std::vector<Vec3d>> positions_after(System& system, const PbngOptions& options,
                                                const std::vector<int>& at, std::vector<Vec3d> x) {
  std::vector<std::vector<Vec3d>> result;
  int count = 0;
  PbngOptions all = options;
  all.levels = Levels::single;
  all.iterations = at.back();
  Control control;
  control.on_iterate = [&](std::span<const double> c) {
    if (std::find(at.begin(), at.end(), ++count) == at.end()) return;
    std::vector<Vec3d>& now = result.emplace_back(c.size() / 3);
    for (size_t i = 0; i < c.size(); ++i) now[i / 3][i % 3] = c[i];
  };
  make_pbng(system, all)->solve(x, 1e-16, control);
  return result;
}

// The residual there.
std::vector<double> residuals(System& system, const PbngOptions& options, const std::vector<int>& at,
                              const std::vector<Vec3d>& x) {
  std::vector<double> result;
  for (const auto& now : positions_after(system, options, at, x)) result.push_back(residual_of(system, now));
  return result;
}

struct Row {
  Acceleration acceleration;
  std::vector<double> expected;  // after 10, 20, 40, 100, 200 sweeps [N]
};

class R1 : public testing::TestWithParam<Row> {};

TEST_P(R1, ResidualsOfTheIndependentProgram) {
  const model::Model bar = r1_bar();
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  std::vector<Vec3d> x = bar.X;
  system.dofs().retract(x);
  EXPECT_NEAR(residual_of(system, x), 4.05e4, 0.01e4);
  const auto found =
      residuals(system, {.acceleration = GetParam().acceleration, .colours = z_first_colours(bar)},
                {10, 20, 40, 100, 200}, bar.X);
  for (size_t k = 0; k < GetParam().expected.size(); ++k)
    EXPECT_NEAR(found[k], GetParam().expected[k], 0.2 * GetParam().expected[k]) << k;
}

INSTANTIATE_TEST_SUITE_P(Pbng, R1,
                         testing::Values(Row{Acceleration::none, {2.75e3, 1.54e3, 5.80e2, 7.29e1, 7.59}},
                                         Row{Acceleration::sor, {5.67e3, 1.31e3, 7.08e1, 1.25e-2, 1.9e-8}},
                                         Row{Acceleration::chebyshev, {1.56e3, 9.92e1, 1.40, 9.3e-5}},
                                         Row{Acceleration::in_sweep, {1.48e3, 3.82e2, 7.37e1, 1.36}}));

// ---- Acceleration ----

std::vector<Vec3d> newton_answer(System& system, std::vector<Vec3d> x, double tolerance = 1e-12) {
  const SolveReport report = Newton(system, {}).solve(x, tolerance, {});
  EXPECT_EQ(report.status, SolveStatus::converged) << report.last.relative;
  return x;
}

std::vector<Vec3d> pbng_answer(System& system, std::vector<Vec3d> x, double tolerance = 1e-10,
                               PbngOptions options = {.iterations = 20000}) {
  options.levels = Levels::single;
  EXPECT_EQ(make_pbng(system, options)->solve(x, tolerance, {}).status, SolveStatus::converged);
  return x;
}

TEST(PbngAcceleration, ChebyshevWeights) {
  const double expected[] = {1, 1, 1.82232, 1.69826, 1.62119, 1.57674, 1.55220};
  double w = 1;
  for (int l = 0; l < 200; ++l) {
    w = next_chebyshev_weight(l, 0.95, w);
    if (l < 7) {
      EXPECT_NEAR(w, expected[l], 5e-6) << l;
    }
  }
  EXPECT_NEAR(w, 1.52410, 5e-6);
  EXPECT_NEAR(w, 2 / (1 + std::sqrt(1 - 0.95 * 0.95)), 1e-12);
}

// A mode that a plain sweep multiplies by g obeys t^2 - w g t + (w - 1) = 0 under sor: near 1 it is w/(2 - w) times as fast.
TEST(PbngAcceleration, RatesCountsAndErrors) {
  const model::Model bar = r1_bar();
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  const auto colours = z_first_colours(bar);
  std::vector<int> every(600);
  for (size_t k = 0; k < every.size(); ++k) every[k] = static_cast<int>(k) + 1;
  const auto run = [&](Acceleration acceleration) {
    return residuals(system, {.acceleration = acceleration, .colours = colours}, every, bar.X);
  };
  const auto plain = run(Acceleration::none), sor = run(Acceleration::sor),
             chebyshev = run(Acceleration::chebyshev);
  const double p = std::pow(plain[399] / plain[299], 0.01), q = std::pow(sor[119] / sor[59], 1.0 / 60);
  EXPECT_NEAR(p, 0.978, 0.005);
  EXPECT_NEAR(q, 1 - 1.7 / 0.3 * (1 - p), 0.02);

  const auto count_to = [&](const std::vector<double>& list) {
    std::vector<Vec3d> x = bar.X;
    system.dofs().retract(x);
    const double first = residual_of(system, x);
    return std::find_if(list.begin(), list.end(), [&](double r) { return r < 1e-6 * first; }) - list.begin();
  };
  EXPECT_LE(count_to(chebyshev), 1.2 * count_to(sor));
  EXPECT_GE(count_to(plain), 4 * count_to(sor));
  EXPECT_GE(count_to(plain), 4 * count_to(chebyshev));

  const auto exact = newton_answer(system, bar.X);
  const auto error = [&](Acceleration acceleration) {
    const auto x = positions_after(system, {.acceleration = acceleration, .colours = colours}, {10}, bar.X);
    double sum = 0;
    for (size_t i = 0; i < exact.size(); ++i) sum += norm2(x[0][i] - exact[i]);
    return std::sqrt(sum);
  };
  EXPECT_LE(error(Acceleration::sor), 0.65 * error(Acceleration::none));
  EXPECT_LE(error(Acceleration::chebyshev), 0.65 * error(Acceleration::none));
}

// Chebyshev where blocks are larger than second derivatives, relaxation of every node where they are not.
TEST(PbngAcceleration, AutomaticIsFasterThanPlainForEveryKindOfBlock) {
  for (const char* law : {"corotated", "stable_neo_hookean", "neo_hookean", "stvk", "ogden"}) {
    const model::Model bar = r1_bar(law);
    System system(bar);
    system.set_inputs(inputs_at(bar, 1));
    const auto at_40 = [&](Acceleration acceleration) {
      return residuals(system, {.acceleration = acceleration}, {40}, bar.X)[0];
    };
    EXPECT_LT(at_40(Acceleration::automatic), 0.1 * at_40(Acceleration::none)) << law;
  }
}

// Chebyshev diverges here, by five orders of magnitude in a few sweeps; what was reached before is not lost to it.
TEST(PbngAcceleration, WhereChebyshevDivergesSweepsGoBackAndGoOn) {
  const model::Model bar = r1_bar("neo_hookean");
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  for (Acceleration acceleration : {Acceleration::chebyshev, Acceleration::sor}) {
    std::vector<Vec3d> start = bar.X;
    system.dofs().retract(start);
    for (const auto& [sweeps, factor] : {std::pair{60, 1.0}, {400, 1e-5}}) {
      std::vector<Vec3d> x = start;
      make_pbng(system, {.iterations = sweeps, .levels = Levels::single, .acceleration = acceleration})
          ->solve(x, 1e-12, {});
      EXPECT_LT(residual_of(system, x), factor * residual_of(system, start)) << sweeps;
    }
  }
}

// ---- The cantilever of R2 and R3 ----

// The bar of R1 with its right end free, soft, in gravity.
model::Model cantilever() {
  model::Model bar = held_block({.law = "corotated",
                                 .young = 1000,
                                 .cells = {8, 4, 4},
                                 .size = {1, 0.5, 0.5},
                                 .hold_right = false,
                                 .split = mesh::Split::five,
                                 .density = 10});
  add_gravity(bar, {0, -9.8, 0});
  return bar;
}

// Backward Euler by hand: the system's inertia for a step of dt from x with velocity v; where free fall would lead.
std::vector<Vec3d> begin_step(System& system, std::span<const Vec3d> x, std::span<const Vec3d> v, double dt,
                              const Vec3d& g) {
  std::vector<double> weight = system.model().lumped_mass(system.params());
  for (double& w : weight) w /= dt * dt;
  std::vector<Vec3d> target(x.size()), start(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    target[i] = x[i] + v[i] * dt;
    start[i] = target[i] + g * (dt * dt);
  }
  system.set_inertia(weight, target);
  system.dofs().retract(start);
  return start;
}

std::vector<Vec3d> velocity(std::span<const Vec3d> x, std::span<const Vec3d> old, double dt) {
  std::vector<Vec3d> v(x.size());
  for (size_t i = 0; i < x.size(); ++i) v[i] = (x[i] - old[i]) * (1 / dt);
  return v;
}

TEST(PbngR2, ResidualsOfTheSeventhStep) {
  const model::Model bar = cantilever();
  System system(bar);
  system.set_inputs(inputs_at(bar, 0));
  const double dt = 1.0 / 30;
  std::vector<Vec3d> x = bar.X, v(x.size(), Vec3d{0, 0, 0});
  for (int step = 0; step < 6; ++step) {
    const auto start = begin_step(system, x, v, dt, {0, -9.8, 0});
    const auto next = newton_answer(system, start);
    v = velocity(next, x, dt);
    x = next;
  }
  const auto start = begin_step(system, x, v, dt, {0, -9.8, 0});
  EXPECT_NEAR(residual_of(system, start), 3.90, 0.2 * 3.90);
  const auto found = residuals(system, {.acceleration = Acceleration::none, .colours = z_first_colours(bar)},
                               {10, 50, 100, 200}, start);
  const double expected[] = {1.24, 1.29e-1, 9.7e-3, 7.9e-5};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(found[k], expected[k], 0.2 * expected[k]) << k;
}

TEST(PbngR3, SagOfTheTip) {
  const model::Model bar = cantilever();
  System system(bar);
  system.set_inputs(inputs_at(bar, 0));
  const auto found = positions_after(
      system, {.acceleration = Acceleration::none, .colours = z_first_colours(bar)}, {10, 200, 2000}, bar.X);
  const double expected[] = {-0.0047, -0.110, -0.510};
  for (int k = 0; k < 3; ++k) {
    double sag = 0;
    const auto tip = face_nodes({8, 4, 4}, 0, true);
    for (int32_t node : tip) sag += (found[k][node][1] - bar.X[node][1]) / static_cast<double>(tip.size());
    EXPECT_NEAR(sag, expected[k], 0.02 * std::abs(expected[k])) << k;
  }
}

// ---- In time ----

TEST(PbngInTime, FreeFallIsExact) {
  model::Model block = sample::block("stable_neo_hookean");
  add_gravity(block, {0, 0, -9.8});
  System system(block);
  system.set_inputs(inputs_at(block, 0));
  const double dt = 0.01;
  std::vector<Vec3d> x = block.X, v(x.size(), Vec3d{0, 0, 0});
  for (int n = 1; n <= 5; ++n) {
    begin_step(system, x, v, dt, {0, 0, -9.8});
    const auto next = pbng_answer(system, x, 1e-13);  // from where the last step ended
    v = velocity(next, x, dt);
    x = next;
    const double t = n * dt;
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_LT(norm(x[i] - block.X[i] - Vec3d{0, 0, -0.5 * 9.8 * t * (t + dt)}), 1e-10) << n;
  }
}

TEST(PbngInTime, MomentumChangesByTheImpulse) {
  model::Model block = sample::block("neo_hookean");
  add_gravity(block, {0, 0, -9.8});
  System system(block);
  system.set_inputs(inputs_at(block, 0));
  const double dt = 0.01;
  const std::vector<Vec3d> x = deformed(block, 0.05), v = random_vectors(5, x.size());
  const auto start = begin_step(system, x, v, dt, {0, 0, -9.8});
  const auto after = velocity(pbng_answer(system, start, 1e-12), x, dt);
  const auto mass = block.lumped_mass(block.params);
  Vec3d change = {0, 0, 0};
  double total = 0;
  for (size_t i = 0; i < x.size(); ++i) change += (after[i] - v[i]) * mass[i], total += mass[i];
  EXPECT_LT(norm(change - Vec3d{0, 0, -9.8 * total * dt}), 1e-7 * total);
}

TEST(PbngInTime, AStepIsNewtonsAndAVeryLongOneIsTheEquilibrium) {
  model::Model bar = held_block({.law = "neo_hookean", .jitter = 0.1, .hold_right = false});
  add_gravity(bar, {0, -9.8, 0});
  System system(bar);
  system.set_inputs(inputs_at(bar, 0));
  const auto still = newton_answer(system, bar.X);
  const std::vector<Vec3d> v(bar.X.size(), Vec3d{0, 0, 0});
  for (double dt : {0.02, 1e5}) {
    const auto start = begin_step(system, bar.X, v, dt, {0, dt < 1 ? -9.8 : 0.0, 0});
    const auto found = pbng_answer(system, start, 1e-11);
    EXPECT_LT(distance(found, newton_answer(system, start)), 1e-8) << dt;
    if (dt > 1) {
      EXPECT_LT(distance(found, still), 1e-8);
    }
  }
}

// Damping about a bent pose, with a held face that moves: its part of the matrix is a load for the sweeps.
TEST(PbngInTime, StiffnessDamping) {
  for (const char* law : {"corotated", "neo_hookean"}) {
    model::Model bar = held_block({.law = law, .right = {{}, {.time = 1, .translate = {0.3, 0.2, 0}}}});
    bar.bodies[0].stiffness_damping = 0.05;
    System system(bar);
    system.set_inputs(inputs_at(bar, 1));
    std::vector<Vec3d> start = bar.X;
    for (Vec3d& x : start) x[1] += 0.1 * x[0] * x[0];
    const double dt = 0.02;
    std::vector<double> weight = bar.lumped_mass(bar.params);
    for (double& w : weight) w /= dt * dt;
    system.set_inertia(weight, start);
    const auto undamped = newton_answer(system, start, 1e-11);
    system.set_damping(start, 1 / dt);
    const auto expected = newton_answer(system, start, 1e-11);
    EXPECT_GT(distance(expected, undamped), 0.01) << law;
    EXPECT_LT(distance(pbng_answer(system, start, 1e-11), expected), 1e-8) << law;
  }
}

// ---- Against Newton, and against closed forms ----

TEST(PbngAnswers, LoadsOfAllKinds) {
  for (const char* kind : {"gravity", "nodal", "pressure", "closed pressure"}) {
    SCOPED_TRACE(kind);
    const std::string name = kind;
    model::Model bar = held_block({.law = "neo_hookean", .jitter = 0.1, .hold_right = false});
    const auto right = face_nodes({4, 2, 2}, 0, true);
    const int factor = bar.inputs.add_numbers("load", {{0, {1}}});
    if (name == "gravity") add_gravity(bar, {3, -9.8, 0});
    if (name == "nodal")
      bar.nodal_loads.push_back({"pull", right, std::vector<Vec3d>(right.size(), {900, 300, 0}), factor});
    if (name == "closed pressure")
      bar.pressure_loads.push_back({"all", bar.bodies[0].surface, 2e4, factor, true});
    if (name == "pressure") {
      const std::set<int32_t> on(right.begin(), right.end());
      model::PressureLoad load{"face", {}, -1e4, factor, false};
      for (const auto& face : bar.bodies[0].surface)
        if (on.contains(face[0]) && on.contains(face[1]) && on.contains(face[2])) load.faces.push_back(face);
      ASSERT_FALSE(load.faces.empty());
      bar.pressure_loads.push_back(load);
    }
    System system(bar);
    system.set_inputs(inputs_at(bar, 0));
    // A follower load without an energy keeps Newton's line search from the last digits.
    const auto found = pbng_answer(system, bar.X), expected = newton_answer(system, bar.X, 1e-7);
    EXPECT_GT(distance(expected, bar.X), 0.02);
    EXPECT_LT(distance(found, expected), 1e-6);
  }
}

// Planes and lines that turn and move: nodes stay on them, and go where Newton puts them.
TEST(PbngAnswers, PartlyHeldNodes) {
  for (model::Hold kind : {model::Hold::plane, model::Hold::line}) {
    model::Model bar = held_block({.law = "stable_neo_hookean", .jitter = 0.1, .hold_right = false});
    const auto right = face_nodes({4, 2, 2}, 0, true);
    const Vec3d direction = normalized(Vec3d{2, 1, 0.5});
    const model::PoseKey key = {
        .time = 1, .translate = {0.2, 0.1, 0}, .axis = {0, 0, 1}, .angle = 0.2, .about = {2, 0.5, 0.5}};
    hold(bar, "right", right, {{}, key}, kind, direction);
    add_gravity(bar, {0, -9.8, 0});
    System system(bar);
    const auto inputs = inputs_at(bar, 1);
    system.set_inputs(inputs);
    const auto found = pbng_answer(system, bar.X), expected = newton_answer(system, bar.X);
    EXPECT_LT(distance(found, expected), 1e-6);
    const model::Pose pose = model::pose_at(inputs, bar.attachments.back().pose);
    const Vec3d now = pose.A * direction;
    for (int32_t node : right) {
      const Vec3d off = found[node] - pose(bar.X[node]);
      const double wrong = kind == model::Hold::plane ? std::abs(dot(off, now)) : norm(cross(off, now));
      EXPECT_LT(wrong, 1e-12);
    }
  }
}

TEST(PbngAnswers, UniaxialPullRecoversYoungAndPoisson) {
  const double strain = 1e-4, young = 1e5, poisson = 0.3;
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.lame) continue;
    model::Model bar;
    add_set(bar, add_block(bar, {.cells = {2, 2, 2}, .size = {2, 1, 1}, .jitter = 0.1}), *law, young,
            poisson);
    for (size_t i = 0; i < bar.X.size(); ++i)  // faces stay plane
      for (int k = 0; k < 3; ++k) {
        const auto face = [&](bool last) {
          const auto nodes = face_nodes({2, 2, 2}, k, last);
          return std::find(nodes.begin(), nodes.end(), static_cast<int32_t>(i)) != nodes.end();
        };
        if (face(false)) bar.X[i][k] = 0;
        if (face(true)) bar.X[i][k] = k == 0 ? 2 : 1;
      }
    const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k)
      hold(
          bar, std::string("low") + "xyz" [k], face_nodes({2, 2, 2}, k, false),
          {
            {}
          },
          model::Hold::plane, axes[k]);
    hold(bar, "end", face_nodes({2, 2, 2}, 0, true), {{.translate = {2 * strain, 0, 0}}}, model::Hold::plane,
         axes[0]);
    System system(bar);
    system.set_inputs(inputs_at(bar, 0));
    const auto x = pbng_answer(system, bar.X, 1e-6);
    std::vector<Vec3d> gradient(x.size());
    const Evaluation at = system.evaluate(x, gradient);
    double force = 0, side = 0;
    for (int32_t node : face_nodes({2, 2, 2}, 0, true)) force += gradient[node][0];
    for (int32_t node : face_nodes({2, 2, 2}, 1, true)) side = std::max(side, 1 - x[node][1]);
    EXPECT_NEAR(force / strain, young, 10 * strain * young) << law->name;
    EXPECT_NEAR(side / strain, poisson, 10 * strain) << law->name;
    EXPECT_NEAR(at.energy, 0.5 * young * strain * strain * 2, 10 * strain * young * strain * strain)
        << law->name;
  }
}

// Two blocks end to end, joined by springs of stiffness k; the far ends are pulled apart. The springs carry the same
// force, so the gap goes as 1/k.
TEST(PbngAnswers, TheGapOfLinkedBlocksGoesAsOneOverTheirStiffness) {
  std::vector<double> gaps;
  for (double k : {1e5, 1e6}) {
    model::Model model;
    const std::array<int32_t, 3> cells = {3, 2, 2};
    const BlockOptions options = {.cells = cells, .size = {1, 1, 1}, .jitter = 0};
    const int32_t a = add_block(model, options), b = add_block(model, options);
    const int32_t first = model.bodies[b].nodes.begin;
    for (size_t i = first; i < model.X.size(); ++i) model.X[i][0] += 1;
    add_set(model, a, *material::find_law("corotated"));
    add_set(model, b, *material::find_law("corotated"));
    auto left = face_nodes(cells, 0, false), right = face_nodes(cells, 0, true);
    for (size_t i = 0; i < left.size(); ++i)
      add_link(model, model::Site::at_node(right[i]), model::Site::at_node(first + left[i]), k, k);
    hold(model, "a", left);
    for (int32_t& node : right) node += first;
    hold(model, "b", right, {{.translate = {0.2, 0, 0}}});
    System system(model);
    system.set_inputs(inputs_at(model, 0));
    const auto x = pbng_answer(system, model.X, 1e-7), exact = newton_answer(system, model.X);
    EXPECT_LT(distance(x, exact), 1e-4);
    double gap = 0;
    for (int32_t i : face_nodes(cells, 0, true)) gap += x[first + i - 3][0] - x[i][0];
    gaps.push_back(gap);

    std::vector<Vec3d> pull(x.size(), Vec3d{0, 0, 0});
    for (const auto& term : terms_named(model, "links")) term->evaluate(system.view(x), pull);
    Vec3d sum = {0, 0, 0};
    for (const Vec3d& f : pull) sum += f;
    EXPECT_LT(norm(sum), 1e-9);
  }
  EXPECT_GT(gaps[1], 0);
  EXPECT_NEAR(gaps[0] / gaps[1], 10, 0.3);
}

// The middle line of a pulled and turned bar on meshes with 4, 8 and 16 cells a side.
TEST(PbngAnswers, MeshesConverge) {
  std::vector<std::vector<Vec3d>> lines;
  for (int32_t n : {4, 8, 16}) {
    const model::Model bar = held_block({.law = "corotated",
                                         .cells = {n, n, n},
                                         .size = {1, 1, 1},
                                         .right = {{},
                                                   {.time = 1,
                                                    .translate = {0.3, 0.2, 0},
                                                    .axis = {1, 0, 0},
                                                    .angle = 0.5,
                                                    .about = {1, 0.5, 0.5}}},
                                         .split = mesh::Split::five});
    System system(bar);
    system.set_inputs(inputs_at(bar, 1));
    const auto x = pbng_answer(system, bar.X, 1e-6);
    std::vector<Vec3d>& line = lines.emplace_back();
    for (int32_t i = 0; i <= 4; ++i) line.push_back(x[i * n / 4 + (n + 1) * (n / 2 + (n + 1) * (n / 2))]);
  }
  const double coarse = distance(lines[0], lines[2]), fine = distance(lines[1], lines[2]);
  EXPECT_LT(fine, 0.01);
  EXPECT_LT(fine, 0.5 * coarse);
}

// ---- Blocks of the modified Hessian ----

TEST(PbngModified, ConvergesToTheSameAnswerAtMiddlingRatios) {
  for (const char* law : {"corotated", "stable_neo_hookean", "stable_neo_hookean_log", "neo_hookean"}) {
    const model::Model bar = r1_bar(law, 0.3);
    System system(bar);
    system.set_inputs(inputs_at(bar, 0.5));
    const auto found = pbng_answer(system, bar.X, 1e-9, {.iterations = 20000, .modified = true});
    EXPECT_LT(distance(found, newton_answer(system, bar.X)), 1e-6) << law;
  }
}

// The block 2 mu + lambda c c^T is no bound for neo-Hookean bodies below nu = 0.25; the law's own block is.
TEST(PbngModified, NoBoundBelowAQuarter) {
  const model::Model bar = r1_bar("stable_neo_hookean", 0.1);
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  std::vector<Vec3d> x = bar.X;
  for (size_t i = 0; i < x.size(); ++i) x[i] = x[i] * 3.0 + random_vector(math::Random(4), i) * 3.0;
  system.dofs().retract(x);
  std::vector<Vec3d> gradient(x.size());
  const double start = system.evaluate(x, gradient).energy;
  for (bool modified : {false, true}) {
    NodeSweeps<math::PackD> sweeps(system, modified);
    sweeps.start(x);
    double most = 0, before = start;
    for (int k = 0; k < 30; ++k) {
      sweeps.sweep();
      std::vector<Vec3d> now(x.size());
      sweeps.positions(now);
      const double energy = system.evaluate(now, gradient).energy;
      most = std::max(most, std::isfinite(energy) ? energy / before : INFINITY);
      before = energy;
    }
    if (modified)
      EXPECT_GT(most, 10);
    else
      EXPECT_LT(most, 1 + 1e-9);
  }
}

// The reaction across an oblique line, far larger than the force along it, must not decide about a guarded step.
TEST(PbngAnswers, GuardedNodesOnObliqueLines) {
  model::Model bar = held_block(
      {.law = "neo_hookean", .right = {{}, {.time = 1, .translate = {0.4, 0.2, 0}}}, .hold_right = true});
  hold(bar, "line", {7, 22}, {{}}, model::Hold::line, normalized(Vec3d{1, 1, 0.3}));
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  EXPECT_LT(distance(pbng_answer(system, bar.X, 1e-11), newton_answer(system, bar.X, 1e-11)), 1e-9);
}

TEST(PbngAnswers, SinglePrecisionLeavesHeldNodesInPlace) {
  const model::Model bar = r1_bar();
  System system(bar);
  system.set_inputs(inputs_at(bar, 1));
  std::vector<Vec3d> x = bar.X, held = bar.X;
  system.dofs().retract(held);
  make_pbng(system, {.iterations = 5, .single = true})->solve(x, 1e-9, {});
  for (size_t i = 0; i < x.size(); ++i)
    if (system.dofs().block_of_node()[i] < 0) {
      EXPECT_EQ(norm(x[i] - held[i]), 0);
    }
}

}  // namespace
}  // namespace sinew::solve
