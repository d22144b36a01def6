#include "solve/system.h"

#include <cmath>
#include <gtest/gtest.h>

#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

double inner(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i) s += dot(a[i], b[i]);
  return s;
}

// A block with a wall, a sliding plane, a rail, gravity and damping: all that a System can hold.
Model full_model() {
  Model model = held_block({.poisson = 0.4, .cells = {3, 2, 2}, .jitter = 0.15, .hold_right = false});
  hold(model, "plane", face_nodes({3, 2, 2}, 0, true), {{}}, model::Hold::plane,
       normalized(Vec3d{1, 0.3, 0.2}));
  hold(model, "rail", {face_nodes({3, 2, 2}, 1, true)[1]}, {{}}, model::Hold::line,
       normalized(Vec3d{0.2, 1, -0.5}));
  add_gravity(model, {0.5, -9.81, 2});
  model.bodies[0].stiffness_damping = 0.01;
  return model;
}

class SystemTest : public testing::Test {
 protected:
  void SetUp() override {
    x = deformed(model);
    n = x.size();
    weight.resize(n);
    for (size_t i = 0; i < n; ++i) weight[i] = 2e4 * (1 + static_cast<double>(i % 5));
    system.set_inertia(weight, model.X);
    before = model.X;
    for (size_t i = 0; i < n; ++i) before[i] += random_vector(math::Random(3), i) * 0.02;
    system.set_damping(before, 30);
  }
  double energy(std::span<const Vec3d> at) {
    std::vector<Vec3d> g(n);
    return system.evaluate(at, g).energy;
  }
  std::vector<Vec3d> moved(std::span<const Vec3d> d, double s) const {
    std::vector<Vec3d> y = x;
    for (size_t i = 0; i < n; ++i) y[i] += d[i] * s;
    return y;
  }

  Model model = full_model();
  System system{model};
  std::vector<Vec3d> x, before;
  std::vector<double> weight;
  size_t n = 0;
};

TEST_F(SystemTest, GradientIsTheDifferenceOfEnergy) {
  std::vector<Vec3d> g(n);
  EXPECT_TRUE(system.evaluate(x, g).energy_valid);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const auto d = random_vectors(seed, n);
    const double s = 1e-5, difference = (energy(moved(d, s)) - energy(moved(d, -s))) / (2 * s);
    EXPECT_NEAR(inner(g, d), difference, 1e-6 * std::abs(difference));
  }
}

TEST_F(SystemTest, ABalancedStartIsAnEquilibrium) {
  std::vector<Vec3d> g(n), balanced(n);
  const Evaluation start = system.evaluate(x, g);
  EXPECT_GT(start.relative, 1e-2);
  system.set_balance(g, x);
  EXPECT_LT(system.evaluate(x, balanced).residual, 1e-13 * start.residual);
  const auto d = random_vectors(1, n);
  system.evaluate(moved(d, 0.01), balanced);
  const double s = 1e-5, difference = (energy(moved(d, 0.01 + s)) - energy(moved(d, 0.01 - s))) / (2 * s);
  EXPECT_NEAR(inner(balanced, d), difference, 1e-6 * std::abs(difference));
}

// Springs and elements pull against each other at the equilibrium of a body that springs alone hold: the scale is the sum of
// both, and not that of what they leave, which is the residual itself.
TEST(System, SpringsHaveAPartInTheScale) {
  Model model = held_block({.cells = {2, 1, 1}, .hold_right = false});
  model.attachments.clear();
  for (int32_t i = 0; i < static_cast<int32_t>(model.X.size()); ++i)
    add_link(model, model::Site::at_node(i), model::Site::on_frame(-1, model.X[i] * 1.1), 1e3, 1e3);
  const System system(model);
  std::vector<Vec3d> x = model.X, g(x.size());
  EXPECT_LT(system.evaluate(x, g).relative, 1 + 1e-12);
  for (Vec3d& point : x) point = point * 1.05;
  const Evaluation between = system.evaluate(x, g);
  EXPECT_LT(between.relative, 0.99);
  EXPECT_GT(between.relative, 0);
}

TEST_F(SystemTest, ProductIsTheDifferenceOfGradients) {
  std::vector<Vec3d> plus(n), minus(n), Hd(n);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const auto d = random_vectors(seed, n);
    const double s = 1e-6;
    system.evaluate(moved(d, s), plus);
    system.evaluate(moved(d, -s), minus);
    system.product(x, Hessian::exact, d, Hd);
    for (size_t i = 0; i < n; ++i) plus[i] = (plus[i] - minus[i]) * (0.5 / s);
    EXPECT_LT((flat(plus) - flat(Hd)).norm(), 1e-6 * flat(Hd).norm());
  }
}

