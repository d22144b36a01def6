#include "solve/general_solvers.h"

#include <algorithm>
#include <cmath>

#include "energy/block_row.h"
#include "solve/reduction.h"
#include "solve/vectors.h"
// g++ 12 takes the unset registers in its own AVX-512 intrinsics for a mistake when Eigen uses them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <Eigen/SparseLU>

namespace sinew::solve {

namespace {

constexpr int64_t row_block = 256;

class AssembledSolver : public LinearSolver {
 public:
  bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) override {
    matrix_ = &assembled_.assemble(system, x, hessian);
    return take();
  }
  int64_t bytes() const override {
    return assembled_.bytes() + static_cast<int64_t>(inverse_.size() * sizeof(Mat3d));
  }

 protected:
  // Makes of the matrix what solve() needs.
  virtual bool take() = 0;
  void invert_diagonal() {
    inverse_.resize(matrix_->rows());
    for (int32_t i = 0; i < matrix_->rows(); ++i) {
      const Mat3d D = matrix_->block(matrix_->pattern().diagonal[i]);
      inverse_[i] = det(D) != 0 ? math::inverse(D) : Mat3d::identity();
    }
  }
  Vec3d row_times(int32_t i, std::span<const Vec3d> q) const {
    const auto& pattern = matrix_->pattern();
    const int64_t begin = pattern.row_begin[i];
    return energy::row_product(matrix_->full() + 9 * begin, &pattern.column[begin],
                               pattern.row_begin[i + 1] - begin, q.data());
  }

  ReducedMatrix assembled_;
  const energy::BlockMatrix* matrix_ = nullptr;
  std::vector<Mat3d> inverse_;  // of the diagonal blocks
};

class GaussSeidel final : public AssembledSolver {
 public:
  explicit GaussSeidel(double relaxation) : relaxation_(relaxation) {}
  std::string_view name() const override { return "gauss_seidel"; }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double, int sweeps) override {
    std::fill(q.begin(), q.end(), Vec3d{0, 0, 0});
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (const std::vector<int32_t>& rows : colour_)
        for_each_block(static_cast<int64_t>(rows.size()), row_block, [&](int64_t begin, int64_t end) {
          for (int64_t k = begin; k < end; ++k) {
            const int32_t i = rows[k];
            q[i] += inverse_[i] * (b[i] - row_times(i, q)) * relaxation_;
          }
        });
    return {.converged = false, .negative_curvature = false, .iterations = sweeps};
  }

 private:
  bool take() override {
    if (colour_.empty()) colour_rows();
    invert_diagonal();
    return true;
  }
  // Every row gets the first colour that none of its neighbours has.
  void colour_rows() {
    const auto& pattern = matrix_->pattern();
    std::vector<int32_t> colour(pattern.rows(), -1), last(1, -1);
    for (int32_t i = 0; i < pattern.rows(); ++i) {
      for (int64_t s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s)
        if (const int32_t c = colour[pattern.column[s]]; c >= 0) last[c] = i;
      colour[i] = 0;
      while (last[colour[i]] == i) ++colour[i];
      if (colour[i] + 1 == static_cast<int32_t>(last.size())) last.push_back(-1);
      colour_.resize(last.size() - 1);
      colour_[colour[i]].push_back(i);
    }
  }

  double relaxation_;
  std::vector<std::vector<int32_t>> colour_;  // rows of each colour, ascending
};

