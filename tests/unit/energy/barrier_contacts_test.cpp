// Barriers as a term: first and second derivatives against differences of sixth order, with pairs of every kind near contact.
#include <array>
#include <cmath>

#include "contact/barrier_pairs.h"
#include "energy/term_interfaces.h"
#include "math/random.h"
#include "unit/contact/contact_sample.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;

constexpr double thickness = 0.05;

std::vector<Vec3d> random_vectors(uint64_t seed, size_t count, double size) {
  const math::Random random(seed);
  std::vector<Vec3d> list(count);
  for (size_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) list[i][c] = random.uniform(3 * i + c, -size, size);
  return list;
}

// Two boxes, one a third of the thickness above the other, the lower one on a floor and next to a ball. Edges are parallel, and
// nearly so where the shape is perturbed.
struct Near {
  model::Model model;
  std::vector<Vec3d> x, direction;
  std::vector<double> inputs;
  std::unique_ptr<contact::BarrierPairs> pairs;
  Terms terms;

  explicit Near(double noise) {
    add_box(model, {1, 1, 0.5}, {3, 3, 2}, {0, 0, 0});
    add_box(model, {0.6, 0.6, 0.4}, {2, 2, 2}, {0.21, 0.17, 0.5 + thickness / 3});
    model::Collider floor;
    floor.shape = model::Collider::Shape::plane;
    add_collider(model, floor);
    model::Collider ball;
    ball.shape = model::Collider::Shape::sphere;
    ball.size = {0.495, 0, 0};
    ball.transform.b = {1.5, 0.5, 0.25};
    add_collider(model, ball);
    meet(model, {true, 0, thickness, 0}, true);
    x = model.X;
    const auto moved = random_vectors(1, x.size(), noise);
    for (size_t i = 0; i < x.size(); ++i) x[i] += moved[i];
    direction = random_vectors(2, x.size(), 1);
    inputs = inputs_of(model);
    pairs = std::make_unique<contact::BarrierPairs>(model);
    pairs->begin(inputs, 0.01);
    pairs->clear_way(x, at(0.1 * thickness));
    for (const TermKind* kind : term_kinds())
      if (kind->name == "barrier_contacts") kind->make(model, terms);
    auto& driven = dynamic_cast<BarrierDriven&>(*terms[0]);
    driven.set_barrier(pairs.get());
    driven.activate({x, inputs});
  }

  std::vector<Vec3d> at(double h) const {
    std::vector<Vec3d> y = x;
    for (size_t i = 0; i < x.size(); ++i) y[i] += direction[i] * h;
    return y;
  }
  double energy(double h, std::vector<Vec3d>& gradient) const {
    gradient.assign(x.size(), Vec3d::zero());
    const std::vector<Vec3d> y = at(h);
    return terms[0]->evaluate({y, inputs}, gradient).value;
  }
};

TEST(BarrierContacts, DerivativesAgreeWithDifferences) {
  for (const double noise : {0.003, 0.01}) {
    const Near near(noise);
    ASSERT_EQ(near.terms.size(), 1u);
    int triangles = 0, edges = 0, colliders = 0;
    for (const contact::BarrierPair& pair : near.pairs->list())
      if (near.pairs->separation(pair, near.x, near.inputs).distance < pair.thickness)
        ++(pair.collider >= 0 ? colliders : pair.edges ? edges : triangles);
    EXPECT_GT(triangles, 10);
    EXPECT_GT(edges, 20);
    EXPECT_GT(colliders, 10);
    // f' = sum c_k (f(k h) - f(-k h)) / h
    constexpr std::array c = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double h = 3e-5 * thickness;
    double slope = 0;
    std::vector<Vec3d> gradient, up, down, second(near.x.size(), Vec3d::zero()), product = second;
    near.energy(0, gradient);
    for (int k = 1; k <= 3; ++k) {
      slope += c[k - 1] * (near.energy(k * h, up) - near.energy(-k * h, down)) / h;
      for (size_t i = 0; i < second.size(); ++i) second[i] += (up[i] - down[i]) * (c[k - 1] / h);
    }
    near.terms[0]->product({near.x, near.inputs}, Hessian::exact, near.direction, product);
    double along = 0, error2 = 0, size2 = 0;
    for (size_t i = 0; i < second.size(); ++i) {
      along += dot(gradient[i], near.direction[i]);
      error2 += norm2(second[i] - product[i]);
      size2 += norm2(product[i]);
    }
    EXPECT_NEAR(along, slope, 1e-8 * std::abs(slope)) << noise;
    EXPECT_LE(std::sqrt(error2), 1e-8 * std::sqrt(size2)) << noise;
  }
}

}  // namespace
}  // namespace sinew::energy
