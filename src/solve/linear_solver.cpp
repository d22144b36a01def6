#include "solve/linear_solver.h"

#include <algorithm>

#include "base/parallel.h"
#include "solve/carried_cg.h"
#include "solve/incomplete_cholesky.h"
#include "solve/loaded_function.h"
#include "solve/multigrid.h"
#include "solve/point_pairs.h"
#include "solve/symmetric_product.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

// Without a matrix, in double precision.
class ElementwiseProduct {
 public:
  void linearise(const System& system, std::span<const Vec3d> x, Hessian hessian) {
    system_ = &system;
    system.linearise(x, hessian);
    d_.resize(x.size());
    out_.resize(x.size());
  }
  double operator()(std::span<const Vec3d> p, std::span<Vec3d> out) {
    system_->dofs().push(p, d_);
    system_->apply(d_, out_);
    system_->dofs().pull(out_, out);
    return dot_of(p, out);
  }
  int64_t bytes() const {
    return static_cast<int64_t>(2 * d_.size() * sizeof(Vec3d)) + (system_ ? system_->scratch_bytes() : 0);
  }

 private:
  const System* system_ = nullptr;
  std::vector<Vec3d> d_, out_;
};

bool has_sheets(const System& system) {
  const auto& bodies = system.model().bodies;
  return std::any_of(bodies.begin(), bodies.end(), [](const auto& body) { return body.kind->is_triangle(); });
}

class AssembledCg final : public LinearSolver {
 public:
  enum class Preconditioner { block_jacobi, multigrid, incomplete_cholesky };
  explicit AssembledCg(Preconditioner kind) : kind_(kind) {}

  std::string_view name() const override {
    return kind_ == Preconditioner::block_jacobi ? "pcg"
           : kind_ == Preconditioner::multigrid  ? "pcg_multigrid"
                                                 : "pcg_cholesky";
  }

  bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) override {
    const bool apart = kind_ == Preconditioner::multigrid;
    if (!ready_) {
      matrix_.reset(system.pattern(), energy::Precision::single);
      sheets_ = apart && has_sheets(system);
      if (sheets_) full_.reset(system.pattern(), energy::Precision::full);
    }
    ready_ = true;
    if (sheets_) {
      system.assemble(x, hessian, full_, System::PointPairs::without);
      sheet_product_.take(full_);
      round_matrix(full_, matrix_);
    } else {
      system.assemble(x, hessian, matrix_, apart ? System::PointPairs::without : System::PointPairs::with);
    }
    product_.take(matrix_);
    if (apart) {
      pairs_.take(system, x, hessian);
      multigrid_.prepare(system, matrix_, product_, pairs_);
      system_ = &system;
      x_.assign(hessian == Hessian::projected ? x.begin() : x.end(), x.end());
      return true;
    }
    if (kind_ == Preconditioner::incomplete_cholesky) {
      cholesky_.factor(matrix_);
      return true;
    }
    inverse_.resize(matrix_.rows());
    for_each_block(matrix_.rows(), 2048, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        inverse_[i] = safe_inverse(matrix_.block(matrix_.pattern().diagonal[i]));
    });
    return true;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double tolerance,
                     int max_iterations) override {
    const Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
      const double curvature = sheets_ ? sheet_product_(p, out) : product_(p, out);
      return pairs_.count() > 0 ? curvature + pairs_.add_product(p, out) : curvature;
    };
    if (kind_ == Preconditioner::block_jacobi)
      return cg_.solve(product, inverse_, b, q, tolerance, max_iterations);
    const Precondition precondition = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
      if (kind_ == Preconditioner::multigrid)
        multigrid_.precondition(r, z);
      else
        cholesky_.solve(r, z);
    };
    LinearReport report = cg_.solve(product, precondition, b, q, tolerance, max_iterations);
    // A long body that is held at one end is softer than the rounding of a fine matrix.
    if (report.negative_curvature && kind_ == Preconditioner::multigrid && !x_.empty()) {
      const int before = report.iterations;
      exact_.linearise(*system_, x_, Hessian::projected);
      report = cg_.solve(std::ref(exact_), precondition, b, q, tolerance, max_iterations);
      report.iterations += before;
    }
    return report;
  }

  bool promising() const override { return kind_ != Preconditioner::multigrid || multigrid_.has_all_ties(); }
  double iteration_work() const override {
    return kind_ == Preconditioner::multigrid ? multigrid_.cycle_work() + 1 : 1;
  }
  int64_t bytes() const override {
    return matrix_.bytes() + (sheets_ ? full_.bytes() : 0) + product_.bytes() + sheet_product_.bytes() +
           cg_.bytes() + cholesky_.bytes() + multigrid_.bytes() + pairs_.bytes() + exact_.bytes() +
           static_cast<int64_t>(x_.size() * sizeof(Vec3d)) +
           static_cast<int64_t>(inverse_.size() * sizeof(Mat3f));
  }

 private:
  Preconditioner kind_;
  bool ready_ = false;
  energy::BlockMatrix matrix_, full_;  // full_: of sheets
  SymmetricProduct product_;
  std::vector<Mat3f> inverse_;
  IncompleteCholesky cholesky_;
  Multigrid multigrid_;
  PointPairs pairs_;  // beside the matrix, with multigrid
  const System* system_ = nullptr;
  std::vector<Vec3d> x_;  // where the matrix was made; empty for the exact Hessian
  // Sheets bend far more softly than they stretch: beside that the rounding of a matrix in single precision is stiffer than long
  // waves are. It serves the multigrid cycle alone.
  bool sheets_ = false;
  SymmetricProductOf<double> sheet_product_;
  ElementwiseProduct exact_;
  ConjugateGradients cg_;
};

