#include "solve/column_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "solve/lane_product.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr int lanes = Lanes::count;
constexpr size_t least_columns = 3;  // of a group; a group costs about as much as three columns alone
constexpr int64_t vector_block = 2048;
constexpr double update_drop = 1e-3;  // of the residual, after which it is computed anew
constexpr double least_gain = 0.5;    // of a residual from one update to the next; less is rounding

using Numbers = std::array<double, lanes>;

Numbers numbers_of(const WideLanes& pack) {
  Numbers numbers;
  for (int l = 0; l < lanes; ++l) numbers[l] = pack[l];
  return numbers;
}
Lanes pack_of(const Numbers& numbers) {
  return Lanes::generate([&](int l) { return numbers[l]; });
}

}  // namespace

struct ColumnSolver::Group {
  LaneProduct<WideLanes> product;
  std::vector<WideVec3> residual;       // of the solution without x, over the length of the right-hand side
  std::vector<LaneVec3> r, p, t, z, x;  // x: what the solution has gained since the last update
  std::vector<WideLanes> partial;

  void resize(size_t n) {
    residual.resize(n);
    for (auto* v : {&r, &p, &t, &z, &x}) v->resize(n);
  }

  // f(i, (A v)_i), which returns a part of a sum, for every row.
  template <class F>
  Numbers sum_of_rows(const SymmetricProductOf<double>& A, const std::vector<LaneVec3>& v, F&& f) {
    product.plan_for(A);
    partial.assign(product.parts(), WideLanes(0.0));
    product.for_each_row(A, v,
                         [&](int64_t part, int64_t i, const WideVec3& Av) { partial[part] += f(i, Av); });
    WideLanes sum(0.0);
    for (const WideLanes& part : partial) sum += part;
    return numbers_of(sum);
  }
  // t = A p, returning p.t.
  Numbers multiply(const SymmetricProductOf<double>& A) {
    return sum_of_rows(A, p, [&](int64_t i, const WideVec3& Ap) {
      t[i] = narrow(Ap);
      return wide_dot(t[i], p[i]);
    });
  }
  // residual -= A x, r = residual; returning |r|^2.
  Numbers update(const SymmetricProductOf<double>& A) {
    return sum_of_rows(A, x, [&](int64_t i, const WideVec3& Ax) {
      residual[i] -= Ax;
      r[i] = narrow(residual[i]);
      return wide_dot(r[i], r[i]);
    });
  }
  // x += alpha p, p = z + beta p
  void next_direction(const Lanes& alpha, const Lanes& beta) {
    for_each_block(static_cast<int64_t>(x.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        x[i] += p[i] * alpha;
        p[i] = z[i] + p[i] * beta;
      }
    });
  }
  // Takes the right-hand sides, each over its length.
  void take(std::span<const Column> columns, const Numbers& size) {
    for_each_block(static_cast<int64_t>(r.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        for (int k = 0; k < 3; ++k)
          residual[i][k] = WideLanes::generate([&](int l) {
            return static_cast<size_t>(l) < columns.size() && size[l] > 0 ? columns[l].b[i][k] / size[l]
                                                                          : 0.0;
          });
        r[i] = narrow(residual[i]);
        x[i] = p[i] = t[i] = LaneVec3::zero();
      }
    });
  }
  // Adds x to the solutions.
  void give(std::span<const Column> columns, const Numbers& size) {
    for_each_block(static_cast<int64_t>(r.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        for (int k = 0; k < 3; ++k) {
          for (size_t l = 0; l < columns.size(); ++l)
            columns[l].q[i][k] += size[l] * static_cast<double>(x[i][k][l]);
        }
        x[i] = LaneVec3::zero();
      }
    });
  }
  int64_t bytes() const {
    return static_cast<int64_t>(residual.size() * sizeof(residual[0]) + 5 * r.size() * sizeof(LaneVec3)) +
           product.bytes();
  }
};

void ColumnSolver::prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) {
  energy::BlockMatrix full;
  full.reset(system.pattern(), energy::Precision::full);
  system.assemble(x, hessian, full);
  exact_.take(full);
  matrix_.reset(system.pattern(), energy::Precision::single);
  round_matrix(full, matrix_);
  product_.take(matrix_);
  multigrid_.prepare(system, matrix_, product_);
}