class Bicgstab final : public AssembledSolver {
 public:
  std::string_view name() const override { return "bicgstab"; }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double tolerance,
                     int max_iterations) override {
    for (auto* v : {&r_, &p_, &v_, &t_, &y_, &z_}) v->assign(b.size(), {0, 0, 0});
    std::fill(q.begin(), q.end(), Vec3d{0, 0, 0});
    std::copy(b.begin(), b.end(), r_.begin());
    shadow_ = r_;
    const double stop = tolerance * tolerance * dot_of(b, b);
    double rho = 1, alpha = 1, omega = 1;
    LinearReport report;
    report.converged = dot_of(r_, r_) <= stop;
    while (!report.converged && report.iterations < max_iterations) {
      const double next = dot_of(shadow_, r_), beta = next / rho * (alpha / omega);
      if (next == 0 || !std::isfinite(beta)) break;  // breakdown: the best there is
      rho = next;
      for (size_t i = 0; i < b.size(); ++i) p_[i] = r_[i] + (p_[i] - v_[i] * omega) * beta;
      multiply(p_, y_, v_);
      alpha = rho / dot_of(shadow_, v_);
      if (!std::isfinite(alpha)) break;
      add_scaled(q, y_, alpha);
      add_scaled(r_, v_, -alpha);
      ++report.iterations;
      multiply(r_, z_, t_);
      const double tt = dot_of(t_, t_);
      omega = tt > 0 ? dot_of(t_, r_) / tt : 0;
      add_scaled(q, z_, omega);
      add_scaled(r_, t_, -omega);
      report.converged = dot_of(r_, r_) <= stop;
      if (omega == 0) break;
    }
    return report;
  }

  int64_t bytes() const override {
    return AssembledSolver::bytes() + static_cast<int64_t>(7 * r_.size() * sizeof(Vec3d));
  }

 private:
  bool take() override {
    invert_diagonal();
    return true;
  }
  // y = M^-1 p, out = A y
  void multiply(std::span<const Vec3d> p, std::span<Vec3d> y, std::span<Vec3d> out) const {
    for (size_t i = 0; i < p.size(); ++i) y[i] = inverse_[i] * p[i];
    matrix_->multiply(y, out);
  }

  std::vector<Vec3d> r_, shadow_, p_, v_, t_, y_, z_;
};

class PlainCg final : public AssembledSolver {
 public:
  std::string_view name() const override { return "cg"; }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double tolerance,
                     int max_iterations) override {
    const Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
      matrix_->multiply(p, out);
      return dot_of(p, out);
    };
    const Precondition identity = [](std::span<const Vec3d> r, std::span<Vec3d> z) {
      std::copy(r.begin(), r.end(), z.begin());
    };
    return cg_.solve(product, identity, b, q, tolerance, max_iterations);
  }

  int64_t bytes() const override { return AssembledSolver::bytes() + cg_.bytes(); }

 private:
  bool take() override { return true; }

  ConjugateGradients cg_;
};

class Lu final : public AssembledSolver {
 public:
  std::string_view name() const override { return "lu"; }
  bool direct() const override { return true; }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double, int) override {
    const auto n = 3 * static_cast<Eigen::Index>(b.size());
    Eigen::Map<Eigen::VectorXd>(q.data()->v, n) =
        lu_.solve(Eigen::Map<const Eigen::VectorXd>(b.data()->v, n)).eval();
    return {.converged = lu_.info() == Eigen::Success, .negative_curvature = false, .iterations = 0};
  }

  int64_t bytes() const override {
    const int64_t factors = matrix_ ? lu_.nnzL() + lu_.nnzU() : 0;
    return AssembledSolver::bytes() + 16 * (sparse_.nonZeros() + factors);
  }

 private:
  bool take() override {
    if (sparse_.rows() == 0) make_pattern();
    // By columns: the matrix is symmetric, so row i of the blocks is column i here.
    double* value = sparse_.valuePtr();
    const auto& pattern = matrix_->pattern();
    for (int32_t i = 0; i < pattern.rows(); ++i)
      for (int a = 0; a < 3; ++a)
        for (int64_t s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
          const Mat3d block = matrix_->block(s);
          for (int b = 0; b < 3; ++b) *value++ = block(a, b);
        }
    lu_.factorize(sparse_);
    return lu_.info() == Eigen::Success;
  }

  void make_pattern() {
    const auto& pattern = matrix_->pattern();
    sparse_.resize(3 * pattern.rows(), 3 * pattern.rows());
    sparse_.reserve(9 * pattern.blocks());
    for (int32_t i = 0; i < pattern.rows(); ++i)
      for (int a = 0; a < 3; ++a) {
        sparse_.startVec(3 * i + a);
        for (int64_t s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s)
          for (int b = 0; b < 3; ++b) sparse_.insertBack(3 * pattern.column[s] + b, 3 * i + a) = 1;
      }
    sparse_.finalize();
    lu_.isSymmetric(true);
    lu_.analyzePattern(sparse_);
  }

  Eigen::SparseMatrix<double> sparse_;
  mutable Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::AMDOrdering<int>> lu_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_gauss_seidel(double relaxation) {
  return std::make_unique<GaussSeidel>(relaxation);
}
std::unique_ptr<LinearSolver> make_bicgstab() { return std::make_unique<Bicgstab>(); }
std::unique_ptr<LinearSolver> make_plain_cg() { return std::make_unique<PlainCg>(); }
std::unique_ptr<LinearSolver> make_lu() { return std::make_unique<Lu>(); }

}  // namespace sinew::solve
