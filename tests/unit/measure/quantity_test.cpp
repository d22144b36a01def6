// Quantities against closed forms: homogeneous and rigid motions of boxes, velocity fields, tabled stresses.
#include "measure/quantity.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "mesh/sheet_shapes.h"
#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew::measure {
namespace {

using namespace sinew::sample;
using model::Hold;
using model::Model;
using model::Site;
using model::State;

// A box of 1.5 x 1 x 1 m, E = 1 Pa, nu = 0.3, with probes and held faces.
Model box(const char* law = "neo_hookean") {
  Model model;
  add_set(model, add_block(model, {.jitter = 0, .density = 2}), *material::find_law(law), 1, 0.3);
  model.bodies[0].name = "box";
  return model;
}

State moved(const Model& model, const Mat3d& A, const Vec3d& b = {0, 0, 0}) {
  State state = model.make_state({});
  for (size_t i = 0; i < model.X.size(); ++i) state.x()[i] = A * model.X[i] + b;
  return state;
}

void hold_face(Model& model, const char* name, Hold hold, int axis, double at,
               const Vec3d& direction = {0, 0, 1}) {
  model::Attachment attachment{name, hold, {}, direction, model.inputs.add_pose(name, {{.time = 0}})};
  for (size_t i = 0; i < model.X.size(); ++i)
    if (std::abs(model.X[i][axis] - at) < 1e-9) attachment.nodes.push_back(static_cast<int32_t>(i));
  model.attachments.push_back(attachment);
}

double mesh_area(const Model& model) {
  double area = 0;
  for (const auto& [a, b, c] : model.bodies[0].surface)
    area += 0.5 * norm(cross(model.X[b] - model.X[a], model.X[c] - model.X[a]));
  return area;
}

double value(const Model& model, const State& state, const char* text) {
  const Result<Reading> reading = parse_reading(model, text);
  EXPECT_TRUE(reading) << text << ": " << (reading ? "" : reading.error().text());
  if (!reading) return NAN;
  return read(Snapshot(model, model.params, state), *reading);
}

void expect_vector(const Model& model, const State& state, const std::string& text, const Vec3d& expected,
                   double tolerance) {
  const char* component[] = {".x", ".y", ".z"};
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(value(model, state, (text + component[k]).c_str()), expected[k], tolerance)
        << text << component[k];
  EXPECT_NEAR(value(model, state, (text + ".norm").c_str()), norm(expected), tolerance) << text;
}

void expect_field(const Model& model, const State& state, const std::string& text, double expected,
                  double tolerance) {
  for (const char* reduction : {".min", ".max", ".mean"})
    EXPECT_NEAR(value(model, state, (text + reduction).c_str()), expected, tolerance) << text << reduction;
}

TEST(Quantities, ColoursOfATetDiffer) {
  Model model = box();
  add_set(model, add_block(model, {.jitter = 0, .density = 2}), *material::find_law("corotated"), 1, 0.3);
  const State state = model.make_state({});
  const Quantity& colour = *find_quantity("colour", Target::node);
  std::vector<double> colours;
  for (int body = 0; body < 2; ++body) {
    std::vector<double> values(value_count(model, colour, body));
    colour.evaluate(Snapshot(model, model.params, state), body, values);
    colours.insert(colours.end(), values.begin(), values.end());
  }
  ASSERT_EQ(colours.size(), model.X.size());
  for (const model::Tet& tet : model.elements.rows<4>()) {
    std::set<double> seen;
    for (const int32_t node : tet) seen.insert(colours[node]);
    EXPECT_EQ(seen.size(), 4u);
  }
  EXPECT_EQ(colours[0], 0);  // the lowest that is free
  EXPECT_LT(*std::max_element(colours.begin(), colours.end()), 40);
}

TEST(Quantities, AreNamedOnceForEachTargetAndDescribed) {
  std::set<std::pair<std::string_view, Target>> seen;
  for (const Quantity* quantity : quantities()) {
    EXPECT_TRUE(seen.insert({quantity->name, quantity->on}).second) << quantity->name;
    EXPECT_FALSE(quantity->unit.empty());
    EXPECT_FALSE(quantity->doc.empty());
    EXPECT_TRUE(quantity->width == 1 || quantity->width == 3 || quantity->width == 6);
    EXPECT_EQ(find_quantity(quantity->name, quantity->on), quantity);
  }
  EXPECT_GE(seen.size(), 20u);
  EXPECT_EQ(find_quantity("displacement", Target::body), nullptr);
  EXPECT_NE(find_quantity("displacement", Target::node), find_quantity("displacement", Target::probe));
}

// Uniaxial tension with free sides, E = 1, nu = 0.3: stretch, lateral stretch, P11 and Cauchy stress
// (values computed with 30 digits).
TEST(Stress, UniaxialTension) {
  struct Row {
    const char* law;
    double stretch, lateral, P11, sigma11;
  };
  for (const Row& row : {Row{"neo_hookean", 0.7, 1.107934733, -0.4052304243, -0.3301214087},
                         Row{"neo_hookean", 2, 0.7980775445, 0.6467446602, 1.015412883},
                         Row{"neo_hookean_decoupled", 1.5, 0.8843382454, 0.3383971662, 0.4327029962},
                         Row{"stable_neo_hookean", 1.5, 0.8692269874, 0.3831908832, 0.5071644042}}) {
    SCOPED_TRACE(row.law);
    Model model = box(row.law);
    hold_face(model, "left", Hold::rigid, 0, 0);
    hold_face(model, "right", Hold::rigid, 0, 1.5);
    const State state = moved(model, Mat3d::diagonal({row.stretch, row.lateral, row.lateral}));
    expect_field(model, state, "box.stress.xx", row.sigma11, 1e-8);
    expect_field(model, state, "box.stress.norm", std::abs(row.sigma11), 1e-8);
    for (const char* zero :
         {"box.stress.yy", "box.stress.zz", "box.stress.xy", "box.stress.yz", "box.stress.zx"})
      expect_field(model, state, zero, 0, 1e-8);
    expect_field(model, state, "box.von_mises", std::abs(row.sigma11), 1e-8);
    // Faces of 1 m^2: the force of the attachment on the body.
    expect_vector(model, state, "right.force", {row.P11, 0, 0}, 1e-8);
    expect_vector(model, state, "left.force", {-row.P11, 0, 0}, 1e-8);
  }
}

// Simple shear by 1: sigma_11, sigma_22, sigma_33, sigma_12 of St. Venant-Kirchhoff, E = 1, nu = 0.3.
TEST(Stress, SimpleShear) {
  const Model model = box("stvk");
  Mat3d F = Mat3d::identity();
  F(0, 1) = 1;
  const State state = moved(model, F);
  expect_field(model, state, "box.stress.xx", 1.730769231, 1e-9);
  expect_field(model, state, "box.stress.yy", 0.6730769231, 1e-9);
  expect_field(model, state, "box.stress.zz", 0.2884615385, 1e-9);
  expect_field(model, state, "box.stress.xy", 1.057692308, 1e-9);
  expect_field(model, state, "box.strain.xy", 0.5, 1e-13);
  expect_field(model, state, "box.strain.yy", 0.5, 1e-13);
  expect_field(model, state, "box.strain.xx", 0, 1e-13);
}

TEST(Stress, OfSeveralSetsAddsUp) {
  Model model = box("stvk");
  const State state = moved(model, Mat3d::diagonal({1.1, 0.9, 1.2}));
  const double once = value(model, state, "box.stress.xx.mean");
  const double energy = value(model, state, "box.elastic_energy");
  add_set(model, 0, *material::find_law("stvk"), 3, 0.3, 2);  // every second tet, three times as stiff
  EXPECT_NEAR(value(model, state, "box.stress.xx.min"), std::min(once, 4 * once), 1e-12);
  EXPECT_NEAR(value(model, state, "box.stress.xx.max"), std::max(once, 4 * once), 1e-12);
  EXPECT_NEAR(value(model, state, "box.elastic_energy"), 2.5 * energy, 1e-12);
}

TEST(Stress, UsesParametersOfEachTet) {
  Model model = box("stvk");
  const State state = moved(model, Mat3d::diagonal({1.1, 1, 1}));
  const double unit = value(model, state, "box.energy_density.mean");
  for (size_t t = 0; t < model.elements.size(); ++t) model.params.material[0][0].values.push_back(2.0 + t);
  model.params.material[0][0].values.erase(model.params.material[0][0].values.begin());
  EXPECT_NEAR(value(model, state, "box.energy_density.min"), 2 * unit, 1e-12);
  EXPECT_NEAR(value(model, state, "box.energy_density.max"), (1.0 + model.elements.size()) * unit, 1e-10);
}

TEST(Fields, OfAHomogeneousDeformation) {
  const Model model = box("stvk");
  const State state = moved(model, Mat3d::diagonal({1.2, 0.5, 1}), {1, 2, 3});
  expect_field(model, state, "box.det_F", 0.6, 1e-13);
  expect_field(model, state, "box.strain.xx", 0.22, 1e-13);
  expect_field(model, state, "box.strain.yy", -0.375, 1e-13);
  const double mu = 1 / 2.6, lambda = 0.3 / (1.3 * 0.4), trace = 0.22 - 0.375;
  const double psi = mu * (0.22 * 0.22 + 0.375 * 0.375) + lambda / 2 * trace * trace;
  expect_field(model, state, "box.energy_density", psi, 1e-13);
  EXPECT_NEAR(value(model, state, "box.elastic_energy"), 1.5 * psi, 1e-13);
  EXPECT_NEAR(value(model, state, "box.volume"), 0.9, 1e-13);
  EXPECT_NEAR(value(model, state, "box.volume_change"), -0.4, 1e-13);
  EXPECT_EQ(value(model, state, "box.inverted"), 0);
  EXPECT_NEAR(value(model, state, "box.displacement.x.min"), 1, 1e-13);
  EXPECT_NEAR(value(model, state, "box.displacement.x.max"), 1.3, 1e-13);
  EXPECT_NEAR(value(model, state, "box.displacement.x.mean"), 1.15, 1e-13);
  EXPECT_NEAR(value(model, state, "box.displacement.norm.max"), std::sqrt(1.3 * 1.3 + 4 + 9), 1e-13);
}

TEST(Fields, RigidMotionStrainsNothing) {
  const Model model = box("neo_hookean");
  const State state = moved(model, model::rotation(normalized(Vec3d{1, 2, 3}), 2.5), {1, 2, 3});
  expect_field(model, state, "box.det_F", 1, 1e-13);
  for (const char* text : {"box.strain.xx", "box.strain.zx", "box.stress.xx", "box.stress.yz",
                           "box.von_mises", "box.energy_density"})
    expect_field(model, state, text, 0, 1e-13);
  EXPECT_NEAR(value(model, state, "box.volume_change"), 0, 1e-13);
}

TEST(Fields, MirrorInvertsEveryTet) {
  const Model model = box("stable_neo_hookean");
  const State state = moved(model, Mat3d::diagonal({1, 1, -1}));
  EXPECT_EQ(value(model, state, "box.inverted"), static_cast<double>(model.elements.size()));
  EXPECT_NEAR(value(model, state, "box.volume"), -1.5, 1e-13);
}

TEST(Fields, CauchyStressOfAFlatTetIsNotANumber) {
  const Model model = box("stvk");
  EXPECT_TRUE(std::isnan(value(model, moved(model, Mat3d::diagonal({1, 1, 0})), "box.von_mises.max")));
}

// A spin w about a centre c that moves with V: p = m V, E = m V^2/2 + w.I w/2, L = c x p + I w, with the
// tensor of inertia I of the lumped masses.
TEST(Motion, MomentumOfASpinningBox) {
  const Model model = box();
  State state = moved(model, Mat3d::identity(), {4, 5, 6});
  const Vec3d centre = {4.75, 5.5, 6.5}, V = {1, -2, 0.5}, w = {0.3, 0.2, -1};
  for (size_t i = 0; i < model.X.size(); ++i) state.v()[i] = V + cross(w, state.x()[i] - centre);
  const double mass = 2 * 1.5;
  EXPECT_NEAR(value(model, state, "box.mass"), mass, 1e-12);
  expect_vector(model, state, "box.centre", centre, 1e-12);
  expect_vector(model, state, "box.momentum", V * mass, 1e-12);
  const std::vector<double> m = model.lumped_mass(model.params);
  Vec3d spin = {0, 0, 0};
  for (size_t i = 0; i < m.size(); ++i) {
    const Vec3d r = state.x()[i] - centre;
    spin += (w * norm2(r) - r * dot(r, w)) * m[i];
  }
  expect_vector(model, state, "box.angular_momentum", cross(centre, V) * mass + spin, 1e-11);
  EXPECT_NEAR(value(model, state, "box.kinetic_energy"), 0.5 * mass * norm2(V) + 0.5 * dot(w, spin), 1e-12);
}

TEST(Motion, FreeFall) {
  const Model model = box();
  State state = model.make_state({});
  const double t = 0.7, g = 9.81;
  for (size_t i = 0; i < model.X.size(); ++i) {
    state.x()[i] += Vec3d{0, 0, -g * t * t / 2};
    state.v()[i] = {0, 0, -g * t};
  }
  expect_vector(model, state, "box.momentum", {0, 0, -3 * g * t}, 1e-12);
  // What it gained in speed it lost in height.
  const double height = value(model, state, "box.centre.z") - 0.5;
  EXPECT_NEAR(value(model, state, "box.kinetic_energy"), -3 * g * height, 1e-11);
  EXPECT_NEAR(value(model, state, "box.velocity.z.min"), -g * t, 1e-13);
}

TEST(Forces, FloorCarriesTheWeightAndItsMoment) {
  Model model = box("stvk");
  model.gravity = model.inputs.add_numbers("gravity", {{0, {0, 0, -10}}});
  hold_face(model, "wall", Hold::rigid, 0, 0);
  const State state = model.make_state({});
  // At the rest pose the elastic forces vanish: only the weight of the held nodes comes through.
  double held = 0;
  const std::vector<double> mass = model.lumped_mass(model.params);
  for (int32_t node : model.attachments[0].nodes) held += 10 * mass[node];
  expect_vector(model, state, "wall.force", {0, 0, held}, 1e-12);
  const Snapshot snapshot(model, model.params, state);
  Vec3d weight = {0, 0, 0};
  for (const Vec3d& f : snapshot.external_gradient()) weight += f;
  EXPECT_LE(norm(weight - Vec3d{0, 0, 30}), 1e-12);
  for (const Vec3d& f : snapshot.internal_gradient()) EXPECT_LE(norm(f), 1e-13);
}

// The forces that hold a twisted body at all of its nodes are in balance, as its internal forces are.
TEST(Forces, MomentsOfABodyHeldEverywhereBalance) {
  Model model = box("neo_hookean");
  model.attachments.push_back(
      {"all", Hold::rigid, {}, {0, 0, 1}, model.inputs.add_pose("all", {{.time = 0}})});
  for (size_t i = 0; i < model.X.size(); ++i) model.attachments[0].nodes.push_back(static_cast<int32_t>(i));
  State state = model.make_state({});
  for (size_t i = 0; i < model.X.size(); ++i)
    state.x()[i] = model::rotation({1, 0, 0}, 0.5 * model.X[i][0]) * (model.X[i] - Vec3d{0, 0.5, 0.5});
  expect_vector(model, state, "all.force", {0, 0, 0}, 1e-13);
  expect_vector(model, state, "all.moment", {0, 0, 0}, 1e-13);
}

TEST(Forces, MomentIsAboutTheCentroidOfTheHeldNodes) {
  Model model = box("stvk");
  model.sets.clear();
  model.params.material.clear();
  const int factor = model.inputs.add_numbers("load", {{0, {1}}});
  model.attachments.push_back(
      {"pair", Hold::rigid, {0, 1}, {0, 0, 1}, model.inputs.add_pose("pair", {{.time = 0}})});
  model.nodal_loads.push_back({"couple", {0, 1}, {{0, 3, 0}, {0, -3, 0}}, factor});  // 0.5 m apart along x
  const State state = moved(model, Mat3d::identity(), {10, 20, 30});
  expect_vector(model, state, "pair.force", {0, 0, 0}, 1e-14);
  // The holder pushes back with -3 and 3: (-0.25)(-3) + (0.25)(3).
  expect_vector(model, state, "pair.moment", {0, 0, 1.5}, 1e-12);
}

// Symmetry planes and a prescribed stretch: each plane takes what it alone can take, also where they meet.
TEST(Forces, AreSplitBetweenThePlanesThatHoldANode) {
  Model model = box("neo_hookean");
  hold_face(model, "x0", Hold::plane, 0, 0, {1, 0, 0});
  hold_face(model, "y0", Hold::plane, 1, 0, {0, 1, 0});
  hold_face(model, "z0", Hold::plane, 2, 0, {0, 0, 1});
  const double lateral = 0.9;  // not free: the planes carry force
  const State state = moved(model, Mat3d::diagonal({1.3, lateral, lateral}));
  const double mu = 1 / 2.6, lambda = 0.3 / (1.3 * 0.4), l = std::log(1.3 * lateral * lateral);
  const double P11 = mu * (1.3 - 1 / 1.3) + lambda * l / 1.3,
               P22 = mu * (lateral - 1 / lateral) + lambda * l / lateral;
  expect_vector(model, state, "x0.force", {-P11, 0, 0}, 1e-12);
  expect_vector(model, state, "y0.force", {0, -1.5 * P22, 0}, 1e-12);
  expect_vector(model, state, "z0.force", {0, 0, -1.5 * P22}, 1e-12);
}

// Two planes that are not orthogonal share a node under a known load: f = a n1 + b n2.
TEST(Forces, AreSplitAlongObliqueNormals) {
  Model model = box("stvk");
  model.sets.clear();
  model.params.material.clear();
  const int factor = model.inputs.add_numbers("load", {{0, {1}}});
  const Vec3d n1 = {1, 0, 0}, n2 = {0.6, 0.8, 0};
  for (const auto& [name, n] : {std::pair{"one", n1}, std::pair{"two", n2}})
    model.attachments.push_back({name, Hold::plane, {4}, n, model.inputs.add_pose(name, {{.time = 0}})});
  model.attachments.push_back(
      {"rail", Hold::line, {5}, {0, 0.6, 0.8}, model.inputs.add_pose("rail", {{.time = 0}})});
  model.nodal_loads.push_back({"pull", {4, 5}, {n1 * 2.0 + n2 * 5.0, {1, 0.8 + 0.6, -0.6 + 0.8}}, factor});
  const State state = model.make_state({});
  expect_vector(model, state, "one.force", n1 * -2.0, 1e-13);
  expect_vector(model, state, "two.force", n2 * -5.0, 1e-13);
  expect_vector(model, state, "rail.force", {-1, -0.8, 0.6}, 1e-13);
}

TEST(Forces, ARigidlyHeldNodeBelongsToItsFirstHolder) {
  Model model = box("stvk");
  model.sets.clear();
  model.params.material.clear();
  const int factor = model.inputs.add_numbers("load", {{0, {2}}});
  for (const char* name : {"plane", "first", "second"})
    model.attachments.push_back({name,
                                 std::string(name) == "plane" ? Hold::plane : Hold::rigid,
                                 {4},
                                 {0, 0, 1},
                                 model.inputs.add_pose(name, {{.time = 0}})});
  model.nodal_loads.push_back({"pull", {4}, {{1, 2, 3}}, factor});
  const State state = model.make_state({});
  expect_vector(model, state, "first.force", {-2, -4, -6}, 1e-15);
  expect_vector(model, state, "second.force", {0, 0, 0}, 0);
  expect_vector(model, state, "plane.force", {0, 0, 0}, 0);
}

TEST(Forces, UseTheGivenTermsAndInputsOfTheTime) {
  Model model = box("stvk");
  const int factor = model.inputs.add_numbers("load", {{0, {0}}, {1, {4}}});
  model.nodal_loads.push_back({"pull", {3}, {{1, 0, 0}}, factor});
  State state = model.make_state({});
  state.set_time(0.5);
  const energy::Terms terms = energy::make_terms(model);
  const Snapshot given(model, model.params, state, &terms), own(model, model.params, state);
  EXPECT_EQ(given.external_gradient()[3][0], -2);
  EXPECT_EQ(own.external_gradient()[3][0], -2);
  EXPECT_EQ(own.inputs()[factor], 2);
}

// The energy that is read is the energy that is minimised, whatever the elements.
TEST(Elements, ElasticEnergyIsThatOfTheTerms) {
  for (const element::Kind* kind : element::kinds()) {
    if (!kind->is_tet()) continue;
    Model model = sample::block("neo_hookean", {.elements = kind->name});
    sample::cover_in_part(model);
    const auto x = sample::deformed(model);
    State state = model.make_state({});
    std::copy(x.begin(), x.end(), state.x().begin());
    double energy = 0;
    for (const auto& term : energy::make_terms(model))
      energy += term->evaluate({.x = x, .inputs = {}}, {}).value;
    EXPECT_NEAR(value(model, state, "block0.elastic_energy"), energy, 1e-12 * energy);
  }
}

// Every other tet is one quarter full.
TEST(Elements, VolumeAndMassAreThoseOfTheMaterial) {
  Model model = box();
  const double total = 1.5, density = 2;
  double quarter_full = 0;
  for (int32_t e = 0; e < model.bodies[0].elements.end; ++e) {
    model.coverage.push_back(e % 2 ? 1 : 0.25);
    if (e % 2 == 0) quarter_full += model.rest_volume(e);
  }
  const double material = total - 0.75 * quarter_full;
  const State state = moved(model, Mat3d::identity() * 2.0);
  EXPECT_NEAR(value(model, state, "box.mass"), density * material, 1e-12);
  EXPECT_NEAR(value(model, state, "box.volume"), 8 * material, 1e-12);
  EXPECT_NEAR(value(model, state, "box.volume_change"), 7, 1e-12);
  EXPECT_NEAR(model.volumes(0).mesh, total, 1e-12);
  EXPECT_NEAR(model.volumes(0).material, material, 1e-12);
}

TEST(Probes, FollowNodesPointsInsideAndFrames) {
  Model model = box();
  const model::Tet tet = model.elements.nodes<4>(5);
  const std::array<double, 4> weight = {0.1, 0.2, 0.3, 0.4};
  const int pose = model.inputs.add_pose("frame", {{.time = 0}, {.time = 1, .translate = {0, 0, 3}}});
  model.probes.push_back({"corner", Site::at_node(2)});
  Site inside;
  inside.count = 4;
  std::copy(tet.begin(), tet.end(), inside.node.begin());
  std::copy(weight.begin(), weight.end(), inside.weight.begin());
  model.probes.push_back({"inside", inside});
  model.probes.push_back({"rider", Site::on_frame(pose, {1, 2, 3})});
  const Mat3d A = Mat3d::columns({1.1, 0, 0.2}, {0, 1, 0}, {0.1, 0, 0.9});
  const Vec3d b = {1, 2, 3};
  State state = moved(model, A, b);
  state.set_time(0.5);
  Vec3d X = {0, 0, 0};
  for (int k = 0; k < 4; ++k) X += model.X[tet[k]] * weight[k];
  expect_vector(model, state, "corner.position", A * model.X[2] + b, 1e-13);
  expect_vector(model, state, "inside.position", A * X + b, 1e-13);
  expect_vector(model, state, "inside.displacement", A * X + b - X, 1e-13);
  expect_vector(model, state, "rider.position", {1, 2, 4.5}, 1e-13);
  expect_vector(model, state, "rider.displacement", {0, 0, 1.5}, 1e-13);
}

TEST(SecondBody, IsMeasuredOnItsOwn) {
  Model model = box("stvk");
  add_set(model, add_block(model, {.cells = {1, 1, 1}, .size = {2, 2, 2}, .jitter = 0, .density = 5}),
          *material::find_law("stvk"), 1, 0.3);
  State state = model.make_state({});
  for (int32_t i = model.bodies[1].nodes.begin; i < model.bodies[1].nodes.end; ++i)
    state.x()[i] = model.X[i] * 2.0;
  EXPECT_NEAR(value(model, state, "block1.volume"), 64, 1e-12);
  EXPECT_NEAR(value(model, state, "block1.mass"), 40, 1e-12);
  EXPECT_NEAR(value(model, state, "box.volume"), 1.5, 1e-13);
  expect_field(model, state, "block1.det_F", 8, 1e-12);
  expect_field(model, state, "box.energy_density", 0, 1e-13);
  EXPECT_EQ(value_count(model, *find_quantity("stress", Target::element), 1), 6 * 6);
  EXPECT_EQ(value_count(model, *find_quantity("displacement", Target::node), 1), 3 * 8);
}

// Nodes at the end of a body that are no points of it.
TEST(HiddenNodes, AreNotMeasured) {
  Model model = box(), hiding = model;
  hiding.bodies[0].nodes.end += 2;
  hiding.bodies[0].hidden = 2;
  hiding.X.insert(hiding.X.end(), 2, {1e6, 1e6, 1e6});
  const Mat3d A = Mat3d::columns({1.1, 0, 0.2}, {0, 1, 0}, {0.1, 0, 0.9});
  const State seen = moved(model, A, {1, 2, 3}), state = moved(hiding, A, {1, 2, 3});
  for (const char* text : {"box.mass", "box.centre.x", "box.displacement.norm.max", "box.volume"})
    EXPECT_EQ(value(hiding, state, text), value(model, seen, text)) << text;
  const Quantity& displacement = *find_quantity("displacement", Target::node);
  EXPECT_EQ(value_count(hiding, displacement, 0), value_count(model, displacement, 0));
}

// A flat sheet of 1.5 x 1 m in plane stress: uniaxial strain along x, turned in space.
TEST(Quantities, OfASheet) {
  Model model;
  add_set(model, add_sheet(model, {.rise = 0, .thickness = 0.02}), *material::find_law("stvk"), 1e4, 0.3);
  model.bodies[0].name = "sheet";
  const Mat3d turn = Mat3d::columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
  const State state = moved(model, turn * Mat3d::columns({1.2, 0, 0}, {0, 1, 0}, {0, 0, 1}));
  const double rest = mesh_area(model), E11 = 0.22, mu = 1e4 / 2.6, lambda = 1e4 * 0.3 / (1.3 * 0.4);
  const double plane = 2 * mu * lambda / (lambda + 2 * mu), S11 = (2 * mu + plane) * E11, S22 = plane * E11;
  const double thickness = std::sqrt(1 - 2 * lambda / (lambda + 2 * mu) * E11);
  EXPECT_NEAR(value(model, state, "sheet.area"), 1.2 * rest, 1e-12);
  expect_field(model, state, "sheet.max_stretch", 1.2, 1e-12);
  expect_field(model, state, "sheet.min_stretch", 1, 1e-12);
  expect_field(model, state, "sheet.det_F", 1.2, 1e-12);
  // sigma t = F S F^T / J times the thickness, J the ratio of areas times that of thicknesses.
  expect_field(model, state, "sheet.membrane_stress.yy", 1.44 * S11 / 1.2 * 0.02, 1e-9);
  expect_field(model, state, "sheet.membrane_stress.zz", S22 / 1.2 * 0.02, 1e-9);
  expect_field(model, state, "sheet.membrane_stress.xx", 0, 1e-9);
  expect_field(model, state, "sheet.stress.yy", 1.44 * S11 / (1.2 * thickness), 1e-7);
  EXPECT_NEAR(value(model, state, "sheet.volume"), 1.2 * thickness * 0.02 * rest, 1e-12);
  EXPECT_NEAR(value(model, state, "sheet.elastic_energy"), 0.5 * S11 * E11 * 0.02 * rest, 1e-9);
  EXPECT_EQ(value(model, state, "sheet.bending_energy"), 0);
  EXPECT_EQ(value(model, state, "sheet.inverted"), 0);
}

// On meshes of triangles of all shapes, their borders included; an open cylinder and a closed sphere.
TEST(Quantities, CurvatureOfCylindersAndSpheres) {
  const auto sheet = [](const mesh::TriMesh& mesh) {
    Model model;
    add_plate(model, mesh, {});
    return model;
  };
  for (const double radius : {0.5, 3.0}) {
    mesh::TubeSheet tube;
    tube.radius = radius;
    tube.length = radius;
    tube.sweep_degrees = 120;
    tube.around = 40;
    tube.along = 20;
    tube.jitter = {.share = 0.3, .seed = 4};
    const Model cylinder = sheet(*mesh::make_tube_sheet(tube));
    State state = cylinder.make_state({});
    EXPECT_NEAR(value(cylinder, state, "plate0.curvature.mean"), 0.5 / radius, 0.002 / radius);
    EXPECT_NEAR(value(cylinder, state, "plate0.curvature.min"), 0.5 / radius, 0.02 / radius);
    EXPECT_NEAR(value(cylinder, state, "plate0.curvature.max"), 0.5 / radius, 0.02 / radius);
    for (Vec3d& x : state.x()) x[2] = -x[2];  // a mirror image faces inwards
    EXPECT_NEAR(value(cylinder, state, "plate0.curvature.mean"), -0.5 / radius, 0.002 / radius);

    mesh::SphereSheet ball;
    ball.radius = radius;
    ball.cells = 20;
    ball.jitter = {.share = 0.2, .seed = 5};
    const Model sphere = sheet(*mesh::make_sphere_sheet(ball));
    const State round = sphere.make_state({});
    EXPECT_NEAR(value(sphere, round, "plate0.curvature.min"), 1 / radius, 0.02 / radius);
    EXPECT_NEAR(value(sphere, round, "plate0.curvature.max"), 1 / radius, 0.02 / radius);
  }
  const Model block = box();
  expect_field(block, block.make_state({}), "box.curvature", 0, 0);
}

// z = x y has the mean curvature -x y / (1 + x^2 + y^2)^(3/2), positive where it bends towards its normal. Errors fall with the edges.
TEST(Quantities, CurvatureOfASaddle) {
  for (const int32_t cells : {8, 16, 32}) {
    PlateOptions options;
    options.cells = {cells, cells};
    options.size = {1, 1};
    options.shape = [](const Vec3d& p) { return Vec3d{p[0], p[1], p[0] * p[1]}; };
    const Model model = plate(options);
    const State state = model.make_state({});
    const Quantity& curvature = *find_quantity("curvature", Target::node);
    std::vector<double> values(value_count(model, curvature, 0));
    ASSERT_EQ(values.size(), static_cast<size_t>((cells + 1) * (cells + 1)));
    curvature.evaluate(Snapshot(model, model.params, state), 0, values);
    for (size_t i = 0; i < values.size(); ++i) {
      const Vec3d& X = model.X[i];
      const double slope2 = 1 + X[0] * X[0] + X[1] * X[1];
      EXPECT_NEAR(values[i], X[0] * X[1] / (slope2 * std::sqrt(slope2)), 0.8 / cells) << i;
    }
  }
}

// A strip of five squares, folded by 0.5 along one line and by -1.2 along another.
TEST(Quantities, AngleOfAFoldedStrip) {
  PlateOptions options;
  options.cells = {5, 1};
  options.size = {5, 1};
  options.diagonals = Diagonals::one_way;
  options.jitter = 0;
  for (const model::Bending bending : {model::Bending::shell, model::Bending::none}) {
    options.bending = bending;
    const Model model = plate(options);
    State state = model.make_state({});
    expect_field(model, state, "plate0.angle", 0, 1e-15);
    const auto fold = [&](double at, double angle) {
      for (int32_t i = 0; i < model.bodies[0].visible().end; ++i) {
        const Vec3d d = state.x()[i] - Vec3d{at, 0, 0};
        if (model.X[i][0] <= at) continue;
        state.x()[i] = {at + std::cos(angle) * d[0] - std::sin(angle) * d[2], d[1],
                        std::sin(angle) * d[0] + std::cos(angle) * d[2]};
      }
    };
    fold(3, -1.2);
    fold(1, 0.5);
    const Quantity& angle = *find_quantity("angle", Target::element);
    std::vector<double> values(value_count(model, angle, 0));
    angle.evaluate(Snapshot(model, model.params, state), 0, values);
    // The first triangle of a square is on its right, the second on its left.
    const std::vector<double> wanted = {0.5, 0, 0, 0.5, 1.2, 0, 0, 1.2, 0, 0};
    ASSERT_EQ(values.size(), wanted.size());
    for (size_t t = 0; t < wanted.size(); ++t) EXPECT_NEAR(values[t], wanted[t], 1e-12) << t;
  }
}

// A strip bent into a cylinder of radius R by hinges stores D A / (2 R^2), up to the cords of its cells.
TEST(Quantities, ElasticEnergyHasThatOfBending) {
  PlateOptions options;
  options.cells = {40, 4};
  options.size = {1, 0.1};
  options.diagonals = Diagonals::one_way;
  options.jitter = 0;
  options.thickness = 0.001;
  options.poisson = 0;
  options.bending = model::Bending::hinge;
  const Model model = plate(options);
  State state = model.make_state({});
  for (size_t i = 0; i < model.X.size(); ++i) {
    const Vec3d& X = model.X[i];
    state.x()[i] = {std::sin(X[0]), X[1], 1 - std::cos(X[0])};
  }
  const double D = 1e4 * 1e-9 / 12;
  const double bending = value(model, state, "plate0.bending_energy");
  EXPECT_NEAR(bending, D * 0.1 / 2, 0.03 * D * 0.1 / 2);
  EXPECT_GT(value(model, state, "plate0.elastic_energy"), bending);
}

}  // namespace
}  // namespace sinew::measure
