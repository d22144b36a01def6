// MUMPS, sequential: multifrontal LDL^T. Negative pivots tell that the matrix is not positive definite.
#ifdef SINEW_HAS_MUMPS
#include <algorithm>
#include <dmumps_c.h>
#include <new>

#include "solve/linear_solver.h"
#include "solve/reduction.h"

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
    const energy::BlockMatrix& blocks = blocks_.assemble(system, x, hessian);
    const energy::BlockPattern& pattern = blocks.pattern();
    const bool first = row_.empty();
    if (first) {
      for_each_entry(pattern, [&](int32_t i, int32_t j, int64_t, int, int) {
        row_.push_back(i + 1);
        column_.push_back(j + 1);
      });
      value_.resize(row_.size());
    }
    double* value = value_.data();
    for_each_entry(pattern,
                   [&](int32_t, int32_t, int64_t s, int a, int b) { *value++ = blocks.block(s)(a, b); });
    m_.n = 3 * pattern.rows();
    m_.nnz = static_cast<MUMPS_INT8>(row_.size());
    m_.irn = row_.data();
    m_.jcn = column_.data();
    m_.a = value_.data();
    run(first ? 4 : 2);
    return m_.infog[0] == 0 && m_.infog[11] == 0;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double, int) override {
    std::copy(b.begin(), b.end(), q.begin());
    m_.rhs = reinterpret_cast<double*>(q.data());
    run(3);
    LinearReport report;
    report.converged = m_.infog[0] == 0;
    return report;
  }

  int64_t bytes() const override { return blocks_.bytes() + 1000000 * static_cast<int64_t>(m_.infog[18]); }

 private:
  void run(int job) {
    const std::lock_guard turn(direct_turn());
    m_.job = job;
    dmumps_c(&m_);
    if (job > 0 && (m_.infog[0] == -13 || m_.infog[0] == -7 || m_.infog[0] == -5)) throw std::bad_alloc();
  }

  // Lower triangle, entry by entry.
  template <class F>
  static void for_each_entry(const energy::BlockPattern& pattern, F&& visit) {
    for (int32_t i = 0; i < pattern.rows(); ++i)
      for (int64_t s = pattern.row_begin[i]; s <= pattern.diagonal[i]; ++s)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < (pattern.column[s] == i ? a + 1 : 3); ++b)
            visit(3 * i + a, 3 * pattern.column[s] + b, s, a, b);
  }

  DMUMPS_STRUC_C m_{};
  std::vector<MUMPS_INT> row_, column_;
  std::vector<double> value_;
  ReducedMatrix blocks_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_mumps_solver() { return std::make_unique<MumpsSolver>(); }

}  // namespace sinew::solve
#endif
