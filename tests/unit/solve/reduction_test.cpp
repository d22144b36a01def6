// Systems that carry nodes, against elimination by hand in dense algebra.
#include "solve/reduction.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "model/inputs.h"
#include "solve/general_solvers.h"
#include "solve/linear_solver.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

constexpr std::array<int32_t, 3> cells = {3, 2, 2};

int32_t at(int i, int j, int k) { return i + 4 * (j + 3 * k); }

// A block held at its left end; its right end is a rigid plate, and nodes in between hang on others.
struct Plate {
  Model model = held_block({.cells = cells, .hold_right = false});
  std::vector<int32_t> rigid = face_nodes(cells, 0, true);
  model::Carried carried;

  Plate() {
    add_gravity(model, {0.1, -1, 0.5});
    carried.rigid_parts = {{rigid, {}}};
    carried.bindings = {{at(1, 1, 1), {{at(1, 0, 1), 0.5}, {at(1, 2, 1), 0.5}}},   // free nodes
                        {at(2, 1, 1), {{at(1, 1, 1), 0.5}, {at(3, 1, 1), 0.5}}},   // bound, rigid
                        {at(2, 2, 2), {{at(3, 2, 2), 0.5}, {at(1, 2, 2), 0.5}}},   // rigid, free
                        {at(1, 0, 0), {{at(0, 0, 0), 0.5}, {at(2, 0, 0), 0.5}}}};  // held, free
  }
};

// Columns of the displacements that the constraints leave, written down from the geometry: unit motions of free nodes,
// then those of the plate about its first node.
Eigen::MatrixXd by_hand(const Plate& plate, const System& plain, std::span<const Vec3d> x) {
  std::vector<std::vector<Vec3d>> columns;
  const std::vector<Vec3d> none(x.size(), Vec3d{0, 0, 0});
  std::vector<char> carried(x.size(), false);
  for (int32_t node : plate.rigid) carried[node] = true;
  for (const auto& binding : plate.carried.bindings) carried[binding.node] = true;
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3 && !carried[i] && plain.dofs().block_of_node()[i] >= 0; ++k)
      columns.push_back(none), columns.back()[i][k] = 1;
  for (int k = 0; k < 6; ++k) {
    columns.push_back(none);
    for (int32_t i : plate.rigid)
      columns.back()[i] = k < 3 ? Vec3d::unit(k) : cross(Vec3d::unit(k - 3), x[i] - x[plate.rigid[0]]);
  }
  Eigen::MatrixXd T(3 * x.size(), columns.size());
  for (size_t c = 0; c < columns.size(); ++c) {
    std::vector<Vec3d>& d = columns[c];
    d[at(1, 1, 1)] = (d[at(1, 0, 1)] + d[at(1, 2, 1)]) * 0.5;
    d[at(2, 1, 1)] = d[at(1, 0, 1)] * 0.25 + d[at(1, 2, 1)] * 0.25 + d[at(3, 1, 1)] * 0.5;
    d[at(2, 2, 2)] = (d[at(3, 2, 2)] + d[at(1, 2, 2)]) * 0.5;
    d[at(1, 0, 0)] = d[at(2, 0, 0)] * 0.5;
    T.col(static_cast<Eigen::Index>(c)) = flat(d);
  }
  return T;
}

Eigen::MatrixXd node_matrix(const System& system, std::span<const Vec3d> x, Hessian hessian) {
  const auto n = static_cast<Eigen::Index>(3 * x.size());
  Eigen::MatrixXd K(n, n);
  std::vector<Vec3d> d(x.size(), Vec3d{0, 0, 0}), Kd(x.size());
  for (Eigen::Index c = 0; c < n; ++c) {
    d[c / 3][static_cast<int>(c % 3)] = 1;
    system.product(x, hessian, d, Kd);
    d[c / 3] = {0, 0, 0};
    K.col(c) = flat(Kd);
  }
  return K;
}

