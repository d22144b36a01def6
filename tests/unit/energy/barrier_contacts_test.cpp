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

// A model at positions near contact, and its barrier as a term.
struct Near {
  model::Model model;
  std::vector<Vec3d> x, direction;
  std::vector<double> inputs;
  std::unique_ptr<contact::BarrierPairs> pairs;
  Terms terms;

  // Two boxes, one a third of the thickness above the other, the lower one on a floor and next to a ball. Edges are parallel, and
  // nearly so where the shape is perturbed.
  void add_solids() {
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
  }
  // Two sheets above each other, the lower one on the corners and edges of a box and on a small ball.
  void add_sheets() {
    add_patch(model, {.cells = {3, 3}});
    add_patch(model, {.corner = {0.21, 0.17, thickness / 3},
                      .along = {0.6, 0, 0},
                      .across = {0, 0.6, 0},
                      .cells = {2, 2}});
    model::Collider box;
    box.shape = model::Collider::Shape::box;
    box.size = {0.23, 0.28, 0.3};
    box.transform.b = {0.47, 0.51, -0.3 - thickness / 2};
    add_collider(model, box);
    model::Collider ball;
    ball.shape = model::Collider::Shape::sphere;
    ball.size = {0.06, 0, 0};
    ball.transform.b = {0.88, 0.12, -0.06 - thickness / 2};
    add_collider(model, ball);
    meet(model, {true, 0, thickness, 0}, true);
  }

  explicit Near(double noise, bool sheets = false) {
    if (sheets)
      add_sheets();
    else
      add_solids();
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
  // Pairs that press.
  struct Count {
    int triangles = 0, edges = 0, vertices = 0, corners = 0, collider_edges = 0;
  };
  Count count() const {
    Count count;
    for (const contact::BarrierPair& pair : pairs->list()) {
      if (!(pairs->separation(pair, x, inputs).distance < pair.thickness)) continue;
      if (pair.has_feature())
        ++(pair.edges ? count.collider_edges : count.corners);
      else
        ++(pair.collider >= 0 ? count.vertices : pair.edges ? count.edges : count.triangles);
    }
    return count;
  }
};

// f' = sum c_k (f(k h) - f(-k h)) / h
constexpr std::array c = {3.0 / 4, -3.0 / 20, 1.0 / 60};

void expect_derivatives(const Near& near, double tolerance) {
  ASSERT_EQ(near.terms.size(), 1u);
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
  EXPECT_NEAR(along, slope, tolerance * std::abs(slope));
  EXPECT_LE(std::sqrt(error2), tolerance * std::sqrt(size2));
}

TEST(BarrierContacts, DerivativesAgreeWithDifferences) {
  for (const double noise : {0.003, 0.01}) {
    const Near near(noise);
    const Near::Count count = near.count();
    EXPECT_GT(count.triangles, 10);
    EXPECT_GT(count.edges, 20);
    EXPECT_GT(count.vertices, 10);
    expect_derivatives(near, 1e-8);
  }
}

TEST(BarrierContacts, DerivativesOfSheetsAgreeWithDifferences) {
  for (const double noise : {0.003, 0.01}) {
    const Near near(noise, true);
    const Near::Count count = near.count();
    EXPECT_GT(count.triangles, 10);
    EXPECT_GT(count.edges, 10);
    EXPECT_GT(count.vertices, 1);
    EXPECT_GT(count.corners, 4);
    EXPECT_GT(count.collider_edges, 4);
    expect_derivatives(near, 1e-8);
  }
}

// A collider that moves and turns, by its twelve numbers: forward against differences, backward against forward.
TEST(BarrierContacts, DerivativesByMovedCollidersAgreeWithDifferences) {
  for (const bool sheets : {false, true}) {
    Near near(0.005, sheets);
    const auto& by_inputs = dynamic_cast<const InputDependent&>(*near.terms[0]);
    std::vector<double> change(near.inputs.size(), 0.0);
    // A translation and a rotation about an axis through the origin: columns are cross products.
    const Vec3d turn = {0.3, -0.2, 0.5}, shift = {0.1, 0.4, -0.3};
    for (const model::Collider& collider : near.model.colliders)
      for (int column = 0; column < 4; ++column) {
        const Vec3d v = column < 3 ? cross(turn, Vec3d::unit(column)) : shift;
        for (int i = 0; i < 3; ++i) change[collider.pose + 3 * column + i] = v[i];
      }
    const std::vector<double> inputs = near.inputs;
    const auto gradient_at = [&](double h) {
      // Turned exactly: differences of sixth order see more than the change itself.
      std::vector<double> moved = inputs;
      for (const model::Collider& collider : near.model.colliders) {
        const model::Pose pose = model::pose_at(inputs, collider.pose);
        const double angle = h * norm(turn);
        const Vec3d axis = normalized(turn);
        for (int column = 0; column < 3; ++column) {
          const Vec3d e = Vec3d{pose.A(0, column), pose.A(1, column), pose.A(2, column)};
          const Vec3d r = e * std::cos(angle) + cross(axis, e) * std::sin(angle) +
                          axis * (dot(axis, e) * (1 - std::cos(angle)));
          for (int i = 0; i < 3; ++i) moved[collider.pose + 3 * column + i] = r[i];
        }
        for (int i = 0; i < 3; ++i) moved[collider.pose + 9 + i] += h * shift[i];
      }
      std::vector<Vec3d> gradient(near.x.size(), Vec3d::zero());
      near.terms[0]->evaluate({near.x, moved}, gradient);
      return gradient;
    };
    const double h = 3e-5 * thickness;
    std::vector<Vec3d> slope(near.x.size(), Vec3d::zero()), forward = slope;
    for (int k = 1; k <= 3; ++k) {
      const auto up = gradient_at(k * h), down = gradient_at(-k * h);
      for (size_t i = 0; i < slope.size(); ++i) slope[i] += (up[i] - down[i]) * (c[k - 1] / h);
    }
    by_inputs.input_change({near.x, inputs}, change, forward);
    double error2 = 0, size2 = 0, there = 0, back = 0;
    std::vector<double> backward(inputs.size(), 0.0);
    by_inputs.input_gradient({near.x, inputs}, near.direction, backward);
    for (size_t i = 0; i < slope.size(); ++i) {
      error2 += norm2(slope[i] - forward[i]);
      size2 += norm2(slope[i]);
      there += dot(forward[i], near.direction[i]);
    }
    for (size_t i = 0; i < change.size(); ++i) back += backward[i] * change[i];
    EXPECT_GT(size2, 0);
    EXPECT_LE(std::sqrt(error2), 1e-7 * std::sqrt(size2));
    EXPECT_NEAR(there, back, 1e-11 * std::abs(there));
  }
}

}  // namespace
}  // namespace sinew::energy
