#include "sensitivity/tangent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/random.h"
#include "solve/general_solvers.h"
#include "solve/vectors.h"

namespace sinew::sensitivity {

using solve::add_scaled;
using solve::dot_of;
using solve::Hessian;

namespace {

constexpr int max_vectors = 40, max_refinements = 6;
constexpr double inner_tolerance = 1e-6;  // of a preconditioner that iterates itself
constexpr int inner_iterations = 5000;
constexpr double accepted = 1e-7;  // relative residual; usual are 1e-12 and less
// Of columns with multigrid: what is asked of conjugate gradients at first and in refinements, the residual that needs none.
constexpr double first_tolerance = 1e-13, next_tolerance = 1e-4, enough = 1e-12;
constexpr int column_iterations = 500;

double length(std::span<const Vec3d> v) { return std::sqrt(dot_of(v, v)); }

}  // namespace

Tangent::Tangent(const solve::System& system, std::span<const Vec3d> x, int32_t most)
    : system_(system),
      x_(x),
      nonsymmetric_(energy::terms_with<energy::Nonsymmetric>(system.terms())),
      most_(most) {
  skew_.resize(nonsymmetric_.empty() ? 0 : x.size());
  system.linearise(x, Hessian::exact);
  reduction_.linearise(system, x, Hessian::exact);
}

Result<void> Tangent::factor(std::vector<std::string>& warnings) {
  const int32_t blocks = system_.dofs().unknown_count();
  if (blocks == 0) return {};
  if (blocks > most_) {
    if (!nonsymmetric_.empty())
      return usage_error("an open follower pressure on " + std::to_string(blocks) +
                         " free nodes: its derivative is not symmetric and is solved for up to " +
                         std::to_string(most_) + " nodes; expected a closed surface or a coarser mesh");
    if (system_.dofs().carries()) {
      prepare_incomplete();
    } else {
      columns_ = std::make_unique<solve::ColumnSolver>();
      columns_->prepare(system_, x_, Hessian::exact);
    }
    return {};
  }
  solver_ = solve::make_direct_solver(system_);
  if (!solver_ || !solver_->prepare(system_, x_, Hessian::exact)) {
    if (solver_)
      warnings.emplace_back(
          "the stiffness is not positive definite: the equilibrium is not stable, and its derivative is that "
          "of an "
          "unstable branch");
    solver_ = solve::make_lu();
    if (!solver_->prepare(system_, x_, Hessian::exact)) solver_ = nullptr;
  }
  if (!solver_ || singular())
    return usage_error(
        "the stiffness is singular: a body can move without a force, or the equilibrium is about to buckle; "
        "expected "
        "every body to be held");
  return {};
}

void Tangent::prepare_incomplete() {
  solver_ = solve::make_linear_solver("pcg_cholesky", system_);
  solver_->prepare(system_, x_, Hessian::exact);
}

// A random load is answered by a motion far beyond what the largest stiffness makes of it.
bool Tangent::singular() {
  const size_t n = system_.dofs().unknown_count();
  Vectors b(n), q(n), d(x_.size());
  const math::Random random(1);
  for (size_t i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) b[i][k] = random.uniform(3 * i + k, -1, 1);
  system_.dofs().push(x_, b, d);
  system_.dofs().pull(x_, d, b);
  if (!solver_->solve(b, q, inner_tolerance, inner_iterations).converged) return true;
  std::vector<math::Mat3d> diagonal(x_.size());
  system_.diagonal(diagonal);
  double stiffest = 0;
  for (const math::Mat3d& D : diagonal) stiffest = std::max(stiffest, std::abs(trace(D)));
  return !(length(q) * stiffest <= 1e13 * length(b));
}

void Tangent::apply(std::span<const Vec3d> d, bool transposed, std::span<Vec3d> out) const {
  system_.apply(d, out);
  if (nonsymmetric_.empty()) return;
  std::fill(skew_.begin(), skew_.end(), Vec3d{0, 0, 0});
  for (const energy::Nonsymmetric* term : nonsymmetric_) term->apply_skew(system_.view(x_), d, skew_);
  add_scaled(out, skew_, transposed ? -1 : 1);
}

void Tangent::apply_free(std::span<const Vec3d> q, bool transposed, std::span<Vec3d> out) {
  reduction_.apply(q, out, [&](std::span<const Vec3d> d, std::span<Vec3d> Kd) { apply(d, transposed, Kd); });
}

// Adds to q what takes the residual r away, as far as the vectors of one cycle go.
bool Tangent::correct(std::span<const Vec3d> r, bool transposed, std::span<Vec3d> q) {
  const double size = length(r);
  basis_.resize(1);
  basis_[0].assign(r.begin(), r.end());
  for (Vec3d& v : basis_[0]) v *= 1 / size;
  directions_.clear();
  std::vector<std::vector<double>> H;  // by columns, made triangular by rotations
  std::vector<double> cosine, sine, rest = {size};
  for (int j = 0; j < max_vectors && std::abs(rest.back()) > 1e-12 * size; ++j) {
    Vectors z(r.size()), w(r.size());
    const solve::LinearReport report = solver_->solve(basis_[j], z, inner_tolerance, inner_iterations);
    if (report.negative_curvature) return false;
    apply_free(z, transposed, w);
    std::vector<double> h;
    for (int i = 0; i <= j; ++i) {
      h.push_back(dot_of(w, basis_[i]));
      add_scaled(w, basis_[i], -h[i]);
    }
    const double next = length(w);
    for (int i = 0; i < j; ++i) {
      const double a = h[i], b = h[i + 1];
      h[i] = cosine[i] * a + sine[i] * b;
      h[i + 1] = cosine[i] * b - sine[i] * a;
    }
    const double radius = std::hypot(h[j], next);
    if (!(radius > 0)) return !directions_.empty();
    cosine.push_back(h[j] / radius);
    sine.push_back(next / radius);
    h[j] = radius;
    rest.push_back(-sine[j] * rest[j]);
    rest[j] *= cosine[j];
    H.push_back(std::move(h));
    directions_.push_back(std::move(z));
    if (next == 0) break;
    for (Vec3d& v : w) v *= 1 / next;
    basis_.push_back(std::move(w));
  }
  std::vector<double> y(directions_.size());
  for (size_t i = y.size(); i-- > 0;) {
    y[i] = rest[i];
    for (size_t k = i + 1; k < y.size(); ++k) y[i] -= H[k][i] * y[k];
    y[i] /= H[i][i];
    add_scaled(q, directions_[i], y[i]);
  }
  return true;
}

Result<void> Tangent::solve(std::span<const Vec3d> b, bool transposed, std::span<Vec3d> q) {
  const Vectors given(b.begin(), b.end());
  Vectors found(q.size());
  if (auto ok = solve(std::span(&given, 1), transposed, std::span(&found, 1)); !ok) return ok.error();
  std::copy(found.begin(), found.end(), q.begin());
  return {};
}

Result<void> Tangent::solve(std::span<const Vectors> b, bool transposed, std::span<Vectors> q) {
  std::vector<bool> solved(b.size(), false);
  for (size_t k = 0; k < b.size(); ++k) q[k].assign(b[k].size(), Vec3d{0, 0, 0});
  if (columns_) solve_columns(b, q, solved);
  for (size_t k = 0; k < b.size(); ++k) {
    if (solved[k]) continue;
    if (columns_ && !solver_) prepare_incomplete();
    if (auto ok = solve_with_factors(b[k], transposed, q[k]); !ok) return ok.error();
  }
  return {};
}

// K is symmetric. Which columns are solved; the others are fit for nothing.
void Tangent::solve_columns(std::span<const Vectors> b, std::span<Vectors> q, std::vector<bool>& solved) {
  std::vector<double> size(b.size());
  std::vector<size_t> rest;
  std::vector<solve::ColumnSolver::Column> columns;
  for (size_t k = 0; k < b.size(); ++k) {
    size[k] = length(b[k]);
    solved[k] = size[k] == 0;
    if (solved[k]) continue;
    rest.push_back(k);
    columns.push_back({.b = b[k], .q = q[k]});
  }
  columns_->solve(columns, first_tolerance, column_iterations);
  std::vector<size_t> positive;
  for (size_t c = 0; c < rest.size(); ++c)
    if (!columns[c].report.negative_curvature) positive.push_back(rest[c]);
  if (mixed_residual(b, q, size, positive) <= enough) {
    for (size_t k : positive) solved[k] = true;
  } else {
    for (size_t k : positive) solved[k] = refine_column(b[k], size[k], q[k]);
  }
}

// The length of the sum of the residuals of the columns, each over that of its right-hand side and with a sign by chance, so that
// none hides another: one product for all.
double Tangent::mixed_residual(std::span<const Vectors> b, std::span<const Vectors> q,
                               std::span<const double> size, std::span<const size_t> columns) {
  if (columns.empty()) return 0;
  Vectors sum_b(b[columns[0]].size(), Vec3d{0, 0, 0}), sum_q = sum_b, Kq(sum_b.size());
  const math::Random random(2);
  for (size_t k : columns) {
    const double share = (random.uniform(k, -1, 1) < 0 ? -1 : 1) / size[k];
    add_scaled(sum_b, b[k], share);
    add_scaled(sum_q, q[k], share);
  }
  apply_free(sum_q, false, Kq);
  add_scaled(sum_b, Kq, -1);
  return length(sum_b);
}

// Adds corrections for as long as they halve the residual. False: it stays too large.
bool Tangent::refine_column(const Vectors& b, double size, Vectors& q) {
  Vectors r(b.size()), step(b.size()), trial = q;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < max_refinements; ++k) {
    apply_free(trial, false, r);
    for (size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    const double now = length(r);
    const bool done = now <= enough * size || !(now < 0.5 * best);
    if (now < best) q = trial;
    best = std::min(best, now);
    if (done) break;
    solve::ColumnSolver::Column column = {.b = r, .q = step};
    columns_->solve(std::span(&column, 1), next_tolerance, column_iterations);
    add_scaled(trial, step, 1);
  }
  return best <= accepted * size;
}

Result<void> Tangent::solve_with_factors(std::span<const Vec3d> b, bool transposed, std::span<Vec3d> q) {
  std::fill(q.begin(), q.end(), Vec3d{0, 0, 0});
  const double size = length(b);
  if (size == 0) return {};
  Vectors r(b.begin(), b.end()), trial(q.begin(), q.end());
  double best = size;
  for (int k = 0; k < max_refinements && best > 1e-15 * size; ++k) {
    if (!correct(r, transposed, trial))
      return usage_error(
          "the stiffness is not positive definite, and the mesh too large to factor: the equilibrium is not "
          "stable; "
          "expected a stable one, or a coarser mesh");
    apply_free(trial, transposed, r);
    for (size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    const double now = length(r);
    if (now < best) std::copy(trial.begin(), trial.end(), q.begin());
    const bool done = !(now < 0.5 * best);
    best = std::min(best, now);
    if (done) break;
  }
  if (!(best <= accepted * size))
    return usage_error("the linear system of the derivative was solved to a relative residual of " +
                       std::to_string(best / size) + " only; expected a better conditioned equilibrium");
  return {};
}

}  // namespace sinew::sensitivity
