// CHOLMOD's supernodal Cholesky (SuiteSparse; its supernodal module is GPL, so this file is an optional component).
#ifdef SINEW_HAS_CHOLMOD
#include <algorithm>
#include <cholmod.h>
#include <new>

#include "solve/linear_solver.h"
#include "solve/loaded_function.h"
#include "solve/scalar_matrix.h"

namespace sinew::solve {

namespace {

// CHOLMOD shares the short loops of each supernode out to four threads, whatever number the user gave. In the small supernodes of
// sheets the threads cost more than the work, and on a busy machine each waits for a time slice. Here they run alone, and give the
// same bits; what is large is left to the BLAS.
class OneThread {
 public:
  OneThread() {
    if (!set_ || !get_) return;
    levels_ = get_();
    set_(0);
  }
  ~OneThread() {
    if (set_ && get_) set_(levels_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  void (*set_)(int) = loaded_function<void(int)>("omp_set_max_active_levels");
  int (*get_)() = loaded_function<int()>("omp_get_max_active_levels");
  int levels_ = 0;
};

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
    A_.assemble(system, x, hessian);
    if (!matrix_) make_matrix();
    std::copy(A_.value().begin(), A_.value().end(), static_cast<double*>(matrix_->x));
    const std::lock_guard turn(direct_turn());
    const OneThread alone;
    if (!factor_) factor_ = cholmod_analyze(matrix_, &common_);
    check_memory();
    if (!factor_) return false;
    if (!work_[0]) make_work();
    cholmod_factorize(matrix_, factor_, &common_);
    check_memory();
    return common_.status == CHOLMOD_OK;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double, int) override {
    const auto rows = static_cast<size_t>(A_.rows());
    A_.gather(b, {static_cast<double*>(work_[0]->x), rows});
    const std::lock_guard turn(direct_turn());
    const OneThread alone;
    LinearReport report;
    report.converged = cholmod_solve2(CHOLMOD_A, factor_, work_[0], nullptr, &work_[1], nullptr, &work_[2],
                                      &work_[3], &common_) != 0;
    check_memory();
    if (report.converged) A_.scatter({static_cast<const double*>(work_[1]->x), rows}, q);
    return report;
  }

  int64_t bytes() const override { return A_.bytes() + static_cast<int64_t>(common_.memory_usage); }

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

  void make_matrix() {
    const auto n = static_cast<size_t>(A_.rows());
    matrix_ = cholmod_allocate_sparse(n, n, A_.column().size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    check_memory();
    std::copy(A_.row_begin().begin(), A_.row_begin().end(), static_cast<int*>(matrix_->p));
    std::copy(A_.column().begin(), A_.column().end(), static_cast<int*>(matrix_->i));
  }

  cholmod_common common_;
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* work_[4] = {};
  ScalarMatrix A_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod_solver() { return std::make_unique<CholmodSolver>(); }

}  // namespace sinew::solve
#endif