TEST_F(SystemTest, AllFormsOfTheOperatorAgree) {
  for (const Hessian hessian : {Hessian::exact, Hessian::projected}) {
    energy::BlockMatrix matrix;
    matrix.reset(system.pattern(), energy::Precision::full);
    system.assemble(x, hessian, matrix);
    system.linearise(x, hessian);
    const size_t blocks = system.dofs().block_count();
    for (uint64_t seed = 0; seed < 3; ++seed) {
      std::vector<Vec3d> q = random_vectors(seed, blocks), d(n), once(n), kept(n), pulled(blocks),
                         assembled(blocks);
      system.dofs().push(q, d);
      system.dofs().pull(d, q);  // free directions alone
      system.product(x, hessian, d, once);
      system.apply(d, kept);
      EXPECT_LT((flat(once) - flat(kept)).norm(), 1e-12 * flat(once).norm());
      system.dofs().pull(once, pulled);
      matrix.multiply(q, assembled);
      EXPECT_LT((flat(pulled) - flat(assembled)).norm(), 1e-12 * flat(pulled).norm());
    }
  }
}

TEST_F(SystemTest, OperatorIsSymmetricAndProjectionMakesItDefinite) {
  for (const Hessian hessian : {Hessian::exact, Hessian::projected}) {
    const Eigen::MatrixXd A = dense(system, x, hessian);
    EXPECT_LT((A - A.transpose()).norm(), 1e-12 * A.norm());
  }
  scatter(system.dofs(), 1, x);
  system.set_inertia({}, {});
  const auto lowest = [&](Hessian hessian) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(system, x, hessian)).eigenvalues()[0];
  };
  EXPECT_LT(lowest(Hessian::exact), -1);
  EXPECT_GT(lowest(Hessian::projected), -1e-9 * dense(system, x, Hessian::projected).norm());
}

TEST_F(SystemTest, HeldDirectionsHaveADiagonalOfTheMatrixScale) {
  energy::BlockMatrix matrix;
  matrix.reset(system.pattern(), energy::Precision::full);
  system.assemble(x, Hessian::projected, matrix);
  ASSERT_EQ(system.dofs().partials().size(), face_nodes({3, 2, 2}, 0, true).size() + 1);
  for (const auto& partial : system.dofs().partials()) {
    const int32_t row = system.dofs().block_of_node()[partial.node];
    std::vector<Vec3d> q(system.dofs().block_count(), Vec3d{0, 0, 0}), Aq(q.size());
    q[row] = (Mat3d::identity() - partial.P) * Vec3d{1, 2, 3};
    matrix.multiply(q, Aq);
    // An eigenvector, with an eigenvalue like the others.
    const double eigenvalue = dot(Aq[row], q[row]) / norm2(q[row]);
    EXPECT_LT((flat(Aq) - eigenvalue * flat(q)).norm(), 1e-10 * flat(Aq).norm());
    const Mat3d D = matrix.block(system.pattern()->diagonal[row]);
    EXPECT_GT(eigenvalue, 0.1 * trace(D));
    EXPECT_LE(eigenvalue, trace(D));
  }
}

TEST_F(SystemTest, DiagonalIsThatOfTheOperator) {
  std::vector<Mat3d> blocks(n);
  system.linearise(x, Hessian::projected);
  system.diagonal(blocks);
  for (size_t node : {size_t{0}, n / 2, n - 1}) {
    for (int k = 0; k < 3; ++k) {
      std::vector<Vec3d> d(n, Vec3d{0, 0, 0}), Hd(n);
      d[node] = Vec3d::unit(k);
      system.product(x, Hessian::projected, d, Hd);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(blocks[node](j, k), Hd[node][j], 1e-10 * trace(blocks[node]));
    }
  }
}

// One tet on the axes, Poisson's ratio 0, its tip pulled by u along z: stress E u, force E u / 6 on the tip and the
// opposite on the corner.
Model one_tet() {
  Model model;
  model.X = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  model.elements = element::Connectivity(std::vector<model::Tet>{{0, 1, 2, 3}});
  model.bodies.push_back({.name = "tet", .nodes = {0, 4}, .elements = {0, 1}, .surface = {}});
  model.params.density.push_back({{1000}});
  add_set(model, 0, *material::find_law("linear"), 6e4, 0);
  hold(model, "base", {0, 1, 2});
  const int factor = model.inputs.add_numbers("load.pull", {{0, {1}}});
  model.nodal_loads.push_back({"pull", {3}, {{0, 0, 250}}, factor});
  return model;
}

TEST(Residual, OfOneTetByHand) {
  const Model model = one_tet();
  const System system(model);
  std::vector<Vec3d> x = model.X, g(4);
  const double u = 0.01, elastic = 6e4 * u / 6;  // 100 N
  x[3][2] += u;
  const Evaluation at = system.evaluate(x, g);
  EXPECT_NEAR(g[3][2], elastic - 250, 1e-9);
  EXPECT_NEAR(g[0][2], -elastic, 1e-9);
  EXPECT_NEAR(norm(g[1]) + norm(g[2]), 0, 1e-9);
  EXPECT_NEAR(at.residual, 250 - elastic, 1e-9);
  EXPECT_NEAR(at.relative, (250 - elastic) / (std::sqrt(2.0) * elastic + 250), 1e-12);
  const double rest = system.evaluate(model.X, g).energy;
  EXPECT_NEAR(at.energy - rest, elastic * u / 2 - 250 * u, 1e-9);
  EXPECT_GT(at.relative, 0.1);
  EXPECT_LE(at.relative, 0.5);
  EXPECT_EQ(at.inverted, 0);
  EXPECT_NEAR(at.min_det_F, 1 + u, 1e-12);

  x[3][2] = 1 + 0.025;  // where the spring of 1e4 N/m balances 250 N
  EXPECT_LT(system.evaluate(x, g).relative, 1e-12);
  x[3][2] = -0.5;
  const Evaluation below = system.evaluate(x, g);
  EXPECT_EQ(below.inverted, 0);  // the linear law knows no inversion
  EXPECT_NEAR(below.min_det_F, -0.5, 1e-12);
}

TEST(Residual, OfInertiaByHand) {
  const Model model = one_tet();
  System system(model);
  const std::vector<double> weight = {0, 0, 0, 5e3};
  std::vector<Vec3d> target = model.X, g(4);
  target[3] = {0.1, 0, 1};
  system.set_inertia(weight, target);
  const Evaluation at = system.evaluate(model.X, g);
  EXPECT_NEAR(g[3][0], -500, 1e-9);  // 5e3 N/m times 0.1 m
  EXPECT_NEAR(at.residual, std::hypot(500.0, 250.0), 1e-9);
  EXPECT_NEAR(at.residual / at.relative, 250, 1e-9);  // inertia is no force of the scale
  system.set_inertia({}, {});
  EXPECT_NEAR(system.evaluate(model.X, g).residual, 250, 1e-9);
}

// Far from the origin positions have few digits left: the forces of rounding count as zero, real ones do not.
TEST(Residual, RoundingOfPositionsIsZero) {
  for (const double far : {0.0, 1e3, 1e6}) {
    Model model = held_block({.cells = {3, 2, 2}, .jitter = 0.1});
    for (Vec3d& X : model.X) X += Vec3d{far, -far, far};
    const System system(model);
    const Mat3d turn = model::rotation(normalized(Vec3d{1, 2, 3}), 0.7);
    std::vector<Vec3d> x = model.X, g(x.size());
    for (Vec3d& p : x) p = turn * p;
    const Evaluation at = system.evaluate(x, g);
    EXPECT_EQ(at.relative, 0) << at.residual << " N at " << far;
    for (Vec3d& p : x) p = p * (1 + 1e-5);
    EXPECT_GT(system.evaluate(x, g).relative, 0) << far;
  }
}

TEST(Residual, HasAFloorAtRest) {
  const Model model = held_block({});
  const System system(model);
  std::vector<Vec3d> g(model.X.size());
  const Evaluation at = system.evaluate(model.X, g);
  EXPECT_LE(at.residual, 1e-12 * force_scale(model));
  EXPECT_EQ(at.relative, 0);
}

// The relative residual is that of the worst body: forces on a stiff body do not hide those on a soft one.
TEST(Residual, OfASoftBodyIsSeenBesideAStiffOne) {
  Model soft = held_block({});
  const auto nodes = static_cast<int32_t>(soft.X.size()), tets = static_cast<int32_t>(soft.elements.size());
  Model both = soft;
  mesh::TetMesh copy;
  for (const Vec3d& X : soft.X) copy.vertices.push_back(X + Vec3d{10, 0, 0});
  copy.elements.assign(soft.elements.rows<4>().begin(), soft.elements.rows<4>().end());
  model::add_body(both, "stiff", element::default_kind(), copy);
  both.sets.push_back(both.sets[0]);
  both.sets[1].body = 1;
  for (int32_t& tet : both.sets[1].elements) tet += tets;
  both.params.material.push_back(both.params.material[0]);
  both.params.material[1][0].values[0] *= 1e9;
  both.params.density.push_back(both.params.density[0]);
  auto x = both.X;
  for (int32_t i = 0; i < nodes; ++i) x[i] = x[i] + Vec3d{0, 0, 1e-3 * x[i][0] * x[i][0]};
  std::vector<Vec3d> g(nodes), g2(2 * nodes);
  const double alone = System(soft).evaluate(std::span(x).first(nodes), g).relative;
  EXPECT_GT(alone, 1e-3);
  EXPECT_NEAR(System(both).evaluate(x, g2).relative, alone, 1e-9);
}

TEST(System, TakesNewParametersAndInputs) {
  Model model = held_block({.right = {{.time = 0}, {.time = 1, .translate = {0.5, 0, 0}}}});
  System system(model);
  const auto x = deformed(model);
  std::vector<Vec3d> soft(x.size()), stiff(x.size());
  system.evaluate(x, soft);
  model::Params params = model.params;
  for (double& E : params.material[0][0].values) E *= 3;
  system.set_params(params);
  system.evaluate(x, stiff);
  EXPECT_LT((flat(stiff) - 3 * flat(soft)).norm(), 1e-10 * flat(stiff).norm());

  system.set_inputs(inputs_at(model, 1));
  std::vector<Vec3d> y = model.X;
  system.dofs().retract(y);
  for (int32_t i : model.attachments[1].nodes)
    EXPECT_NEAR(norm(y[i] - model.X[i] - Vec3d{0.5, 0, 0}), 0, 1e-14);
}

}  // namespace
}  // namespace sinew::solve
