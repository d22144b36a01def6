#include "solve/lane_newton.h"

#include <gtest/gtest.h>

#include "solve/newton.h"
#include "unit/plates.h"
#include "unit/solve/flat_strip.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;
using model::PoseKey;

struct Found {
  SolveStatus status = SolveStatus::stalled;
  double relative = 0;
  int iterations = 0;
  int64_t inverted = 0;
  std::vector<Vec3d> x;
};

// All models from rest, at the inputs of time 1, in this order.
std::vector<Found> in_lanes(std::span<const Model> models, std::span<const size_t> order,
                            double tolerance = 1e-10, const Control& control = {}) {
  LaneNewton newton(models[0]);
  std::vector<Found> found(models.size());
  size_t next = 0;
  std::vector<double> inputs;
  newton.solve(
      [&](LaneProblem& problem) {
        if (next == order.size()) return false;
        const size_t i = order[next++];
        inputs = inputs_at(models[i], 1);
        problem = {i, &models[i], inputs, models[i].X};
        return true;
      },
      [&](const LaneOutcome& outcome) {
        found[outcome.id] = {outcome.status,
                             outcome.last.relative,
                             outcome.iterations,
                             outcome.last.inverted,
                             {outcome.x.begin(), outcome.x.end()}};
      },
      tolerance, control);
  return found;
}

std::vector<size_t> in_order(size_t count) {
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = i;
  return order;
}

// The same by Newton's method of its own, step by step.
std::vector<Vec3d> by_newton(const Model& model) {
  System system(model);
  Newton newton(system, {});
  std::vector<Vec3d> x = model.X;
  for (int k = 1; k <= 4; ++k) {
    system.set_inputs(inputs_at(model, k / 4.0));
    EXPECT_EQ(newton.solve(x, 1e-11, {}).status, SolveStatus::converged);
  }
  return x;
}

// Bars that are bent, each in its own way, under their weight.
std::vector<Model> bars(const char* law, int count, const std::function<void(Model&, int)>& change = {}) {
  std::vector<Model> models;
  for (int k = 0; k < count; ++k) {
    models.push_back(held_block({.law = law,
                                 .young = 1e5 * (1 + 0.1 * k),
                                 .poisson = 0.3 + 0.01 * (k % 7),
                                 .cells = {4, 2, 2},
                                 .jitter = 0.1,
                                 .right = {{},
                                           {.time = 1,
                                            .translate = {0.1 - 0.02 * k, 0.1 + 0.02 * k, 0},
                                            .axis = {0, 0, 1},
                                            .angle = 0.1 + 0.03 * k,
                                            .about = {2, 0.5, 0.5}}}}));
    // Some laws have a stiffness of their own.
    const double stiffness = models.back().scales(models.back().params, 0).stiffness;
    add_gravity(models.back(), {0, -1e-4 * stiffness * (1 + 0.1 * k), 0});
    if (change) change(models.back(), k);
  }
  return models;
}

void expect_newton(std::span<const Model> models, const std::string& what, double near = 1e-8) {
  EXPECT_TRUE(LaneSystem::lacks(models[0]).empty()) << what;
  for (const Model& model : models) EXPECT_TRUE(LaneSystem::same_shape(models[0], model)) << what;
  const auto found = in_lanes(models, in_order(models.size()));
  for (size_t i = 0; i < models.size(); ++i) {
    ASSERT_EQ(found[i].status, SolveStatus::converged) << what << " " << i;
    EXPECT_LT(distance(found[i].x, by_newton(models[i])), near) << what << " " << i;
    System system(models[i]);
    system.set_inputs(inputs_at(models[i], 1));
    std::vector<Vec3d> gradient(found[i].x.size());
    EXPECT_LE(system.evaluate(found[i].x, gradient).relative, 1.001e-10) << what << " " << i;
  }
}

TEST(LaneNewton, FindsTheEquilibriaOfEveryLaw) {
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.rest_stable) continue;  // these need another law beside them
    const auto models = bars(std::string(law->name).c_str(), 3);
    // Bodies that do not mind a change of volume have soft ways to move: the same residual, other positions.
    expect_newton(models, std::string(law->name), law->name == "arap" ? 1e-5 : 1e-8);
  }
}

TEST(LaneNewton, TakesMoreProblemsThanLanes) { expect_newton(bars("stable_neo_hookean", 19), "many"); }

TEST(LaneNewton, TreatsSeveralLawsAndParametersByElement) {
  expect_newton(bars("stable_neo_hookean", 3,
                     [](Model& model, int k) {
                       add_set(model, 0, *material::find_law("neo_hookean"), 5e4 + 1e4 * k, 0.2, 2);
                       auto& young = model.params.material[0][0].values;
                       const double base = young[0];
                       young.clear();
                       for (size_t e = 0; e < model.sets[0].elements.size(); ++e)
                         young.push_back(base * (1 + 0.5 * std::sin(static_cast<double>(e))));
                     }),
                "laws");
}

