// Gravity, nodal loads, pressure and links against the values that elementary mechanics gives.
#include <cmath>
#include <gtest/gtest.h>

#include "unit/energy/sample.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;
using model::Model;
using model::Site;

std::vector<Vec3d> gradient_of(const Model& model, const char* term, std::span<const Vec3d> x,
                               double time = 0) {
  std::vector<Vec3d> g(x.size(), Vec3d::zero());
  const std::vector<double> inputs = inputs_at(model, time);
  for (const auto& t : terms_named(model, term)) t->evaluate({.x = x, .inputs = inputs}, g);
  return g;
}

Vec3d sum(std::span<const Vec3d> v) {
  Vec3d s = {0, 0, 0};
  for (const Vec3d& a : v) s += a;
  return s;
}

TEST(Gravity, TotalIsTheWeightAndActsInTheCentreOfMass) {
  Model model = block("stvk", {.jitter = 0, .density = 1200});
  model.gravity = model.inputs.add_numbers("gravity", {{0, {0, 0, -9.81}}});
  const auto g = gradient_of(model, "gravity", model.X);
  EXPECT_LE(norm(sum(g) - Vec3d{0, 0, 1200 * 1.5 * 9.81}), 1e-9);
  Vec3d moment = {0, 0, 0};
  for (size_t i = 0; i < g.size(); ++i) moment += cross(model.X[i] - Vec3d{0.75, 0.5, 0.5}, g[i]);
  EXPECT_LE(norm(moment), 1e-9);
}

TEST(NodalLoad, IsScaledByItsInput) {
  Model model = block();
  const int factor = model.inputs.add_numbers("load", {{0, {0}}, {2, {4}}});
  model.nodal_loads.push_back({"push", {2, 4}, {{1, 0, 0}, {0, 2, 0}}, factor});
  const auto g = gradient_of(model, "nodal_load", deformed(model), 0.5);
  EXPECT_LE(norm(g[2] - Vec3d{-1, 0, 0}), 1e-15);
  EXPECT_LE(norm(g[4] - Vec3d{0, -2, 0}), 1e-15);
  EXPECT_LE(norm(sum(g) - Vec3d{-1, -2, 0}), 1e-15);
}

TEST(Pressure, PushesAgainstTheOutwardNormal) {
  Model model = block("stvk", {.jitter = 0});
  const int factor = model.inputs.add_numbers("load", {{0, {1}}});
  model::PressureLoad load{"top", {}, 50, factor, false};
  for (const auto& face : model.bodies[0].surface)
    if (model.X[face[0]][2] + model.X[face[1]][2] + model.X[face[2]][2] > 3 - 1e-9)
      load.faces.push_back(face);
  model.pressure_loads.push_back(load);
  const auto g = gradient_of(model, "pressure", model.X);
  EXPECT_LE(norm(sum(g) - Vec3d{0, 0, 50 * 1.5}), 1e-11);  // minus the force, 1.5 m^2
  const Terms terms = terms_named(model, "pressure");
  const std::vector<double> inputs = inputs_at(model, 0);
  EXPECT_FALSE(terms[0]->evaluate({.x = model.X, .inputs = inputs}, {}).energy_valid);
}

TEST(Pressure, OfAClosedSurfaceIsPressureTimesVolume) {
  Model model = block("stvk");
  const int factor = model.inputs.add_numbers("load", {{0, {2}}});
  model.pressure_loads.push_back({"all", model.bodies[0].surface, 50, factor, true});
  const std::vector<Vec3d> x = deformed(model);
  double volume = 0;
  for (const auto& tet : model.elements.rows<4>()) volume += mesh::tet_volume(x, tet);
  const Terms terms = terms_named(model, "pressure");
  const std::vector<double> inputs = inputs_at(model, 0);
  const EvalInfo info = terms[0]->evaluate({.x = x, .inputs = inputs}, {});
  EXPECT_NEAR(info.value, 100 * volume, 1e-12 * 100 * volume);
  EXPECT_TRUE(info.energy_valid);
}

// The operator of an open pressure is the symmetric part of the derivative of its force.
TEST(Pressure, OperatorOfAnOpenSurfaceIsTheSymmetricPart) {
  Model model;
  model.X = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1, 0.3}};
  const int factor = model.inputs.add_numbers("load", {{0, {1}}});
  model.pressure_loads.push_back({"face", {{0, 1, 2}}, 7, factor, false});
  const Terms terms = terms_named(model, "pressure");
  const std::vector<double> inputs = inputs_at(model, 0);
  const auto product = [&](int k) {
    std::vector<Vec3d> d(3, Vec3d::zero()), out(3, Vec3d::zero());
    d[k / 3][k % 3] = 1;
    terms[0]->product({.x = model.X, .inputs = inputs}, Hessian::exact, d, out);
    return out;
  };
  const auto derivative = [&](int k) {
    std::vector<Vec3d> plus = model.X, minus = model.X;  // the force is quadratic: differences are exact
    plus[k / 3][k % 3] += 0.5, minus[k / 3][k % 3] -= 0.5;
    auto d = gradient_of(model, "pressure", plus);
    const auto e = gradient_of(model, "pressure", minus);
    for (int i = 0; i < 3; ++i) d[i] -= e[i];
    return d;
  };
  for (int k = 0; k < 9; ++k)
    for (int l = 0; l < 9; ++l) {
      const double symmetric = (derivative(k)[l / 3][l % 3] + derivative(l)[k / 3][k % 3]) / 2;
      EXPECT_NEAR(product(k)[l / 3][l % 3], symmetric, 1e-13);
    }
}

