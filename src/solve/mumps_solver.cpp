// MUMPS, sequential: multifrontal LDL^T. Negative pivots tell that the matrix is not positive definite.
#ifdef SINEW_HAS_MUMPS
#include <dmumps_c.h>
#include <new>

#include "solve/linear_solver.h"
#include "solve/scalar_matrix.h"

namespace sinew::solve {

namespace {

class MumpsSolver final : public LinearSolver {
 public:
  MumpsSolver() {
    m_.comm_fortran = -987654;  // MPI_COMM_WORLD of the sequential library
    m_.par = 1;
    m_.sym = 2;
    run(-1);
    for (int i = 0; i < 4; ++i) m_.icntl[i] = i < 3 ? -1 : 0;  // no output
    m_.icntl[12] = 1;  // no parallel root: counts every negative pivot
  }
  ~MumpsSolver() override { run(-2); }
  MumpsSolver(const MumpsSolver&) = delete;
  MumpsSolver& operator=(const MumpsSolver&) = delete;

  std::string_view name() const override { return "mumps"; }
  bool direct() const override { return true; }

  bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) override {
    A_.assemble(system, x, hessian);
    const bool first = row_.empty();
    if (first) {
      for (int i = 0; i < A_.rows(); ++i)
        for (int k = A_.row_begin()[i]; k < A_.row_begin()[i + 1]; ++k) {
          row_.push_back(i + 1);
          column_.push_back(A_.column()[k] + 1);
        }
      rhs_.resize(A_.rows());
    }
    value_ = A_.value();
    m_.n = A_.rows();
    m_.nnz = static_cast<MUMPS_INT8>(row_.size());
    m_.irn = row_.data();
    m_.jcn = column_.data();
    m_.a = value_.data();
    run(first ? 4 : 2);
    return m_.infog[0] == 0 && m_.infog[11] == 0;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double, int) override {
    A_.gather(b, rhs_);
    m_.rhs = rhs_.data();
    run(3);
    A_.scatter(rhs_, q);
    LinearReport report;
    report.converged = m_.infog[0] == 0;
    return report;
  }

  int64_t bytes() const override { return A_.bytes() + 1000000 * static_cast<int64_t>(m_.infog[18]); }

 private:
  void run(int job) {
    const std::lock_guard turn(direct_turn());
    m_.job = job;
    dmumps_c(&m_);
    if (job > 0 && (m_.infog[0] == -13 || m_.infog[0] == -7 || m_.infog[0] == -5)) throw std::bad_alloc();
  }

  DMUMPS_STRUC_C m_{};
  std::vector<MUMPS_INT> row_, column_;
  std::vector<double> value_, rhs_;
  ScalarMatrix A_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_mumps_solver() { return std::make_unique<MumpsSolver>(); }

}  // namespace sinew::solve
#endif