// Newton's method over the columns of by_hand(), with a finite turn of the plate about its first node.
std::vector<Vec3d> solve_by_hand(const Plate& plate) {
  const System plain(plate.model);
  std::vector<Vec3d> x = plate.model.X, g(x.size());
  for (int k = 0; k < 60; ++k) {
    plain.evaluate(x, g);
    const Eigen::MatrixXd T = by_hand(plate, plain, x);
    const Eigen::VectorXd r = T.transpose() * flat(g);
    if (r.norm() < 1e-13 * flat(g).norm()) break;
    const Eigen::MatrixXd H = T.transpose() * node_matrix(plain, x, Hessian::exact) * T;
    const Eigen::VectorXd z = H.ldlt().solve(-r), d = T * z;
    const Eigen::Vector3d w = z.tail<3>();
    const Vec3d pivot = x[plate.rigid[0]];
    const Mat3d R =
        model::rotation(w.norm() > 0 ? Vec3d{w[0], w[1], w[2]} / w.norm() : Vec3d{0, 0, 1}, w.norm());
    const auto t = z.tail<6>().head<3>();
    for (size_t i = 0; i < x.size(); ++i)
      if (std::find(plate.rigid.begin(), plate.rigid.end(), i) == plate.rigid.end())
        x[i] += Vec3d{d[3 * i], d[3 * i + 1], d[3 * i + 2]};
      else
        x[i] = pivot + Vec3d{t[0], t[1], t[2]} + R * (x[i] - pivot);
    x[at(1, 1, 1)] = (x[at(1, 0, 1)] + x[at(1, 2, 1)]) * 0.5;
    x[at(2, 1, 1)] = (x[at(1, 1, 1)] + x[at(3, 1, 1)]) * 0.5;
    x[at(2, 2, 2)] = (x[at(3, 2, 2)] + x[at(1, 2, 2)]) * 0.5;
    x[at(1, 0, 0)] = (x[at(0, 0, 0)] + x[at(2, 0, 0)]) * 0.5;
  }
  return x;
}

std::unique_ptr<LinearSolver> make(const std::string& name, const System& system) {
  if (name == "lu") return make_lu();
  if (name == "bicgstab") return make_bicgstab();
  if (name == "gauss_seidel") return make_gauss_seidel(1.2);
  return make_linear_solver(name, system);
}

