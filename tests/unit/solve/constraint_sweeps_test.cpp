#include "solve/constraint_sweeps.h"

#include <gtest/gtest.h>
#include <set>

#include "base/parallel.h"
#include "solve/element_constraints.h"
#include "solve/link_constraints.h"
#include "unit/solve/lattice_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

// One tet on a held base: the tip (0, 0, z) has F = diag(1, 1, z), and a move along z alone.
Model tip(const char* law, double young, double poisson) {
  Model model;
  model.X = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  model.elements = element::Connectivity(std::vector<model::Tet>{{0, 1, 2, 3}});
  model.bodies.push_back({.name = "tet", .nodes = {0, 4}, .elements = {0, 1}, .surface = {}});
  model.params.density.push_back({{1000}});
  add_set(model, 0, *material::find_law(law), young, poisson);
  hold(model, "base", {0, 1, 2});
  return model;
}
constexpr double volume = 1.0 / 6, weight = 300;
const std::vector<double> weights(4, weight);

TEST(ConstraintSweeps, NeoHookeanTipByHand) {
  const double mu = 1000, kappa = 4000;  // E, nu with lambda = kappa - mu
  const double lambda = kappa - mu, nu = lambda / (2 * (lambda + mu));
  const Model model = tip("stable_neo_hookean", 2 * mu * (1 + nu), nu);
  const System system(model);
  ConstraintSweeps sweeps(system, {});
  sweeps.start(weights);
  std::vector<Vec3d> x = model.X;
  double z = x[3][2] = 1.4, shape = 0, change = 0;
  for (int n = 0; n < 3; ++n) {
    // |F| with compliance 1/(mu V), J - 1 - mu/kappa with 1/(kappa V).
    const double length = std::sqrt(2 + z * z), slope = z / length, a = 1 / (mu * volume);
    const double d_shape = -(length + a * shape) / (slope * slope / weight + a);
    shape += d_shape;
    z += slope * d_shape / weight;
    const double b = 1 / (kappa * volume);
    const double d_change = -(z - 1 - mu / kappa + b * change) / (1 / weight + b);
    change += d_change;
    z += d_change / weight;
    sweeps.sweep(x);
    EXPECT_NEAR(x[3][2], z, 1e-12) << "sweep " << n;
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(norm(x[i] - model.X[i]), 0);
  EXPECT_NEAR(x[3][0], 0, 1e-14);
}

// The constraint of `arap` is linear in z here: one sweep is the exact minimum of inertia and energy, and the next one
// stays. With a C in place of -a l in the numerator, as some texts print it, sweeps lead elsewhere.
TEST(ConstraintSweeps, ALinearConstraintIsSolvedExactly) {
  const double mu = 800, start = 1.4, stiffness = 2 * mu * volume;
  Model model = tip("arap", 0, 0);
  model.params.material[0][0].values = {mu};
  const System system(model);
  ConstraintSweeps sweeps(system, {});
  sweeps.start(weights);
  std::vector<Vec3d> x = model.X;
  x[3][2] = start;
  const double exact = (weight * start + stiffness) / (weight + stiffness);
  for (int n = 0; n < 3; ++n) {
    sweeps.sweep(x);
    EXPECT_NEAR(x[3][2], exact, 1e-12) << "sweep " << n;
  }
  double printed = start;
  for (int n = 0; n < 100; ++n) printed += (1 / stiffness - 1) * (printed - 1) / (1 + weight / stiffness);
  EXPECT_GT(std::abs(printed - exact), 0.1);
}

TEST(ConstraintSweeps, HardConstraintsAreMetAtOnce) {
  const Model model = tip("arap", 800, 0);
  const System system(model);
  ConstraintSweeps sweeps(system, {.hard = true});
  sweeps.start(weights);
  std::vector<Vec3d> x = model.X;
  x[3][2] = 1.4;
  sweeps.sweep(x);
  EXPECT_NEAR(x[3][2], 1, 1e-12);
}

TEST(ConstraintSweeps, ColoursShareNoNodeAndAreFew) {
  Model model;
  add_lattice(model, {15, 15, 15}, {0, 0, 0}, "corotated");
  const System system(model);
  const ElementConstraints<element::Tet4> set(system, 0, false);
  EXPECT_GE(set.colour_count(), 32);
  EXPECT_LE(set.colour_count(), 46);
  std::set<int32_t> tets;
  for (int c = 0; c < set.colour_count(); ++c) {
    std::set<int32_t> nodes;
    for (int32_t t : set.elements_of(c)) {
      EXPECT_TRUE(tets.insert(t).second);
      for (int32_t node : model.elements[t]) EXPECT_TRUE(nodes.insert(node).second) << "colour " << c;
    }
  }
  EXPECT_EQ(tets.size(), 16875u);
}

// A wall, a plane, a rail and links: everything that a sweep knows.
Model full_model(const char* law) {
  const std::array<int32_t, 3> cells = {6, 5, 5};
  Model model = held_block({.law = law, .young = 1e4, .cells = cells, .jitter = 0.1, .hold_right = false});
  hold(model, "plane", face_nodes(cells, 0, true), {{}}, model::Hold::plane, normalized(Vec3d{1, 0.3, 0.2}));
  hold(model, "rail", {face_nodes(cells, 1, true)[3]}, {{}}, model::Hold::line,
       normalized(Vec3d{1, 1, -0.5}));
  const int pose = model.inputs.add_pose("frame", {{}});
  add_link(model, model::Site::at_node(30), model::Site::on_frame(pose, {1, 1.2, 1}), 1e4, 3e3);
  add_link(model, model::Site::at_node(40), model::Site::at_node(60), 1e4, 0, 0.4);
  return model;
}

std::vector<Vec3d> swept(const Model& model, const std::vector<Vec3d>& start, int count, bool hard = false) {
  const System system(model);
  ConstraintSweeps sweeps(system, {.hard = hard});
  std::vector<double> w = model.lumped_mass(model.params);
  for (double& value : w) value *= 900;
  sweeps.start(w);
  std::vector<Vec3d> x = start;
  system.dofs().retract(x);
  for (int n = 0; n < count; ++n) sweeps.sweep(x);
  return x;
}

TEST(ConstraintSweeps, HeldNodesKeepTheirPlaces) {
  const Model model = full_model("corotated");
  const System system(model);
  for (bool hard : {false, true}) {
    const std::vector<Vec3d> x = swept(model, deformed(model), 20, hard);
    ASSERT_TRUE(all_finite(x));
    std::vector<Vec3d> retracted = x;
    system.dofs().retract(retracted);
    EXPECT_LT(distance(x, retracted), 1e-12);
    EXPECT_GT(distance(x, deformed(model)), 0.01);
  }
}

TEST(ConstraintSweeps, TakeNewParametersAsIfMadeWithThem) {
  Model model = full_model("stable_neo_hookean");
  const auto start = deformed(model);
  System system(model);
  ConstraintSweeps sweeps(system, {});
  std::vector<double> w = model.lumped_mass(model.params);
  for (double& value : w) value *= 900;
  sweeps.start(w);
  for (double& young : model.params.material[0][0].values) young *= 0.2;
  model.params.link_normal[1] *= 7;
  model.params.link_tangent[0] *= 3;
  system.set_params(model.params);
  sweeps.start(w);
  std::vector<Vec3d> x = start;
  system.dofs().retract(x);
  for (int n = 0; n < 4; ++n) sweeps.sweep(x);
  EXPECT_EQ(distance(x, swept(model, start, 4)), 0);
  EXPECT_GT(distance(x, swept(full_model("stable_neo_hookean"), start, 4)), 1e-6);
}

// The compliance is that of the material: sweeps go where they go with softer and lighter elements.
TEST(ConstraintSweeps, CoveredInPartIsAsMuchSofter) {
  Model model = full_model("stable_neo_hookean");
  cover_in_part(model);
  const auto start = deformed(model);
  EXPECT_LT(distance(swept(model, start, 4), swept(scaled_instead(model), start, 4)), 1e-10);
  const Model whole = full_model("stable_neo_hookean");
  EXPECT_GT(distance(swept(model, start, 4), swept(whole, start, 4)), 1e-3);
}

TEST(ConstraintSweeps, TheSameBitsForAnyNumberOfThreads) {
  Model model;
  add_lattice(model, {18, 18, 18}, {0, 0, 0}, "stable_neo_hookean");  // several blocks in a colour
  const auto start = deformed(model);
  const int before = thread_count();
  set_thread_count(1);
  const std::vector<Vec3d> one = swept(model, start, 3);
  for (int threads : {2, 3, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(distance(swept(model, start, 3), one), 0) << threads << " threads";
  }
  set_thread_count(before);
}

class EveryLaw : public testing::TestWithParam<const material::Law*> {};

TEST_P(EveryLaw, LosesEnergyInSweeps) {
  const Model model = full_model(GetParam()->name.data());
  const System system(model);
  std::vector<Vec3d> x = deformed(model), g(x.size());
  system.dofs().retract(x);
  const double before = system.evaluate(x, g).energy;
  x = swept(model, x, 20);
  ASSERT_TRUE(all_finite(x));
  EXPECT_LT(system.evaluate(x, g).energy, before);
}
INSTANTIATE_TEST_SUITE_P(All, EveryLaw,
                         testing::ValuesIn(material::solid_laws().begin(), material::solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(ConstraintSweeps, ElementsThatCannotMoveAreLeftOut) {
  Model model = tip("corotated", 1e4, 0.3);
  hold(model, "tip", {3});
  const System system(model);
  ConstraintSweeps sweeps(system, {});
  EXPECT_EQ(ElementConstraints<element::Tet4>(system, 0, false).colour_count(), 0);
  sweeps.start(weights);
  std::vector<Vec3d> x = model.X;
  sweeps.sweep(x);
  EXPECT_EQ(distance(x, model.X), 0);
}

// Between a held node and the middle of another held node and one of mobility 1/6: every direction by itself is a spring
// between masses, d -> d / (1 + k 0.25/6).
TEST(LinkConstraints, PrincipalDirectionsByHand) {
  Model model = tip("arap", 1, 0);
  model::Site middle = model::Site::at_node(3);
  middle.count = 2;
  middle.node[1] = 0;
  middle.weight = {0.5, 0.5};
  add_link(model, model::Site::at_node(1), middle, 7, 3);
  const System system(model);
  const Vec3d n = model.links[0].normal;
  std::vector<MobileNode> nodes = {{{0, 0, 0}, 0}, {{1, 0.2, 0}, 0}, {{0, 1, 0}, 0}, {{0, 0.3, 1}, 1.0 / 6}};
  for (bool hard : {false, true}) {
    auto at = nodes;
    LinkConstraints links(system, hard);
    links.start();
    const Vec3d d = at[1].x - (at[3].x + at[0].x) * 0.5;
    for (int sweep = 0; sweep < 2; ++sweep) links.sweep(at);
    const Vec3d after = at[1].x - (at[3].x + at[0].x) * 0.5, along = n * dot(n, d), across = d - along;
    const double m = 0.25 / 6;
    const Vec3d expected = hard ? Vec3d{0, 0, 0} : along * (1 / (1 + 7 * m)) + across * (1 / (1 + 3 * m));
    EXPECT_LT(norm(after - expected), 1e-12) << hard;
    EXPECT_EQ(norm(at[1].x - nodes[1].x), 0);
  }
}

TEST(LinkConstraints, RestLengthByHand) {
  Model model = tip("arap", 1, 0);
  model.attachments.clear();
  add_link(model, model::Site::at_node(1), model::Site::at_node(3), 5, 0, 1.0);
  const System system(model);
  std::vector<MobileNode> nodes = {{{0, 0, 0}, 1}, {{3, 0, 0}, 0.5}, {{0, 1, 0}, 1}, {{0, 4, 0}, 0.25}};
  LinkConstraints links(system, false);
  links.start();
  for (int sweep = 0; sweep < 2; ++sweep) links.sweep(nodes);
  EXPECT_NEAR(norm(nodes[1].x - nodes[3].x), 1 + 4 / (1 + 5 * 0.75), 1e-12);
  EXPECT_LT(norm(nodes[1].x * 2.0 + nodes[3].x * 4.0 - Vec3d{6, 16, 0}), 1e-12);  // momentum
}

}  // namespace
}  // namespace sinew::solve
