// CHOLMOD's supernodal Cholesky (SuiteSparse; its supernodal module is GPL, so this file is an optional component).
#ifdef SINEW_HAS_CHOLMOD
#include <algorithm>
#include <cholmod.h>
#include <new>

#include "solve/linear_solver.h"
#include "solve/reduction.h"

namespace sinew::solve {

namespace {

class CholmodSolver final : public LinearSolver {
 public:
  CholmodSolver() {
    cholmod_start(&common_);
    common_.print = 0;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.quick_return_if_not_posdef = 1;
  }
  ~CholmodSolver() override {
    for (cholmod_dense*& work : work_) cholmod_free_dense(&work, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    cholmod_finish(&common_);
  }
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;

  std::string_view name() const override { return "cholmod"; }
  bool direct() const override { return true; }

  bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) override {
    const energy::BlockMatrix& blocks = blocks_.assemble(system, x, hessian);
    if (!matrix_) make_pattern(blocks.pattern());
    fill(blocks);
    const std::lock_guard turn(direct_turn());
    if (!factor_) factor_ = cholmod_analyze(matrix_, &common_);
    check_memory();
    if (!factor_) return false;
    if (!work_[0]) make_work();
    cholmod_factorize(matrix_, factor_, &common_);
    check_memory();
    return common_.status == CHOLMOD_OK;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double, int) override {
    std::copy(b.begin(), b.end(), static_cast<Vec3d*>(work_[0]->x));
    const std::lock_guard turn(direct_turn());
    LinearReport report;
    report.converged = cholmod_solve2(CHOLMOD_A, factor_, work_[0], nullptr, &work_[1], nullptr, &work_[2],
                                      &work_[3], &common_) != 0;
    check_memory();
    if (report.converged) std::copy_n(static_cast<const Vec3d*>(work_[1]->x), q.size(), q.begin());
    return report;
  }

  int64_t bytes() const override { return blocks_.bytes() + static_cast<int64_t>(common_.memory_usage); }

 private:
  // Another solver in its place would need memory too, and give other bits.
  void check_memory() const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
  }

  // Right-hand side, solution and what cholmod_solve2 would allocate itself: where that fails it crashes.
  void make_work() {
    const size_t n = matrix_->nrow;
    for (const int k : {3, 2, 1, 0}) {
      const size_t rows = k == 3 ? std::max<size_t>(factor_->maxesize, 1) : n;
      if (!work_[k]) work_[k] = cholmod_zeros(rows, 1, CHOLMOD_REAL, &common_);
      check_memory();
    }
  }

  // The lower triangle by columns is the upper triangle by rows: rows of the block matrix, columns >= row.
  void make_pattern(const energy::BlockPattern& pattern) {
    const int32_t n = pattern.rows();
    int64_t nonzeros = 0;
    for (int32_t i = 0; i < n; ++i) nonzeros += 9 * (pattern.row_begin[i + 1] - pattern.diagonal[i]) - 3;
    matrix_ = cholmod_allocate_sparse(3 * n, 3 * n, nonzeros, 1, 1, -1, CHOLMOD_REAL, &common_);
    check_memory();
    auto* p = static_cast<int*>(matrix_->p);
    auto* row = static_cast<int*>(matrix_->i);
    int count = 0;
    for (int32_t i = 0; i < n; ++i)
      for (int a = 0; a < 3; ++a) {
        p[3 * i + a] = count;
        for (int64_t s = pattern.diagonal[i]; s < pattern.row_begin[i + 1]; ++s)
          for (int b = pattern.column[s] == i ? a : 0; b < 3; ++b) row[count++] = 3 * pattern.column[s] + b;
      }
    p[3 * n] = count;
  }

  void fill(const energy::BlockMatrix& blocks) {
    const energy::BlockPattern& pattern = blocks.pattern();
    auto* value = static_cast<double*>(matrix_->x);
    for (int32_t i = 0; i < pattern.rows(); ++i)
      for (int a = 0; a < 3; ++a)
        for (int64_t s = pattern.diagonal[i]; s < pattern.row_begin[i + 1]; ++s) {
          const Mat3d block = blocks.block(s);
          for (int b = pattern.column[s] == i ? a : 0; b < 3; ++b) *value++ = block(a, b);
        }
  }

  cholmod_common common_;
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* work_[4] = {};
  ReducedMatrix blocks_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod_solver() { return std::make_unique<CholmodSolver>(); }

}  // namespace sinew::solve
#endif
