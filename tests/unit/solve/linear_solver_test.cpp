#include "solve/linear_solver.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>

#include "base/parallel.h"
#include "solve/loaded_function.h"
#include "unit/plates.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

class LinearSolverTest : public testing::TestWithParam<std::string> {
 protected:
  // The solution over free directions against a dense factorisation; returns its report.
  LinearReport expect_dense_answer(const System& system, std::span<const Vec3d> x, double error) {
    auto solver = make_linear_solver(GetParam(), system);
    EXPECT_TRUE(solver->prepare(system, x, Hessian::projected));
    const size_t blocks = system.dofs().block_count();
    std::vector<Vec3d> b = random_vectors(5, blocks), q(blocks), d(x.size()), expected(x.size());
    system.dofs().push(b, d);
    system.dofs().pull(d, b);
    const LinearReport report = solver->solve(b, q, 1e-9, 2000);
    EXPECT_TRUE(report.converged);
    EXPECT_FALSE(report.negative_curvature);
    system.dofs().push(q, d);

    // The minimum-norm solution leaves dead directions at zero.
    const Eigen::MatrixXd A = dense(system, x, Hessian::projected);
    const Eigen::VectorXd y = A.completeOrthogonalDecomposition().solve(flat(b));
    std::vector<Vec3d> reference(blocks);
    for (size_t i = 0; i < blocks; ++i) reference[i] = {y[3 * i], y[3 * i + 1], y[3 * i + 2]};
    system.dofs().push(reference, expected);
    EXPECT_LT((flat(d) - flat(expected)).norm(), error * flat(expected).norm());
    EXPECT_GT(solver->bytes(), 0);
    return report;
  }
  // pcg and pcg_cholesky keep the matrix in single precision.
  double error() const {
    const std::string name = GetParam();
    return name == "cholmod" || name == "mumps" ? 1e-9 : name == "matrix_free" ? 1e-6 : 1e-5;
  }
};

TEST_P(LinearSolverTest, GivesTheDenseAnswer) {
  const Model model = held_block({.cells = {3, 2, 2}, .jitter = 0.1});
  const System system(model);
  expect_dense_answer(system, deformed(model, 0), error());
}

TEST_P(LinearSolverTest, GivesTheDenseAnswerOnPlanesAndLines) {
  Model model = held_block({.cells = {3, 2, 2}, .jitter = 0.1, .hold_right = false});
  hold(model, "plane", face_nodes({3, 2, 2}, 0, true), {{}}, model::Hold::plane,
       normalized(Vec3d{1, 0.3, 0.2}));
  hold(model, "rail", {5, 6}, {{}}, model::Hold::line, normalized(Vec3d{0.2, 1, -0.5}));
  System system(model);
  const std::vector<double> weight(model.X.size(), 50.0);
  system.set_inertia(weight, model.X);
  expect_dense_answer(system, deformed(model, 0), error());
}

// Turns of normals are free along one axis alone, and sparse direct solvers have no rows for the others.
TEST_P(LinearSolverTest, GivesTheDenseAnswerOnShells) {
  Model model = plate({.thickness = 0.3});
  clamp(model, model::Hold::rigid, {}, [](const Vec3d& X) { return X[0] == 0; });
  clamp(model, model::Hold::plane, normalized(Vec3d{0.1, 1, 0.2}),
        [](const Vec3d& X) { return X[0] > 0 && X[1] == 0; });
  System system(model);
  const std::vector<double> weight(model.X.size(), 50.0);
  system.set_inertia(weight, model.X);
  expect_dense_answer(system, model.X, error());
}

// The same solver again, at other positions: it takes the new matrix and the old pattern.
TEST_P(LinearSolverTest, IsUsedAgain) {
  const Model model = held_block({.cells = {3, 2, 2}});
  const System system(model);
  auto again = make_linear_solver(GetParam(), system), fresh = make_linear_solver(GetParam(), system);
  const size_t blocks = system.dofs().block_count();
  const std::vector<Vec3d> b = random_vectors(5, blocks);
  std::vector<Vec3d> first(blocks), second(blocks);
  ASSERT_TRUE(again->prepare(system, model.X, Hessian::projected));
  again->solve(b, first, 1e-8, 500);
  ASSERT_TRUE(again->prepare(system, deformed(model), Hessian::projected));
  again->solve(b, first, 1e-8, 500);
  ASSERT_TRUE(fresh->prepare(system, deformed(model), Hessian::projected));
  fresh->solve(b, second, 1e-8, 500);
  EXPECT_EQ(flat(first), flat(second));
}