TEST(LaneNewton, TreatsElementsThatAreCoveredInPart) {
  auto models = bars("stable_neo_hookean", 3, [](Model& model, int) { cover_in_part(model); });
  expect_newton(models, "covered");
  models[1].coverage[0] *= 0.5;
  EXPECT_FALSE(LaneSystem::same_shape(models[0], models[1]));
}

// Strips, clamped to a frame that turns, that hang by their weight: a few times what bends them by their length.
std::vector<Model> strips(model::Bending bending, double thickness, int count, const char* law = "stvk") {
  std::vector<Model> models;
  for (int k = 0; k < count; ++k) {
    models.push_back(plate({.cells = {10, 2},
                            .size = {1, 0.2},
                            .thickness = thickness,
                            .law = law,
                            .young = 1e7 * (1 + 0.1 * k),
                            .poisson = 0.3,
                            .bending = bending}));
    // Some laws have a stiffness of their own.
    const double stiffness = models.back().scales(models.back().params, 0).stiffness,
                 rigidity = stiffness * thickness * thickness * thickness / 12;
    clamp(
        models.back(), model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; },
        0.2 + 0.05 * k);
    add_gravity(models.back(), {0, 0, -(2 + 0.5 * k) * rigidity / (1000 * thickness)});
  }
  return models;
}

TEST(LaneNewton, BendsSheets) {
  for (const auto bending : {model::Bending::hinge, model::Bending::shell})
    for (const double thickness : {0.1, 0.02, 0.001})
      expect_newton(strips(bending, thickness, 3),
                    "bending " + std::to_string(static_cast<int>(bending)) + ", " + std::to_string(thickness),
                    thickness < 0.01 ? 1e-6 : 1e-8);
}

TEST(LaneNewton, StretchesSheetsOfEveryKindOfLaw) {
  for (const char* law : {"neo_hookean", "ogden", "orthotropic", "edge_springs"})
    expect_newton(strips(model::Bending::shell, 0.02, 3, law), law);
  auto models = strips(model::Bending::hinge, 0.02, 3, "neo_hookean");
  for (Model& model : models) model.bodies[0].fixed_thickness = true;
  expect_newton(models, "fixed thickness");
  std::vector<double>& young = models[1].params.material[0][0].values;
  EXPECT_TRUE(LaneSystem::same_shape(models[0], models[1]));
  young.resize(models[1].elements.size(), young[0]);
  EXPECT_FALSE(LaneSystem::same_shape(models[0], models[1]));
}

TEST(LaneNewton, TakesSheetsBesideSolids) {
  expect_newton(bars("stable_neo_hookean", 3,
                     [](Model& model, int) {
                       const PlateOptions options = {.thickness = 0.02, .young = 1e7};
                       mesh::TriMesh mesh = plate_mesh(options);
                       for (Vec3d& X : mesh.vertices) X[2] -= 3;
                       model.params.rigidity.resize(1, {{0}});
                       add_plate(model, mesh, options);
                       clamp(
                           model, model::Hold::rigid, {0, 0, 1},
                           [](const Vec3d& X) { return X[2] < -2 && X[0] < 1e-9; }, 0.4);
                     }),
                "beside solids");
}

TEST(LaneNewton, SheetsOfOneShapeAreAtRestAlike) {
  const auto changed = [](const std::function<void(Model&)>& change) {
    Model model = strips(model::Bending::shell, 0.02, 1)[0];
    change(model);
    return model;
  };
  const Model model = changed([](Model&) {});
  EXPECT_TRUE(LaneSystem::same_shape(model, changed([](Model& m) { m.hinges[3].rest_angle = 0.1; })));
  EXPECT_FALSE(LaneSystem::same_shape(model, changed([](Model& m) { m.bodies[0].flat[3][1][0] *= 1.1; })));
  EXPECT_FALSE(LaneSystem::same_shape(model, changed([](Model& m) { m.bodies[0].thickness = 0.03; })));
  EXPECT_FALSE(LaneSystem::same_shape(model, changed([](Model& m) { m.bodies[0].fixed_thickness = true; })));
  EXPECT_FALSE(LaneSystem::same_shape(model, changed([](Model& m) { m.attachments[0].clamped.clear(); })));
  EXPECT_FALSE(LaneSystem::same_shape(model, strips(model::Bending::hinge, 0.02, 1)[0]));
}

TEST(LaneNewton, LeavesASaddlePointOfASheetToOtherSolvers) {
  const std::vector<Model> models = {flat_strip()};
  EXPECT_EQ(in_lanes(models, in_order(1))[0].status, SolveStatus::stalled);
}

TEST(LaneNewton, SheetsHaveTheSameBitsInAnyCompany) {
  const auto models = strips(model::Bending::shell, 0.005, 10);
  const auto together = in_lanes(models, in_order(models.size()));
  for (size_t i = 0; i < models.size(); ++i) {
    const size_t one[] = {i};
    const auto alone = in_lanes(models, one);
    EXPECT_EQ(alone[i].iterations, together[i].iterations) << i;
    EXPECT_EQ(std::memcmp(alone[i].x.data(), together[i].x.data(), sizeof(Vec3d) * together[i].x.size()), 0)
        << i;
  }
}

