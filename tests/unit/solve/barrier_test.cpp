// The barrier as a part of a System: derivatives against differences, and Newton steps that keep surfaces apart.
#include <cmath>
#include <gtest/gtest.h>

#include "contact/barrier_pairs.h"
#include "math/random.h"
#include "solve/newton.h"
#include "unit/contact/contact_sample.h"

namespace sinew::solve {
namespace {

using sample::add_box;
using sample::inputs_of;
using sample::meet;

// A box above another one and both above a floor, all within the thickness of each other, shaken a little.
struct Touching {
  model::Model model;
  std::vector<Vec3d> x;

  Touching() {
    add_box(model, {1, 1, 0.5}, {2, 2, 1}, {0, 0, -0.01});
    add_box(model, {0.45, 0.45, 0.45}, {1, 1, 1}, {0.31, 0.28, 0.51});
    sample::add_collider(model, model::Collider());
    meet(model, {true, 0, 0.05, 0}, true);
    x = model.X;
    const math::Random random(4);
    for (size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < 3; ++c) x[i][c] += random.uniform(3 * i + c, -4e-3, 4e-3);
  }
};

// The same boxes, which touch with points inside their elements: all corners of the surfaces, moved somewhat inwards.
struct TouchingWithSkins : Touching {
  TouchingWithSkins() {
    model::ContactPlan& plan = model.contact;
    const model::Model& rest = model;
    plan.skins.resize(model.bodies.size());
    for (size_t b = 0; b < model.bodies.size(); ++b) {
      std::vector<int32_t> point_of(rest.X.size(), -1);
      const model::Body& body = rest.bodies[b];
      for (size_t t = 0; t < body.surface.size(); ++t) {
        model::Triangle triangle = body.surface[t];
        for (int32_t& node : triangle) {
          if (point_of[node] < 0) {
            point_of[node] = model.point_count();
            geometry::EmbeddedPoint point;
            point.count = 4;
            for (int k = 0; k < 4; ++k) {
              point.node[k] = rest.elements[body.behind[t]][k];
              point.weight[k] = point.node[k] == node ? 0.985 : 0.005;
            }
            plan.carried.push_back(point);
            plan.carried_body.push_back(static_cast<int32_t>(b));
          }
          node = point_of[node];
        }
        plan.skins[b].push_back(triangle);
      }
    }
  }
};

template <class T>
class BarrierDerivatives : public testing::Test {};
using Bodies = testing::Types<Touching, TouchingWithSkins>;
TYPED_TEST_SUITE(BarrierDerivatives, Bodies);

TYPED_TEST(BarrierDerivatives, AreThoseOfTheEnergy) {
  TypeParam touching;
  System system(touching.model);
  contact::BarrierPairs pairs(touching.model);
  pairs.begin(inputs_of(touching.model), 0);
  system.set_barrier(&pairs);
  auto& x = touching.x;
  ASSERT_EQ(system.clear_way(x, x), 1);
  system.activate_barrier(x);
  size_t pressing = 0;
  for (const contact::BarrierPair& pair : pairs.list())
    pressing += pairs.separation(pair, x, inputs_of(touching.model)).distance < pair.thickness;
  ASSERT_GT(pressing, 10u);
  const size_t nodes = x.size();
  std::vector<Vec3d> gradient(nodes), up(nodes), down(nodes), product(nodes), d(nodes);
  system.evaluate(x, gradient);
  const math::Random random(9);
  for (int k = 0; k < 5; ++k) {
    double slope = 0, scale = 0;
    for (size_t i = 0; i < nodes; ++i) {
      for (int c = 0; c < 3; ++c) d[i][c] = random.uniform(1000 * k + 3 * i + c, -1, 1);
      slope += dot(gradient[i], d[i]);
    }
    constexpr double step = 1e-7;
    std::vector<Vec3d> a = x, b = x;
    for (size_t i = 0; i < nodes; ++i) {
      a[i] += d[i] * step;
      b[i] -= d[i] * step;
    }
    const double above = system.evaluate(a, up).energy, below = system.evaluate(b, down).energy;
    EXPECT_NEAR((above - below) / (2 * step), slope, 1e-5 * std::abs(slope));
    system.product(x, Hessian::exact, d, product);
    double error = 0;
    for (size_t i = 0; i < nodes; ++i) {
      const Vec3d difference = (up[i] - down[i]) / (2 * step);
      error = std::max(error, norm(product[i] - difference));
      scale = std::max(scale, norm(difference));
    }
    EXPECT_LT(error, 1e-6 * scale);
    // No node is held: a block of the matrix for each.
    energy::BlockMatrix matrix;
    matrix.reset(system.pattern(), energy::Precision::full);
    system.assemble(x, Hessian::exact, matrix);
    std::vector<Vec3d> in(nodes), out(nodes);
    for (size_t i = 0; i < nodes; ++i) in[system.dofs().block_of_node()[i]] = d[i];
    matrix.multiply(in, out);
    error = 0;
    for (size_t i = 0; i < nodes; ++i)
      error = std::max(error, norm(out[system.dofs().block_of_node()[i]] - product[i]));
    EXPECT_LT(error, 1e-12 * scale);
  }
}

TEST(Barrier, NewtonPressesBoxesTogetherAndNothingMeets) {
  Touching touching;
  model::Model& model = touching.model;
  for (const int32_t body : {0, 1}) {
    model::Attachment held;
    held.name = "held" + std::to_string(body);
    for (int32_t i = model.bodies[body].nodes.begin; i < model.bodies[body].nodes.end; ++i)
      if (std::abs(model.X[i][2] - (body == 0 ? -0.01 : 0.96)) < 1e-9) held.nodes.push_back(i);
    held.pose = model.inputs.add_pose(
        held.name, {{.time = 0}, {.time = 1, .translate = {0, 0, body == 0 ? 0.0 : -0.15}}});
    model.attachments.push_back(held);
  }
  System system(model);
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(1, inputs);
  system.set_inputs(inputs);
  contact::BarrierPairs pairs(model);
  pairs.begin(inputs, 0);
  system.set_barrier(&pairs);
  std::vector<Vec3d> x = model.X;
  const SolveReport report = Newton(system, {}).solve(x, 1e-8, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LT(report.iterations, 40);
  pairs.clear_way(x, x);
  int pressing = 0;
  for (const contact::BarrierPair& pair : pairs.list()) {
    const double distance = pairs.separation(pair, x, inputs).distance;
    if (pair.collider < 0) {
      EXPECT_GT(distance, 0);
    }
    pressing += pair.collider < 0 && pair.body[0] != pair.body[1] && distance < pair.thickness;
  }
  EXPECT_GT(pressing, 3);
}

}  // namespace
}  // namespace sinew::solve
