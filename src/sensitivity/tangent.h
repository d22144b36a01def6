#pragma once
// The stiffness K = dg/dx of a System at one point, with all digits of double precision, and its inverse.
//
// K q = b is solved by GMRES (Saad, Schultz: GMRES: A Generalized Minimal Residual Algorithm for Solving Nonsymmetric Linear
// Systems, 1986) in its flexible form (Saad: A Flexible Inner-Outer Preconditioned GMRES Algorithm, 1993): products are exact,
// element by element, and a LinearSolver for the symmetric part of K is the preconditioner. With a factorisation that takes
// one or two products; it is refined until the residual is rounding alone. K is not symmetric under an open follower
// pressure; the transpose is solved with the same factors.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "energy/term_interfaces.h"
#include "solve/linear_solver.h"
#include "solve/reduction.h"

namespace sinew::sensitivity {

using math::Vec3d;

class Tangent {
 public:
  // System and x must outlive it and stay as they are.
  Tangent(const solve::System& system, std::span<const Vec3d> x);

  // Refuses a singular K. A K that is not definite is the stiffness of an equilibrium that is not stable: a warning.
  Result<void> factor(std::vector<std::string>& warnings);
  std::string_view solver() const { return solver_ ? solver_->name() : ""; }

  // out = K d, or K^T d, at every node.
  void apply(std::span<const Vec3d> d, bool transposed, std::span<Vec3d> out) const;
  // q = K^-1 b, or K^-T b, over the free unknowns.
  Result<void> solve(std::span<const Vec3d> b, bool transposed, std::span<Vec3d> q);

 private:
  using Vectors = std::vector<Vec3d>;
  void apply_free(std::span<const Vec3d> q, bool transposed, std::span<Vec3d> out);
  bool correct(std::span<const Vec3d> r, bool transposed, std::span<Vec3d> q);
  bool singular();

  const solve::System& system_;
  std::span<const Vec3d> x_;
  std::vector<const energy::Nonsymmetric*> nonsymmetric_;
  std::unique_ptr<solve::LinearSolver> solver_;
  solve::Reduction reduction_;
  mutable Vectors skew_;
  std::vector<Vectors> basis_, directions_;
};

}  // namespace sinew::sensitivity
