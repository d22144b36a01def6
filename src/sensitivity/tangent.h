#pragma once
// The stiffness K = dg/dx of a System at one point, with all digits of double precision, and its inverse.
//
// K q = b is solved by GMRES (Saad, Schultz: GMRES: A Generalized Minimal Residual Algorithm for Solving Nonsymmetric Linear
// Systems, 1986) in its flexible form (Saad: A Flexible Inner-Outer Preconditioned GMRES Algorithm, 1993): products are exact,
// element by element, and a LinearSolver for the symmetric part of K is the preconditioner. With a factorisation that takes
// one or two products; it is refined until the residual is rounding alone. K is not symmetric under an open follower
// pressure; the transpose is solved with the same factors.
//
// What is too large to factor is solved by conjugate gradients with multigrid, many right-hand sides at once
// (solve/column_solver.h). Where that does not converge, and where nodes are carried, incomplete Cholesky stands in for factors.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "energy/term_interfaces.h"
#include "solve/column_solver.h"
#include "solve/linear_solver.h"
#include "solve/reduction.h"

namespace sinew::sensitivity {

using math::Vec3d;

class Tangent {
 public:
  using Vectors = std::vector<Vec3d>;

  // System and x must outlive it and stay as they are. Systems of more free nodes than `most` are not factored.
  Tangent(const solve::System& system, std::span<const Vec3d> x, int32_t most);

  // Refuses a singular K. A K that is not definite is the stiffness of an equilibrium that is not stable: a warning.
  Result<void> factor(std::vector<std::string>& warnings);
  // "" where nothing is free. Once multigrid has not converged for a right-hand side: what took its place.
  std::string_view solver() const { return solver_ ? solver_->name() : columns_ ? "pcg_multigrid" : ""; }

  // out = K d, or K^T d, at every node.
  void apply(std::span<const Vec3d> d, bool transposed, std::span<Vec3d> out) const;
  // q = K^-1 b, or K^-T b, over the free unknowns.
  Result<void> solve(std::span<const Vec3d> b, bool transposed, std::span<Vec3d> q);
  // The same for many at once; all have the length of the unknowns.
  Result<void> solve(std::span<const Vectors> b, bool transposed, std::span<Vectors> q);

 private:
  Result<void> solve_with_factors(std::span<const Vec3d> b, bool transposed, std::span<Vec3d> q);
  void solve_columns(std::span<const Vectors> b, std::span<Vectors> q, std::vector<bool>& solved);
  double mixed_residual(std::span<const Vectors> b, std::span<const Vectors> q, std::span<const double> size,
                        std::span<const size_t> columns);
  bool refine_column(const Vectors& b, double size, Vectors& q);
  void prepare_incomplete();
  void apply_free(std::span<const Vec3d> q, bool transposed, std::span<Vec3d> out);
  bool correct(std::span<const Vec3d> r, bool transposed, std::span<Vec3d> q);
  bool singular();

  const solve::System& system_;
  std::span<const Vec3d> x_;
  std::vector<const energy::Nonsymmetric*> nonsymmetric_;
  int32_t most_;
  std::unique_ptr<solve::LinearSolver> solver_;
  std::unique_ptr<solve::ColumnSolver> columns_;
  solve::Reduction reduction_;
  mutable Vectors skew_;
  std::vector<Vectors> basis_, directions_;
};

}  // namespace sinew::sensitivity