TEST(LaneNewton, TreatsPlanesLinesLinksLoadsAndPressure) {
  expect_newton(
      bars("stable_neo_hookean", 4,
           [](Model& model, int k) {
             hold(model, "floor", face_nodes({4, 2, 2}, 1, false),
                  {{}, {.time = 1, .translate = {0, 0.02 * k, 0}}}, model::Hold::plane, {0, 1, 0});
             hold(model, "rail", {7}, {{}, {.time = 1, .axis = {0, 1, 0}, .angle = 0.1 * k}},
                  model::Hold::line, {0.6, 0, 0.8});
             add_link(model, model::Site::at_node(12), model::Site::on_frame(-1, {1, 2, 1}), 2e3 + 100 * k,
                      1e3);
             add_link(model, model::Site::at_node(13), model::Site::at_node(30), 1e3, 0, 0.3 + 0.01 * k);
             model.nodal_loads.push_back({"pull",
                                          {20, 21},
                                          {{50.0 * k, 0, 10}, {0, 20, 0}},
                                          model.inputs.add_numbers("pull", {{0, {1}}})});
             model.pressure_loads.push_back({"blow",
                                             {model.bodies[0].surface.begin(), model.bodies[0].surface.end()},
                                             200.0 + 50 * k,
                                             model.inputs.add_numbers("blow", {{0, {1}}}),
                                             true});
           }),
      "holds and loads");
}

// Alone, in company, in another lane, beside one that fails: the same bits.
TEST(LaneNewton, BitsDoNotDependOnCompanyOrLane) {
  for (const char* law : {"stable_neo_hookean", "ogden", "guccione", "corotated"}) {
    auto models = bars(law, 12);
    // One that cannot be done: turned inside out at once.
    models[3] = held_block({.law = law,
                            .young = 1e5,
                            .cells = {4, 2, 2},
                            .jitter = 0.1,
                            .right = {{}, {.time = 1, .translate = {-4, 0, 0}}}});
    add_gravity(models[3], {0, -9.81, 0});
    const auto together = in_lanes(models, in_order(models.size()));
    std::vector<size_t> backwards = in_order(models.size());
    std::reverse(backwards.begin(), backwards.end());
    const auto turned = in_lanes(models, backwards);
    EXPECT_TRUE(together[3].status != SolveStatus::converged || together[3].inverted > 0) << law;
    for (size_t i = 0; i < models.size(); ++i) {
      const size_t one[] = {i};
      const auto alone = in_lanes(models, one);
      for (const auto* other : {&turned, &alone}) {
        EXPECT_EQ((*other)[i].status, together[i].status) << law << " " << i;
        EXPECT_EQ((*other)[i].iterations, together[i].iterations) << law << " " << i;
        ASSERT_EQ((*other)[i].x.size(), together[i].x.size());
        EXPECT_EQ(
            std::memcmp((*other)[i].x.data(), together[i].x.data(), sizeof(Vec3d) * together[i].x.size()), 0)
            << law << " " << i;
      }
    }
  }
}

TEST(LaneNewton, RestIsAnEquilibriumAtOnce) {
  const Model model = held_block({.cells = {3, 2, 2}});
  const auto found = in_lanes(std::span(&model, 1), in_order(1));
  EXPECT_EQ(found[0].status, SolveStatus::converged);
  EXPECT_EQ(found[0].iterations, 0);
  EXPECT_EQ(distance(found[0].x, model.X), 0);
}

TEST(LaneNewton, Cancel) {
  const auto models = bars("stable_neo_hookean", 9);
  Cancel cancel;
  int given = 0;
  LaneNewton newton(models[0]);
  size_t next = 0;
  const std::vector<double> inputs = inputs_at(models[0], 1);
  newton.solve(
      [&](LaneProblem& problem) {
        if (next == 5) cancel.request();
        problem = {next++, &models[0], inputs, models[0].X};
        return true;
      },
      [&](const LaneOutcome& outcome) {
        ++given;
        EXPECT_EQ(outcome.status, SolveStatus::cancelled);
      },
      1e-6, {.cancel = &cancel, .on_residual = {}});
  EXPECT_EQ(given, 6);
}

TEST(LaneNewton, SaysWhatItLacks) {
  Model model = block("neo_hookean", {.elements = "quadratic"});
  EXPECT_EQ(LaneSystem::lacks(model).size(), 1u);
  Model windy = strips(model::Bending::none, 0.02, 1)[0];
  EXPECT_TRUE(LaneSystem::lacks(windy).empty());
  windy.winds.emplace_back();
  EXPECT_EQ(LaneSystem::lacks(windy).size(), 1u);
  const Model small = held_block({.cells = {3, 2, 2}}), other = held_block({.cells = {3, 2, 3}}),
              law = held_block({.law = "corotated", .cells = {3, 2, 2}});
  EXPECT_FALSE(LaneSystem::same_shape(small, other));
  EXPECT_FALSE(LaneSystem::same_shape(small, law));
  EXPECT_TRUE(LaneNewton::pays(small));
  EXPECT_FALSE(LaneNewton::pays(held_block({.cells = {20, 20, 20}})));
}

}  // namespace
}  // namespace sinew::solve