class ReductionTest : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
  std::vector<std::string> list = {"lu", "bicgstab", "gauss_seidel"};
  for (std::string_view name : linear_solver_names()) list.emplace_back(name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Each, ReductionTest, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

TEST_P(ReductionTest, NewtonEndsWhereEliminationByHandDoes) {
  const Plate plate;
  System system(plate.model);
  system.set_carried(plate.carried, plate.model.X);
  const auto solver = make(GetParam(), system);
  std::vector<Vec3d> x = plate.model.X, g(x.size()), d(x.size()), next(x.size());
  std::vector<Vec3d> rhs(system.dofs().unknown_count()), q(rhs.size());
  Evaluation now = system.evaluate(x, g);
  for (int k = 0; k < 20 && now.residual > 1e-12 * flat(g).norm(); ++k) {
    ASSERT_TRUE(solver->prepare(system, x, Hessian::exact));
    system.dofs().pull(x, g, rhs);
    for (Vec3d& r : rhs) r = -r;
    solver->solve(rhs, q, 1e-8, 2000);
    system.dofs().push(x, q, d);
    system.dofs().advance(x, d, 1, next);
    std::swap(x, next);
    now = system.evaluate(x, g);
  }
  EXPECT_LT(now.residual, 1e-11 * flat(g).norm());
  const std::vector<Vec3d> expected = solve_by_hand(plate);
  EXPECT_LT(distance(x, expected), 1e-10);
  EXPECT_GT(distance(x, plate.model.X), 0.01) << "it has moved";
  EXPECT_GT(solver->bytes(), 0);
}

TEST_P(ReductionTest, GivesTheDenseAnswer) {
  const Plate plate;
  System system(plate.model);
  system.set_carried(plate.carried, plate.model.X);
  std::vector<Vec3d> x(plate.model.X.size()), d = x, g = x;
  const model::DofMap& dofs = system.dofs();
  std::vector<Vec3d> q = random_vectors(3, dofs.unknown_count());
  for (Vec3d& u : q) u = u * 0.02;
  dofs.push(plate.model.X, q, d);
  dofs.advance(plate.model.X, d, 1, x);
  system.evaluate(x, g);
  // The same space as by hand, in other coordinates; the geometric stiffness in those of the map.
  const auto n = static_cast<Eigen::Index>(3 * q.size());
  Eigen::MatrixXd A(3 * x.size(), n);
  for (Eigen::Index c = 0; c < n; ++c) {
    std::vector<Vec3d> unit(q.size(), Vec3d{0, 0, 0});
    unit[c / 3][static_cast<int>(c % 3)] = 1;
    dofs.push(x, unit, d);
    A.col(c) = flat(d);
  }
  Eigen::MatrixXd H = A.transpose() * node_matrix(system, x, Hessian::projected) * A;
  const std::vector<Mat3d> C = system.curvature(x, Hessian::projected);
  for (int k = 0; k < 9; ++k) H(n - 3 + k / 3, n - 3 + k % 3) += C[0](k / 3, k % 3);
  const std::vector<Vec3d> b = random_vectors(5, q.size());
  const Eigen::VectorXd expected = H.ldlt().solve(flat(b));
  const auto solver = make(GetParam(), system);
  ASSERT_TRUE(solver->prepare(system, x, Hessian::projected));
  solver->solve(b, q, 1e-9, 3000);
  // pcg and pcg_cholesky keep the matrix in single precision, and Gauss-Seidel converges slowly.
  const double error = solver->direct()                                          ? 1e-9
                       : GetParam() == "matrix_free" || GetParam() == "bicgstab" ? 1e-6
                                                                                 : 1e-4;
  EXPECT_LT((flat(q) - expected).norm(), error * expected.norm());
}

TEST(Reduction, ResidualIsThatOfTheUnknowns) {
  const Plate plate;
  System system(plate.model);
  system.set_carried(plate.carried, plate.model.X);
  const std::vector<Vec3d> x = deformed(plate.model);
  std::vector<Vec3d> g(x.size()), r(system.dofs().unknown_count());
  const Evaluation now = system.evaluate(x, g);
  system.dofs().pull(x, g, r);
  EXPECT_NEAR(now.residual, flat(r).norm(), 1e-12 * now.residual);
}

TEST(Reduction, SecondDerivativesAreDifferencesOfEnergy) {
  const Plate plate;
  System system(plate.model);
  system.set_carried(plate.carried, plate.model.X);
  std::vector<Vec3d> x = plate.model.X, d(x.size()), y(x.size()), g(x.size());
  const auto step = [&](std::span<const Vec3d> from, std::span<const Vec3d> q, double s,
                        std::span<Vec3d> out) {
    system.dofs().push(from, q, d);
    system.dofs().advance(from, d, s, out);
  };
  step(plate.model.X, random_vectors(1, system.dofs().unknown_count()), 0.05, x);
  Reduction reduction;
  reduction.linearise(system, x, Hessian::exact);
  for (uint64_t seed = 2; seed < 5; ++seed) {
    const std::vector<Vec3d> q = random_vectors(seed, system.dofs().unknown_count());
    std::vector<Vec3d> Hq(q.size());
    reduction.apply(q, Hq, [&](auto v, auto Kv) { system.product(x, Hessian::exact, v, Kv); });
    const double s = 1e-4, here = system.evaluate(x, g).energy;
    step(x, q, s, y);
    const double plus = system.evaluate(y, g).energy;
    step(x, q, -s, y);
    const double second = (plus - 2 * here + system.evaluate(y, g).energy) / (s * s);
    EXPECT_NEAR(second, flat(q).dot(flat(Hq)), 1e-5 * std::abs(second));
  }
}

// Bodies form and dissolve without a new pattern of the node matrix.
TEST(Reduction, KeepsThePattern) {
  const Plate plate;
  System system(plate.model);
  const auto pattern = system.pattern();
  const int64_t version = system.carried_version();
  system.set_carried(plate.carried, plate.model.X);
  EXPECT_EQ(system.pattern(), pattern);
  EXPECT_NE(system.carried_version(), version);
  EXPECT_EQ(system.dofs().unknown_count(), 36 - 9 - 9 - 4 + 2);
  system.set_carried({}, plate.model.X);
  EXPECT_EQ(system.pattern(), pattern);
  EXPECT_EQ(system.dofs().unknown_count(), pattern->rows());
}

}  // namespace
}  // namespace sinew::solve
