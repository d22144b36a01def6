// Stiffness damping of a time step: against the linear law, whose forces are the stiffness itself, and against differences.
#include "energy/rayleigh_damping.h"

#include <gtest/gtest.h>

#include "unit/energy/sample.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;

constexpr double beta = 0.03, h = 0.01;  // [s]

struct Damped {
  model::Model model;
  Terms terms;
  std::vector<Vec3d> start, x;

  // Two blocks, of which the first is damped, and a link between them, which is not.
  explicit Damped(const char* law, const char* elements = "linear") {
    model = block(law, {.elements = elements});
    add_set(model, add_block(model, {.cells = {2, 1, 1}}), *material::find_law("neo_hookean"));
    add_link(model, model::Site::at_node(1), model::Site::at_node(model.bodies[1].nodes.begin), 400, 50);
    model.bodies[0].stiffness_damping = beta;
    terms = make_terms(model);
    start = model.X;
    x = deformed(model, 0.05);
    const auto noise = random_vectors(5, x.size());
    for (size_t i = 0; i < x.size(); ++i) start[i] += noise[i] * 0.02;
  }
  RayleighDamping about_start() const {
    RayleighDamping damping(model, terms);
    damping.set({.x = start, .inputs = {}}, 1 / h);
    return damping;
  }
};

double inner(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

TEST(RayleighDamping, OfTheLinearLawIsTheChangeOfItsForces) {
  const Damped damped("linear");
  const RayleighDamping damping = damped.about_start();
  const size_t n = damped.x.size();
  std::vector<Vec3d> found(n, Vec3d{0, 0, 0}), at_x(found), at_start(found);
  const double energy = damping.evaluate(damped.x, found);
  for (const auto& term : damped.terms)
    if (term->body() == 0) {
      term->evaluate({.x = damped.x, .inputs = {}}, at_x);
      term->evaluate({.x = damped.start, .inputs = {}}, at_start);
    }
  double size = 0, half = 0;
  for (size_t i = 0; i < n; ++i) size = std::max(size, norm(at_x[i]));
  for (size_t i = 0; i < n; ++i) {
    const Vec3d expected = (at_x[i] - at_start[i]) * (beta / h);
    EXPECT_LT(norm(found[i] - expected), 1e-10 * beta / h * size) << i;
    half += 0.5 * dot(expected, damped.x[i] - damped.start[i]);
  }
  EXPECT_NEAR(energy, half, 1e-10 * half);
}

TEST(RayleighDamping, GradientAndOperatorAreDerivatives) {
  for (const char* elements : {"linear", "averaged"}) {
    const Damped damped("neo_hookean", elements);
    const RayleighDamping damping = damped.about_start();
    const size_t n = damped.x.size();
    const std::vector<Vec3d> d = random_vectors(9, n);
    const auto at = [&](double t, std::vector<Vec3d>& gradient) {
      std::vector<Vec3d> y = damped.x;
      for (size_t i = 0; i < n; ++i) y[i] += d[i] * t;
      gradient.assign(n, {0, 0, 0});
      return damping.evaluate(y, gradient);
    };
    std::vector<Vec3d> g, ahead, behind, out(n, Vec3d{0, 0, 0});
    at(0, g);
    const double step = 0.5;  // the energy is quadratic: differences are exact
    const double slope = (at(step, ahead) - at(-step, behind)) / (2 * step);
    EXPECT_NEAR(inner(g, d), slope, 1e-9 * std::abs(slope));
    damping.apply(d, out);
    for (size_t i = 0; i < n; ++i)
      EXPECT_LT(norm(out[i] - (ahead[i] - behind[i]) * (1 / (2 * step))), 1e-9 * (1 + norm(out[i])));
    EXPECT_GE(inner(out, d), 0);  // it brakes
  }
}

TEST(RayleighDamping, AssembledAppliedAndDiagonalAgree) {
  Damped damped("neo_hookean");
  const RayleighDamping damping = damped.about_start();
  const auto n = static_cast<int32_t>(damped.x.size());
  std::vector<int32_t> block(n);
  for (int32_t i = 0; i < n; ++i) block[i] = i;
  std::vector<Stencils> stencils;
  for (const auto& term : damped.terms) stencils.push_back(term->stencils());
  const auto pattern = std::make_shared<BlockPattern>(make_pattern(stencils, block, n));
  for (const auto& term : damped.terms) term->map(*pattern, block);
  BlockMatrix matrix;
  matrix.reset(pattern, Precision::full);
  matrix.set_zero();
  damping.assemble(matrix);
  const std::vector<Vec3d> d = random_vectors(4, n);
  std::vector<Vec3d> product(n), applied(n, Vec3d{0, 0, 0});
  std::vector<Mat3d> diagonal(n, Mat3d::zero());
  matrix.multiply(d, product);
  damping.apply(d, applied);
  damping.diagonal(diagonal);
  double size = 0;
  for (const Vec3d& each : applied) size = std::max(size, norm(each));
  for (int32_t i = 0; i < n; ++i) {
    EXPECT_LT(norm(product[i] - applied[i]), 1e-12 * size);
    const Mat3d error = matrix.block(pattern->diagonal[i]) - diagonal[i];
    EXPECT_LT(std::sqrt(contract(error, error)), 1e-12 * size);
  }
}

TEST(RayleighDamping, ActsOnDampedBodiesAloneAndOnlyAtARate) {
  const Damped damped("neo_hookean");
  RayleighDamping damping = damped.about_start();
  EXPECT_TRUE(damping.active());
  std::vector<Vec3d> g(damped.x.size(), Vec3d{0, 0, 0});
  EXPECT_GT(damping.evaluate(damped.x, g), 0);
  for (int32_t i = damped.model.bodies[1].nodes.begin; i < damped.model.bodies[1].nodes.end; ++i)
    EXPECT_EQ(norm(g[i]), 0);
  EXPECT_EQ(damping.evaluate(damped.start, g), 0);
  damping.set({.x = damped.start, .inputs = {}}, 0);
  EXPECT_FALSE(damping.active());
  EXPECT_EQ(damping.evaluate(damped.x, g), 0);

  model::Model free = damped.model;
  free.bodies[0].stiffness_damping = 0;
  RayleighDamping none(free, damped.terms);
  none.set({.x = damped.start, .inputs = {}}, 1 / h);
  EXPECT_FALSE(none.active());
}

}  // namespace
}  // namespace sinew::energy