TEST(Links, SpringPullsWithStiffnessTimesStretch) {
  Model model;
  model.X = {{0, 0, 0}, {2, 0, 0}};
  add_link(model, Site::at_node(0), Site::at_node(1), 10, 0, 0.5);
  const Terms terms = terms_named(model, "links");
  std::vector<Vec3d> g(2, Vec3d::zero());
  EXPECT_NEAR(terms[0]->evaluate({.x = model.X, .inputs = {}}, g).value, 0.5 * 10 * 1.5 * 1.5, 1e-14);
  EXPECT_LE(norm(g[0] - Vec3d{-15, 0, 0}), 1e-14);
  EXPECT_LE(norm(g[1] - Vec3d{15, 0, 0}), 1e-14);
}

TEST(Links, StiffnessDiffersAlongAndAcrossTheNormal) {
  Model model;
  model.X = {{1, 2, 3}};
  add_link(model, Site::at_node(0), Site::on_frame(-1, {0, 0, 0}), 9, 2);
  model.links[0].normal = {0, 0, 1};
  const auto g = gradient_of(model, "links", model.X);
  EXPECT_LE(norm(g[0] - Vec3d{2, 4, 27}), 1e-14);
}

TEST(Links, FollowTheFrame) {
  Model model;
  model.X = {{1, 0, 0}};
  const int pose =
      model.inputs.add_pose("frame", {{.time = 0}, {.time = 1, .axis = {0, 0, 1}, .angle = M_PI / 2}});
  add_link(model, Site::at_node(0), Site::on_frame(pose, {1, 0, 0}), 3, 3);
  EXPECT_LE(norm(gradient_of(model, "links", model.X, 0)[0]), 1e-15);
  EXPECT_LE(norm(gradient_of(model, "links", model.X, 1)[0] - Vec3d{3, -3, 0}), 1e-14);
}

TEST(Links, CollapsedSpringIsFinite) {
  Model model;
  model.X = {{0, 0, 0}, {0, 0, 0}};
  add_link(model, Site::at_node(0), Site::at_node(1), 10, 0, 0.5);
  const auto g = gradient_of(model, "links", model.X);
  EXPECT_EQ(norm(g[0]) + norm(g[1]), 0);
}

TEST(Terms, AreOnlyMadeForWhatTheModelHas) {
  const Terms terms = make_terms(block());
  EXPECT_EQ(terms.size(), 1u);
  EXPECT_FALSE(terms[0]->external());
  EXPECT_EQ(terms[0]->body(), 0);
}

TEST(Terms, AVersionChangesWithTheOwnParametersAlone) {
  Model model = block();
  add_set(model, add_block(model), *material::find_law("stvk"));
  add_link(model, Site::at_node(0), Site::at_node(5), 10, 20);
  model.gravity = model.inputs.add_numbers("gravity", {{0, {0, 0, -9.81}}});
  const auto soft = terms_named(model, "elastic"), links = terms_named(model, "links"),
             gravity = terms_named(model, "gravity");
  const auto versions = [&](const model::Params& params) {
    std::vector<int64_t> list;
    for (Term* term : {soft[0].get(), soft[1].get(), links[0].get(), gravity[0].get()}) {
      term->bind(params);
      list.push_back(term->version());
    }
    return list;
  };
  using List = std::vector<int64_t>;
  model::Params params = model.params;
  EXPECT_EQ(versions(params), (List{1, 1, 1, 1}));
  params.link_tangent[0] *= 2;
  EXPECT_EQ(versions(params), (List{1, 1, 2, 1}));
  params.material[1][0].values[0] *= 2;
  EXPECT_EQ(versions(params), (List{1, 2, 2, 1}));
  params.density[0].values[0] *= 2;
  EXPECT_EQ(versions(params), (List{1, 2, 2, 2}));
  params.material[0][0].values.assign(model.sets[0].elements.size(), params.material[0][0].values[0]);
  EXPECT_EQ(versions(params), (List{2, 2, 2, 2}));
  params.material[0][0].values.back() *= 1.5;
  EXPECT_EQ(versions(params), (List{3, 2, 2, 2}));
  EXPECT_EQ(versions(params), (List{3, 2, 2, 2}));
  EXPECT_EQ(versions(model.params), (List{4, 3, 3, 3}));
}

}  // namespace
}  // namespace sinew::energy
