// Many right-hand sides against each alone, and against the matrix.
#include "solve/column_solver.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solve/vectors.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using Vectors = std::vector<Vec3d>;

struct Linear {
  System system;
  ColumnSolver solver;
  std::vector<Vectors> b, q;

  Linear(const model::Model& model, std::span<const Vec3d> x, size_t columns) : system(model) {
    solver.prepare(system, x, Hessian::exact);
    for (size_t k = 0; k < columns; ++k) {
      b.push_back(random_vectors(k + 1, system.dofs().unknown_count()));
      // Of very different lengths, and smooth ones too.
      for (size_t i = 0; i < b[k].size(); ++i) {
        if (k % 2 == 1) b[k][i] = {0, 1, std::sin(1e-3 * double(k * i))};
        b[k][i] *= std::pow(10.0, double(k % 7) - 3);
      }
      // What is held in a direction has no force there.
      Vectors nodes(model.X.size());
      system.dofs().push(b[k], nodes);
      system.dofs().pull(nodes, b[k]);
    }
    q.resize(columns, Vectors(b.empty() ? 0 : b[0].size()));
  }
  Linear(const model::Model& model, size_t columns) : Linear(model, model.X, columns) {}

  std::vector<LinearReport> solve(double tolerance = 1e-13) {
    std::vector<ColumnSolver::Column> columns;
    for (size_t k = 0; k < b.size(); ++k) columns.push_back({.b = b[k], .q = q[k]});
    solver.solve(columns, tolerance, 500);
    std::vector<LinearReport> reports;
    for (const auto& column : columns) reports.push_back(column.report);
    return reports;
  }
  // True, relative.
  double residual(size_t k) {
    const size_t nodes = system.model().X.size();
    Vectors d(nodes), Kd(nodes), r(b[k].size());
    system.linearise(system.model().X, Hessian::exact);
    system.dofs().push(q[k], d);
    system.apply(d, Kd);
    system.dofs().pull(Kd, r);
    for (size_t i = 0; i < r.size(); ++i) r[i] = b[k][i] - r[i];
    return std::sqrt(dot_of(r, r) / dot_of(b[k], b[k]));
  }
};

model::Model bar() {
  model::Model model =
      held_block({.cells = {30, 6, 6}, .size = {5, 1, 1}, .jitter = 0.1, .hold_right = false});
  hold(model, "plane", face_nodes({30, 6, 6}, 0, true), {{}}, model::Hold::plane,
       normalized(Vec3d{1, 0.3, 0.2}));
  return model;
}

TEST(ColumnSolver, SolvesEveryColumnToRounding) {
  const model::Model model = bar();
  for (size_t count : {1, 2, 5, 16, 19}) {
    Linear linear(model, count);
    const auto reports = linear.solve();
    for (size_t k = 0; k < count; ++k) {
      EXPECT_LE(linear.residual(k), 1e-11) << k << " of " << count;
      EXPECT_FALSE(reports[k].negative_curvature);
      EXPECT_LE(reports[k].iterations, 80) << k << " of " << count;
    }
  }
}

TEST(ColumnSolver, TakesAsManyIterationsAsAColumnAlone) {
  const model::Model model = bar();
  Linear many(model, 16);
  const auto together = many.solve();
  for (size_t k : {0, 1, 7}) {
    Linear one(model, k + 1);
    one.b.erase(one.b.begin(), one.b.begin() + k);
    one.q.resize(1);
    const auto alone = one.solve();
    EXPECT_LE(together[k].iterations, 1.2 * alone[0].iterations + 2) << k;
    EXPECT_LE(distance(one.q[0], many.q[k]), 1e-9 * std::sqrt(dot_of(one.q[0], one.q[0]))) << k;
  }
}

TEST(ColumnSolver, LeavesColumnsWithoutAForceAtZero) {
  const model::Model model = bar();
  Linear linear(model, 6);
  std::fill(linear.b[2].begin(), linear.b[2].end(), Vec3d{0, 0, 0});
  const auto reports = linear.solve();
  EXPECT_TRUE(reports[2].converged);
  EXPECT_EQ(reports[2].iterations, 0);
  for (const Vec3d& v : linear.q[2]) EXPECT_EQ(norm(v), 0);
  EXPECT_LE(linear.residual(3), 1e-11);
}

TEST(ColumnSolver, TellsOfNegativeCurvature) {
  const model::Model model = held_block({.cells = {20, 4, 4}, .size = {5, 1, 1}});
  Vectors squeezed = model.X;
  for (Vec3d& p : squeezed) p[0] *= 0.5;
  for (size_t count : {1, 4}) {
    Linear linear(model, squeezed, count);
    for (const LinearReport& report : linear.solve()) {
      EXPECT_TRUE(report.negative_curvature);
      EXPECT_FALSE(report.converged);
    }
  }
}

TEST(ColumnSolver, HasTheSameBitsForAnyThreads) {
  const model::Model model = bar();
  set_thread_count(1);
  Linear one(model, 18);
  one.solve();
  for (int threads : {2, 3, 8}) {
    set_thread_count(threads);
    Linear many(model, 18);
    many.solve();
    for (size_t k = 0; k < one.q.size(); ++k)
      EXPECT_EQ(flat(one.q[k]), flat(many.q[k])) << threads << " threads";
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve
