#include "solve/carried_cg.h"

#include "solve/incomplete_cholesky.h"
#include "solve/reduction.h"
#include "solve/symmetric_product.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

class CarriedCg : public LinearSolver {
 public:
  bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) override {
    system_ = &system;
    reduction_.linearise(system, x, hessian);
    if (!ready_) matrix_.reset(node_pattern(), energy::Precision::single);
    fill(x, hessian);
    if (!ready_)
      reduced_.reset(std::make_shared<const energy::BlockPattern>(reduced_pattern()),
                     energy::Precision::single);
    ready_ = true;
    reduction_.assemble(matrix_, reduced_);
    cholesky_.factor(reduced_);
    return true;
  }

  LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double tolerance,
                     int max_iterations) override {
    const Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
      reduction_.apply(p, out, [&](std::span<const Vec3d> d, std::span<Vec3d> Kd) { multiply(d, Kd); });
      return dot_of(p, out);
    };
    const Precondition precondition = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
      cholesky_.solve(r, z);
    };
    return cg_.solve(product, precondition, b, q, tolerance, max_iterations);
  }

  int64_t bytes() const override {
    return ready_ ? matrix_.bytes() + reduced_.bytes() + reduction_.bytes() + cholesky_.bytes() + cg_.bytes()
                  : 0;
  }

 protected:
  virtual std::shared_ptr<const energy::BlockPattern> node_pattern() const { return system_->pattern(); }
  virtual energy::BlockPattern reduced_pattern() const { return reduction_.diagonal_pattern(); }
  // Linearises at x: the values of matrix_, and what multiply() needs.
  virtual void fill(std::span<const Vec3d> x, Hessian hessian) = 0;
  // Kd = K d at all nodes that are not held.
  virtual void multiply(std::span<const Vec3d> d, std::span<Vec3d> Kd) = 0;

  const System* system_ = nullptr;
  energy::BlockMatrix matrix_;  // K, or as much of it as the preconditioner uses
  Reduction reduction_;

 private:
  bool ready_ = false;
  energy::BlockMatrix reduced_;
  IncompleteCholesky cholesky_;
  ConjugateGradients cg_;
};

class AssembledCarriedCg final : public CarriedCg {
 public:
  explicit AssembledCarriedCg(bool incomplete_cholesky) : incomplete_cholesky_(incomplete_cholesky) {}
  std::string_view name() const override { return incomplete_cholesky_ ? "pcg_cholesky" : "pcg"; }
  int64_t bytes() const override {
    return CarriedCg::bytes() + product_.bytes() + static_cast<int64_t>(2 * rows_.size() * sizeof(Vec3d));
  }

 private:
  energy::BlockPattern reduced_pattern() const override {
    return incomplete_cholesky_ ? reduction_.pattern(matrix_.pattern()) : CarriedCg::reduced_pattern();
  }
  void fill(std::span<const Vec3d> x, Hessian hessian) override {
    system_->assemble(x, hessian, matrix_);
    product_.take(matrix_);
    rows_.resize(matrix_.rows());
    products_.resize(matrix_.rows());
  }
  void multiply(std::span<const Vec3d> d, std::span<Vec3d> Kd) override {
    const auto node = system_->dofs().node_of_block();
    for (size_t b = 0; b < rows_.size(); ++b) rows_[b] = d[node[b]];
    product_(rows_, products_);
    for (size_t b = 0; b < rows_.size(); ++b) Kd[node[b]] = products_[b];
  }

  bool incomplete_cholesky_;
  SymmetricProduct product_;
  std::vector<Vec3d> rows_, products_;
};

// Knows the diagonal blocks of K alone, which make the blocks of frames too large: the coupling of their nodes is missing.
class MatrixFreeCarriedCg final : public CarriedCg {
 public:
  std::string_view name() const override { return "matrix_free"; }
  bool lasting() const override { return false; }
  int64_t bytes() const override { return CarriedCg::bytes() + (system_ ? system_->scratch_bytes() : 0); }

 private:
  std::shared_ptr<const energy::BlockPattern> node_pattern() const override {
    return std::make_shared<const energy::BlockPattern>(
        energy::make_pattern({}, system_->dofs().block_of_node(), system_->dofs().block_count()));
  }
  void fill(std::span<const Vec3d> x, Hessian hessian) override {
    system_->linearise(x, hessian);
    diagonal_.resize(x.size());
    system_->diagonal(diagonal_);
    const auto node = system_->dofs().node_of_block();
    for (int32_t b = 0; b < matrix_.rows(); ++b) matrix_.set(b, diagonal_[node[b]]);
  }
  void multiply(std::span<const Vec3d> d, std::span<Vec3d> Kd) override { system_->apply(d, Kd); }

  std::vector<Mat3d> diagonal_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_carried_cg(std::string_view name) {
  if (name == "matrix_free") return std::make_unique<MatrixFreeCarriedCg>();
  return std::make_unique<AssembledCarriedCg>(name == "pcg_cholesky");
}

}  // namespace sinew::solve