class MatrixFreeCg final : public LinearSolver {
 public:
  std::string_view name() const override { return "matrix_free"; }
  bool lasting() const override { return false; }

  bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) override {
    const size_t nodes = x.size(), blocks = system.dofs().block_count();
    diagonal_.resize(nodes);
    inverse_.resize(blocks);
    product_.linearise(system, x, hessian);
    system.diagonal(diagonal_);
    for (const auto& partial : system.dofs().partials()) {
      Mat3d& D = diagonal_[partial.node];
      D = partial.P * D * partial.P + (Mat3d::identity() - partial.P) * trace(D);
    }
    for (size_t b = 0; b < blocks; ++b)
      inverse_[b] = safe_inverse(diagonal_[system.dofs().node_of_block()[b]]);
    return true;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double tolerance,
                     int max_iterations) override {
    return cg_.solve(std::ref(product_), inverse_, b, q, tolerance, max_iterations);
  }

  int64_t bytes() const override {
    return static_cast<int64_t>(diagonal_.size() * sizeof(Mat3d) + inverse_.size() * sizeof(Mat3f)) +
           product_.bytes() + cg_.bytes();
  }

 private:
  ElementwiseProduct product_;
  std::vector<Mat3d> diagonal_;
  std::vector<Mat3f> inverse_;
  ConjugateGradients cg_;
};

constexpr std::string_view names[] = {
    "auto",    "pcg", "pcg_multigrid", "pcg_cholesky", "matrix_free",
#ifdef SINEW_HAS_CHOLMOD
    "cholmod",
#endif
#ifdef SINEW_HAS_MUMPS
    "mumps",
#endif
};

// Measured on a block in tension: conjugate gradients win from about this many nodes.
constexpr int32_t direct_blocks = 200;
// Sheets have factors that are sparse, and matrices on which simpler preconditioners fail: they are far stiffer in their plane than
// across it.
constexpr int32_t direct_sheet_blocks = 200000;

// Threads of the BLAS, where it is OpenBLAS, would change the order of sums.
void set_blas_threads() {
  if (auto* set = loaded_function<void(int)>("openblas_set_num_threads")) set(1);
}

bool solves_directly(const System& system) {
  const int32_t blocks = system.dofs().unknown_count();
  return blocks < direct_blocks || (blocks < direct_sheet_blocks && mostly_sheets(system));
}

}  // namespace

bool mostly_sheets(const System& system) {
  int64_t in_sheets = 0;
  for (const model::Body& body : system.model().bodies)
    if (body.kind->is_triangle()) in_sheets += body.nodes.size();
  return 2 * in_sheets > static_cast<int64_t>(system.model().X.size());
}

std::span<const std::string_view> linear_solver_names() { return names; }

std::mutex& direct_turn() {
  static std::mutex mutex;
  return mutex;
}

std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name, const System& system) {
  set_blas_threads();
  [[maybe_unused]] const bool directly = name == "auto" && solves_directly(system);
#ifdef SINEW_HAS_CHOLMOD
  if (name == "cholmod" || directly) return make_cholmod_solver();
#endif
#ifdef SINEW_HAS_MUMPS
  if (name == "mumps" || directly) return make_mumps_solver();
#endif
  if (system.dofs().carries()) return make_carried_cg(name);
  if (name == "matrix_free") return std::make_unique<MatrixFreeCg>();
  using Preconditioner = AssembledCg::Preconditioner;
  return std::make_unique<AssembledCg>(name == "pcg_cholesky"    ? Preconditioner::incomplete_cholesky
                                       : name == "pcg_multigrid" ? Preconditioner::multigrid
                                                                 : Preconditioner::block_jacobi);
}

std::unique_ptr<LinearSolver> make_direct_solver([[maybe_unused]] const System& system) {
  set_blas_threads();
  // Factors of larger three-dimensional meshes do not fit memory: about 40 GB at this size.
  if (system.dofs().unknown_count() > 200000) return nullptr;
#ifdef SINEW_HAS_CHOLMOD
  return make_cholmod_solver();
#elif defined(SINEW_HAS_MUMPS)
  return make_mumps_solver();
#else
  return nullptr;
#endif
}

}  // namespace sinew::solve