void ColumnSolver::solve(std::span<Column> columns, double tolerance, int max_iterations) {
  while (!columns.empty()) {
    const size_t count = columns.size() < least_columns ? 1 : std::min<size_t>(columns.size(), lanes);
    if (count == 1)
      solve_one(columns[0], tolerance, max_iterations);
    else
      solve_group(columns.first(count), tolerance, max_iterations);
    columns = columns.subspan(count);
  }
}

void ColumnSolver::solve_one(Column& column, double tolerance, int max_iterations) {
  column.report =
      cg_.solve([&](std::span<const Vec3d> p, std::span<Vec3d> out) { return exact_(p, out); },
                [&](std::span<const Vec3d> r, std::span<Vec3d> z) { multigrid_.precondition(r, z); },
                column.b, column.q, tolerance, max_iterations);
}

void ColumnSolver::solve_group(std::span<Column> columns, double tolerance, int max_iterations) {
  if (!group_) group_ = std::make_shared<Group>();
  Group& g = *group_;
  g.resize(columns[0].b.size());
  Numbers size = {}, alpha = {}, beta = {};
  for (size_t l = 0; l < columns.size(); ++l) {
    size[l] = std::sqrt(dot_of(columns[l].b, columns[l].b));
    std::fill(columns[l].q.begin(), columns[l].q.end(), Vec3d{0, 0, 0});
    columns[l].report = {};
  }
  g.take(columns, size);
  Numbers rz = numbers_of(multigrid_.precondition(g.r, g.t, Lanes(0), g.z)), stop, before, last;
  std::array<bool, lanes> active = {};
  for (size_t l = 0; l < columns.size(); ++l) {
    stop[l] = tolerance * tolerance * rz[l];
    before[l] = rz[l];  // at the last update
    last[l] = 1;        // |r|^2 there
    columns[l].report.converged = size[l] == 0;
    columns[l].report.negative_curvature = size[l] > 0 && !(rz[l] > 0);
    active[l] = rz[l] > 0;
  }
  const auto end = [&](int l, bool negative) {
    active[l] = false;
    columns[l].report.negative_curvature = negative;
    columns[l].report.converged = !negative && rz[l] <= stop[l];
  };
  const auto any_active = [&] { return std::find(active.begin(), active.end(), true) != active.end(); };
  g.next_direction(Lanes(0), Lanes(0));
  for (int k = 0; k < max_iterations && any_active(); ++k) {
    const Numbers curvature = g.multiply(exact_);
    for (int l = 0; l < lanes; ++l) {
      if (active[l] && !(curvature[l] > 0)) end(l, true);
      alpha[l] = active[l] ? static_cast<float>(rz[l] / curvature[l]) : 0;
      if (active[l]) ++columns[l].report.iterations;
    }
    const Numbers next = numbers_of(multigrid_.precondition(g.r, g.t, pack_of(alpha), g.z));
    bool update = false;
    for (int l = 0; l < lanes; ++l) {
      beta[l] = active[l] ? next[l] / rz[l] : 0;
      rz[l] = next[l];
      update |= active[l] && rz[l] < update_drop * update_drop * before[l];
      if (active[l] && !(rz[l] > stop[l])) end(l, rz[l] < 0);
    }
    g.next_direction(pack_of(alpha), pack_of(beta));
    if (!update || !any_active()) continue;
    const Numbers now = g.update(exact_);
    g.give(columns, size);
    for (int l = 0; l < lanes; ++l) {
      if (active[l] && rz[l] < update_drop * before[l] && !(now[l] < least_gain * least_gain * last[l]))
        end(l, false);
      last[l] = now[l];
      before[l] = rz[l];
    }
  }
  g.give(columns, size);
}

int64_t ColumnSolver::bytes() const {
  return matrix_.bytes() + product_.bytes() + exact_.bytes() + multigrid_.bytes() + cg_.bytes() +
         (group_ ? group_->bytes() : 0);
}

}  // namespace sinew::solve
