// Contacts as a term: derivatives against differences, the bound from above, balance, and Coulomb's law.
#include <cmath>
#include <gtest/gtest.h>

#include "contact/contact_set.h"
#include "energy/node_local.h"
#include "energy/term_interfaces.h"
#include "model/dof_map.h"
#include "unit/eigen.h"
#include "unit/energy/sample.h"

namespace sinew::energy {
namespace {

using contact::Pair;
using namespace sinew::sample;

void set_contacts(const Terms& terms, std::span<const Pair> pairs) {
  dynamic_cast<ContactDriven&>(*terms[0]).set_contacts(pairs);
}

struct Touching {
  model::Model model;
  std::vector<Pair> pairs;
  Terms terms;

  // Two blocks and a plane, with one pair of each kind; some press, some do not, some stick and some slide.
  Touching() {
    model = block();
    add_block(model, {.cells = {2, 2, 2}, .size = {1, 1, 1}});
    const int32_t other = model.bodies[1].nodes.begin;
    model::Collider floor;
    floor.name = "floor";
    floor.pose =
        model.inputs.add_pose("collider.floor", {{.time = 0}, {.time = 1, .translate = {0, 0.1, 0}}});
    model.colliders.push_back(floor);
    model.contact.rules.resize(6);
    const math::Random random(3);
    for (int k = 0; k < 40; ++k) {
      Pair pair;
      const auto pick = [&](int i, int32_t first, int32_t count) {
        return first + static_cast<int32_t>(random.bits(97 * k + i) % count);
      };
      if (k % 3 == 0) {
        pair.node = {pick(0, 0, 20), other + 1, other + 5, other + 7};
        pair.weight = {1, -0.2, -0.5, -0.3};
      } else if (k % 3 == 1) {
        pair.edges = true;
        pair.node = {3, 8, other + 2, other + 11};
        pair.weight = {0.4, 0.6, -0.7, -0.3};
      } else {
        pair.node = {pick(0, 0, 20), -1, -1, -1};
        pair.weight = {1, 0, 0, 0};
        pair.collider = 0;
        pair.point = random_vector(random, 1000 + k);
      }
      pair.normal = normalized(random_vector(random, 2000 + k));
      pair.thickness = random.uniform(3000 + k, -0.5, 0.8);
      pair.stiffness = random.uniform(4000 + k, 100, 1000);
      pair.friction = k % 4 == 0 ? 0 : 0.5;
      pair.load = random.uniform(5000 + k, 0, 400);
      pair.slip = random_vector(random, 6000 + k) * 0.1;
      pair.start = random_vector(random, 7000 + k);
      pair.two_sided = k % 5 == 0;
      pairs.push_back(pair);
    }
    terms = terms_named(model, "contacts");
    set_contacts(terms, pairs);
  }
};

TEST(Contacts, GradientIsTheDerivativeOfTheEnergyAndTheOperatorThatOfTheGradient) {
  Touching touching;
  ASSERT_EQ(touching.terms.size(), 1u);
  const Term& term = *touching.terms[0];
  std::vector<Vec3d> x = deformed(touching.model);
  const std::vector<double> inputs = inputs_at(touching.model, 0.7);
  const auto direction = random_vectors(11, x.size());
  const auto at = [&](double h, std::vector<Vec3d>& gradient) {
    std::vector<Vec3d> y = x;
    for (size_t i = 0; i < x.size(); ++i) y[i] += direction[i] * h;
    gradient.assign(x.size(), {0, 0, 0});
    return term.evaluate({y, inputs}, gradient).value;
  };
  std::vector<Vec3d> g, ahead, behind;
  const double h = 1e-6;
  at(0, g);
  const double slope = (at(h, ahead) - at(-h, behind)) / (2 * h);
  double sum = 0;
  Vec3d total = {0, 0, 0};
  for (size_t i = 0; i < x.size(); ++i) sum += dot(g[i], direction[i]), total += g[i];
  EXPECT_NEAR(sum, slope, 1e-6 * std::abs(slope));
  std::vector<Vec3d> out(x.size(), Vec3d{0, 0, 0});
  term.product({x, inputs}, Hessian::exact, direction, out);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_LT(norm(out[i] - (ahead[i] - behind[i]) * (1 / (2 * h))), 1e-5 * (1 + norm(out[i]))) << i;
}

TEST(Contacts, BetweenBodiesForcesBalance) {
  Touching touching;
  std::erase_if(touching.pairs, [](const Pair& pair) { return pair.collider >= 0; });
  set_contacts(touching.terms, touching.pairs);
  std::vector<Vec3d> g(touching.model.X.size(), Vec3d{0, 0, 0});
  const std::vector<double> inputs = inputs_at(touching.model, 0);
  touching.terms[0]->evaluate({deformed(touching.model), inputs}, g);
  Vec3d total = {0, 0, 0};
  double size = 0;
  for (const Vec3d& force : g) total += force, size += norm(force);
  EXPECT_GT(size, 1);
  EXPECT_LT(norm(total), 1e-13 * size);
}

// Along any move of one node the energy lies below the parabola of the visitor's force and block.
TEST(Contacts, TheBlockOfANodeBoundsTheEnergyFromAbove) {
  Touching touching;
  const Term& term = *touching.terms[0];
  const auto count = static_cast<int64_t>(touching.model.X.size());
  const std::vector<Vec3d> x = deformed(touching.model);
  const std::vector<double> inputs = inputs_at(touching.model, 0.3);
  const Stencils stencils = term.stencils();
  const model::DofMap dofs(touching.model);
  const std::vector<int32_t> work(count, 1);
  const NodeBlocks blocks =
      make_node_blocks(colour_nodes({&stencils, 1}, count), work, dofs.block_of_node(), 8, nullptr);
  const auto visitor = dynamic_cast<const NodeLocal&>(term).visitor(blocks, false, math::PackD{});
  std::vector<double> padded(4 * count);
  for (int64_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) padded[4 * i + k] = x[i][k];
  const NodeView<math::PackD> view{padded.data(), inputs};
  const math::Random random(5);
  std::vector<Vec3d> gradient(count, Vec3d{0, 0, 0});
  term.evaluate({x, inputs}, gradient);
  for (int64_t b = 0; b < blocks.count(); ++b)
    for (int l = 0; l < blocks.used[b]; ++l) {
      const int32_t node = blocks.of(b)[l];
      math::Vec3<math::PackD> x0;
      for (int k = 0; k < 3; ++k)
        for (int lane = 0; lane < 8; ++lane) x0[k].set(lane, x[blocks.of(b)[lane]][k]);
      material::NodeSums<math::PackD> sums{};
      visitor->add(view, b, x0, sums);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(sums.gradient[k][l], gradient[node][k], 1e-9);
      const double start = visitor->energy(view, b, x0)[l];
      for (int trial = 0; trial < 20; ++trial) {
        const Vec3d move = random_vector(random, 100 * node + trial) * (trial % 2 ? 0.5 : 0.02);
        auto moved = x0;
        for (int k = 0; k < 3; ++k) moved[k].set(l, x[node][k] + move[k]);
        const double* a[6];
        double block[6];
        for (int m = 0; m < 6; ++m) block[m] = sums.block[m][l], a[m] = &block[m];
        const double quadratic =
            *a[0] * move[0] * move[0] + *a[3] * move[1] * move[1] + *a[5] * move[2] * move[2] +
            2 * (*a[1] * move[0] * move[1] + *a[2] * move[0] * move[2] + *a[4] * move[1] * move[2]);
        double linear = 0;
        for (int k = 0; k < 3; ++k) linear += sums.gradient[k][l] * move[k];
        EXPECT_LE(visitor->energy(view, b, moved)[l], start + linear + 0.5 * quadratic + 1e-9) << node;
      }
    }
}

// Without friction sliding gives no force, and there is a force only while the gap is below the thickness.
TEST(Contacts, PushAlongTheNormalWhilePressedAndStickUntilCoulombsLimit) {
  model::Model model = block();
  model::Collider floor;
  floor.pose = model.inputs.add_pose("collider.floor", {{.time = 0}});
  model.colliders.push_back(floor);
  model.contact.rules.resize(2);
  const Terms terms = terms_named(model, "contacts");
  const std::vector<double> inputs = inputs_at(model, 0);
  Pair pair;
  pair.node[0] = 4;
  pair.weight[0] = 1;
  pair.collider = 0;
  pair.normal = {0, 0, 1};
  pair.thickness = 0.1;
  pair.stiffness = 1000;
  const auto force = [&](const Vec3d& d) {
    set_contacts(terms, {&pair, 1});
    std::vector<Vec3d> x = model.X, g(x.size(), Vec3d{0, 0, 0});
    x[4] = d;
    terms[0]->evaluate({x, inputs}, g);
    return -g[4];
  };
  EXPECT_EQ(norm(force({0, 0, 0.2})), 0);
  EXPECT_EQ(norm(force({5, -3, 0.1001})), 0);
  EXPECT_LT(norm(force({5, -3, 0.04}) - Vec3d{0, 0, 60}), 1e-12);
  EXPECT_LT(norm(force({5, -3, -0.04}) - Vec3d{0, 0, 140}), 1e-12);
  pair.friction = 0.5;
  pair.load = 60;
  EXPECT_LT(norm(force({0.01, 0.02, 0.04}) - Vec3d{-10, -20, 60}), 1e-12);  // sticks
  EXPECT_LT(norm(force({0.3, 0.4, 0.04}) - Vec3d{-18, -24, 60}), 1e-12);    // slides: half of the load
  pair.start = {0.3, 0.4, 0};
  EXPECT_LT(norm(force({0.3, 0.4, 0.04}) - Vec3d{0, 0, 60}), 1e-12);
}

}  // namespace
}  // namespace sinew::energy