// A slender bar squeezed to two thirds of its length: the straight state is no minimum.
TEST_P(LinearSolverTest, ReportsAnIndefiniteMatrix) {
  const Model model = held_block({.cells = {8, 2, 2}, .size = {6, 1, 1}});
  const System system(model);
  std::vector<Vec3d> x = model.X;
  for (Vec3d& p : x) p[0] *= 2.0 / 3;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(dense(system, x, Hessian::exact));
  ASSERT_LT(eigen.eigenvalues()[0], 0);

  const size_t blocks = system.dofs().block_count();
  std::vector<Vec3d> b = random_vectors(5, blocks), q(blocks);
  auto solver = make_linear_solver(GetParam(), system);
  const bool definite = solver->prepare(system, x, Hessian::exact);
  if (solver->direct()) {
    EXPECT_FALSE(definite);
  } else {
    EXPECT_TRUE(!definite || solver->solve(b, q, 1e-8, 2000).negative_curvature);
  }
  ASSERT_TRUE(solver->prepare(system, x, Hessian::projected));
  const LinearReport projected = solver->solve(b, q, 1e-6, 2000);
  EXPECT_TRUE(projected.converged);
  EXPECT_FALSE(projected.negative_curvature);
}

// A tangled body has a projected matrix without negative curvature, and an exact one with it.
TEST_P(LinearSolverTest, ProjectedMatricesOfScatteredStatesAreDefinite) {
  const Model model = held_block({.poisson = 0.45, .cells = {4, 2, 2}});
  const System system(model);
  const size_t blocks = system.dofs().block_count();
  auto solver = make_linear_solver(GetParam(), system);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Vec3d> x = model.X, q(blocks);
    scatter(system.dofs(), seed, x);
    const std::vector<Vec3d> b = random_vectors(seed, blocks);
    ASSERT_TRUE(solver->prepare(system, x, Hessian::projected)) << "seed " << seed;
    EXPECT_FALSE(solver->solve(b, q, 1e-4, 1000).negative_curvature) << "seed " << seed;
    EXPECT_TRUE(all_finite(q));
    EXPECT_TRUE(!solver->prepare(system, x, Hessian::exact) ||
                solver->solve(b, q, 1e-8, 1000).negative_curvature)
        << "seed " << seed;
  }
}

TEST_P(LinearSolverTest, ZeroForceGivesZero) {
  const Model model = held_block({});
  const System system(model);
  auto solver = make_linear_solver(GetParam(), system);
  ASSERT_TRUE(solver->prepare(system, model.X, Hessian::exact));
  std::vector<Vec3d> b(system.dofs().block_count(), Vec3d{0, 0, 0}), q = random_vectors(1, b.size());
  EXPECT_TRUE(solver->solve(b, q, 1e-6, 10).converged);
  EXPECT_EQ(flat(q).norm(), 0);
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (std::string_view name : linear_solver_names())
    if (name != "auto") list.emplace_back(name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Each, LinearSolverTest, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

// A strip of paper, clamped at one end.
Model paper_strip(int cells, model::Bending bending) {
  Model model = plate({.cells = {cells, cells / 10},
                       .size = {1, 0.1},
                       .diagonals = Diagonals::one_way,
                       .jitter = 0,
                       .thickness = 1e-3,
                       .young = 1e9,
                       .poisson = 0,
                       .bending = bending});
  clamp(model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; });
  return model;
}

// P L^3 / (3 E I). Beside the stiffness in the plane that of long waves is less than the rounding of single precision.
TEST(LinearSolver, MultigridBendsAThinStripAsABeam) {
  for (const int cells : {20, 80}) {
    const Model model = paper_strip(cells, model::Bending::shell);
    System system(model);
    system.set_inputs(inputs_at(model, 0));
    auto solver = make_linear_solver("pcg_multigrid", system);
    ASSERT_TRUE(solver->prepare(system, model.X, Hessian::exact));
    std::vector<Vec3d> load(model.X.size(), Vec3d{0, 0, 0}), d(model.X.size());
    int end = -1;
    for (size_t i = 0; i < model.X.size(); ++i) {
      if (is_hidden(model, i) || model.X[i][0] < 1 - 1e-9) continue;
      const bool corner = std::abs(model.X[i][1] - 0.05) > 0.05 - 1e-9;
      load[i] = {0, 0, (corner ? 0.5 : 1) * 10.0 / cells};
      if (corner) end = static_cast<int>(i);
    }
    std::vector<Vec3d> b(system.dofs().block_count()), q(b.size());
    system.dofs().pull(load, b);
    const LinearReport report = solver->solve(b, q, 1e-8, 1000);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 30) << cells;
    system.dofs().push(q, d);
    const double inertia = 0.1 * 1e-9 / 12;
    EXPECT_NEAR(d[end][2], 1 / (3 * 1e9 * inertia), 0.01 / (3 * 1e9 * inertia)) << cells;
  }
}

// Wound on a circle, where bending and stretching are one wave.
TEST(LinearSolver, MultigridTakesCurvedSheets) {
  for (const model::Bending bending : {model::Bending::hinge, model::Bending::shell}) {
    const Model model = paper_strip(20, bending);
    System system(model);
    system.set_inputs(inputs_at(model, 0));
    std::vector<Vec3d> x = model.X;
    for (size_t i = 0; i < x.size(); ++i)
      if (!is_hidden(model, i))
        x[i] = {0.7 * std::sin(x[i][0] / 0.7), x[i][1], 0.7 * std::cos(x[i][0] / 0.7)};
    auto solver = make_linear_solver("pcg_multigrid", system);
    ASSERT_TRUE(solver->prepare(system, x, Hessian::projected));
    const size_t blocks = system.dofs().block_count();
    std::vector<Vec3d> load = random_vectors(3, x.size()), b(blocks), q(blocks), d(x.size());
    system.dofs().pull(load, b);
    const LinearReport report = solver->solve(b, q, 1e-9, 1000);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 60);
    const Eigen::VectorXd y =
        dense(system, x, Hessian::projected).completeOrthogonalDecomposition().solve(flat(b));
    system.dofs().push(q, d);
    system.dofs().pull(d, q);
    EXPECT_LT((flat(q) - y).norm(), 1e-4 * y.norm());
  }
}

TEST(LinearSolver, IsMadeByItsName) {
  const Model model = held_block({});
  const System system(model);
  for (const std::string& name : names()) {
    const auto solver = make_linear_solver(name, system);
    EXPECT_EQ(solver->name(), name);
    EXPECT_EQ(solver->direct(), name == "cholmod" || name == "mumps");
  }
  const auto direct = make_direct_solver(system);
  if (direct) {
    EXPECT_TRUE(direct->direct());
  }
  EXPECT_NE(make_linear_solver("auto", system), nullptr);
}

// Libraries do not start threads of their own where one is asked for.
TEST(LinearSolver, OneThreadIsOne) {
  const auto threads = [] {
    const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  set_thread_count(1);
  const Model model = held_block({.cells = {12, 8, 8}});
  const System system(model);
  for (const std::string& name : names()) {
    const auto before = threads();
    const auto solver = make_linear_solver(name, system);
    const std::vector<Vec3d> b = random_vectors(5, system.dofs().block_count());
    std::vector<Vec3d> q(b.size());
    ASSERT_TRUE(solver->prepare(system, model.X, Hessian::projected));
    solver->solve(b, q, 1e-3, 100);
    EXPECT_EQ(threads(), before) << name;
  }
  // A BLAS with threads has started them when it was loaded.
  if (auto* blas_threads = loaded_function<int()>("openblas_get_num_threads")) {
    EXPECT_EQ(blas_threads(), 1);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve
